// Converts the chunks of a streamed chat completion to model events. A completion that is not
// streamed is read as one chunk.

import { type FinishReason, isRecord, type ModelEvent, type TokenUsage } from "@smolts/protocol";
import { createReasoningKeeper } from "./chat-reasoning.ts";
import { joinEnds, wireEndOf, withCalls } from "./finish-reason.ts";
import { countIn, type LooseObject, listIn, objectIn, textIn } from "./loose-json.ts";
import { createToolCallTracker } from "./tool-call-tracker.ts";
import { joinUsage, usageOf } from "./usage-count.ts";
import type { AnswerReader } from "./wire.ts";

/** The facts about an answer that are not in its chunks. */
export interface AnswerOrigin {
  /** The preset's name. It marks data that only this provider can read. */
  readonly providerName?: string | undefined;
  /** The cost that the response's headers report, in USD. */
  readonly costUsd?: number | undefined;
}

/** Creates an {@link AnswerReader} for one answer. */
export function createAnswerReader({ providerName = "", costUsd }: AnswerOrigin = {}): AnswerReader {
  const toolCalls = createToolCallTracker();
  const reasoning = createReasoningKeeper(providerName);
  let usage: TokenUsage | null = null;
  let end: FinishReason | undefined;
  let hasBegun = false;
  return {
    get hasBegun() {
      return hasBegun;
    },
    get hasEnded() {
      return end !== undefined;
    },
    get flaw() {
      return toolCalls.flaw;
    },
    // Token usage may follow the finish reason, so the answer is never complete before the end of
    // the stream.
    isComplete: false,
    read(chunk) {
      usage = joinUsage(usage, usageIn(chunk, costUsd));
      const choice = choiceIn(chunk);
      hasBegun ||= listIn(chunk["choices"]).length > 0;
      const word = textIn(choice["finish_reason"]);
      if (word !== undefined) end = joinEnds(end, knownEnd(word));
      const delta = objectIn(choice["delta"] ?? choice["message"]);
      const events = [...reasoningIn(delta), ...contentIn(delta), ...callsIn(delta)];
      reasoning.keep(delta, events);
      return events;
    },
    end() {
      const finishReason = withCalls(end ?? "other", toolCalls.count > 0);
      const usageEvents: readonly ModelEvent[] = usage === null ? [] : [{ type: "usage", usage }];
      return [...reasoning.parts(), ...usageEvents, { type: "end", finishReason }];
    },
  };

  function callsIn(delta: LooseObject): readonly ModelEvent[] {
    return callsOf(delta).flatMap((call) => {
      const event = toolCalls.event(objectIn(call));
      if (event === null) return [];
      reasoning.keepCall(objectIn(call), toolCalls.idAt(event.index));
      return [event];
    });
  }
}

/** Returns the tool calls of a delta. Old servers send only one call, in a separate field. */
const callsOf = (delta: LooseObject): readonly unknown[] =>
  isRecord(delta["function_call"]) ? [{ index: 0, function: delta["function_call"] }] : listIn(delta["tool_calls"]);

/**
 * Returns the choice from which the answer is read: the choice with index 0 or without an index.
 * Further choices are alternative answers, which a server sends only if `extra` asks for them. A
 * chunk has no choice if it reports usage, or the result of a content filter for the prompt.
 */
export function choiceIn(chunk: LooseObject): LooseObject {
  const choices = listIn(chunk["choices"]).map(objectIn);
  return choices.find(({ index }) => Number(index ?? 0) === 0) ?? {};
}

/**
 * Returns the finish reason for the word that the server sent. The word never means a failure here,
 * because failures are reported earlier.
 */
function knownEnd(word: string): FinishReason {
  const end = wireEndOf(word);
  return end === "error" ? "other" : end;
}

/**
 * Returns the reasoning in a delta. The name of the field depends on the server. Some servers send
 * the same text in two fields, so only one of them is read.
 */
function reasoningIn(delta: LooseObject): readonly ModelEvent[] {
  const text = textIn(delta["reasoning_content"]) ?? textIn(delta["reasoning"]) ?? textIn(delta["thinking"]);
  return text === undefined ? [] : [{ type: "reasoning-delta", text }];
}

/**
 * Returns the events for the content of a delta: a text, a list of typed pieces, the text of a
 * refusal, or the text of speech.
 */
function contentIn(delta: LooseObject): readonly ModelEvent[] {
  const { content } = delta;
  if (Array.isArray(content)) return content.flatMap((piece) => pieceOf(objectIn(piece)));
  const text = textIn(content) ?? textIn(delta["refusal"]) ?? textIn(objectIn(delta["audio"])["transcript"]);
  return text === undefined ? [] : [{ type: "text-delta", text }];
}

function pieceOf(piece: LooseObject): readonly ModelEvent[] {
  const text = textIn(piece["text"]);
  if (text !== undefined) return [{ type: "text-delta", text }];
  const thinking = textIn(piece["thinking"]);
  if (thinking !== undefined) return [{ type: "reasoning-delta", text: thinking }];
  // The text of a thinking piece may itself be a list of pieces.
  return listIn(piece["thinking"]).flatMap((thought) => {
    const thoughtText = textIn(objectIn(thought)["text"]);
    return thoughtText === undefined ? [] : [{ type: "reasoning-delta" as const, text: thoughtText }];
  });
}

/** Returns the token usage that a chunk reports. Groq reports the usage under a different key. */
function usageIn(chunk: LooseObject, costUsd: number | undefined): TokenUsage | null {
  const value = isRecord(chunk["usage"]) ? chunk["usage"] : objectIn(chunk["x_groq"])["usage"];
  if (!isRecord(value)) return null;
  const inputTokens = countIn(value["prompt_tokens"]);
  if (inputTokens === undefined) return null;
  const promptDetails = objectIn(value["prompt_tokens_details"]);
  const totalTokens = countIn(value["total_tokens"]);
  // Some providers (xAI, Gemini) do not count reasoning as completion tokens, although they charge
  // it as output. But the total includes the reasoning. So the output is at least the total without
  // the input.
  const outputTokens = Math.max(countIn(value["completion_tokens"]) ?? 0, (totalTokens ?? 0) - inputTokens);
  return usageOf(inputTokens, outputTokens, {
    totalTokens,
    cachedInputTokens: countIn(promptDetails["cached_tokens"]) ?? countIn(value["prompt_cache_hit_tokens"]),
    reasoningTokens: countIn(objectIn(value["completion_tokens_details"])["reasoning_tokens"]),
    costUsd: typeof value["cost"] === "number" ? value["cost"] : costUsd,
  });
}
