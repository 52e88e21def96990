// Begins runs: plans a run, records its beginning, and restores the sandbox to its state at the end
// of the log.
//
// - A new run is recorded after the sandbox is restored, so that a failed beginning leaves no
//   trace.
// - A resume is recorded before the sandbox is restored, so that each attempt is counted, even one
//   that crashes the process.

import type { DurableEvent } from "@smolts/protocol";
import { type Past, pastOf } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { suspended } from "../run/suspension.ts";
import type { LiveRun } from "./live-run.ts";
import { asksForEmptySandbox } from "./lost-sandbox.ts";
import { type Beginning, makeRun } from "./make-run.ts";
import {
  mustBeOfLanguage,
  mustBeReplayable,
  type NewPlan,
  planFresh,
  planResume,
  planWork,
  type RecordedPlan,
  type RunPlan,
} from "./plan-run.ts";
import { copyParent, recordLoss, recordResume, recordStart } from "./record-beginning.ts";
import type { Recorder } from "./recorder.ts";
import type { ForkedRequest, FreshRequest, ResumeRequest, RunRequest, WorkRequest } from "./run-request.ts";

/**
 * Waits for earlier runs of the session, then begins a run or continues one at the end of its log.
 *
 * @throws AgentError with one of many codes, which says why the run cannot begin
 */
export async function beginRun(beginning: Beginning, request: RunRequest): Promise<Run> {
  const { state, turn, settings, signal, caller } = beginning.live;
  await turn.take({ queue: settings.queue, signal });
  await beginning.live.takeLog();
  if (caller && state.isSuspended) throw suspended(caller);
  if (asksForEmptySandbox(request)) await state.forget();
  else if (request.type === "resume") await state.readAgain();
  return await state.begin(() => begin(beginning, request));
}

function begin(beginning: Beginning, request: RunRequest): Promise<Run> {
  switch (request.type) {
    case "fresh":
      return start(beginning, request);
    case "work":
      return work(beginning, request);
    case "resume":
      return resume(beginning, request);
    case "fork":
      return fork(beginning, request);
    default:
      return request satisfies never;
  }
}

async function start(beginning: Beginning, request: FreshRequest): Promise<Run> {
  return startNew(beginning, await planFresh(beginning.live, request));
}

/**
 * Begins the work of a managed agent. If the work had begun before the caller was interrupted,
 * continues it.
 */
async function work(beginning: Beginning, request: WorkRequest): Promise<Run> {
  const plan = await planWork(beginning.live, request);
  return plan.type === "new" ? startNew(beginning, plan) : reenter(beginning, plan);
}

async function resume(beginning: Beginning, request: ResumeRequest): Promise<Run> {
  const { live } = beginning;
  const plan = await planResume(live, request);
  if (plan.type === "recorded") return reenter(beginning, plan);
  const recorder = openRecorder(live, plan.runId, plan.runEvents);
  const added = await recordResume(plan, recorder, live.signal);
  live.state.addRecorded(added);
  await rebuildState(beginning, plan, recorder);
  const past = pastOf([...plan.events, ...added], plan.runId, live.path);
  return makeRun(beginning, { start: plan.start, past, runEvents: [...plan.runEvents, ...added], recorder });
}

async function fork(beginning: Beginning, request: ForkedRequest): Promise<Run> {
  return resume(beginning, await copyParent(beginning.live, request));
}

async function startNew(beginning: Beginning, plan: NewPlan): Promise<Run> {
  const { live } = beginning;
  const recorder = openRecorder(live, plan.runId, []);
  await rebuildState(beginning, plan, recorder);
  const start = await recordStart(plan, recorder, live.signal);
  if (start.emptySandbox) live.state.addRecorded([start]);
  return makeRun(beginning, { start, past: pastOf([], plan.runId, live.path), runEvents: [], recorder });
}

/** Continues at the end of the log, without recording a new event for the beginning. */
async function reenter(beginning: Beginning, plan: RecordedPlan): Promise<Run> {
  const recorder = openRecorder(beginning.live, plan.runId, plan.runEvents);
  await rebuildState(beginning, plan, recorder);
  if (!plan.past.end) recordLoss(plan.loss, recorder);
  // If the run has already ended, the state at its end is not restored here. So let the next run of
  // the session read the log again and restore that state.
  else if (!beginning.live.caller) await beginning.live.state.readAgain();
  return makeRun(beginning, { ...plan, recorder });
}

/**
 * Restores the sandbox to the state in which earlier runs of the session left it. Their recorded
 * code runs again with all outcomes from the log. No tool is called, and nothing is recorded.
 *
 * @throws AgentError `divergence` when the code behaves differently from the record
 */
async function rebuildState(beginning: Beginning, plan: RunPlan, recorder: Recorder): Promise<void> {
  const { definition } = beginning.live;
  const { earlier, events, loss } = plan;
  const runEvents = plan.type === "new" ? [] : plan.runEvents;
  for (const start of earlier) {
    mustBeOfLanguage(definition, start);
    const past = pastOf(events, start.runId, start.path);
    mustBeReplayable(definition, past, loss);
    if (definition.executor?.replay !== "exact") continue;
    await repeatRun(makeRun(beginning, { start, past, runEvents, recorder: recorder.replaying() }), past);
  }
}

async function repeatRun(run: Run, past: Past): Promise<void> {
  for (const [stepNumber, step] of past.steps) {
    // A block without a recorded end was killed, so its effects on the sandbox are not restored.
    if (step.codeStart && step.codeEnd) await run.definition.behaviour.repeatCode?.(run, stepNumber, step);
  }
}

/** Opens the recorder of a run. Readers of the run get `runEvents` first. */
function openRecorder(live: LiveRun, runId: string, runEvents: readonly DurableEvent[]): Recorder {
  const recorder = live.openRecorder(runId);
  for (const event of runEvents) recorder.recall(event);
  return recorder;
}
