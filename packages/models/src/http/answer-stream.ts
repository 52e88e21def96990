// Sends one request and reads its answer.

import { isRecord, type ModelEvent } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { type LooseObject, parsedJson } from "../wires/loose-json.ts";
import type { AnswerReader, Wire } from "../wires/wire.ts";
import { doneMark, splitterOf } from "./answer-pieces.ts";
import {
  brokeOffError,
  type Callee,
  flawedError,
  noAnswerError,
  redirectError,
  reportsFailure,
  statusError,
  streamError,
  timeoutError,
  unreachableError,
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
 * @throws AgentError `generation` or `context-overflow` with `FailureDetails`; if the signal
 *   aborts, its reason is thrown
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
      timeoutError(callee, `did not begin to answer within ${firstEventMs} ms`, "firstEventMs"),
    );
    const response = await send(request, callee, watch);
    const mediaType = response.headers.get("content-type") ?? "";
    // Answers of these two types are not streams, so they are read whole. JSON comes from a server
    // that cannot stream. An HTML page comes from a server that is not a model server.
    const isWhole = /\bjson\b|\bhtml\b/i.test(mediaType);
    const answer = request.wire.read(response.headers);
    const stream = { response, answer, request, callee, watch, signal };
    yield* isWhole ? readWhole(stream) : readStream(stream);
  } catch (error) {
    // If the request was aborted, its own error does not matter. The watch knows the real reason:
    // the caller's signal, or a time-out.
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.close();
  }
}

async function send({ fetch, headers, body }: PreparedRequest, callee: Callee, watch: StallWatch): Promise<Response> {
  const { signal } = watch;
  let response: Response;
  try {
    // "manual" instead of "error": on some edge runtimes this is the only way not to follow
    // redirects.
    const init: RequestInit = { method: "POST", headers, body, signal, redirect: "manual" };
    response = await watch.race(fetch(callee.endpoint.url, init));
    if (typeof response?.status !== "number") throw new TypeError("the option fetch returned no Response");
  } catch (error) {
    throw unreachableError(callee, error);
  }
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400))
    throw redirectError(callee);
  if (response.ok) return response;
  // If the body of an error response is lost, the status alone is reported.
  const text = await watch.race(response.text()).catch(() => "");
  signal.throwIfAborted();
  throw statusError(callee, response.status, text, retryAfterMs(response.headers, Date.now()));
}

/** A response, and everything that is needed to read it. */
interface Incoming {
  readonly response: Response;
  readonly answer: AnswerReader;
  readonly request: PreparedRequest;
  readonly callee: Callee;
  readonly watch: StallWatch;
  /** The caller's signal. */
  readonly signal: AbortSignal;
}

async function* readWhole(incoming: Incoming): AsyncGenerator<ModelEvent> {
  const { response, answer, request, callee, watch } = incoming;
  const text = await watch.race(response.text()).catch((error: unknown) => {
    throw brokeOffError(callee, error);
  });
  watch.stop();
  const whole = parsedJson(text);
  if (!isRecord(whole) && isStreamed(text, request.wire)) {
    const splitter = await splitterOf(request.wire.framing);
    return yield* readStream(incoming, [...splitter.feed(text), ...splitter.end()]);
  }
  // A text that begins like an object but is not valid JSON was cut off: a compressed body can end
  // early without an error.
  if (!isRecord(whole)) throw text.trimStart().startsWith("{") ? brokeOffError(callee) : noAnswerError(callee, text);
  const events = eventsIn(whole, answer, callee);
  if (!answer.hasBegun) throw noAnswerError(callee, text);
  yield* events;
  if (!answer.hasEnded) throw brokeOffError(callee);
  yield* endOf(answer, callee);
}

