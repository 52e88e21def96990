// Writes a run as a response of OpenAI's Responses API. A reasoning item holds the agent's thoughts
// and actions, and a message item holds its answer.

import { type JsonValue, type OptionTable, type RunStatus, readOptions } from "@smolts/protocol";
import { type ClientCallOf, type ReaderCall, readerCallIn, thoughtText } from "./openai-chat.ts";
import type { ModelUsage, OutlinePart } from "./outline-part.ts";
import { type RunEvents, translate } from "./translate.ts";

/** One event of a response, as JSON. */
export type ResponseEvent = { readonly type: string } & { readonly [name: string]: JsonValue };

/** Settings of {@link toResponses}. */
export interface ResponsesOptions {
  /** The name of the model in the events; `smolts` if absent. */
  readonly model?: string;
  /** Says which waiting calls of a suspended run the client itself answers; none if absent. */
  readonly readerCall?: ClientCallOf;
}

/**
 * Returns the events of a run as events of a response.
 *
 * @example
 * ```ts
 * import { memoryLog } from "@smolts/memory";
 * import { toResponses } from "@smolts/streams";
 *
 * const log = memoryLog();
 * for await (const event of toResponses(log.events)) console.log(event.type);
 * ```
 */
export function toResponses(events: RunEvents, given: ResponsesOptions = {}): AsyncGenerator<ResponseEvent, void> {
  const options = readOptions(given, "toResponses()", responsesOptions);
  const writer = new ResponsesWriter(options);
  return translate(events, (part) => writer.write(part));
}

/** The options of {@link toResponses}. */
export const responsesOptions: OptionTable<ResponsesOptions> = { model: "text", readerCall: "function" };

type Fields = { readonly [name: string]: JsonValue };

class ResponsesWriter {
  readonly #model: string;
  readonly #created = Math.floor(Date.now() / 1000);
  #id = "";
  #sequence = 0;
  #reasoning: { readonly id: string; text: string } | null = null;
  readonly #output: JsonValue[] = [];
  readonly #readerCall: ClientCallOf | undefined;
  readonly #readerCalls: ReaderCall[] = [];

  constructor({ model = "smolts", readerCall }: ResponsesOptions) {
    this.#model = model;
    this.#readerCall = readerCall;
  }

