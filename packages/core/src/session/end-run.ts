// Ends a run in this process when it has an answer, is suspended or fails. The end is recorded,
// unless the error leaves the run open. Such a run can be resumed when the cause is fixed.

import { explainTiming } from "@smolts/memory";
import { AgentError, decodeValue, type EventOf, thrownText, untilAborted } from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import { forCaller } from "../media/media-answer.ts";
import { leavesRunOpen } from "../run/error-policy.ts";
import { withinGrace } from "../run/grace-time.ts";
import type { Run } from "../run/run.ts";
import type { RunEnd } from "../run-loop.ts";
import type { RunResult } from "./agent-run.ts";
import type { LiveRun } from "./live-run.ts";
import type { Recorder } from "./recorder.ts";
import { interruption } from "./run-stop.ts";

/** Records the end of a run that has ended without an error. */
export async function endNormally(live: LiveRun, run: Run, { status, answer }: RunEnd): Promise<RunResult> {
  live.stopListening();
  try {
    const end = run.append({ type: "run-end", status, ...(answer === undefined ? {} : { answer }) });
    // The answer of a managed agent needs no flush, because the caller flushes at its own end.
    if (!live.caller) await run.flush();
    return recordedResult(live, end, run);
  } catch (error) {
    // If the log did not confirm that the end is stored safely, the run has failed, even though it
    // has an answer.
    return live.signal.aborted ? failedResult(live, error, run) : endWithError(live, run, error);
  }
}

/** Records the end of a run that has ended with an error. */
export async function endWithError(live: LiveRun, run: Run, thrown: unknown): Promise<RunResult> {
  live.stopListening();
  const { status, error } = statusAndError(live, thrown);
  try {
    if (error.pending) return await suspend(live, run, error);
    if (leavesRunOpen(thrown)) return failedResult(live, thrown, run);
    const { time } = run.append({ type: "run-end", status, error: error.toJSON() });
    if (!live.caller) await lastFlush(live, run.recorder);
    return resultOf(live, { status, error, endTime: time }, run);
  } catch (failure) {
    return resultOf(live, { status: "failed", error: toAgentError(failure), endTime: Date.now() }, run);
  }
}

/** Returns the result of a run whose end is in the log. */
export function recordedResult(live: LiveRun, end: EventOf<"run-end">, run: Run): RunResult {
  const { status, answer, error, time } = end;
  const { log } = live.state;
  const facts = {
    status,
    endTime: time,
    ...(error ? { error: AgentError.from(error) } : {}),
    ...(answer === undefined ? {} : { output: forCaller(decodeValue(answer), (digest) => log.readBlob(digest)) }),
  };
  return resultOf(live, facts, run);
}

/** Returns the result of a run whose end is not in the log. `run` is absent if it never began. */
export function failedResult(live: LiveRun, thrown: unknown, run?: Run): RunResult {
  return resultOf(live, { ...statusAndError(live, thrown), endTime: Date.now() }, run);
}

/**
 * Suspends the run. For a managed agent nothing is recorded, because its caller is suspended with
 * all its agents.
 */
async function suspend(live: LiveRun, { recorder, start }: Run, error: AgentError): Promise<RunResult> {
  const pending = error.pending ?? [];
  if (!live.caller) {
    recorder.append({ type: "run-suspend", callIds: pending.map(({ id }) => id) });
    await recorder.flush();
  }
  return resultOf(live, { status: "suspended", error, pending, endTime: Date.now() }, { start });
}

/**
 * Flushes the log for the last time. After an abort it waits only for a short time, because the log
 * may never answer.
 */
async function lastFlush({ signal }: LiveRun, recorder: Recorder): Promise<void> {
  const flushed = recorder.flush();
  if (signal.aborted) await withinGrace(flushed, defaults.abortGraceMs);
  else await untilAborted(flushed, signal);
}

type EndFacts = Pick<RunResult, "status" | "output" | "error" | "pending"> & { readonly endTime: number };

function resultOf(live: LiveRun, { endTime, ...facts }: EndFacts, run?: Pick<Run, "start">): RunResult {
  const { runId, steps, usage, state } = live;
  const timing = explainTiming({ startTime: run?.start.time ?? endTime, endTime });
  return { runId, ...facts, steps, usage, timing, log: state.log };
}

/**
 * Returns the status and error of a failed run. If the run was aborted, the abort is reported,
 * because it usually caused the other error.
 */
function statusAndError(
  { signal }: LiveRun,
  thrown: unknown,
): { readonly status: "aborted" | "failed"; readonly error: AgentError } {
  return signal.aborted && !leavesRunOpen(thrown)
    ? { status: "aborted", error: interruption(signal.reason) }
    : { status: "failed", error: toAgentError(thrown) };
}

function toAgentError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  return new AgentError("executor", `the run ended unexpectedly: ${thrownText(thrown)}`, { cause: thrown });
}
