import { AgentError, type FinishReason, type ModelEvent, type TokenUsage } from "@smolts/protocol";
import { wireEndOf, withCalls } from "./finish-reason.ts";
import { countIn, type LooseObject, listIn, objectIn, textIn } from "./loose-json.ts";
import { usageOf } from "./usage-count.ts";
import type { AnswerReader } from "./wire.ts";

/** The hint of the error that reports a full context. */
export const overflowHint =
  "raise the option contextTokens (Ollama then needs more memory), or give the model less to read";

/** Reads the lines of one answer of Ollama. */
export function createOllamaReader(modelId: string, contextTokens: number): AnswerReader {
  let usage: TokenUsage | null = null;
  let wireReason = "";
  let callCount = 0;
  let hasBegun = false;
  let isDone = false;
  return {
    get hasBegun() {
      return hasBegun;
    },
    get hasEnded() {
      return isDone;
    },
    get isComplete() {
      return isDone;
    },
    read(line) {
      hasBegun ||= "message" in line || line["done"] === true;
      if (line["done"] === true) {
        isDone = true;
        wireReason = textIn(line["done_reason"]) ?? "stop";
        usage = usageIn(line);
        refuseFullContext(usage, modelId, contextTokens);
      }
      const message = objectIn(line["message"]);
      return [...textsIn(message), ...listIn(message["tool_calls"]).map((call) => callEvent(objectIn(call)))];
    },
    end() {
      const usageEvents: readonly ModelEvent[] = usage === null ? [] : [{ type: "usage", usage }];
      return [...usageEvents, { type: "end", finishReason: finishReasonOf(wireReason, callCount > 0) }];
    },
  };

  /** Returns the event for a call. Ollama sends each call whole, with its input as an object. */
  function callEvent(call: LooseObject): ModelEvent {
    const callee = objectIn(call["function"]);
    const id = textIn(call["id"]) ?? `call_${crypto.randomUUID()}`;
    const inputText = JSON.stringify(callee["arguments"] ?? {});
    return { type: "tool-call-delta", index: callCount++, id, name: textIn(callee["name"]) ?? "", inputText };
  }
}

function textsIn(message: LooseObject): readonly ModelEvent[] {
  const thought = textIn(message["thinking"]);
  const text = textIn(message["content"]);
  return [
    ...(thought === undefined ? [] : [{ type: "reasoning-delta" as const, text: thought }]),
    ...(text === undefined ? [] : [{ type: "text-delta" as const, text }]),
  ];
}

function usageIn(line: LooseObject): TokenUsage | null {
  const inputTokens = countIn(line["prompt_eval_count"]);
  const outputTokens = countIn(line["eval_count"]);
  return inputTokens === undefined && outputTokens === undefined
    ? null
    : usageOf(inputTokens ?? 0, outputTokens ?? 0, {});
}

/**
 * Throws if the prompt fills the whole context. In that case, an old server has cut the prompt
 * instead of refusing it.
 */
function refuseFullContext(usage: TokenUsage | null, modelId: string, contextTokens: number): void {
  if (usage === null || usage.inputTokens < contextTokens) return;
  throw new AgentError(
    "context-overflow",
    `the prompt of model "${modelId}" reached its context of ${contextTokens} tokens`,
    { hint: overflowHint },
  );
}

function finishReasonOf(wireReason: string, hasToolCalls: boolean): FinishReason {
  const end = wireEndOf(wireReason);
  return withCalls(end === "error" ? "other" : end, hasToolCalls);
}
