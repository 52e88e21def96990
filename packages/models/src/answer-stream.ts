// One request and its answer.

import type { ModelEvent } from "@smolts/protocol";
import { createParser, type EventSourceParser } from "eventsource-parser";
import type { AdapterOptions } from "./adapter-options.ts";
import { createAnswerReader } from "./answer-reader.ts";
import {
  brokeOff,
  type Callee,
  failedInStream,
  noAnswer,
  redirected,
  refused,
  timedOut,
  unreachable,
} from "./failure.ts";
import { isObject, type LooseObject, listIn, parsedJson } from "./loose-json.ts";
import { retryAfterMs } from "./retry.ts";
import { createStallWatch, type StallWatch } from "./stall-watch.ts";

/** A request that is ready to be sent. */
export interface PreparedRequest extends Required<Pick<AdapterOptions, "fetch" | "timeouts">> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends a request and reads its answer, whole or streamed.
 *
 * @throws AgentError `generation` or `context-overflow` with `FailureDetails`; the signal's reason when it aborts
 */
export async function* streamAnswer(
  request: PreparedRequest,
  callee: Callee,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const watch = createStallWatch(signal);
  try {
    const { firstEventMs = 120_000 } = request.timeouts;
    watch.start(firstEventMs, () =>
      timedOut(callee, `did not begin to answer within ${firstEventMs} ms`, "firstEventMs"),
    );
    const response = await send(request, callee, watch);
    const mediaType = response.headers.get("content-type") ?? "";
    // Some servers cannot stream, and answer whole; a page is the answer of some other kind of server.
    const isWhole = /\bjson\b|\bhtml\b/i.test(mediaType);
    yield* isWhole ? readWhole(response, callee, watch) : readStream(response, request, callee, watch);
  } catch (error) {
    // Whatever an aborted request throws, the reason is the watch's: the caller's own, or that of a time-out.
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.close();
  }
}

async function send(
  { fetch, headers, body }: PreparedRequest,
  callee: Callee,
  { signal }: StallWatch,
): Promise<Response> {
  let response: Response;
  try {
    // "manual" and not "error": some edge runtimes know no other way of not following.
    response = await fetch(callee.endpoint.url, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch (error) {
    throw unreachable(callee, error);
  }
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) throw redirected(callee);
  if (response.ok) return response;
  // A status whose body is lost still says enough.
  const text = await response.text().catch(() => "");
  signal.throwIfAborted();
  throw refused(callee, response.status, text, retryAfterMs(response.headers, Date.now()));
}

async function* readWhole(response: Response, callee: Callee, watch: StallWatch): AsyncGenerator<ModelEvent> {
  const text = await response.text().catch((error: unknown) => {
    throw brokeOff(callee, error);
  });
  watch.stop();
  const completion = parsedJson(text);
  if (!isObject(completion)) throw noAnswer(callee, text);
  if (tellsOfFailure(completion)) throw failedInStream(callee, completion);
  if (listIn(completion["choices"]).length === 0) throw noAnswer(callee, text);
  const answer = createAnswerReader();
  yield* answer.read(completion);
  yield* answer.end();
}

async function* readStream(
  response: Response,
  request: PreparedRequest,
  callee: Callee,
  watch: StallWatch,
): AsyncGenerator<ModelEvent> {
  const answer = createAnswerReader();
  let hasBegun = false;
  for await (const data of readEvents(response, request, callee, watch)) {
    // An answer of nothing but its end is no answer.
    if (data === doneMark && hasBegun) return yield* answer.end();
    if (data === doneMark) break;
    const chunk = parsedJson(data);
    if (!isObject(chunk)) throw noAnswer(callee, data);
    if (tellsOfFailure(chunk)) throw failedInStream(callee, chunk);
    hasBegun = true;
    yield* answer.read(chunk);
  }
  if (!answer.hasEnded) throw brokeOff(callee);
  yield* answer.end();
}

const doneMark = "[DONE]";

/** An error under its own key or, from some servers, as the whole object. */
const tellsOfFailure = (chunk: LooseObject): boolean => Boolean(chunk["error"]) || chunk["object"] === "error";

/** The data of the server-sent events. A limit runs only while the server is waited for, not while the reader takes its time. */
async function* readEvents(
  response: Response,
  { timeouts }: PreparedRequest,
  callee: Callee,
  watch: StallWatch,
): AsyncGenerator<string> {
  const { idleMs = 60_000 } = timeouts;
  const pending: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => pending.push(data) });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let isDone = reader === undefined;
  let last: string | undefined;
  try {
    while (!isDone && reader) {
      const piece = await readPiece(reader, callee);
      isDone = piece === null;
      if (piece !== null) parser.feed(decoder.decode(piece, { stream: true }));
      else pending.push(...lastEvent(parser, pending));
      if (last !== undefined || pending.length > 0) watch.stop();
      for (last of pending.splice(0)) yield last;
      if (last !== undefined) watch.start(idleMs, () => timedOut(callee, `fell silent for ${idleMs} ms`, "idleMs"));
    }
  } finally {
    if (last === doneMark && reader && !isDone) await drain(reader, watch);
  }
}

/** The last event may lack its empty line; one that was cut in half is none. */
function lastEvent(parser: EventSourceParser, pending: string[]): readonly string[] {
  parser.feed("\n\n");
  return pending.splice(0).filter((data) => data === doneMark || parsedJson(data) !== undefined);
}

async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>, callee: Callee): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (error) {
    throw brokeOff(callee, error);
  }
}

/** Reads what may follow the end, so that the connection can be used again; a server that does not close loses it. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, watch: StallWatch): Promise<void> {
  watch.start(drainLimitMs, () => new Error("not closed"));
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete: how the connection ends does not matter.
  }
}

const drainLimitMs = 100;
