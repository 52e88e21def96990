// The endpoint `POST /v1/chat/completions`.

import { type ChatCompletionChunk, toChatCompletions } from "@smolts/streams";
import { eventStreamResponse } from "../event-stream.ts";
import { badRequest } from "../refused-request.ts";
import type { ActiveRun, RunService } from "../runs/run-service.ts";
import { toCallId } from "./call-id.ts";
import { type RequestedRun, readChatRequest } from "./chat-request.ts";
import type { Fields } from "./content-parts.ts";
import { runError } from "./openai-error.ts";

/** The context of a Chat Completions or Responses request: everything that is not in its body. */
export interface OpenAICall {
  readonly service: RunService;
  readonly client: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly stalledMs: number;
  /** The size of the request, in bytes. */
  readonly bytes: number;
}

/** Answers a request of Chat Completions. */
export async function answerChat(body: Fields, call: OpenAICall): Promise<Response> {
  const request = readChatRequest(body);
  const run = await startOrContinue(request.requestedRun, call);
  const chunks = cutAtStop(
    toChatCompletions(run.events(), { model: request.model, readerCall: readerCallOf(run) }),
    request.stop,
  );
  if (!request.isStream) return wholeCompletion(chunks, run, call.signal);
  return eventStreamResponse({
    frames: framesOf(chunks, request.hasUsage),
    onDisconnect: (why) => run.abort(why),
    stalledMs: call.stalledMs,
  });
}

/** Starts a new run, or continues the run whose tool results are in the request. */
export async function startOrContinue(
  requestedRun: RequestedRun,
  { service, client, signal, bytes }: OpenAICall,
): Promise<ActiveRun> {
  switch (requestedRun.type) {
    case "task":
      return service.start({ client, bytes, ...requestedRun }, signal);
    case "results":
      return service.answer({ client, bytes, ...requestedRun }, signal);
    default:
      return requestedRun satisfies never;
  }
}

/**
 * Returns a function that takes a call of a run. If it is a call of a client's tool, the function
 * returns the id and the name under which the client knows the call, otherwise null.
 */
export const readerCallOf =
  ({ runId, toolNames }: ActiveRun) =>
  ({
    callId,
    name,
  }: {
    readonly callId: string;
    readonly name: string;
  }): { readonly id: string; readonly name: string } | null => {
    const known = toolNames.get(name);
    return known === undefined ? null : { id: toCallId({ runId, callId }), name: known };
  };

/** Waits for `work`. Aborts the run if the client disconnects first. */
export async function abortedWith<Value>(run: ActiveRun, signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const onAbort = (): void => run.abort("the client went away");
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await work;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function* framesOf(chunks: AsyncIterable<ChatCompletionChunk>, hasUsage: boolean): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    // Send the chunk with the usage only to clients that asked for it. Other clients expect a
    // choice in every chunk, and this chunk has none.
    if (!hasUsage && isUsage(chunk)) continue;
    yield `data: ${JSON.stringify(chunk)}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

const isUsage = ({ choices, usage }: ChatCompletionChunk): boolean =>
  usage !== undefined && Array.isArray(choices) && choices.length === 0;

/** The fields of a chunk that this file reads. The package `@smolts/streams` makes the chunks. */
interface ReadChunk {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly error?: { readonly message: string; readonly code: string };
  readonly usage?: object;
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly { readonly index: number }[];
    };
    readonly finish_reason: string | null;
  }[];
}

/**
 * Cuts the answer before the first stop sequence. The answer is in one chunk, so no stop sequence
 * is split.
 */
async function* cutAtStop(
  chunks: AsyncIterable<ChatCompletionChunk>,
  stop: readonly string[],
): AsyncGenerator<ChatCompletionChunk> {
  for await (const chunk of chunks) {
    const [choice] = (chunk as unknown as ReadChunk).choices ?? []; // a chunk with an error has no choices
    const text = choice?.delta.content;
    const ends = text ? stop.map((one) => text.indexOf(one)).filter((at) => at >= 0) : [];
    if (ends.length === 0) yield chunk;
    else
      yield {
        ...chunk,
        choices: [{ index: 0, delta: { content: text?.slice(0, Math.min(...ends)) ?? "" }, finish_reason: null }],
      };
  }
}

async function wholeCompletion(
  chunks: AsyncIterable<ChatCompletionChunk>,
  run: ActiveRun,
  signal: AbortSignal,
): Promise<Response> {
  // The cast is safe: `toChatCompletions` writes chunks with these fields.
  const read = (await abortedWith(run, signal, collect(chunks))) as unknown as readonly ReadChunk[];
  const failed = read.find(({ error }) => error !== undefined)?.error;
  if (failed) return runError(failed.code === "suspended" ? waiting(run) : failed);
  const [first] = read;
  if (!first) throw badRequest("the run did not start");
  const choices = read.flatMap((chunk) => chunk.choices);
  const joined = (name: "content" | "reasoning_content"): string =>
    choices.map(({ delta }) => delta[name] ?? "").join("");
  const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []).map(({ index: _, ...call }) => call);
  const reasoning = joined("reasoning_content");
  const message = {
    role: "assistant",
    content: calls.length > 0 ? null : joined("content"),
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const finish = choices.find(({ finish_reason: reason }) => reason !== null)?.finish_reason ?? "stop";
  return Response.json({
    id: first.id,
    object: "chat.completion",
    created: first.created,
    model: first.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: read.find(({ usage }) => usage !== undefined)?.usage,
  });
}

const waiting = ({ runId }: ActiveRun): { readonly message: string; readonly code: string } => ({
  code: "approval_required",
  message: `the run ${runId} waits for a person's decision; GET /v1/runs/${runId} returns its status`,
});

async function collect<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}
