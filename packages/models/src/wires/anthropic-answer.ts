import { type FinishReason, isRecord, type ModelEvent, type TokenUsage } from "@smolts/protocol";
import { joinEnds, wireEndOf } from "./finish-reason.ts";
import { countIn, type LooseObject, listIn, objectIn, textIn } from "./loose-json.ts";
import { joinUsage, usageOf } from "./usage-count.ts";
import type { AnswerReader } from "./wire.ts";

/** Reads the events of one answer of the Messages API. */
export class MessagesReader implements AnswerReader {
  /** Maps the index of a call's content block in the stream to the call's index in our events. */
  readonly #callIndexes = new Map<unknown, number>();
  /** The indexes of content blocks that began with their whole input. */
  readonly #wholeCalls = new Set<unknown>();
  #thought: { text: string; signature: string } | null = null;
  #usage: TokenUsage | null = null;
  #end: FinishReason | undefined;
  #hasBegun = false;
  #isComplete = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get hasEnded(): boolean {
    return this.#isComplete;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  read(event: LooseObject): readonly ModelEvent[] {
    switch (event["type"]) {
      case "message_start":
        this.#hasBegun = true;
        this.#takeUsage(objectIn(event["message"]));
        return [];
      case "content_block_start":
        return this.#beginBlock(objectIn(event["content_block"]), event["index"]);
      case "content_block_delta":
        return this.#continueBlock(objectIn(event["delta"]), event["index"]);
      case "content_block_stop":
        return this.#endThought();
      case "message_delta":
        this.#takeUsage(event);
        this.#takeEnd(objectIn(event["delta"]));
        return [];
      case "message_stop":
        this.#isComplete = this.#end !== undefined;
        return [];
      case "message":
        return this.#readWhole(event);
      default:
        // These are pings, or kinds of events from later versions of the API.
        return [];
    }
  }

  end(): readonly ModelEvent[] {
    const usageEvents: readonly ModelEvent[] = this.#usage === null ? [] : [{ type: "usage", usage: this.#usage }];
    return [...usageEvents, { type: "end", finishReason: this.#end ?? "other" }];
  }

  #takeEnd(holder: LooseObject): void {
    const word = textIn(holder["stop_reason"]);
    const end = wireEndOf(word ?? "");
    if (word !== undefined) this.#end = joinEnds(this.#end, end === "error" ? "other" : end);
  }

  #takeUsage(holder: LooseObject): void {
    this.#usage = joinUsage(this.#usage, usageIn(holder["usage"]));
  }

  #beginBlock(block: LooseObject, index: unknown): readonly ModelEvent[] {
    switch (block["type"]) {
      case "text":
        return textEvents("text-delta", block["text"]);
      case "thinking":
        this.#thought = { text: textIn(block["thinking"]) ?? "", signature: textIn(block["signature"]) ?? "" };
        return textEvents("reasoning-delta", block["thinking"]);
      case "redacted_thinking":
        return [thoughtPart("", { data: textIn(block["data"]) ?? "" })];
      case "tool_use":
        return this.#beginCall(block, index);
      default:
        return [];
    }
  }

  #beginCall(block: LooseObject, index: unknown): readonly ModelEvent[] {
    // Ignore a block that the server sends a second time.
    if (this.#callIndexes.has(index)) return [];
    const callIndex = this.#callIndexes.size;
    this.#callIndexes.set(index, callIndex);
    if (Object.keys(objectIn(block["input"])).length > 0) this.#wholeCalls.add(index);
    return [callEvent(block, callIndex)];
  }

  #continueBlock(delta: LooseObject, index: unknown): readonly ModelEvent[] {
    switch (delta["type"]) {
      case "text_delta":
        return textEvents("text-delta", delta["text"]);
      case "thinking_delta":
        if (this.#thought) this.#thought.text += textIn(delta["thinking"]) ?? "";
        return textEvents("reasoning-delta", delta["thinking"]);
      case "signature_delta":
        if (this.#thought) this.#thought.signature += textIn(delta["signature"]) ?? "";
        return [];
      case "input_json_delta":
        // Ignore an input that the server sends a second time, in pieces.
        if (this.#wholeCalls.has(index)) return [];
        return inputEvents(textIn(delta["partial_json"]) ?? "", this.#callIndexes.get(index));
      default:
        return [];
    }
  }

  #endThought(): readonly ModelEvent[] {
    const thought = this.#thought;
    this.#thought = null;
    return thought === null ? [] : [thoughtPart(thought.text, { signature: thought.signature })];
  }

  #readWhole(message: LooseObject): readonly ModelEvent[] {
    this.#hasBegun = true;
    this.#isComplete = true;
    this.#takeUsage(message);
    this.#takeEnd(message);
    const blocks = listIn(message["content"]).map(objectIn);
    return blocks.flatMap((block, index) => [...this.#beginBlock(block, index), ...this.#endThought()]);
  }
}

function textEvents(type: "text-delta" | "reasoning-delta", value: unknown): readonly ModelEvent[] {
  const text = textIn(value);
  return text === undefined ? [] : [{ type, text }];
}

function callEvent(block: LooseObject, index: number): ModelEvent {
  // In a stream, a call begins with an empty object as its input, and the input follows in pieces.
  // In a whole answer, the call contains its whole input.
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

/**
 * Reads the token usage. The API reports input in three parts: new tokens, tokens written to the
 * cache, and tokens read from it.
 */
function usageIn(value: unknown): TokenUsage | null {
  if (!isRecord(value)) return null;
  const cached = countIn(value["cache_read_input_tokens"]);
  const written = countIn(value["cache_creation_input_tokens"]) ?? 0;
  const inputTokens = (countIn(value["input_tokens"]) ?? 0) + written + (cached ?? 0);
  return usageOf(inputTokens, countIn(value["output_tokens"]) ?? 0, { cachedInputTokens: cached });
}
