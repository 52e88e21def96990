// Collects the events of a streamed answer into a whole answer.

import type {
  ChatMessage,
  ContentPart,
  FinishReason,
  MessageRole,
  Model,
  ModelEvent,
  ModelRequest,
  ReadBlob,
  TokenUsage,
  ToolCallPart,
} from "@smolts/protocol";
import {
  AgentError,
  type ExplainedMembers,
  explainMembers,
  explainPromise,
  invalidOption,
  type OptionTable,
  readOptions,
} from "@smolts/protocol";
import type { FailureDetails } from "./http/failure.ts";
import { checkModel } from "./wrappers/check-models.ts";

/** A model's whole answer. */
export interface Answer {
  readonly message: ChatMessage;
  /** Null if the provider did not report the usage. */
  readonly usage: TokenUsage | null;
  readonly finishReason: FinishReason;
}

/** Options of {@link generate}. */
export interface GenerateOptions {
  /** Cancels the request when it aborts. */
  readonly signal?: AbortSignal;
  /** Reads the bytes of the images and files in the request. Not needed if the request has none. */
  readonly readBlob?: ReadBlob;
}

/**
 * Asks a model and returns its whole answer.
 *
 * @throws AgentError if the model's `stream` throws it; if the signal aborts, its reason is thrown
 * @example
 * ```ts
 * import { generate } from "@smolts/models";
 * import { textOf } from "@smolts/protocol";
 * import { scriptedModel } from "@smolts/testing";
 *
 * const messages = [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] as const;
 * const { message } = await generate(scriptedModel(["42"]), { messages });
 * console.log(textOf(message)); // 42
 * ```
 */
export function generate(model: Model, request: ModelRequest, options: GenerateOptions = {}): Promise<Answer> {
  return explainPromise(generated(model, request, options), "generate()");
}

async function generated(model: Model, request: ModelRequest, options: GenerateOptions): Promise<Answer> {
  checkModel(model, "generate");
  checkRequest(request);
  const read = readOptions(options, "generate()", generateOptions);
  const { signal = new AbortController().signal, readBlob = noBlobs } = read;
  return explainMembers(await collect(model.stream(request, { signal, readBlob })), "an answer", ofAnswer);
}

const ofAnswer: ExplainedMembers = {
  values: [
    ["text content output outputText choices candidates response object", "write textOf(answer.message)"],
    ["toolCalls parts", "write answer.message.content, whose parts have the type"],
    ["totalUsage tokenUsage usageMetadata", "write answer.usage"],
  ],
};

const generateOptions: OptionTable<GenerateOptions> = { signal: "signal", readBlob: "function" };

function checkMessage(message: unknown, index: number): void {
  const { role, content = null }: { readonly role?: unknown; readonly content?: unknown } = Object(message);
  if (Array.isArray(content)) {
    checkWord(role, roles, `messages[${index}].role`);
    return content.forEach((part, at) => {
      checkWord(Object(part).type, partTypes, `messages[${index}].content[${at}].type`);
    });
  }
  const found = typeof content === "string" ? "a string" : `of type ${typeof content}`;
  throw invalidOption(
    `messages[${index}].content is ${found}; expected a list of parts`,
    'write content: [{ type: "text", text: "..." }]',
  );
}

const roles: readonly MessageRole[] = ["system", "user", "assistant", "tool"];

const partTypes: readonly ContentPart["type"][] = [
  "text",
  "reasoning",
  "tool-call",
  "tool-result",
  "image",
  "audio",
  "file",
];

function checkWord(word: unknown, words: readonly string[], where: string): void {
  if (words.some((known) => known === word)) return;
  throw new AgentError("invalid-option", `${where} is ${JSON.stringify(word)?.slice(0, 60)}`, {
    hint: `write one of ${words.join(", ")}`,
  });
}

function checkRequest(request: unknown): void {
  if (typeof request === "object" && request !== null && "messages" in request && Array.isArray(request.messages)) {
    return request.messages.forEach(checkMessage);
  }
  throw invalidOption(
    "generate() got no messages",
    'write generate(model, { messages: [{ role: "user", content: [{ type: "text", text: "..." }] }] })',
  );
}