  write(part: OutlinePart): readonly ResponseEvent[] {
    switch (part.type) {
      case "start":
        this.#id = `resp_${part.runId}`;
        return [
          this.#event("response.created", { response: this.#response("in_progress") }),
          this.#event("response.in_progress", { response: this.#response("in_progress") }),
        ];
      case "answer":
        return [...this.#closeReasoning(), ...this.#answer(part.text)];
      case "approval":
        this.#readerCalls.push(...readerCallIn(part, this.#readerCall));
        return [];
      case "end":
        return [...this.#closeReasoning(), ...this.#callReader(part.status), this.#end(part)];
      default:
        return this.#reason(thoughtText(part));
    }
  }

  #reason(text: string): readonly ResponseEvent[] {
    if (text === "") return [];
    const events: ResponseEvent[] = [];
    if (!this.#reasoning) {
      this.#reasoning = { id: `rs_${this.#id}`, text: "" };
      const item = { id: this.#reasoning.id, type: "reasoning", summary: [] };
      events.push(this.#event("response.output_item.added", { output_index: 0, item }));
      const part = { type: "summary_text", text: "" };
      events.push(this.#event("response.reasoning_summary_part.added", { ...this.#summaryAt(), part }));
    }
    const delta = this.#reasoning.text === "" ? text.trimStart() : text;
    this.#reasoning.text += delta;
    if (delta !== "")
      events.push(this.#event("response.reasoning_summary_text.delta", { ...this.#summaryAt(), delta }));
    return events;
  }

  #closeReasoning(): readonly ResponseEvent[] {
    const open = this.#reasoning;
    if (!open) return [];
    const at = this.#summaryAt();
    this.#reasoning = null;
    const part = { type: "summary_text", text: open.text };
    const item = { id: open.id, type: "reasoning", summary: [part] };
    this.#output.push(item);
    return [
      this.#event("response.reasoning_summary_text.done", { ...at, text: open.text }),
      this.#event("response.reasoning_summary_part.done", { ...at, part }),
      this.#event("response.output_item.done", { output_index: 0, item }),
    ];
  }

  #summaryAt(): Fields {
    return { item_id: this.#reasoning?.id ?? "", output_index: 0, summary_index: 0 };
  }

  #answer(text: string): readonly ResponseEvent[] {
    const outputIndex = this.#output.length;
    const id = `msg_${this.#id}`;
    const at = { item_id: id, output_index: outputIndex, content_index: 0 };
    const part = { type: "output_text", text, annotations: [], logprobs: [] };
    const message = { id, type: "message", role: "assistant" };
    const item = { ...message, status: "completed", content: [part] };
    this.#output.push(item);
    return [
      this.#event("response.output_item.added", {
        output_index: outputIndex,
        item: { ...message, status: "in_progress", content: [] },
      }),
      this.#event("response.content_part.added", { ...at, part: { ...part, text: "" } }),
      this.#event("response.output_text.delta", { ...at, delta: text, logprobs: [] }),
      this.#event("response.output_text.done", { ...at, text, logprobs: [] }),
      this.#event("response.content_part.done", { ...at, part }),
      this.#event("response.output_item.done", { output_index: outputIndex, item }),
    ];
  }

  #callReader(status: RunStatus): readonly ResponseEvent[] {
    if (status !== "suspended") return [];
    return this.#readerCalls.flatMap(({ id, name, arguments: input }) => {
      const outputIndex = this.#output.length;
      const itemId = `fc_${id}`;
      const at = { item_id: itemId, output_index: outputIndex };
      const call = { id: itemId, type: "function_call", call_id: id, name };
      const item = { ...call, arguments: input, status: "completed" };
      this.#output.push(item);
      return [
        this.#event("response.output_item.added", {
          output_index: outputIndex,
          item: { ...call, arguments: "", status: "in_progress" },
        }),
        this.#event("response.function_call_arguments.delta", { ...at, delta: input }),
        this.#event("response.function_call_arguments.done", { ...at, name, arguments: input }),
        this.#event("response.output_item.done", { output_index: outputIndex, item }),
      ];
    });
  }

  #end({ status, error, usage }: OutlinePart & { readonly type: "end" }): ResponseEvent {
    const used = { usage: responseUsage(usage) };
    if (status === "suspended" && this.#readerCalls.length > 0) {
      return this.#event("response.completed", { response: { ...this.#response("completed"), ...used } });
    }
    if (status === "failed" || status === "suspended") {
      const message = error?.message ?? "the run waits for a person's decision";
      const failure = { error: { code: "server_error", message } };
      return this.#event("response.failed", { response: { ...this.#response("failed"), ...failure, ...used } });
    }
    if (status === "aborted") {
      const details = { incomplete_details: { reason: "content_filter" } };
      return this.#event("response.incomplete", { response: { ...this.#response("incomplete"), ...details, ...used } });
    }
    return this.#event("response.completed", { response: { ...this.#response("completed"), ...used } });
  }

  #event(type: string, fields: Fields): ResponseEvent {
    return { type, sequence_number: this.#sequence++, ...fields };
  }

  #response(status: string): Fields {
    return {
      id: this.#id,
      object: "response",
      created_at: this.#created,
      status,
      model: this.#model,
      output: [...this.#output],
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      parallel_tool_calls: true,
      temperature: null,
      tool_choice: "auto",
      tools: [],
      top_p: null,
    };
  }
}

function responseUsage(usage: readonly ModelUsage[]): JsonValue {
  const total = (
    name: "inputTokens" | "outputTokens" | "totalTokens" | "cachedInputTokens" | "reasoningTokens",
  ): number => usage.reduce((sum, one) => sum + (one[name] ?? 0), 0);
  return {
    input_tokens: total("inputTokens"),
    input_tokens_details: { cached_tokens: total("cachedInputTokens") },
    output_tokens: total("outputTokens"),
    output_tokens_details: { reasoning_tokens: total("reasoningTokens") },
    total_tokens: total("totalTokens"),
  };
}
