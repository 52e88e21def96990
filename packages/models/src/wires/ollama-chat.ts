// The wire format of Ollama's own API, `/api/chat`. It streams JSON lines, and has settings that
// Ollama's OpenAI-compatible API lacks.
//
// If a conversation does not fit into the context, Ollama silently drops its beginning. This
// adapter reports an error instead:
// - It sends `truncate: false` and `shift: false`, which ask the server to refuse such a prompt.
//   Servers since autumn 2025 do so.
// - It does not send a prompt that cannot fit.
// - It refuses an answer if its token counts reach the size of the context.

import {
  AgentError,
  type ChatMessage,
  type ContentPart,
  invalidOption,
  type JsonValue,
  type ModelRequest,
  type ReadBlob,
  textOf,
  toBase64,
} from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { concessions } from "../http/refused-field.ts";
import { presentFieldNames, toolDeclarations, withoutRefused } from "./chat-body.ts";
import { keyHeaders } from "./chat-completions.ts";
import { hasMedia } from "./chat-messages.ts";
import { createOllamaReader, overflowHint } from "./ollama-answer.ts";
import type { Wire } from "./wire.ts";

/** The settings that are needed to write a model's requests. */
export interface OllamaSettings extends Pick<AdapterOptions, "roles" | "contentAsText" | "defaults" | "extra"> {
  readonly contextTokens: number;
  readonly keepAlive?: string | number | undefined;
  readonly think?: boolean | "low" | "medium" | "high" | undefined;
}

/** Creates the wire format of Ollama's chat API. */
export function ollamaChat(modelId: string, settings: OllamaSettings): Wire {
  const kept = new WeakMap<ChatMessage, readonly string[]>();
  const keptAsText = new WeakMap<ChatMessage, readonly string[]>();
  const fieldsOf = (request: ModelRequest, refused: ReadonlySet<string>): object =>
    requestFields(request, modelId, settings, refused);
  return {
    framing: "lines",
    headers: keyHeaders,
    async body(request, refused, readBlob) {
      const texts: string[] = [];
      const names = callNames(request.messages);
      const isText = settings.contentAsText === true || refused.has(concessions.noMedia);
      const cache = isText ? keptAsText : kept;
      for (const message of request.messages) {
        const known =
          cache.get(message) ?? (await wireMessages(message, { ...settings, contentAsText: isText }, names, readBlob));
        cache.set(message, known);
        texts.push(...known);
      }
      refuseOverflow(request.messages, modelId, settings.contextTokens);
      const fields = { ...fieldsOf(request, refused), ...withoutRefused(settings.extra ?? {}, refused) };
      const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
      return `{"messages":[${texts.join(",")}],${JSON.stringify(Object.fromEntries(present)).slice(1)}`;
    },
    fields({ messages, responseFormat }, refused) {
      const { think, contentAsText, extra = {} } = settings;
      const possible: readonly (readonly [name: string, isPossible: boolean])[] = [
        ["thinking", think !== undefined],
        ["format", responseFormat !== undefined && !("format" in extra)],
        [concessions.noMedia, contentAsText !== true && messages.some(hasMedia)],
      ];
      return [
        ...presentFieldNames(Object.entries(withoutRefused(extra, refused))),
        ...possible.filter(([name, isPossible]) => isPossible && !refused.has(name)).map(([name]) => name),
      ];
    },
    read: () => createOllamaReader(modelId, settings.contextTokens),
  };
}

function requestFields(
  { tools = [], stop = [], responseFormat, ...limits }: ModelRequest,
  modelId: string,
  { contextTokens, keepAlive, think, defaults = {} }: OllamaSettings,
  refused: ReadonlySet<string>,
): object {
  const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens } = limits;
  const isToolChoiceNone = limits.toolChoice === "none";
  return {
    model: modelId,
    stream: true,
    truncate: false,
    shift: false,
    // This API has no `tool_choice`, so tools are forbidden by sending none.
    tools: tools.length === 0 || isToolChoiceNone ? undefined : toolDeclarations(tools),
    format: refused.has("format") ? undefined : responseFormat?.schema,
    // Servers use the name "thinking" when they refuse this field.
    think: refused.has("thinking") ? undefined : think,
    keep_alive: keepAlive,
    options: {
      num_ctx: contextTokens,
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(stop.length === 0 ? {} : { stop }),
    },
  };
}

/**
 * Hardly any token has more characters than this. So a prompt cannot fit if it has more than this
 * many characters per token of the context.
 */
const maxCharactersPerToken = 12;

function refuseOverflow(messages: readonly ChatMessage[], modelId: string, contextTokens: number): void {
  const characters = messages.reduce((sum, { content }) => sum + textOf(content).length, 0);
  if (characters <= contextTokens * maxCharactersPerToken) return;
  throw new AgentError(
    "context-overflow",
    `the prompt of model "${modelId}" has ${characters} characters, which do not fit its context of ${contextTokens} tokens`,
    { hint: overflowHint },
  );
}

/**
 * Returns the name of the tool for each call id. A result must name its tool, but only the call
 * holds the name.
 */
function callNames(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ content }) => content.filter((part) => part.type === "tool-call"));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

async function wireMessages(
  { role, content }: ChatMessage,
  { roles = {}, contentAsText = false }: OllamaSettings,
  names: ReadonlyMap<string, string>,
  readBlob: ReadBlob,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const part of content) {
    if (part.type !== "tool-result") continue;
    const text = part.isError ? `Error: ${textOf(part.output)}` : textOf(part.output);
    const images = contentAsText ? [] : await imagesOf(part.output, readBlob);
    const fields = { content: text, tool_name: names.get(part.id), tool_call_id: part.id, images };
    texts.push(messageJson(roles.tool ?? "tool", fields));
  }
  const spoken = content.filter((part) => part.type !== "tool-result");
  if (spoken.length === 0 && content.length > 0) return texts;
  const speaker = role === "tool" ? "user" : role;
  const calls = spoken.filter((part) => part.type === "tool-call");
  const images = contentAsText ? [] : await imagesOf(spoken, readBlob);
  texts.push(
    messageJson(roles[speaker] ?? speaker, {
      content: textOf(spoken),
      thinking: spoken.map((part) => (part.type === "reasoning" ? part.text : "")).join("") || undefined,
      images,
      tool_calls: calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input ?? {} } })),
    }),
  );
  return texts;
}

/** Returns a message as JSON, without its empty lists, because older servers refuse them. */
function messageJson(role: string, fields: Readonly<Record<string, JsonValue | undefined>>): string {
  const present = Object.entries(fields).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return JSON.stringify({ role, ...Object.fromEntries(present) });
}

async function imagesOf(parts: readonly ContentPart[], readBlob: ReadBlob): Promise<readonly string[]> {
  const images: string[] = [];
  for (const part of parts) {
    if (part.type === "audio" || part.type === "file") throw refusedPart(`does not accept the type ${part.type}`);
    if (part.type !== "image") continue;
    if ("url" in part.source) throw refusedPart(`does not accept the address of an image: "${part.source.url}"`);
    images.push(toBase64(await readBlob(part.source.digest)));
  }
  return images;
}

function refusedPart(what: string): AgentError {
  return invalidOption(`Ollama ${what}`, "pass the bytes of an image");
}
