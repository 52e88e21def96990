// One request and its answer.

import type { ModelEvent } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { isObject, type LooseObject, parsedJson } from "../wires/loose-json.ts";
import type { AnswerReader, Wire } from "../wires/wire.ts";
import { doneMark, splitterOf } from "./answer-pieces.ts";
import {
  brokeOff,
  type Callee,
  failedInStream,
  flawed,
  noAnswer,
  redirected,
  refused,
  tellsOfFailure,
  timedOut,
  unreachable,
} from "./failure.ts";
import { retryAfterMs } from "./retry.ts";
import { createStallWatch, type StallWatch } from "./stall-watch.ts";

/** A request that is ready to be sent. */
export interface PreparedRequest extends Required<Pick<AdapterOptions, "fetch" | "timeouts">> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly wire: Wire;
}

/**
 * Sends a request and reads its answer, whole or streamed.
 *
 * @throws AgentError `generation` or `context-overflow` with `FailureDetails`; the signal's reason
 *   when it aborts
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
    // Some servers cannot stream, and answer whole; a page is the answer of some other kind of
    // server.
    const isWhole = /\bjson\b|\bhtml\b/i.test(mediaType);
    const answer = request.wire.read(response.headers);
    const stream = { response, answer, request, callee, watch, signal };
    yield* isWhole ? readWhole(stream) : readStream(stream);
  } catch (error) {
    // Whatever an aborted request throws, the reason is the watch's: the caller's own, or that of a
    // time-out.
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.close();
  }
}

async function send({ fetch, headers, body }: PreparedRequest, callee: Callee, watch: StallWatch): Promise<Response> {
  const { signal } = watch;
  let response: Response;
  try {
    // "manual" and not "error": some edge runtimes know no other way of not following.
    const init: RequestInit = { method: "POST", headers, body, signal, redirect: "manual" };
    response = await watch.race(fetch(callee.endpoint.url, init));
  } catch (error) {
    throw unreachable(callee, error);
  }
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) throw redirected(callee);
  if (response.ok) return response;
  // A status whose body is lost still says enough.
  const text = await watch.race(response.text()).catch(() => "");
  signal.throwIfAborted();
  throw refused(callee, response.status, text, retryAfterMs(response.headers, Date.now()));
}

/** A response, and all that its reading needs. */
interface Incoming {
  readonly response: Response;
  readonly answer: AnswerReader;
  readonly request: PreparedRequest;
  readonly callee: Callee;
  readonly watch: StallWatch;
  /** The caller's own. */
  readonly signal: AbortSignal;
}

async function* readWhole(incoming: Incoming): AsyncGenerator<ModelEvent> {
  const { response, answer, request, callee, watch } = incoming;
  const text = await watch.race(response.text()).catch((error: unknown) => {
    throw brokeOff(callee, error);
  });
  watch.stop();
  const whole = parsedJson(text);
  if (!isObject(whole) && isStreamed(text, request.wire)) {
    const splitter = await splitterOf(request.wire.framing);
    return yield* readStream(incoming, [...splitter.feed(text), ...splitter.end()]);
  }
  // What begins as an object and is none was cut: a compressed body may end early without a word.
  if (!isObject(whole)) throw text.trimStart().startsWith("{") ? brokeOff(callee) : noAnswer(callee, text);
  const events = eventsIn(whole, answer, callee);
  if (!answer.hasBegun) throw noAnswer(callee, text);
  yield* events;
  if (!answer.hasEnded) throw brokeOff(callee);
  yield* endOf(answer, callee);
}

/** Whether a body that is announced as JSON or a page is a stream all the same. */
function isStreamed(text: string, { framing }: Wire): boolean {
  return framing === "events" ? /^\s*(?:data|event|id|retry)?:/.test(text) : /^\s*\{.*\}\s*\n\s*\{/.test(text);
}

async function* readStream(
  incoming: Incoming,
  pieces: Iterable<string> | AsyncIterable<string> = readPieces(incoming),
): AsyncGenerator<ModelEvent> {
  const { answer, callee } = incoming;
  for await (const data of pieces) {
    // It says only that nothing more comes, and some servers send it also when the model behind
    // them was lost.
    if (data === doneMark) break;
    const piece = parsedJson(data);
    if (!isObject(piece)) throw noAnswer(callee, data);
    yield* eventsIn(piece, answer, callee);
    if (answer.isComplete) break;
  }
  if (!answer.hasEnded) throw brokeOff(callee);
  yield* endOf(answer, callee);
}

function eventsIn(piece: LooseObject, answer: AnswerReader, callee: Callee): readonly ModelEvent[] {
  if (tellsOfFailure(piece)) throw failedInStream(callee, piece);
  return answer.read(piece);
}

function endOf(answer: AnswerReader, callee: Callee): readonly ModelEvent[] {
  if (answer.flaw !== undefined) throw flawed(callee, answer.flaw);
  return answer.end();
}

/**
 * The pieces of the answer. A limit runs only while the server is waited for, not while the reader
 * takes its time.
 */
async function* readPieces(incoming: Incoming): AsyncGenerator<string> {
  const { response, answer, request, callee, watch } = incoming;
  const { idleMs = 60_000 } = request.timeouts;
  const splitter = await splitterOf(request.wire.framing);
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let isDone = reader === undefined;
  let last: string | undefined;
  try {
    while (!isDone && reader) {
      const bytes = await readPiece(reader, incoming);
      isDone = bytes === null;
      const pieces = bytes === null ? splitter.end() : splitter.feed(decoder.decode(bytes, { stream: true }));
      if (last !== undefined || pieces.length > 0) watch.stop();
      for (last of pieces) yield last;
      const limitMs = answer.hasEnded ? trailingMs : idleMs;
      if (last !== undefined) watch.start(limitMs, () => timedOut(callee, `fell silent for ${limitMs} ms`, "idleMs"));
    }
  } finally {
    if ((last === doneMark || answer.isComplete) && reader && !isDone) await drain(reader, watch);
    // How a stream ends that nobody reads any more does not matter.
    if (!isDone) reader?.cancel().catch(() => {});
  }
}

/** How long to wait for the usage after the model has ended. */
const trailingMs = 2_000;

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { answer, callee, watch, signal }: Incoming,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await watch.race(reader.read());
    return done ? null : value;
  } catch (error) {
    // When the model has ended, only its usage can be lost.
    if (answer.hasEnded && !signal.aborted) return null;
    throw brokeOff(callee, error);
  }
}

/**
 * Reads what may follow the end, so that the connection can be used again; a server that does not
 * close loses it.
 */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, watch: StallWatch): Promise<void> {
  watch.start(drainLimitMs, () => new Error("not closed"));
  try {
    while (!(await watch.race(reader.read())).done);
  } catch {
    // The answer is complete: how the connection ends does not matter.
  }
}

const drainLimitMs = 100;
