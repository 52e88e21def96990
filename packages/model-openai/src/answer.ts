// One request by the SDK and its answer. What the SDK throws is told in our words.

import {
  brokeOff,
  type Callee,
  createStallWatch,
  failedInStream,
  flawed,
  itemsWithin,
  noAnswer,
  refused,
  retryAfterMs,
  type StallWatch,
  timedOut,
  unreachable,
} from "@smolts/models/adapting";
import { AgentError, type ModelEvent } from "@smolts/protocol";
import type { Connection } from "./connection.ts";
import type { Refusals } from "./refusals.ts";
import type { RequestBody, Wire, WireReader } from "./wire.ts";

/**
 * Sends a request and reads its answer.
 *
 * @throws AgentError `generation` or `context-overflow` with `FailureDetails`; the signal's reason when it aborts
 */
export async function* streamAnswer(
  wire: Wire,
  { client, errors, callee, timeouts }: Connection,
  body: RequestBody,
  refusals: Refusals,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { firstEventMs = 120_000 } = timeouts;
  const watch = createStallWatch(signal);
  try {
    watch.start(firstEventMs, () =>
      timedOut(callee, `did not begin to answer within ${firstEventMs} ms`, "firstEventMs"),
    );
    const send = (): Promise<AsyncIterable<object>> => wire.open(client, refusals.without(body), watch.signal);
    const chunks = await watch.race(openLearning(send, body, refusals, errors));
    yield* readAnswer(chunks, wire.createReader(callee), callee, timeouts, watch, signal);
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : failureOf(error, callee, errors);
  } finally {
    watch.close();
  }
}

/** Repeats a request without what was refused; each parameter is refused once at most. */
async function openLearning(
  send: () => Promise<AsyncIterable<object>>,
  body: RequestBody,
  refusals: Refusals,
  { APIError }: Connection["errors"],
): Promise<AsyncIterable<object>> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof APIError) || !refusals.learn(error, refusals.without(body))) throw error;
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
        // Events of one chunk come without a wait in which an abort would show.
        signal.throwIfAborted();
        yield event;
      }
      if (reader.isComplete) break;
      watch.start(reader.hasEnded ? trailingMs : idleMs, () =>
        timedOut(callee, `fell silent for ${idleMs} ms`, "idleMs"),
      );
    }
    // The SDK ends an aborted stream in silence.
    watch.signal.throwIfAborted();
  } catch (error) {
    // When the model has ended, only its usage can be lost.
    if (!reader.hasEnded || signal.aborted) throw error;
  }
  if (!reader.hasEnded) throw brokeOff(callee);
  if (reader.flaw !== undefined) throw flawed(callee, reader.flaw);
  yield* reader.end();
}

/** How long to wait for the usage after the model has ended. */
const trailingMs = 2_000;

function failureOf(error: unknown, callee: Callee, { APIError, APIConnectionError }: Connection["errors"]): unknown {
  const own = ownError(error);
  if (own) return own;
  if (error instanceof APIConnectionError) return unreachable(callee, error.cause ?? error);
  if (error instanceof APIError && error.status === undefined) return failedInStream(callee, { error: error.error });
  if (error instanceof APIError) {
    const body = error.error === undefined ? error.message : JSON.stringify({ error: error.error });
    return refused(callee, error.status, body, retryAfterMs(error.headers, Date.now()));
  }
  if (error instanceof SyntaxError) return noAnswer(callee, error.message);
  return brokeOff(callee, error);
}

/** An error of ours that the SDK wrapped. */
function ownError(error: unknown): AgentError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth++) {
    if (AgentError.is(current)) return current;
  }
  return undefined;
}