/** Says whether a body is a stream although its media type says JSON or HTML. */
function isStreamed(text: string, { framing }: Wire): boolean {
  return framing === "events" ? /^\s*(?:data|event|id|retry)?:/.test(text) : /^\s*\{.*\}\s*\n\s*\{/.test(text);
}

async function* readStream(
  incoming: Incoming,
  pieces: Iterable<string> | AsyncIterable<string> = readPieces(incoming),
): AsyncGenerator<ModelEvent> {
  const { answer, callee } = incoming;
  for await (const data of pieces) {
    // This mark says only that nothing follows. It does not prove a complete answer, because some
    // servers also send it when they have lost the model.
    if (data === doneMark) break;
    const piece = parsedJson(data);
    if (!isRecord(piece)) throw noAnswerError(callee, data);
    yield* eventsIn(piece, answer, callee);
    if (answer.isComplete) break;
  }
  if (!answer.hasEnded) throw brokeOffError(callee);
  yield* endOf(answer, callee);
}

function eventsIn(piece: LooseObject, answer: AnswerReader, callee: Callee): readonly ModelEvent[] {
  if (reportsFailure(piece)) throw streamError(callee, piece);
  return answer.read(piece);
}

function endOf(answer: AnswerReader, callee: Callee): readonly ModelEvent[] {
  if (answer.flaw !== undefined) throw flawedError(callee, answer.flaw);
  return answer.end();
}

/**
 * Yields the pieces of the answer. The time limit applies while the server is silent, but not while
 * the consumer is busy.
 */
async function* readPieces(incoming: Incoming): AsyncGenerator<string> {
  const { response, answer, request, callee, watch } = incoming;
  const { idleMs = 60_000 } = request.timeouts;
  const splitter = await splitterOf(request.wire.framing);
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  const silence = silenceLimit(incoming);
  let isDone = reader === undefined;
  let last: string | undefined;
  /**
   * The text received so far, if it may be a whole answer in JSON. Some servers send a whole answer
   * with the media type of a stream.
   */
  let whole = "";
  try {
    while (!isDone && reader) {
      const bytes = await readPiece(reader, incoming);
      isDone = bytes === null;
      const text = bytes === null ? "" : decoder.decode(bytes, { stream: true });
      if (last === undefined && /^\s*\{/.test(whole + text)) whole += text;
      const pieces = bytes === null ? splitter.end() : splitter.feed(text);
      if (last !== undefined || pieces.length > 0) watch.stop();
      for (last of pieces) yield last;
      if (isDone && last === undefined && isRecord(parsedJson(whole))) yield whole;
      const limitMs = last === undefined ? null : silence.after(pieces.length > 0);
      if (limitMs !== null) watch.start(limitMs, () => timeoutError(callee, `fell silent for ${idleMs} ms`, "idleMs"));
    }
  } finally {
    if ((last === doneMark || answer.isComplete) && reader && !isDone) await drain(reader, watch);
    // Nobody reads the stream any more, so its errors do not matter.
    if (!isDone) reader?.cancel().catch(() => {});
  }
}

/** How long to wait for the token usage after the end of the answer, in ms. */
const trailingMs = 2_000;

/** The shortest wait, in ms. It is not 0, because the watch treats 0 as no limit. */
const minWaitMs = 1;

/**
 * Creates a function that returns how long to wait for the next bytes, in ms. Comments that a
 * server sends to keep the connection alive extend the wait, but not beyond the limit for a first
 * event. After the end of the answer, nothing extends the wait.
 */
function silenceLimit({ answer, request }: Incoming): { after(hasPiece: boolean): number } {
  const { idleMs = 60_000, firstEventMs = 120_000 } = request.timeouts;
  let pieceTime = Date.now();
  let endTime: number | null = null;
  return {
    after(hasPiece) {
      const now = Date.now();
      if (answer.hasEnded) {
        endTime ??= now + trailingMs;
        return Math.max(minWaitMs, endTime - now);
      }
      if (hasPiece) pieceTime = now;
      const isUnlimited = idleMs === 0 || firstEventMs === 0;
      if (hasPiece || isUnlimited) return idleMs;
      return Math.max(minWaitMs, Math.min(idleMs, pieceTime + Math.max(idleMs, firstEventMs) - now));
    },
  };
}

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { answer, callee, watch, signal }: Incoming,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await watch.race(reader.read());
    return done ? null : value;
  } catch (error) {
    // If the answer has already ended, only the report of the token usage can be missing.
    if (answer.hasEnded && !signal.aborted) return null;
    throw brokeOffError(callee, error);
  }
}

/**
 * Reads the rest of the body, so that the connection can be used again. If the server does not end
 * the body soon, the connection is closed instead.
 */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, watch: StallWatch): Promise<void> {
  watch.start(drainLimitMs, () => new Error("not closed"));
  try {
    while (!(await watch.race(reader.read())).done);
  } catch {
    // The answer is complete, so an error of the connection does not matter.
  }
}

const drainLimitMs = 100;
