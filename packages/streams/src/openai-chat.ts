// Writes a run as Chat Completions of OpenAI, for front ends that know no other protocol. The
// answer is the `content`. The agent's thoughts and actions are `reasoning_content`, which such
// front ends can collapse.

import {
  decodeValue,
  type JsonValue,
  type OptionTable,
  type RunStatus,
  readOptions,
  toPlainJson,
} from "@smolts/protocol";
import { codeCallName, type ModelUsage, type OutlinePart } from "./outline-part.ts";
import { type RunEvents, translate } from "./translate.ts";

/** One chunk of a chat completion, or an error, as JSON. */
export type ChatCompletionChunk = { readonly [name: string]: JsonValue };

/** Settings of {@link toChatCompletions}. */
export interface ChatCompletionsOptions {
  /** The name of the model in the chunks; `smolts` if absent. */
  readonly model?: string;
  /** Whether thoughts and code are sent as `reasoning_content`; true if absent. */
  readonly reasoning?: boolean;
  /** Says which waiting calls of a suspended run the client itself answers; none if absent. */
  readonly readerCall?: ClientCallOf;
}

/** A call that a suspended run waits for. */
export interface WaitingCall {
  /** The id of the call in the log. */
  readonly callId: string;
  readonly name: string;
}

/**
 * Says who answers a call that a run waits for. If the call is for one of the client's own tools,
 * returns the name and the id by which the client knows the call. Returns null if a person must
 * decide about the call. If the run waits for its client, the completion ends with tool calls for
 * the client.
 */
export type ClientCallOf = (call: WaitingCall) => { readonly id: string; readonly name: string } | null;

/** A call that the client answers, with its input as JSON text. */
export interface ReaderCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Returns the call if the client must answer it, else null. */
export function readerCallIn(
  { callId, name, input }: OutlinePart & { readonly type: "approval" },
  readerCall: ClientCallOf | undefined,
): readonly ReaderCall[] {
  const call = readerCall?.({ callId, name });
  return call ? [{ ...call, arguments: JSON.stringify(toPlainJson(decodeValue(input))) }] : [];
}

/**
 * Returns the events of a run as chunks of a chat completion. The last chunk reports the tokens
 * that the run used.
 *
 * @example
 * ```ts
 * import { memoryLog } from "@smolts/memory";
 * import { toChatCompletions } from "@smolts/streams";
 *
 * const log = memoryLog();
 * for await (const chunk of toChatCompletions(log.events, { model: "my-agent" })) console.log(chunk);
 * ```
 */
export function toChatCompletions(
  events: RunEvents,
  given: ChatCompletionsOptions = {},
): AsyncGenerator<ChatCompletionChunk, void> {
  const options = readOptions(given, "toChatCompletions()", chatCompletionsOptions);
  const writer = new ChatWriter(options);
  return translate(events, (part) => writer.write(part));
}

/** The options of {@link toChatCompletions}. */
export const chatCompletionsOptions: OptionTable<ChatCompletionsOptions> = {
  model: "text",
  reasoning: "flag",
  readerCall: "function",
};

class ChatWriter {
  readonly #model: string;
  readonly #hasReasoning: boolean;
  #id = "";
  readonly #created = Math.floor(Date.now() / 1000);
  #hasThought = false;
  readonly #readerCall: ClientCallOf | undefined;
  readonly #readerCalls: ReaderCall[] = [];

  constructor({ model = "smolts", reasoning = true, readerCall }: ChatCompletionsOptions) {
    this.#model = model;
    this.#hasReasoning = reasoning;
    this.#readerCall = readerCall;
  }

  write(part: OutlinePart): readonly ChatCompletionChunk[] {
    switch (part.type) {
      case "start":
        this.#id = `chatcmpl-${part.runId}`;
        return [this.#chunk({ role: "assistant", content: "" })];
      case "answer":
        return [this.#chunk({ content: part.text })];
      case "approval":
        this.#readerCalls.push(...readerCallIn(part, this.#readerCall));
        return [];
      case "end":
        return this.#end(part);
      default:
        return this.#reason(thoughtText(part));
    }
  }

  #reason(text: string): readonly ChatCompletionChunk[] {
    if (!this.#hasReasoning || text === "") return [];
    const lead = text.startsWith("\n") && !this.#hasThought ? text.trimStart() : text;
    this.#hasThought = true;
    return [this.#chunk({ reasoning_content: lead })];
  }

  #end({ status, error, usage }: OutlinePart & { readonly type: "end" }): readonly ChatCompletionChunk[] {
    const used = { ...this.#frame(), choices: [], usage: chatUsage(usage) };
    if (status === "suspended" && this.#readerCalls.length > 0) {
      return [this.#chunk({ tool_calls: this.#readerCalls.map(toolCallDelta) }), this.#chunk({}, "tool_calls"), used];
    }
    const why = withoutAnswer(status);
    if (why !== null) {
      return [{ error: { message: error?.message ?? why, type: "agent_error", code: error?.code ?? status } }];
    }
    return [this.#chunk({}, finishReason(status)), used];
  }

  #chunk(delta: { readonly [name: string]: JsonValue }, finish: string | null = null): ChatCompletionChunk {
    return { ...this.#frame(), choices: [{ index: 0, delta, finish_reason: finish }] };
  }

  #frame(): { readonly [name: string]: JsonValue } {
    return { id: this.#id, object: "chat.completion.chunk", created: this.#created, model: this.#model };
  }
}

const toolCallDelta = ({ id, name, arguments: input }: ReaderCall, index: number): JsonValue => ({
  index,
  id,
  type: "function",
  function: { name, arguments: input },
});

/**
 * Returns why a run with this status has no answer; null if it has one. A run without an answer
 * ends with an error.
 */
function withoutAnswer(status: RunStatus): string | null {
  switch (status) {
    case "suspended":
      return "the run waits for a person's decision";
    case "aborted":
      return "the run was ended before it had an answer";
    case "failed":
      return "the run failed";
    case "success":
    case "max-steps":
    case "budget":
      return null;
    default:
      return status satisfies never;
  }
}

const finishReason = (status: RunStatus): string => (status === "max-steps" || status === "budget" ? "length" : "stop");

/**
 * Returns the text that a part adds to the reasoning. The reasoning describes everything that the
 * agent thinks and does.
 */
export function thoughtText(part: OutlinePart): string {
  switch (part.type) {
    case "thought-start":
      return "\n\n";
    case "thought-delta":
      return part.text;
    case "call-input":
      return part.name === codeCallName ? codeText(part.input) : `\n\n${part.name}(${JSON.stringify(part.input)})`;
    case "call-end":
      return part.result.type === "ok" ? "" : `\n\n${part.result.text}`;
    case "agent-start":
      return `\n\n${part.name}:`;
    default:
      return "";
  }
}

function codeText(input: JsonValue): string {
  const code = typeof input === "object" && input !== null && "code" in input ? String(input["code"]) : "";
  return `\n\n\`\`\`js\n${code.trim()}\n\`\`\``;
}

function chatUsage(usage: readonly ModelUsage[]): JsonValue {
  const total = (name: "inputTokens" | "outputTokens" | "totalTokens"): number =>
    usage.reduce((sum, one) => sum + one[name], 0);
  return {
    prompt_tokens: total("inputTokens"),
    completion_tokens: total("outputTokens"),
    total_tokens: total("totalTokens"),
  };
}