/**
 * Collects a stream of events into an answer. Rethrows the errors of the stream.
 *
 * @throws AgentError `generation` if the stream ends without an `end` event, because the answer may
 *   be incomplete
 */
export async function collect(stream: AsyncIterable<ModelEvent>): Promise<Answer> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  if (events.at(-1)?.type !== "end") throw withoutEnd();
  return answerOf(events);
}

function withoutEnd(): AgentError {
  const details: FailureDetails = { reason: "broke-off" };
  return new AgentError("generation", 'the answer broke off; expected an event "end" as the last one', {
    hint: 'run again; a model of your own must yield { type: "end", finishReason } after a whole answer',
    details,
  });
}

/**
 * Combines events into an answer. This is a pure function, so it also works for stored events.
 *
 * Adjacent pieces of text or of reasoning are joined. A tool call is placed at the position of its
 * first event.
 */
export function answerOf(events: readonly ModelEvent[]): Answer {
  const parts: OpenPart[] = [];
  let usage: TokenUsage | null = null;
  let finishReason: FinishReason = "other";
  for (const event of events) {
    if (event.type === "usage") usage = event.usage;
    else if (event.type === "end") finishReason = event.finishReason;
    else addTo(parts, event);
  }
  return { message: { role: "assistant", content: parts.map(closed) }, usage, finishReason };
}

/** An unfinished part of the message. Later events may add to it. */
type OpenPart =
  | { readonly type: "text" | "reasoning"; text: string }
  | { readonly type: "open-call"; readonly index: number; readonly id: string; name: string; inputText: string }
  | { readonly type: "whole"; readonly part: ContentPart };

function addTo(parts: OpenPart[], event: Exclude<ModelEvent, { type: "usage" | "end" }>): void {
  switch (event.type) {
    case "text-delta":
      return addText(parts, "text", event.text);
    case "reasoning-delta":
      return addText(parts, "reasoning", event.text);
    case "tool-call-delta":
      return addToCall(parts, event);
    case "part":
      return addPart(parts, event.part);
    case "retry":
    case "learned":
      return;
    default:
      event satisfies never;
  }
}

function addText(parts: OpenPart[], type: "text" | "reasoning", text: string): void {
  const last = parts.at(-1);
  if (last?.type === type) last.text += text;
  else parts.push({ type, text });
}

function addToCall(
  parts: OpenPart[],
  { index, id, name = "", inputText }: Extract<ModelEvent, { type: "tool-call-delta" }>,
): void {
  const call = parts.find((part) => part.type === "open-call" && part.index === index);
  if (call?.type !== "open-call") {
    parts.push({ type: "open-call", index, id: id ?? `call_${index + 1}`, name, inputText });
    return;
  }
  call.inputText += inputText;
  if (call.name === "") call.name = name;
}

/**
 * Adds a part to the message. Some providers send reasoning in pieces, and then as a whole part
 * with data that must be sent back to the provider. In that case, the whole part replaces the
 * pieces.
 */
function addPart(parts: OpenPart[], part: ContentPart): void {
  const streamed = parts.findIndex(
    (open) => open.type === "reasoning" && part.type === "reasoning" && open.text === part.text,
  );
  if (streamed >= 0) parts[streamed] = { type: "whole", part };
  else parts.push({ type: "whole", part });
}

function closed(part: OpenPart): ContentPart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "open-call":
      return toolCall(part);
    case "whole":
      return part.part;
    default:
      return part satisfies never;
  }
}

function toolCall({ id, name, inputText }: Extract<OpenPart, { type: "open-call" }>): ToolCallPart {
  // For a call without arguments, many servers send no text at all.
  if (inputText.trim() === "") return { type: "tool-call", id, name, input: {} };
  try {
    return { type: "tool-call", id, name, input: JSON.parse(inputText) };
  } catch {
    // The model's input is not JSON. `rawInput` holds its text, so that the model can be shown what
    // it wrote.
    return { type: "tool-call", id, name, input: null, rawInput: inputText };
  }
}

async function noBlobs(digest: string): Promise<never> {
  throw invalidOption(
    `the request contains the bytes "${digest}", but there is no readBlob to read them`,
    "pass readBlob",
  );
}
