// The replies of a script, and how a reply is turned into events. The scripted model and the
// scripted server share this.

import type { FinishReason, JsonValue, ModelEvent, TokenUsage } from "@smolts/protocol";

/** A tool call in {@link ReplyParts}. */
export interface ReplyToolCall {
  readonly name: string;
  /** The input of the call. Default: `{}`. */
  readonly input?: JsonValue;
  /**
   * The text that the model writes instead of the JSON of `input`; with it you can test malformed
   * input.
   */
  readonly inputText?: string;
  /**
   * The id of the call. Default: `call_`, the number of the model call and the number of the tool
   * call in it, such as `call_1_2`.
   */
  readonly id?: string;
}

/**
 * One answer, part by part. The model sends reasoning, text, tool calls, usage and end, in this
 * order.
 */
export interface ReplyParts {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ReplyToolCall[];
  /**
   * The reported usage; null for a provider that does not report any. Default:
   * {@link defaultUsage}.
   */
  readonly usage?: TokenUsage | null;
  /** Why the model stopped. Default: `tool-calls` if there are tool calls, else `stop`. */
  readonly finishReason?: FinishReason;
  /** The delay before the first event, in ms. Default: 0. */
  readonly delayMs?: number;
}

/** The usage that a reply reports if it does not set `usage`. */
export const defaultUsage: TokenUsage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/**
 * Returns the events of a reply, as a real server with support for stop sequences sends them: the
 * text ends before the first stop sequence, and no part follows it.
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

/** Cuts a text into pieces of about one token each, never inside a character. */
const inPieces = (text: string): readonly string[] => text.match(/.{1,5}/gsu) ?? [];
