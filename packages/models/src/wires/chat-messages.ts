// Writes messages in the format of Chat Completions. The JSON text of each message is created once
// and kept. A conversation only grows, so the next request joins the kept texts and adds the texts
// of new messages.
//
// The format can express less than our messages:
// - A `tool` message answers one call. So a message with several results becomes several messages.
// - A `tool` message holds only text. So an image in a result is sent in a user message. That
//   message comes after the last result of the step, because no message may be between the results.
// - The chat templates of many open models require that user and assistant alternate. So adjacent
//   messages of one role are joined.

import {
  type ChatMessage,
  type ContentPart,
  invalidOption,
  type MediaPart,
  type ReadBlob,
  type ToolCallPart,
  type ToolResultPart,
  toBase64,
} from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { callExtras, type ReasoningReplay, reasoningFields, thinkingPieces } from "./chat-reasoning.ts";

/** The settings for writing the messages to one model. */
export interface MessageSettings extends Pick<AdapterOptions, "roles" | "contentAsText"> {
  /** The provider's name. Data that belongs to one provider is sent only to that provider. */
  readonly providerName?: string | undefined;
  /** How the model's reasoning is sent back to it. Default: it is not sent back. */
  readonly reasoningReplay?: ReasoningReplay | undefined;
  /**
   * The note that replaces an image or a sound if only text is sent. The kind of media, such as
   * "image", is written before it.
   */
  readonly mediaNote?: string | undefined;
  /**
   * With `short`, ids of calls are sent as nine letters and digits. Default: they are sent
   * unchanged.
   */
  readonly callIds?: "short" | undefined;
  /** Whether an assistant message is added between tool results and a user message. */
  readonly turnAfterResults?: boolean | undefined;
}

/** Writes messages, and keeps the text of each message. */
export interface MessageWriter {
  /**
   * Returns the messages as the items of a JSON list, without the brackets.
   *
   * @throws AgentError `invalid-option` for a part that the format cannot express
   */
  write(messages: readonly ChatMessage[], readBlob: ReadBlob): Promise<string>;
}

/**
 * One message in the format of Chat Completions. `content` is the JSON text of a string or a list.
 */
interface WireMessage {
  readonly role: string;
  readonly content: string;
  /** The other fields, as JSON that begins with a comma. */
  readonly fields: string;
  /** The whole message as JSON. */
  readonly json: string;
}

const wireMessage = (role: string, content: string, fields = ""): WireMessage => ({
  role,
  content,
  fields,
  json: `{"role":${JSON.stringify(role)},"content":${content}${fields}}`,
});

/**
 * The messages of the wire format that replace one of our messages: one for each tool result, one
 * for other text, and one for images and sounds in results.
 */
interface Rendered {
  readonly results: readonly WireMessage[];
  readonly spoken: WireMessage | null;
  readonly media: WireMessage | null;
}

/** Creates a {@link MessageWriter} with the settings of one model. */
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
 * Returns the number of messages whose text can be kept for later requests. The text of the first
 * `from` messages is kept already. All messages before the model's last answer are added, because
 * no later message is joined with them or moved before them. But nothing is added if the settings
 * rename the role `assistant`, or another role to it, because an answer may then be joined with the
 * message before it.
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
  // The format has no field for errors, so the text itself says that the result is an error.
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

/**
 * Returns the content of an assistant message as JSON: its text, or null if the message has only
 * tool calls. For providers that expect reasoning in the content, returns a list of reasoning and
 * text.
 */
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

/**
 * Returns the content as plain text if possible, because many servers accept nothing else.
 * Otherwise returns a list of parts.
 */
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
    throw invalidOption(`chat completions do not accept the address of a ${type}: "${source.url}"`, "pass the bytes");
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

/** Returns the API's name of an audio format, such as `wav` or `mp3`. */
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
 * Returns the id of a call in a form that the server accepts. The same id is always shortened to
 * the same nine letters and digits.
 */
function wireId(id: string, { callIds }: MessageSettings): string {
  return callIds === undefined || /^[a-zA-Z0-9]{9}$/.test(id) ? id : nineCharacters(id);
}

/**
 * Shortens an id to nine characters. It combines two 32-bit hashes (FNV-1a with two different start
 * values), cut to 46 bits. So two ids of one conversation hardly ever become equal.
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
    // If the input was not JSON, an empty object is sent. Many servers parse the input and would
    // refuse the whole conversation. The result of the call already says what was wrong.
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

/** Adds an assistant message between tool results and a user message, if the server needs one. */
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

/** Says whether a message contains an image, a sound or a file, also inside a tool result. */
export function hasMedia({ content }: ChatMessage): boolean {
  return content.some((part) => isMedia(part) || (part.type === "tool-result" && part.output.some(isMedia)));
}

/** Says whether a user message follows directly after tool results. */
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

/** Joins two JSON strings or two JSON lists without parsing them. */
function joinContent(one: string, other: string): string {
  if (one.startsWith('"') && other.startsWith('"')) return `${one.slice(0, -1)}\\n\\n${other.slice(1)}`;
  return `${asList(one).slice(0, -1)},${asList(other).slice(1)}`;
}

const asList = (content: string): string => (content.startsWith("[") ? content : `[{"type":"text","text":${content}}]`);

/** The first messages of a conversation, and their JSON text. */
interface Prefix {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
}

/**
 * Keeps the texts of the beginnings of conversations. A conversation only grows, and its messages
 * stay the same objects. So the next request begins with the same messages, and their kept text is
 * used again. A request late in a long conversation therefore costs hardly more than an early one.
 */
class KeptPrefixes {
  readonly #byLastMessage = new WeakMap<ChatMessage, Prefix>();

  /**
   * Finds the longest beginning of these messages whose text was kept. Returns the number of
   * messages in it, and their text.
   */
  find(messages: readonly ChatMessage[]): { readonly count: number; readonly text: string } {
    for (let count = messages.length; count > 0; count--) {
      // The cast is safe: the index is inside the list.
      const prefix = this.#byLastMessage.get(messages[count - 1] as ChatMessage);
      if (prefix && isBeginning(prefix.messages, messages, count)) return { count, text: prefix.text };
    }
    return { count: 0, text: "" };
  }

  /**
   * Keeps the text of these messages. This text replaces the text that was kept for the first
   * `replaced` messages.
   */
  keep(messages: readonly ChatMessage[], text: string, replaced: number): void {
    const [shorter, last] = [messages[replaced - 1], messages.at(-1)];
    if (shorter) this.#byLastMessage.delete(shorter);
    if (last) this.#byLastMessage.set(last, { messages, text });
  }
}

function isBeginning(prefix: readonly ChatMessage[], messages: readonly ChatMessage[], count: number): boolean {
  return prefix.length === count && prefix.every((message, index) => message === messages[index]);
}
