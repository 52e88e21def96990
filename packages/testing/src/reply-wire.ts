// The events of a reply as Chat Completions puts them on the wire.

import type { FinishReason, ModelEvent, TokenUsage } from "@smolts/protocol";

/** The chunks of a streamed answer. */
export function wireChunks(
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

/** A whole answer. */
export function wireCompletion(events: readonly ModelEvent[], model: string, callNumber: number): object {
  const textOf = (type: "text-delta" | "reasoning-delta"): string =>
    events.map((event) => (event.type === type ? event.text : "")).join("");
  const toolCalls = wholeCalls(events);
  const reasoning = textOf("reasoning-delta");
  const end = events.find((event) => event.type === "end");
  const usage = events.find((event) => event.type === "usage");
  const message = {
    role: "assistant",
    content: textOf("text-delta") || (toolCalls.length > 0 ? null : ""),
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

/** The same every time, so that answers can be compared. */
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

function wholeCalls(events: readonly ModelEvent[]): readonly object[] {
  const deltas = events.filter((event) => event.type === "tool-call-delta");
  const argumentsOf = (index: number): string =>
    deltas.map((delta) => (delta.index === index ? delta.inputText : "")).join("");
  return deltas
    .filter(({ id }) => id !== undefined)
    .map(({ index, id, name }) => ({ id, type: "function", function: { name, arguments: argumentsOf(index) } }));
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
