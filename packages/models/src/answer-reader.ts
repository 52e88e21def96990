// From the chunks of a streamed chat completion to model events. A whole (not streamed) completion is read as one chunk.

import type { FinishReason, ModelEvent, TokenUsage } from "@smolts/protocol";
import { countIn, isObject, type LooseObject, listIn, objectIn, textIn } from "./loose-json.ts";
import { createToolCallTracker } from "./tool-call-tracker.ts";

/** Reads one answer. */
export interface AnswerReader {
  /** What a chunk says, without usage and end. */
  read(chunk: LooseObject): readonly ModelEvent[];
  /** Whether the model said that it has ended. */
  readonly hasEnded: boolean;
  /** The last events: usage, if any was told, and the end. */
  end(): readonly ModelEvent[];
}

/** An {@link AnswerReader} for one answer. */
export function createAnswerReader(): AnswerReader {
  const toolCalls = createToolCallTracker();
  let usage: TokenUsage | null = null;
  let wireReason: string | undefined;
  return {
    get hasEnded() {
      return wireReason !== undefined;
    },
    read(chunk) {
      // Some servers count on from chunk to chunk, so the last one holds.
      usage = usageIn(chunk["usage"]) ?? usage;
      // No choice: the chunk tells of usage, or of what a content filter found in the prompt.
      const choice = objectIn(listIn(chunk["choices"])[0]);
      wireReason = textIn(choice["finish_reason"]) ?? wireReason;
      const delta = objectIn(choice["delta"] ?? choice["message"]);
      return [
        ...reasoningIn(delta),
        ...contentIn(delta),
        ...listIn(delta["tool_calls"]).map((call) => toolCalls.event(objectIn(call))),
      ];
    },
    end() {
      const finishReason = finishReasonOf(wireReason, toolCalls.count > 0);
      return [...(usage === null ? [] : [{ type: "usage" as const, usage }]), { type: "end", finishReason }];
    },
  };
}

/** The field's name differs from server to server; one that sends two of them sends the same text twice. */
function reasoningIn(delta: LooseObject): readonly ModelEvent[] {
  const text = textIn(delta["reasoning_content"]) ?? textIn(delta["reasoning"]);
  return text === undefined ? [] : [{ type: "reasoning-delta", text }];
}

/** Text, a list of typed pieces, or the words of a refusal. */
function contentIn(delta: LooseObject): readonly ModelEvent[] {
  const { content } = delta;
  if (Array.isArray(content)) return content.flatMap((piece) => pieceOf(objectIn(piece)));
  const text = textIn(content) ?? textIn(delta["refusal"]);
  return text === undefined ? [] : [{ type: "text-delta", text }];
}

function pieceOf(piece: LooseObject): readonly ModelEvent[] {
  const text = textIn(piece["text"]);
  if (text !== undefined) return [{ type: "text-delta", text }];
  // Thoughts come as a list of pieces of their own.
  return listIn(piece["thinking"]).flatMap((thought) => {
    const thoughtText = textIn(objectIn(thought)["text"]);
    return thoughtText === undefined ? [] : [{ type: "reasoning-delta" as const, text: thoughtText }];
  });
}

function usageIn(value: unknown): TokenUsage | null {
  if (!isObject(value)) return null;
  const inputTokens = countIn(value["prompt_tokens"]);
  const outputTokens = countIn(value["completion_tokens"]) ?? 0;
  if (inputTokens === undefined) return null;
  const cachedInputTokens =
    countIn(objectIn(value["prompt_tokens_details"])["cached_tokens"]) ?? countIn(value["prompt_cache_hit_tokens"]);
  const reasoningTokens = countIn(objectIn(value["completion_tokens_details"])["reasoning_tokens"]);
  return {
    inputTokens,
    outputTokens,
    totalTokens: countIn(value["total_tokens"]) ?? inputTokens + outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["eos", "stop"],
  ["end_turn", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["content_filter", "content-filter"],
]);

function finishReasonOf(wireReason: string | undefined, hasToolCalls: boolean): FinishReason {
  const reason = finishReasons.get(wireReason ?? "") ?? "other";
  // Several servers end tool calls with "stop".
  return hasToolCalls && reason === "stop" ? "tool-calls" : reason;
}
