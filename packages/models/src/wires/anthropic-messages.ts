// The wire format of Anthropic's Messages API. It differs from Chat Completions: the system prompt
// is a field, tool results are in user messages, and all content is a list of blocks. Thinking
// blocks are sent back unchanged with their signatures, because the API refuses tool results that
// follow an unverified thinking block.

import {
  type ChatMessage,
  type ContentPart,
  invalidOption,
  type MediaPart,
  type ModelRequest,
  type ReadBlob,
  type ReasoningPart,
  type ToolResultPart,
  textOf,
  toBase64,
} from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { concessions } from "../http/refused-field.ts";
import { MessagesReader } from "./anthropic-answer.ts";
import { presentFieldNames, withoutRefused } from "./chat-body.ts";
import { hasMedia } from "./chat-messages.ts";
import { objectIn } from "./loose-json.ts";
import type { Wire } from "./wire.ts";

/** The settings that are needed to write a model's requests. */
export interface AnthropicSettings extends Pick<AdapterOptions, "contentAsText" | "defaults" | "extra"> {
  readonly thinking?: { readonly budgetTokens: number } | "adaptive" | undefined;
  readonly cache: "5m" | "1h" | "off";
}

/** Creates the wire format of the Messages API, version 2023-06-01. */
export function anthropicMessages(modelId: string, settings: AnthropicSettings): Wire {
  const kept = new WeakMap<ChatMessage, WireTurn>();
  const keptAsText = new WeakMap<ChatMessage, WireTurn>();
  return {
    framing: "events",
    headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) }),
    async body(request, refused, readBlob) {
      const turns: WireTurn[] = [];
      const isText = settings.contentAsText === true || refused.has(concessions.noMedia);
      const cache = isText ? keptAsText : kept;
      for (const message of request.messages) {
        const known = cache.get(message) ?? (await turnOf(message, isText, readBlob));
        cache.set(message, known);
        turns.push(known);
      }
      const extra = withoutRefused(settings.extra ?? {}, refused);
      const fields = { ...requestFields(request, modelId, settings, turns, refused), ...extra };
      const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
      return `{"messages":[${joinTurns(turns).join(",")}],${JSON.stringify(Object.fromEntries(present)).slice(1)}`;
    },
    fields(request, refused) {
      const { extra = {}, contentAsText } = settings;
      const { tools = [], toolChoice } = request;
      const own = Object.entries(optionalFields(request, settings, refused)).filter(([name]) => !(name in extra));
      const isForced = tools.length > 0 && toolChoice !== undefined && toolChoice !== "auto" && toolChoice !== "none";
      const possible: readonly (readonly [name: string, isPossible: boolean])[] = [
        [concessions.freeToolChoice, isForced && settings.thinking === undefined && !("tool_choice" in extra)],
        [concessions.noMedia, contentAsText !== true && request.messages.some(hasMedia)],
      ];
      return [
        ...presentFieldNames([...own, ...Object.entries(withoutRefused(extra, refused))]),
        ...possible.filter(([name, isPossible]) => isPossible && !refused.has(name)).map(([name]) => name),
      ];
    },
    read: () => new MessagesReader(),
  };
}

/** The limit of output tokens if none is set. The API requires a limit. */
const defaultMaxTokens = 8_192;

function requestFields(
  request: ModelRequest,
  modelId: string,
  settings: AnthropicSettings,
  turns: readonly WireTurn[],
  refused: ReadonlySet<string>,
): object {
  const { tools = [], maxOutputTokens = settings.defaults?.maxOutputTokens ?? defaultMaxTokens } = request;
  const { thinking } = settings;
  const budgetTokens = typeof thinking === "object" && !refused.has("thinking") ? thinking.budgetTokens : 0;
  return {
    model: modelId,
    stream: true,
    // In this API, the limit includes the thinking budget. In our options, the limit does not
    // include it.
    max_tokens: maxOutputTokens + budgetTokens,
    system:
      turns.flatMap(({ role, text }) => (role === "system" && text !== "" ? [text] : [])).join("\n\n") || undefined,
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    ...optionalFields(request, settings, refused),
  };
}

/** Returns the fields that a model may refuse. */
function optionalFields(
  { tools = [], toolChoice, stop = [], responseFormat, temperature }: ModelRequest,
  { cache, thinking, defaults = {} }: AnthropicSettings,
  refused: ReadonlySet<string>,
): object {
  // The API refuses stop sequences that are only white space.
  const visibleStop = stop.filter((text) => text.trim() !== "");
  const fields = {
    cache_control: cache === "off" ? undefined : { type: "ephemeral", ...(cache === "1h" ? { ttl: "1h" } : {}) },
    thinking: typeof thinking === "object" ? thinkingBudget(thinking) : thinking && { type: thinking },
    tool_choice:
      tools.length === 0
        ? undefined
        : toolChoiceOf(toolChoice, thinking !== undefined || refused.has(concessions.freeToolChoice)),
    stop_sequences: visibleStop.length === 0 ? undefined : visibleStop,
    output_config: responseFormat && { format: { type: "json_schema", schema: responseFormat.schema } },
    temperature: thinking === undefined ? (temperature ?? defaults.temperature) : undefined,
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name)));
}

