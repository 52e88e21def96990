// Messages as Chat Completions has them. The JSON text of each message is made once and kept: a
// conversation only grows, so that the body of its next request is the kept texts of all the
// messages there were, joined, and the text of the new ones.
//
// The wire is poorer than our messages in three places. A `tool` message answers one call, so that
// a message with several results becomes several. It holds text only, so that an image in a result
// follows in a user message, after the last result of the round, since nothing may stand between
// them. And chat templates of many open models want user and assistant to alternate, so that
// neighbours of one speaker are joined.

import {
  AgentError,
  type ChatMessage,
  type ContentPart,
  type MediaPart,
  type ReadBlob,
  type ToolCallPart,
  type ToolResultPart,
  toBase64,
} from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { callExtras, type ReasoningReplay, reasoningFields, thinkingPieces } from "./chat-reasoning.ts";

/** How the messages of one model are written. */
export interface MessageSettings extends Pick<AdapterOptions, "roles" | "contentAsText"> {
  /** Whose model it is: only this provider gets back what it marked as its own. */
  readonly providerName?: string | undefined;
  /** How its reasoning goes back. Default: not at all. */
  readonly reasoningReplay?: ReasoningReplay | undefined;
  /** What stands for an image or a sound where only text is sent, after its kind. */
  readonly mediaNote?: string | undefined;
  /** `short`: the ids of calls are nine letters and digits. Default: as they came. */
  readonly callIds?: "short" | undefined;
  /** Whether the assistant says something between results of tools and the user. */
  readonly turnAfterResults?: boolean | undefined;
}

/** Renders messages, and remembers each. */
export interface MessageWriter {
  /**
   * The messages as the items of a JSON list, without its brackets.
   *
   * @throws AgentError `invalid-option` for a part that the wire cannot carry
   */
  write(messages: readonly ChatMessage[], readBlob: ReadBlob): Promise<string>;
}

/** One message of the wire: `content` is JSON, a string or a list. */
interface WireMessage {
  readonly role: string;
  readonly content: string;
  /** The other fields, as JSON with a leading comma. */
  readonly fields: string;
  /** All of it. */
  readonly json: string;
}

const wireMessage = (role: string, content: string, fields = ""): WireMessage => ({
  role,
  content,
  fields,
  json: `{"role":${JSON.stringify(role)},"content":${content}${fields}}`,
});

/**
 * The parts of one of our messages: tool results, other text, and the parts of results that do not
 * fit into them.
 */
interface Rendered {
  readonly results: readonly WireMessage[];
  readonly spoken: WireMessage | null;
  readonly media: WireMessage | null;
}

/** A {@link MessageWriter} with the settings of one model. */
export function createMessageWriter(settings: MessageSettings): MessageWriter {
  const kept = new WeakMap<ChatMessage, Rendered>();
  const prefixes = new KeptPrefixes();
  const render = async (messages: readonly ChatMessage[], readBlob: ReadBlob): Promise<string> => {
    const rendered: Rendered[] = [];
    for (const message of messages) {
      const known = kept.get(message) ?? (await renderMessage(message, settings, readBlob));
      kept.set(message, known);
      rendered.push(known);
    }
    const wireMessages = joinNeighbours(withTurns(inOrder(rendered), settings));
    return wireMessages.map(({ json }) => json).join(",");
  };
  return {
    async write(messages, readBlob) {
      const prefix = prefixes.find(messages);
      const turn = turnStart(messages, prefix.count, settings);
      const before = commaJoined(prefix.text, await render(messages.slice(prefix.count, turn), readBlob));
      if (turn > prefix.count) prefixes.keep(messages.slice(0, turn), before, prefix.count);
      return commaJoined(before, await render(messages.slice(turn), readBlob));
    },
  };
}

/**
 * Where the last answer of the model begins, after `from`: nothing before it is joined with it, or
 * waits to be put after it. Not where other names of the roles make neighbours of what is none.
 */
function turnStart(messages: readonly ChatMessage[], from: number, { roles = {} }: MessageSettings): number {
  if (roles.assistant !== undefined || Object.values(roles).includes("assistant")) return from;
  const last = messages.findLastIndex(({ role }, index) => role === "assistant" && messages[index - 1]?.role !== role);
  return Math.max(last, from);
}

const commaJoined = (one: string, other: string): string =>
  one === "" || other === "" ? one + other : `${one},${other}`;

async function renderMessage(message: ChatMessage, settings: MessageSettings, readBlob: ReadBlob): Promise<Rendered> {
  const { roles = {}, contentAsText = false } = settings;
  const results = message.content.filter((part) => part.type === "tool-result");
  const media = contentAsText ? [] : results.flatMap(({ output }) => output.filter(isMedia));
  const speaker = message.role === "tool" ? "user" : message.role;
  return {
    results: results.map((result) => toolResult(result, settings)),
    spoken: await spokenMessage(message, roles[speaker] ?? speaker, settings, readBlob),
    media: media.length === 0 ? null : wireMessage(roles.user ?? "user", await mixedContent(media, readBlob)),
  };
}

