import {
  AgentError,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelStreamOptions,
  readOptions,
  wait,
  wrongArgument,
} from "@smolts/protocol";
import { eventsOf, type ReplyParts } from "./reply.ts";

/**
 * The action of a scripted model on one call: answer, or fail. A string is an answer of that text.
 */
export type ScriptedReply =
  | string
  | (ReplyParts & {
      /**
       * Thrown after the parts given: an error as it is, a string as the message of a `generation`
       * error.
       */
      readonly error?: Error | string;
      /** Given exactly as they are, instead of all parts. */
      readonly events?: readonly ModelEvent[];
      /** The stream breaks off (a `generation` error) after so many events. */
      readonly cutAfter?: number;
    });

/** Computes a reply from what the model is asked; `callNumber` is 1-based. */
export type ReplyFunction = (request: ModelRequest, callNumber: number) => ScriptedReply | Promise<ScriptedReply>;

/** A model whose answers were written beforehand; see {@link scriptedModel}. */
export interface ScriptedModel extends Model {
  /** The requests it received, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Options of {@link scriptedModel}. */
export interface ScriptedModelOptions {
  /** `scripted/model` when absent. */
  readonly id?: string;
}

/**
 * A model in this process that answers what a script says: no network, no key, the same every time.
 *
 * Each call takes the next reply; one function instead of a list answers all of them. Text streams
 * in pieces of five characters. Stop texts are honoured as a real server does. A reply that names
 * no usage has {@link defaultUsage}. A call that finds no reply left throws `generation` and says
 * how many there were.
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
  const { id = "scripted/model" } = readOptions(options, "scriptedModel()", { id: "text" });
  if (!Array.isArray(replies) && typeof replies !== "function") {
    throw wrongArgument("scriptedModel()", replies, "a list of replies or a function", 'write scriptedModel(["..."])');
  }
  const requests: ModelRequest[] = [];
  return {
    id,
    requests,
    async *stream(request, options) {
      options.signal.throwIfAborted();
      // A copy: the caller may go on with its own list of messages.
      const callNumber = requests.push({ ...request, messages: [...request.messages] });
      const reply = await nextReply(id, replies, request, callNumber);
      yield* play(id, reply, request, callNumber, options);
    },
  };
}

async function nextReply(
  id: string,
  replies: readonly (ScriptedReply | ReplyFunction)[] | ReplyFunction,
  request: ModelRequest,
  callNumber: number,
): Promise<Exclude<ScriptedReply, string>> {
  const next = typeof replies === "function" ? replies : replies[callNumber - 1];
  if (next === undefined) throw noReplyLeft(id, replies.length, callNumber);
  const reply = typeof next === "function" ? await next(request, callNumber) : next;
  return typeof reply === "string" ? { text: reply } : reply;
}

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
    // The error stands where the answer would have ended by itself.
    if (error !== undefined && (event.type === "usage" || event.type === "end")) break;
    signal.throwIfAborted();
    yield event;
  }
  if (error !== undefined) throw typeof error === "string" ? new AgentError("generation", error) : error;
}

function noReplyLeft(id: string, count: number, callNumber: number): AgentError {
  return new AgentError(
    "generation",
    `model "${id}" was asked ${callNumber} times and its script has ${count} replies`,
    {
      hint: "add the missing replies to the script, or look at model.requests for what was asked",
    },
  );
}
