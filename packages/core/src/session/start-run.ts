// A run, from where its log stands to its end in this process: its turn, its beginning, its loop,
// its end. A managed agent's work is one, too.

import { runLoop } from "../run-loop.ts";
import { type AgentRun, agentRun, type RunResult } from "./agent-run.ts";
import { beginRun } from "./begin-run.ts";
import { endBadly, endWell, failedResult, recordedResult } from "./end-run.ts";
import { LiveRun, type RunSettings } from "./live-run.ts";
import type { Beginning } from "./make-run.ts";
import { explainResultMembers } from "./other-members.ts";
import type { RunRequest, Work } from "./run-request.ts";
import type { SessionState } from "./session-state.ts";

/** Starts a run in the next microtask, and returns its handle at once. */
export function startRun<Output>(state: SessionState, request: RunRequest, settings: RunSettings): AgentRun<Output> {
  // The model takes its time, which is enough to load a sandbox's code.
  state.sandbox.warm();
  const live = new LiveRun(state, settings, runIdOf(request));
  const result = Promise.resolve().then(() => oneRun({ live, handle, doWork }, request));
  live.turn.endsWith(result);
  const handle = agentRun(live, result);
  // The schema has checked the answer; without one any type will do.
  return handle as AgentRun<Output>;
}

/** Never rejects: how the run went is its result. */
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
  // A run that never began leaves no trace; one that could not be continued stays open, to be
  // resumed when that is mended.
  if ("status" in run) return run;
  if (run.past.end) return recordedResult(live, run.past.end, run);
  try {
    live.listen(run.recorder);
    return await endWell(live, run, await runLoop(run));
  } catch (error) {
    return endBadly(live, run, error);
  }
}

/**
 * Has a managed agent do its task in the run of its caller. Tasks of an agent that keeps its memory
 * come one after the other.
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

/** Empty for a resume: the log has to say which run is meant. */
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
