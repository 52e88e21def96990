// A whole answer out of a stream of pieces.

import type {
  ChatMessage,
  ContentPart,
  FinishReason,
  Model,
  ModelEvent,
  ModelRequest,
  ReadBlob,
  TokenUsage,
  ToolCallPart,
} from "@smolts/protocol";
import { AgentError, type OptionTable, readOptions } from "@smolts/protocol";
import type { FailureDetails } from "./http/failure.ts";
import { checkModel } from "./wrappers/check-models.ts";

/** A model's whole answer. */
export interface Answer {
  readonly message: ChatMessage;
  /** Null when the provider told none. */
  readonly usage: TokenUsage | null;
  readonly finishReason: FinishReason;
}

/** What {@link generate} takes besides the request. */
export interface GenerateOptions {
  /** Ends the request when it aborts. */
  readonly signal?: AbortSignal;
  /** Reads the bytes of the request's images and files. Default: there are none. */
  readonly readBlob?: ReadBlob;
}

/**
 * Asks a model and returns its whole answer.
 *
 * @throws AgentError as the model's `stream` does; the signal's reason when it aborts
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
export async function generate(model: Model, request: ModelRequest, options: GenerateOptions = {}): Promise<Answer> {
  checkModel(model, "generate");
  checkRequest(request);
  const read = readOptions(options, "generate()", generateOptions);
  const { signal = new AbortController().signal, readBlob = noBlobs } = read;
  return collect(model.stream(request, { signal, readBlob }));
}

const generateOptions: OptionTable<GenerateOptions> = { signal: "signal", readBlob: "function" };

function checkMessage(message: unknown, index: number): void {
  const content = typeof message === "object" && message !== null && "content" in message ? message.content : null;
  if (Array.isArray(content)) return;
  const found = typeof content === "string" ? "a text" : `of type ${typeof content}`;
  throw new AgentError("invalid-option", `messages[${index}].content is ${found}; expected a list of parts`, {
    hint: 'write content: [{ type: "text", text: "..." }]',
  });
}

function checkRequest(request: unknown): void {
  if (typeof request === "object" && request !== null && "messages" in request && Array.isArray(request.messages)) {
    return request.messages.forEach(checkMessage);
  }
  throw new AgentError("invalid-option", "generate() got no messages", {
    hint: 'write generate(model, { messages: [{ role: "user", content: [{ type: "text", text: "..." }] }] })',
  });
}

/**
 * The answer that a stream of events makes; throws what the stream throws.
 *
 * @throws AgentError `generation` when the stream ends without an `end` event: nobody knows what is
 *   missing
 */
export async function collect(stream: AsyncIterable<ModelEvent>): Promise<Answer> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  if (events.at(-1)?.type !== "end") throw withoutEnd();
  return answerOf(events);
}

function withoutEnd(): AgentError {
  const details: FailureDetails = { reason: "broke-off" };
  return new AgentError("generation", 'the answer broke off: expected an event "end" as the last one', {
    hint: 'run again; a model of your own must yield { type: "end", finishReason } after a whole answer',
    details,
  });
}

/**
 * The answer that some events make. Pure: also for events that were kept.
 *
 * Pieces of text and of reasoning are joined as far as nothing stands between them; a tool call
 * stands where it began.
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

/** A part that more may be added to. */
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
 * Reasoning that comes whole, with what its provider wants back, after it came in pieces, takes
 * their place.
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
  // A call without arguments: many servers send no text at all.
  if (inputText.trim() === "") return { type: "tool-call", id, name, input: {} };
  try {
    return { type: "tool-call", id, name, input: JSON.parse(inputText) };
  } catch {
    // The model wrote no JSON: it is shown what it wrote.
    return { type: "tool-call", id, name, input: null, rawInput: inputText };
  }
}

async function noBlobs(digest: string): Promise<never> {
  throw new AgentError("invalid-option", `the request names the bytes "${digest}", and nothing reads them`, {
    hint: "pass readBlob",
  });
}
