import type { FinishReason, ModelEvent, TokenUsage } from "@smolts/protocol";
import { countIn, isObject, type LooseObject, listIn, objectIn, textIn } from "./loose-json.ts";
import { joinUsage, usageOf } from "./usage-count.ts";
import type { AnswerReader } from "./wire.ts";

/** Reads the events of one answer of the Messages API. */
export function createMessagesReader(): AnswerReader {
  const callIndexes = new Map<unknown, number>();
  let thought: { text: string; signature: string } | null = null;
  let usage: TokenUsage | null = null;
  let wireReason: string | undefined;
  let hasBegun = false;
  let isComplete = false;
  return {
    get hasBegun() {
      return hasBegun;
    },
    get hasEnded() {
      return isComplete;
    },
    get isComplete() {
      return isComplete;
    },
    read(event) {
      switch (event["type"]) {
        case "message_start":
          hasBegun = true;
          takeUsage(objectIn(event["message"]));
          return [];
        case "content_block_start":
          return begin(objectIn(event["content_block"]), event["index"]);
        case "content_block_delta":
          return goOn(objectIn(event["delta"]), event["index"]);
        case "content_block_stop":
          return endThought();
        case "message_delta":
          takeUsage(event);
          wireReason = textIn(objectIn(event["delta"])["stop_reason"]) ?? wireReason;
          return [];
        case "message_stop":
          isComplete = wireReason !== undefined;
          return [];
        case "message":
          return whole(event);
        default:
          // Pings, and kinds of events that come with later versions.
          return [];
      }
    },
    end() {
      const told: readonly ModelEvent[] = usage === null ? [] : [{ type: "usage", usage }];
      return [...told, { type: "end", finishReason: finishReasons.get(wireReason ?? "") ?? "other" }];
    },
  };

  function takeUsage(holder: LooseObject): void {
    usage = joinUsage(usage, usageIn(holder["usage"]));
  }

  function begin(block: LooseObject, index: unknown): readonly ModelEvent[] {
    switch (block["type"]) {
      case "text":
        return textEvents("text-delta", block["text"]);
      case "thinking":
        thought = { text: textIn(block["thinking"]) ?? "", signature: textIn(block["signature"]) ?? "" };
        return textEvents("reasoning-delta", block["thinking"]);
      case "redacted_thinking":
        return [thoughtPart("", { data: textIn(block["data"]) ?? "" })];
      case "tool_use":
        // Sent a second time.
        if (callIndexes.has(index)) return [];
        callIndexes.set(index, callIndexes.size);
        return [callEvent(block, callIndexes.size - 1)];
      default:
        return [];
    }
  }

  function goOn(delta: LooseObject, index: unknown): readonly ModelEvent[] {
    switch (delta["type"]) {
      case "text_delta":
        return textEvents("text-delta", delta["text"]);
      case "thinking_delta":
        if (thought) thought.text += textIn(delta["thinking"]) ?? "";
        return textEvents("reasoning-delta", delta["thinking"]);
      case "signature_delta":
        if (thought) thought.signature += textIn(delta["signature"]) ?? "";
        return [];
      case "input_json_delta":
        return inputEvents(textIn(delta["partial_json"]) ?? "", callIndexes.get(index));
      default:
        return [];
    }
  }

  function endThought(): readonly ModelEvent[] {
    const ended = thought;
    thought = null;
    return ended === null ? [] : [thoughtPart(ended.text, { signature: ended.signature })];
  }

  function whole(message: LooseObject): readonly ModelEvent[] {
    hasBegun = true;
    isComplete = true;
    takeUsage(message);
    wireReason = textIn(message["stop_reason"]);
    return listIn(message["content"]).flatMap((block, index) => [...begin(objectIn(block), index), ...endThought()]);
  }
}

function textEvents(type: "text-delta" | "reasoning-delta", value: unknown): readonly ModelEvent[] {
  const text = textIn(value);
  return text === undefined ? [] : [{ type, text }];
}

function callEvent(block: LooseObject, index: number): ModelEvent {
  // The input of a call that streams begins as an empty object; that of a whole answer is here.
  const input = objectIn(block["input"]);
  const inputText = Object.keys(input).length === 0 ? "" : JSON.stringify(input);
  const id = textIn(block["id"]) ?? `call_${crypto.randomUUID()}`;
  return { type: "tool-call-delta", index, id, name: textIn(block["name"]) ?? "", inputText };
}

function inputEvents(inputText: string, index: number | undefined): readonly ModelEvent[] {
  return index === undefined || inputText === "" ? [] : [{ type: "tool-call-delta", index, inputText }];
}

function thoughtPart(text: string, fields: Readonly<Record<string, string>>): ModelEvent {
  return { type: "part", part: { type: "reasoning", text, providerData: { provider: "anthropic", ...fields } } };
}

/** Input is told in three parts: what is new, what was written to the cache and what was read from it. */
function usageIn(value: unknown): TokenUsage | null {
  if (!isObject(value)) return null;
  const cached = countIn(value["cache_read_input_tokens"]);
  const written = countIn(value["cache_creation_input_tokens"]) ?? 0;
  const inputTokens = (countIn(value["input_tokens"]) ?? 0) + written + (cached ?? 0);
  return usageOf(inputTokens, countIn(value["output_tokens"]) ?? 0, { cachedInputTokens: cached });
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool-calls"],
  ["refusal", "content-filter"],
]);
