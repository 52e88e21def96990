// Drives a run in this process: it waits for its turn, begins, loops and ends. The work of a
// managed agent is such a run too.

import { runLoop } from "../run-loop.ts";
import { type AgentRun, agentRun, type RunResult } from "./agent-run.ts";
import { beginRun } from "./begin-run.ts";
import { endNormally, endWithError, failedResult, recordedResult } from "./end-run.ts";
import { explainResultMembers } from "./explain-data.ts";
import { LiveRun, type RunSettings } from "./live-run.ts";
import type { Beginning } from "./make-run.ts";
import type { RunRequest, Work } from "./run-request.ts";
import type { SessionState } from "./session-state.ts";

/** Starts a run in the next microtask, and returns its handle immediately. */
export function startRun<Output>(state: SessionState, request: RunRequest, settings: RunSettings): AgentRun<Output> {
  // Load the code of the sandbox while the model answers.
  state.sandbox.warm();
  const live = new LiveRun(state, settings, runIdOf(request));
  const result = Promise.resolve().then(() => oneRun({ live, handle, doWork }, request));
  live.turn.endsWith(result);
  const handle = agentRun(live, result);
  // The cast is safe: the schema has checked the answer. Without a schema any type is right.
  return handle as AgentRun<Output>;
}

/**
 * Drives one run and returns its result. It never rejects, because failures are part of the result.
 */
async function oneRun(beginning: Beginning, request: RunRequest): Promise<RunResult> {
  const { live } = beginning;
  const result = await driveRun(beginning, request);
  live.release();
  await live.state.endRun(result.status);
  explainResultMembers(result);
  return result;
}

async function driveRun(beginning: Beginning, request: RunRequest): Promise<RunResult> {
  const { live } = beginning;
  const run = await beginRun(beginning, request).catch((error: unknown) => failedResult(live, error));
  // There is nothing to end here: a run that never began leaves no trace, and a run that could not
  // be continued stays open. It can be resumed when the cause is fixed.
  if ("status" in run) return run;
  if (run.past.end) return recordedResult(live, run.past.end, run);
  try {
    live.listen(run.recorder);
    return await endNormally(live, run, await runLoop(run));
  } catch (error) {
    return endWithError(live, run, error);
  }
}

/**
 * Runs a managed agent on a task, within the run of its caller. An agent that keeps its memory does
 * its tasks one after the other.
 */
async function doWork(state: SessionState, work: Work): Promise<RunResult> {
  const { tool, path, caller } = work;
  const { signal, metadata } = caller;
  const managed = state.stateOf(tool, path, caller.id);
  const settings = { definition: managed.definition, path, caller, queue: true, options: { signal, metadata } };
  try {
    return await startRun(managed, { type: "work", ...work }, settings).result;
  } finally {
    if (tool.managed.memory === "fresh") await managed.close();
  }
}

/** Returns the id of the run. Empty for a resume, because the log must be read to know the run. */
function runIdOf(request: RunRequest): string {
  switch (request.type) {
    case "fresh":
      return request.runId;
    case "work":
      return request.caller.id;
    case "fork":
      return request.resume.runId;
    case "resume":
      return "";
    default:
      return request satisfies never;
  }
}