const thinkingBudget = ({ budgetTokens }: { readonly budgetTokens: number }): object | undefined =>
  budgetTokens > 0 ? { type: "enabled", budget_tokens: budgetTokens } : undefined;

/**
 * Returns the choice of tools in the API's format. A model that thinks cannot be forced to call a
 * tool.
 */
function toolChoiceOf(choice: ModelRequest["toolChoice"], isFree: boolean): object | undefined {
  if (choice === undefined) return undefined;
  if (choice === "none") return { type: "none" };
  if (choice === "auto" || isFree) return { type: "auto" };
  return choice === "required" ? { type: "any" } : { type: "tool", name: choice.name };
}

/** One message in the API's format: its blocks as JSON, or the text of a system message. */
interface WireTurn {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
  readonly blocks: readonly string[];
}

async function turnOf({ role, content }: ChatMessage, isText: boolean, readBlob: ReadBlob): Promise<WireTurn> {
  if (role === "system") return { role, text: textOf(content), blocks: [] };
  const blocks: (object | null)[] = [];
  for (const part of role === "assistant" ? content : resultsFirst(content))
    blocks.push(await blockOf(part, isText, readBlob));
  return {
    role: role === "assistant" ? "assistant" : "user",
    text: "",
    blocks: blocks.filter((block) => block !== null).map((block) => JSON.stringify(block)),
  };
}

/**
 * Puts the tool results of a user message first, because the API requires them directly after their
 * calls. Do not use this function for the model's own messages: in those, thinking must stay in
 * front of the block that follows it.
 */
const resultsFirst = (content: readonly ContentPart[]): readonly ContentPart[] => [
  ...content.filter((part) => part.type === "tool-result"),
  ...content.filter((part) => part.type !== "tool-result"),
];

async function blockOf(part: ContentPart, asText: boolean, readBlob: ReadBlob): Promise<object | null> {
  switch (part.type) {
    case "text":
      // The API refuses text that is only white space, although it sends such text itself between
      // thinking and calls.
      return part.text.trim() === "" ? null : { type: "text", text: part.text };
    case "reasoning":
      return thinkingBlock(part);
    case "tool-call":
      return { type: "tool_use", id: part.id, name: part.name, input: part.input ?? {} };
    case "tool-result":
      return resultBlock(part, asText, readBlob);
    case "image":
    case "audio":
    case "file":
      return asText ? { type: "text", text: `[${part.type}]` } : mediaBlock(part, readBlob);
    default:
      return part satisfies never;
  }
}

/**
 * Returns a thinking block, or null if the part has no signature. Without a signature, the thinking
 * comes from another model, and the API would refuse it.
 */
function thinkingBlock({ text, providerData }: ReasoningPart): object | null {
  const kept = objectIn(providerData);
  if (kept["provider"] !== "anthropic") return null;
  if (kept["data"] !== undefined) return { type: "redacted_thinking", data: kept["data"] };
  return { type: "thinking", thinking: text, signature: kept["signature"] };
}

async function resultBlock(
  { id, output, isError }: ToolResultPart,
  asText: boolean,
  readBlob: ReadBlob,
): Promise<object> {
  const content: (object | null)[] = [];
  for (const part of output) content.push(await blockOf(part, asText, readBlob));
  const error = isError ? { is_error: true } : {};
  return { type: "tool_result", tool_use_id: id, content: content.filter((block) => block !== null), ...error };
}

async function mediaBlock({ type, source }: MediaPart, readBlob: ReadBlob): Promise<object> {
  if (type === "audio") {
    throw invalidOption("Anthropic's models do not accept audio", "pass a transcript");
  }
  const block = type === "image" ? "image" : "document";
  if ("url" in source) return { type: block, source: { type: "url", url: source.url } };
  const data = toBase64(await readBlob(source.digest));
  return { type: block, source: { type: "base64", media_type: source.mediaType, data } };
}

/** Joins adjacent messages of the same role into one. */
function joinTurns(turns: readonly WireTurn[]): readonly string[] {
  const joined: { role: string; blocks: string[] }[] = [];
  for (const { role, blocks } of turns) {
    if (role === "system" || blocks.length === 0) continue;
    const last = joined.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else joined.push({ role, blocks: [...blocks] });
  }
  return joined.map(({ role, blocks }) => `{"role":"${role}","content":[${blocks.join(",")}]}`);
}
