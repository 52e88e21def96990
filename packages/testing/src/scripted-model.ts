import {
  AgentError,
  explainMembers,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelStreamOptions,
  type OptionTable,
  readOptions,
  wait,
  wrongArgument,
} from "@smolts/protocol";
import { eventsOf, type ReplyParts } from "./reply.ts";

/** The scripted reply to one call: an answer or an error. A string is the text of the answer. */
export type ScriptedReply =
  | string
  | (ReplyParts & {
      /**
       * The error that the model throws after the given parts. A string becomes the message of a
       * `generation` error.
       */
      readonly error?: Error | string;
      /** The exact events to send, instead of all other parts. */
      readonly events?: readonly ModelEvent[];
      /** Breaks the stream off with a `generation` error after this many events. */
      readonly cutAfter?: number;
    });

/** Computes a reply from a request. `callNumber` starts at 1. */
export type ReplyFunction = (request: ModelRequest, callNumber: number) => ScriptedReply | Promise<ScriptedReply>;

/** A model with scripted answers; see {@link scriptedModel}. */
export interface ScriptedModel extends Model {
  /** The requests that the model received, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Options of {@link scriptedModel}. */
export interface ScriptedModelOptions {
  /** The id of the model. Default: `scripted/model`. */
  readonly id?: string;
}

/**
 * Creates a model that answers from a script. The model runs in this process without a network or a
 * key, and always gives the same answers.
 *
 * Each call takes the next reply of the list. Instead of a list you can pass one function that
 * answers all calls. Text streams in pieces of five characters, up to the first stop sequence of
 * the request. A reply without `usage` reports {@link defaultUsage}. If no reply is left, a call
 * throws `generation` and says how many replies there were.
 *
 * @param options - `id`: default `scripted/model`
 * @example
 * ```ts
 * import { scriptedModel } from "@smolts/testing";
 *
 * const model = scriptedModel(["<code>finalAnswer(6 * 7)</code>", { toolCalls: [{ name: "finalAnswer", input: { answer: 42 } }] }]);
 * const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
 * for await (const event of model.stream({ messages: [] }, options)) console.log(event.type);
 * ```
 */
export function scriptedModel(
  replies: readonly (ScriptedReply | ReplyFunction)[] | ReplyFunction,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  if (!Array.isArray(replies) && typeof replies !== "function") {
    throw wrongArgument("scriptedModel()", replies, "a list of replies or a function", 'write scriptedModel(["..."])');
  }
  const { id = "scripted/model" } = readOptions(options, "scriptedModel()", { id: "text" });
  const requests: ModelRequest[] = [];
  const model: ScriptedModel = {
    id,
    requests,
    async *stream(request, options) {
      options.signal.throwIfAborted();
      // Keep a copy of the messages, because the caller may change its list.
      const callNumber = requests.push({ ...request, messages: [...request.messages] });
      const reply = await nextReply(id, replies, request, callNumber);
      yield* play(id, reply, request, callNumber, options);
    },
  };
  return explainMembers(model, "a scripted model", {
    values: [["calls prompts messages doStreamCalls doGenerateCalls received history", "write model.requests"]],
  });
}

async function nextReply(
  id: string,
  replies: readonly (ScriptedReply | ReplyFunction)[] | ReplyFunction,
  request: ModelRequest,
  callNumber: number,
): Promise<Exclude<ScriptedReply, string>> {
  const next = typeof replies === "function" ? replies : replies[callNumber - 1];
  if (next === undefined) throw noReplyError(id, replies.length, callNumber);
  const reply = typeof next === "function" ? await next(request, callNumber) : next;
  return typeof reply === "string" ? { text: reply } : readOptions(reply, "a reply of scriptedModel()", replyOptions);
}

const replyOptions: OptionTable<Exclude<ScriptedReply, string>> = {
  text: "text",
  reasoning: "text",
  toolCalls: "list",
  usage: true,
  finishReason: true,
  delayMs: "number",
  error: true,
  events: "list",
  cutAfter: "number",
};

async function* play(
  id: string,
  reply: Exclude<ScriptedReply, string>,
  { stop = [] }: ModelRequest,
  callNumber: number,
  { signal }: ModelStreamOptions,
): AsyncGenerator<ModelEvent> {
  const { error, events = eventsOf(reply, stop, callNumber), cutAfter = Number.POSITIVE_INFINITY, delayMs = 0 } = reply;
  await wait(delayMs, signal);
  let count = 0;
  for (const event of events) {
    if (count++ >= cutAfter) throw new AgentError("generation", `the answer of model "${id}" broke off`);
    // The error comes instead of the usage and the end of the answer.
    if (error !== undefined && (event.type === "usage" || event.type === "end")) break;
    signal.throwIfAborted();
    yield event;
  }
  if (error !== undefined) throw typeof error === "string" ? new AgentError("generation", error) : error;
}

function noReplyError(id: string, count: number, callNumber: number): AgentError {
  return new AgentError(
    "generation",
    `model "${id}" was asked ${callNumber} times and its script has ${count} replies`,
    {
      hint: "add the missing replies to the script, or look at the requests in model.requests",
    },
  );
}