function toolResult({ id, output, isError }: ToolResultPart, settings: MessageSettings): WireMessage {
  const text = plainText(output, settings.mediaNote);
  // The wire has no field to say that it is an error.
  const content = isError && !/^error/i.test(text) ? `Error: ${text}` : text;
  const fields = `,"tool_call_id":${JSON.stringify(wireId(id, settings))}`;
  return wireMessage(settings.roles?.tool ?? "tool", JSON.stringify(content), fields);
}

async function spokenMessage(
  message: ChatMessage,
  wireRole: string,
  settings: MessageSettings,
  readBlob: ReadBlob,
): Promise<WireMessage | null> {
  const { role, content } = message;
  const parts = content.filter((part) => part.type === "text" || isMedia(part));
  const isOnlyResults = content.length > 0 && content.every((part) => part.type === "tool-result");
  if (isOnlyResults) return null;
  if (role === "assistant") {
    return wireMessage(wireRole, assistantContent(content, settings), assistantFields(content, settings));
  }
  const asText = settings.contentAsText === true || role === "system";
  const wireContent = asText
    ? JSON.stringify(plainText(parts, settings.mediaNote))
    : await mixedContent(parts, readBlob);
  return wireMessage(wireRole, wireContent);
}

function assistantFields(content: readonly ContentPart[], settings: MessageSettings): string {
  const { providerName = "", reasoningReplay } = settings;
  return reasoningFields(content, providerName, reasoningReplay) + toolCalls(content, settings);
}

/** Text, nothing beside tool calls, or thoughts and text for a model that wants both. */
function assistantContent(
  content: readonly ContentPart[],
  { reasoningReplay, contentAsText, mediaNote }: MessageSettings,
): string {
  const text = plainText(content, mediaNote);
  const thoughts = reasoningReplay === "thinking" && !contentAsText ? thinkingPieces(content) : [];
  if (thoughts.length > 0) return JSON.stringify([...thoughts, ...(text === "" ? [] : [{ type: "text", text }])]);
  const isOnlyCalls = content.some((part) => part.type === "tool-call") && text === "";
  return isOnlyCalls ? "null" : JSON.stringify(text);
}

/** Plain text where it will do: many servers take nothing else. */
async function mixedContent(parts: readonly ContentPart[], readBlob: ReadBlob): Promise<string> {
  if (!parts.some(isMedia)) return JSON.stringify(plainText(parts));
  const items: unknown[] = [];
  for (const part of parts) {
    if (part.type === "text") items.push({ type: "text", text: part.text });
    else if (isMedia(part)) items.push(await mediaItem(part, readBlob));
  }
  return JSON.stringify(items);
}

async function mediaItem({ type, source, name }: MediaPart, readBlob: ReadBlob): Promise<object> {
  if ("url" in source) {
    if (type === "image") return { type: "image_url", image_url: { url: source.url } };
    throw new AgentError("invalid-option", `chat completions take no ${type} by its address "${source.url}"`, {
      hint: "pass the bytes",
    });
  }
  const data = toBase64(await readBlob(source.digest));
  const url = `data:${source.mediaType};base64,${data}`;
  switch (type) {
    case "image":
      return { type: "image_url", image_url: { url } };
    case "audio":
      return { type: "input_audio", input_audio: { data, format: audioFormat(source.mediaType) } };
    case "file":
      return { type: "file", file: { filename: name ?? "file", file_data: url } };
    default:
      return type satisfies never;
  }
}

/** The wire's own names: `wav`, `mp3`. */
const audioFormat = (mediaType: string): string =>
  mediaType
    .replace(/^audio\/(x-|vnd\.)?/, "")
    .replace(/^(mpeg|mpga)$/, "mp3")
    .replace(/^wave$/, "wav");

function plainText(parts: readonly ContentPart[], note = ""): string {
  const noted = ({ type }: MediaPart): string => (note === "" ? `[${type}]` : `[${type} ${note}]`);
  return parts.map((part) => (part.type === "text" ? part.text : isMedia(part) ? noted(part) : "")).join("");
}

/**
 * The id of a call as the server takes it. The same id becomes the same nine letters and digits in
 * every request.
 */
function wireId(id: string, { callIds }: MessageSettings): string {
  return callIds === undefined || /^[a-zA-Z0-9]{9}$/.test(id) ? id : nineCharacters(id);
}

/**
 * Two hashes of 32 bits (FNV-1a from two offsets), cut to 46 bits: hardly ever the same for two ids
 * of one conversation.
 */
