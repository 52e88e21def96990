// Converts the events of a streamed response to model events. The API sends all content twice: in
// pieces, and as a whole at the end. So the pieces are compared with the whole. If a piece was lost
// or sent twice, the answer fails.

import { brokeOffError, type Callee, noAnswerError, streamError, wireEndOf } from "@smolts/models/adapting";
import type { FinishReason, ModelEvent, TokenUsage } from "@smolts/protocol";
import type { OpenAI } from "openai";
import { reasoningPart } from "./reasoning-item.ts";
import type { WireReader } from "./wire.ts";

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;
type Response = OpenAI.Responses.Response;
type OutputItem = OpenAI.Responses.ResponseOutputItem;
type FunctionCall = Extract<OutputItem, { type: "function_call" }>;

/** Creates a {@link WireReader} for one response. */
export function createResponsesReader(callee: Callee): WireReader {
  const pieces = new ShownPieces(callee);
  let ended: Response | undefined;
  return {
    read(chunk) {
      // The cast is safe: the SDK parsed the event, and fields that some servers leave out get
      // defaults below.
      const event = chunk as StreamEvent;
      switch (event.type) {
        case "response.completed":
        case "response.incomplete":
          if (event.response.status === "failed")
            throw streamError(callee, { error: withStatus(event.response.error) });
          ended = event.response;
          return pieces.missing(ended.output ?? []);
        case "response.failed":
          throw streamError(callee, { error: withStatus(event.response.error) });
        case "error":
          throw streamError(callee, { error: withStatus(event) });
        default:
          return pieces.read(event);
      }
    },
    get hasEnded() {
      return ended !== undefined;
    },
    get isComplete() {
      return ended !== undefined;
    },
    end() {
      if (ended === undefined) throw brokeOffError(callee);
      return [...usageOf(ended), { type: "end", finishReason: finishReasonOf(ended, pieces.hasCalls) }];
    },
  };
}

/** Collects the pieces that were shown so far. Joins the pieces of each output item to one text. */
class ShownPieces {
  readonly #callee: Callee;
  readonly #shown = new Map<number, string>();
  readonly #callIndexes = new Map<number, number>();
  readonly #finished = new Set<number>();

  constructor(callee: Callee) {
    this.#callee = callee;
  }

  get hasCalls(): boolean {
    return this.#callIndexes.size > 0;
  }

  read(event: StreamEvent): readonly ModelEvent[] {
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        return [{ type: "text-delta", text: this.#show(event.output_index, event.delta) }];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return [{ type: "reasoning-delta", text: this.#show(event.output_index, event.delta) }];
      case "response.reasoning_summary_part.added":
        return event.summary_index > 0
          ? [{ type: "reasoning-delta", text: this.#show(event.output_index, "\n\n") }]
          : [];
      case "response.output_item.added":
        return event.item.type === "function_call" ? [this.#beginCall(event.output_index, event.item)] : [];
      case "response.function_call_arguments.delta": {
        const index = this.#callIndexes.get(event.output_index);
        if (index === undefined) throw noAnswerError(this.#callee, JSON.stringify(event));
        return [{ type: "tool-call-delta", index, inputText: this.#show(event.output_index, event.delta) }];
      }
      case "response.output_item.done":
        return this.#finish(event.output_index, event.item);
      default:
        // Ignore events that only begin or end a piece, and event types of later versions. The
        // whole output at the end contains their content.
        return [];
    }
  }

  /**
   * Returns the events for parts of the whole output that were not streamed. Throws if the streamed
   * parts differ from it.
   */
  missing(output: readonly OutputItem[]): readonly ModelEvent[] {
    return output.flatMap((item, place) => this.#finish(place, item));
  }

  #finish(place: number, item: OutputItem): readonly ModelEvent[] {
    if (this.#finished.has(place)) return [];
    this.#finished.add(place);
    switch (item.type) {
      case "message":
        return this.#rest(place, messageText(item), (text) => ({ type: "text-delta", text }));
      case "function_call":
        return this.#finishCall(place, item);
      case "reasoning":
        return [{ type: "part", part: reasoningPart(this.#shown.get(place) ?? reasoningText(item), item) }];
      default:
        // Other items are calls of tools that the server runs itself, which only the option `extra`
        // can ask for. They can be ignored, because the text contains the results.
        return [];
    }
  }

  #beginCall(place: number, { call_id, name }: FunctionCall): ModelEvent {
    const index = this.#callIndexes.size;
    this.#callIndexes.set(place, index);
    return { type: "tool-call-delta", index, id: call_id, name, inputText: "" };
  }

  #finishCall(place: number, item: FunctionCall): readonly ModelEvent[] {
    const begun = this.#callIndexes.has(place) ? [] : [this.#beginCall(place, item)];
    const index = this.#callIndexes.get(place) ?? 0;
    const rest = this.#rest(place, item.arguments, (inputText) => ({ type: "tool-call-delta", index, inputText }));
    return [...begun, ...rest];
  }

  /** Compares a whole text with the pieces that were shown, and returns the event for the rest. */
  #rest(place: number, whole: string, event: (text: string) => ModelEvent): readonly ModelEvent[] {
    const known = this.#shown.get(place) ?? "";
    if (!whole.startsWith(known))
      throw brokeOffError(this.#callee, new Error("the streamed pieces differ from the server's whole output"));
    return whole === known ? [] : [event(this.#show(place, whole.slice(known.length)))];
  }

  #show(place: number, text: string): string {
    this.#shown.set(place, (this.#shown.get(place) ?? "") + text);
    return text;
  }
}

const messageText = ({ content }: Extract<OutputItem, { type: "message" }>): string =>
  content.map((piece) => (piece.type === "output_text" ? piece.text : piece.refusal)).join("");

function reasoningText({ summary, content = [] }: Extract<OutputItem, { type: "reasoning" }>): string {
  return (summary.length > 0 ? summary : content).map(({ text }) => text).join("\n\n");
}

function usageOf({ usage }: Response): readonly ModelEvent[] {
  if (!usage) return [];
  const cachedInputTokens = usage.input_tokens_details?.cached_tokens;
  const reasoningTokens = usage.output_tokens_details?.reasoning_tokens;
  const total: TokenUsage = {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    totalTokens: usage.total_tokens ?? usage.input_tokens + usage.output_tokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
  return [{ type: "usage", usage: total }];
}

function finishReasonOf({ status, incomplete_details }: Response, hasCalls: boolean): FinishReason {
  if (status === "completed" || status === undefined) return hasCalls ? "tool-calls" : "stop";
  // Only `length` and `content-filter` are possible reasons for an incomplete response.
  const end = wireEndOf(incomplete_details?.reason ?? "");
  return end === "length" || end === "content-filter" ? end : "other";
}

/** The HTTP status for each of the API's error codes. */
const statusByCode: ReadonlyMap<string, number> = new Map([
  ["server_error", 500],
  ["rate_limit_exceeded", 429],
  ["invalid_prompt", 400],
]);

function withStatus(error: { readonly code?: string | null; readonly message?: string } | null): object {
  const { code, message = "the response failed" } = error ?? {};
  const status = statusByCode.get(code ?? "");
  const named = code ? `${message} (${code})` : message;
  return { message: named, ...(status === undefined ? {} : { status }) };
}
