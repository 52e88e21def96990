// The answers of a scripted model, and the events that such an answer comes in. The scripted model
// and the scripted server speak from the same replies.

import type { FinishReason, JsonValue, ModelEvent, TokenUsage } from "@smolts/protocol";

/** A tool call of a {@link ReplyParts}. */
export interface ReplyToolCall {
  readonly name: string;
  /** Default: `{}`. */
  readonly input?: JsonValue;
  /** The model's text in place of `input`'s JSON, for malformed input. */
  readonly inputText?: string;
  /**
   * Default: `call_` with the number of the model call and of the tool call in it, such as
   * `call_1_2`.
   */
  readonly id?: string;
}

/** One answer, part by part; it comes in the order of reasoning, text, tool calls, usage, end. */
export interface ReplyParts {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ReplyToolCall[];
  /** Default: {@link defaultUsage}; null for a provider that tells none. */
  readonly usage?: TokenUsage | null;
  /** Default: `tool-calls` when there are some, else `stop`. */
  readonly finishReason?: FinishReason;
  /** How long the first event takes to come, in ms. Default: 0. */
  readonly delayMs?: number;
}

/** The usage of a reply that names none. */
export const defaultUsage: TokenUsage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/**
 * The events of a reply, as a real server with support for stop texts would give them: the text
 * ends before the first stop text, and nothing comes after it.
 *
 * @internal
 */
export function eventsOf(reply: ReplyParts, stop: readonly string[], callNumber: number): readonly ModelEvent[] {
  const text = cutAtStop(reply.text ?? "", stop);
  const wasCut = text !== (reply.text ?? "");
  const toolCalls = wasCut ? [] : (reply.toolCalls ?? []);
  const usage = reply.usage === undefined ? defaultUsage : reply.usage;
  const finishReason = wasCut ? "stop" : (reply.finishReason ?? (toolCalls.length > 0 ? "tool-calls" : "stop"));
  return [
    ...inPieces(reply.reasoning ?? "").map((piece) => ({ type: "reasoning-delta" as const, text: piece })),
    ...inPieces(text).map((piece) => ({ type: "text-delta" as const, text: piece })),
    ...toolCalls.flatMap((call, index) => toolCallDeltas(call, index, callNumber)),
    ...(usage === null ? [] : [{ type: "usage" as const, usage }]),
    { type: "end", finishReason },
  ];
}

function cutAtStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((stopText) => text.indexOf(stopText)).filter((end) => end >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

function toolCallDeltas(call: ReplyToolCall, index: number, callNumber: number): readonly ModelEvent[] {
  const { name, id = `call_${callNumber}_${index + 1}`, inputText = JSON.stringify(call.input ?? {}) } = call;
  return [
    { type: "tool-call-delta", index, id, name, inputText: "" },
    ...inPieces(inputText).map((piece) => ({ type: "tool-call-delta" as const, index, inputText: piece })),
  ];
}

/** About a token each; no character is torn in two. */
const inPieces = (text: string): readonly string[] => text.match(/.{1,5}/gsu) ?? [];
