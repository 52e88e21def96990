// The type of a wire format of the scripted server, and the wire format of Chat Completions.

import type { FinishReason, ModelEvent, TokenUsage } from "@smolts/protocol";
import type { ChatCompletionBody } from "./model-server.ts";

/** The wire format of one kind of server. */
export interface ReplyWire {
  /** The content type of a streamed answer. */
  readonly contentType: string;
  /** Returns the stop sequences of a request. */
  stopOf(body: ChatCompletionBody): readonly string[];
  /** Returns the pieces of a streamed answer. The server sends each one with a separate write. */
  pieces(events: readonly ModelEvent[], body: ChatCompletionBody, callNumber: number): readonly string[];
  /** Returns the body of an answer that is not streamed. */
  whole(events: readonly ModelEvent[], body: ChatCompletionBody, callNumber: number): object;
}

/** The wire format of OpenAI's Chat Completions. */
export const chatReply: ReplyWire = {
  contentType: "text/event-stream; charset=utf-8",
  stopOf: ({ stop = [] }) => (typeof stop === "string" ? [stop] : stop),
  pieces(events, body, callNumber) {
    // The cast is safe: the type is the one in OpenAI's API reference.
    const options = body["stream_options"] as { readonly include_usage?: boolean } | undefined;
    const chunks = wireChunks(events, body.model, callNumber, options?.include_usage === true);
    return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`);
  },
  whole: (events, { model }, callNumber) => wireCompletion(events, model, callNumber),
};

/** A tool call with all of its input. */
export interface CompleteCall {
  readonly id: string;
  readonly name: string;
  readonly inputText: string;
}

/** Returns the tool calls of a reply, each with its whole input. */
export function completeCalls(events: readonly ModelEvent[]): readonly CompleteCall[] {
  const deltas = events.filter((event) => event.type === "tool-call-delta");
  const inputOf = (index: number): string =>
    deltas.map((delta) => (delta.index === index ? delta.inputText : "")).join("");
  return deltas.flatMap(({ index, id, name }) =>
    id === undefined ? [] : [{ id, name: name ?? "", inputText: inputOf(index) }],
  );
}

/** Returns the text or the reasoning of a reply. */
export function textOf(events: readonly ModelEvent[], type: "text-delta" | "reasoning-delta"): string {
  return events.map((event) => (event.type === type ? event.text : "")).join("");
}

/** Returns the usage of a reply; undefined if the reply reports none. */
export function usageIn(events: readonly ModelEvent[]): TokenUsage | undefined {
  return events.find((event) => event.type === "usage")?.usage;
}

/** Returns the chunks of a streamed answer. */
function wireChunks(
  events: readonly ModelEvent[],
  model: string,
  callNumber: number,
  withUsage: boolean,
): readonly object[] {
  const chunk = (choices: readonly object[], usage?: object): object => ({
    id: `chatcmpl-${callNumber}`,
    object: "chat.completion.chunk",
    created,
    model,
    choices,
    ...(withUsage ? { usage: usage ?? null } : {}),
  });
  const choice = (delta: object, finishReason: string | null = null): object => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason: finishReason,
  });
  const end = events.find((event) => event.type === "end");
  const usage = events.find((event) => event.type === "usage");
  return [
    chunk([choice({ role: "assistant", content: "", refusal: null })]),
    ...events.flatMap(deltaOf).map((delta) => chunk([choice(delta)])),
    chunk([choice({}, wireReason(end?.finishReason ?? "stop"))]),
    ...(withUsage && usage ? [chunk([], wireUsage(usage.usage))] : []),
  ];
}

/** Returns the body of an answer that is not streamed. */
function wireCompletion(events: readonly ModelEvent[], model: string, callNumber: number): object {
  const toolCalls = completeCalls(events).map(({ id, name, inputText }) => ({
    id,
    type: "function",
    function: { name, arguments: inputText },
  }));
  const reasoning = textOf(events, "reasoning-delta");
  const end = events.find((event) => event.type === "end");
  const usage = events.find((event) => event.type === "usage");
  const message = {
    role: "assistant",
    content: textOf(events, "text-delta") || (toolCalls.length > 0 ? null : ""),
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  return {
    id: `chatcmpl-${callNumber}`,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: wireReason(end?.finishReason ?? "stop") }],
    ...(usage ? { usage: wireUsage(usage.usage) } : {}),
  };
}

/**
 * The creation time of all answers, in seconds. It is constant, so that tests can compare answers.
 */
const created = 1_700_000_000;

function deltaOf(event: ModelEvent): readonly object[] {
  switch (event.type) {
    case "text-delta":
      return [{ content: event.text }];
    case "reasoning-delta":
      return [{ reasoning_content: event.text }];
    case "tool-call-delta":
      return [{ tool_calls: [toolCallDelta(event)] }];
    case "part":
    case "usage":
    case "retry":
    case "learned":
    case "end":
      return [];
    default:
      return event satisfies never;
  }
}

function toolCallDelta({ index, id, name, inputText }: Extract<ModelEvent, { type: "tool-call-delta" }>): object {
  if (id === undefined) return { index, function: { arguments: inputText } };
  return { index, id, type: "function", function: { name, arguments: inputText } };
}

function wireReason(reason: FinishReason): string {
  return reason === "other" ? "stop" : reason.replace("-", "_");
}

function wireUsage({ inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens }: TokenUsage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: totalTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokens ?? 0, audio_tokens: 0 },
  };
}