function nineCharacters(id: string): string {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  for (const character of id) {
    const code = character.codePointAt(0) ?? 0;
    low = Math.imul(low ^ code, 0x01000193) >>> 0;
    high = Math.imul(high ^ code, 0x01000193) >>> 0;
  }
  const number = (high % 2 ** 14) * 2 ** 32 + low;
  return number.toString(36).padStart(9, "0").slice(-9);
}

function toolCalls(content: readonly ContentPart[], settings: MessageSettings): string {
  const { providerName = "" } = settings;
  const calls: readonly ToolCallPart[] = content.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return "";
  const items = calls.map((call) => ({
    id: wireId(call.id, settings),
    type: "function",
    // Input that was not JSON goes back as an empty object: many servers parse it and refuse the
    // whole conversation. The call's result says what was wrong.
    function: { name: call.name, arguments: call.rawInput === undefined ? JSON.stringify(call.input) : "{}" },
    ...callExtras(content, call, providerName),
  }));
  return `,"tool_calls":${JSON.stringify(items)}`;
}

const isMedia = (part: ContentPart): part is MediaPart =>
  part.type === "image" || part.type === "audio" || part.type === "file";

function inOrder(rendered: readonly Rendered[]): readonly WireMessage[] {
  const messages: WireMessage[] = [];
  const waiting: WireMessage[] = [];
  for (const { results, spoken, media } of rendered) {
    messages.push(...results);
    if (media) waiting.push(media);
    if (spoken) messages.push(...waiting.splice(0), spoken);
  }
  return [...messages, ...waiting];
}

/**
 * With a turn of the assistant between results of tools and the user, where the server wants one.
 */
function withTurns(
  messages: readonly WireMessage[],
  { roles = {}, turnAfterResults }: MessageSettings,
): readonly WireMessage[] {
  if (turnAfterResults !== true) return messages;
  const { tool = "tool", user = "user", assistant = "assistant" } = roles;
  return messages.flatMap((message, index) => {
    const isAfterResults = message.role === user && tool !== user && messages[index - 1]?.role === tool;
    return isAfterResults ? [wireMessage(assistant, JSON.stringify("I have these results.")), message] : [message];
  });
}

/** Whether a message has an image, a sound or a file, also within a result. */
export function hasMedia({ content }: ChatMessage): boolean {
  return content.some((part) => isMedia(part) || (part.type === "tool-result" && part.output.some(isMedia)));
}

/** Whether the user speaks right after results of tools. */
export function hasResultsBeforeUser(messages: readonly ChatMessage[]): boolean {
  return messages.some((message, index) => {
    const results = message.content.findLastIndex((part) => part.type === "tool-result");
    if (results === -1) return false;
    return message.content.length > results + 1 || hasMedia(message) || messages[index + 1]?.role === "user";
  });
}

function joinNeighbours(messages: readonly WireMessage[]): readonly WireMessage[] {
  const joined: WireMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last && last.role === message.role && last.fields === "" && message.fields === "") {
      joined[joined.length - 1] = wireMessage(last.role, joinContent(last.content, message.content));
    } else {
      joined.push(message);
    }
  }
  return joined;
}

/** Joins JSON strings or lists without parsing them. */
function joinContent(one: string, other: string): string {
  if (one.startsWith('"') && other.startsWith('"')) return `${one.slice(0, -1)}\\n\\n${other.slice(1)}`;
  return `${asList(one).slice(0, -1)},${asList(other).slice(1)}`;
}

const asList = (content: string): string => (content.startsWith("[") ? content : `[{"type":"text","text":${content}}]`);

/** The beginning of a conversation, and its text. */
interface Prefix {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
}

/**
 * The texts of the beginnings of conversations. A conversation only grows, and its messages stay
 * the same objects: what one request wrote of it is the beginning of what the next one writes, so
 * that a late request costs hardly more than an early one.
 */
class KeptPrefixes {
  readonly #byLastMessage = new WeakMap<ChatMessage, Prefix>();

  /** The longest kept beginning of these messages: how many they are, and their text. */
  find(messages: readonly ChatMessage[]): { readonly count: number; readonly text: string } {
    for (let count = messages.length; count > 0; count--) {
      const prefix = this.#byLastMessage.get(messages[count - 1] as ChatMessage); // within the list
      if (prefix && isBeginning(prefix.messages, messages, count)) return { count, text: prefix.text };
    }
    return { count: 0, text: "" };
  }

  /** Keeps a beginning in place of the shorter one that ends with the message before `replaced`. */
  keep(messages: readonly ChatMessage[], text: string, replaced: number): void {
    const [shorter, last] = [messages[replaced - 1], messages.at(-1)];
    if (shorter) this.#byLastMessage.delete(shorter);
    if (last) this.#byLastMessage.set(last, { messages, text });
  }
}

function isBeginning(prefix: readonly ChatMessage[], messages: readonly ChatMessage[], count: number): boolean {
  return prefix.length === count && prefix.every((message, index) => message === messages[index]);
}
