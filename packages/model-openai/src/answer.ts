// Sends one request through the SDK and reads its answer. The SDK's errors are converted to
// AgentErrors.

import {
  brokeOffError,
  type Callee,
  createStallWatch,
  flawedError,
  itemsWithin,
  learnRefusedField,
  noAnswerError,
  statusError as refusedBy,
  retryAfterMs,
  type StallWatch,
  streamError,
  timeoutError,
  unreachableError,
} from "@smolts/models/adapting";
import { AgentError, type ModelEvent, type ModelRequest, type ReadBlob } from "@smolts/protocol";
import type { Connection } from "./connection.ts";
import type { Wire, WireReader } from "./wire.ts";

/** A request to the model, and the fields that its server is known to refuse. */
export interface AnswerRequest {
  readonly request: ModelRequest;
  readonly refused: Set<string>;
  readonly readBlob: ReadBlob;
}

/**
 * Sends a request and reads its answer. If the server refuses an optional part of the request,
 * repeats the request without that part.
 *
 * @throws AgentError `generation` or `context-overflow` with `FailureDetails`; if the signal
 *   aborts, its reason is thrown
 */
export async function* streamAnswer(
  wire: Wire,
  connection: Connection,
  asked: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { callee, errors, timeouts } = connection;
  const { firstEventMs = 120_000 } = timeouts;
  const watch = createStallWatch(signal);
  try {
    watch.start(firstEventMs, () =>
      timeoutError(callee, `did not begin to answer within ${firstEventMs} ms`, "firstEventMs"),
    );
    const chunks = yield* openStream(wire, connection, asked, watch);
    yield* readAnswer(chunks, wire.createReader(callee), callee, timeouts, watch, signal);
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : failureOf(error, callee, errors);
  } finally {
    watch.close();
  }
}

/**
 * Sends a request. If the server refuses a part of it, repeats the request without that part. Each
 * part can be refused only once.
 */
async function* openStream(
  wire: Wire,
  { client, callee, errors }: Connection,
  { request, refused, readBlob }: AnswerRequest,
  watch: StallWatch,
): AsyncGenerator<ModelEvent, AsyncIterable<object>> {
  for (;;) {
    const body = await wire.body(request, refused, readBlob);
    const fields = wire.fields(request, refused);
    try {
      return await watch.race(wire.open(client, body, watch.signal));
    } catch (error) {
      watch.signal.throwIfAborted();
      const failure = failureOf(error, { ...callee, fields }, errors);
      const learned = AgentError.is(failure) ? learnRefusedField(failure, refused) : null;
      if (learned === null) throw failure;
      yield learned;
    }
  }
}

async function* readAnswer(
  chunks: AsyncIterable<object>,
  reader: WireReader,
  callee: Callee,
  { idleMs = 60_000 }: Connection["timeouts"],
  watch: StallWatch,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  try {
    for await (const chunk of itemsWithin(chunks, watch)) {
      watch.stop();
      for (const event of reader.read(chunk)) {
        // The events of one chunk follow each other without a wait, so the signal is checked before
        // each of them.
        signal.throwIfAborted();
        yield event;
      }
      if (reader.isComplete) break;
      watch.start(reader.hasEnded ? trailingMs : idleMs, () =>
        timeoutError(callee, `fell silent for ${idleMs} ms`, "idleMs"),
      );
    }
    // If a stream is aborted, the SDK ends it without an error.
    watch.signal.throwIfAborted();
  } catch (error) {
    // Ignore errors after the model's last event: only the token usage can be missing then.
    if (!reader.hasEnded || signal.aborted) throw error;
  }
  if (!reader.hasEnded) throw brokeOffError(callee);
  if (reader.flaw !== undefined) throw flawedError(callee, reader.flaw);
  yield* reader.end();
}

/** How long to wait for the token usage after the model has ended, in ms. */
const trailingMs = 2_000;

function failureOf(error: unknown, callee: Callee, { APIError, APIConnectionError }: Connection["errors"]): unknown {
  const own = ownError(error);
  if (own) return own;
  if (error instanceof APIConnectionError) return unreachableError(callee, error.cause ?? error);
  if (error instanceof APIError && error.status === undefined) return streamError(callee, { error: error.error });
  if (error instanceof APIError) {
    const body = error.error === undefined ? error.message : JSON.stringify({ error: error.error });
    return refusedBy(callee, error.status, body, retryAfterMs(error.headers, Date.now()));
  }
  if (error instanceof SyntaxError) return noAnswerError(callee, error.message);
  return brokeOffError(callee, error);
}

/** Returns an AgentError that the SDK has wrapped in its own error. */
function ownError(error: unknown): AgentError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth++) {
    if (AgentError.is(current)) return current;
  }
  return undefined;
}
