// How a run begins. Each beginning is planned first, then recorded, and the sandbox is brought to
// where the log says it was. A new run is recorded last, so that a failed beginning leaves no
// trace. A resume is recorded first, so that each attempt counts, even one that ends its process.

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
 * Begins a run, or continues one where its log ends, when its turn has come.
 *
 * @throws AgentError of many codes, each of which says why the run cannot begin
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

/** A managed agent may have begun before its caller was interrupted. */
async function work(beginning: Beginning, request: WorkRequest): Promise<Run> {
  const plan = await planWork(beginning.live, request);
  return plan.type === "new" ? startNew(beginning, plan) : reenter(beginning, plan);
}

async function resume(beginning: Beginning, request: ResumeRequest): Promise<Run> {
  const { live } = beginning;
  const plan = await planResume(live, request);
  if (plan.type === "recorded") return reenter(beginning, plan);
  const recorder = openRecorder(live, plan.runId, plan.told);
  const added = await recordResume(plan, recorder);
  live.state.addRecorded(added);
  await rebuildState(beginning, plan, recorder);
  const past = pastOf([...plan.events, ...added], plan.runId, live.path);
  return makeRun(beginning, { start: plan.start, past, told: [...plan.told, ...added], recorder });
}

async function fork(beginning: Beginning, request: ForkedRequest): Promise<Run> {
  return resume(beginning, await copyParent(beginning.live, request));
}

async function startNew(beginning: Beginning, plan: NewPlan): Promise<Run> {
  const { live } = beginning;
  const recorder = openRecorder(live, plan.runId, []);
  await rebuildState(beginning, plan, recorder);
  const start = await recordStart(plan, recorder);
  if (start.emptySandbox) live.state.addRecorded([start]);
  return makeRun(beginning, { start, past: pastOf([], plan.runId, live.path), told: [], recorder });
}

/** Continues where the log ends, and records nothing to begin. */
async function reenter(beginning: Beginning, plan: RecordedPlan): Promise<Run> {
  const recorder = openRecorder(beginning.live, plan.runId, plan.told);
  await rebuildState(beginning, plan, recorder);
  if (!plan.past.end) recordLoss(plan.loss, recorder);
  // Nothing was rebuilt for a run that has ended: the next one of the session does that.
  else if (!beginning.live.caller) await beginning.live.state.readAgain();
  return makeRun(beginning, { ...plan, recorder });
}

/**
 * Brings the sandbox to where earlier runs of its session left it: their recorded code runs again,
 * with every outcome from the log. Nothing is called, and nothing can be recorded.
 *
 * @throws AgentError `divergence` when the code does not do again what it did
 */
async function rebuildState(beginning: Beginning, plan: RunPlan, recorder: Recorder): Promise<void> {
  const { definition } = beginning.live;
  const { earlier, events, loss } = plan;
  const told = plan.type === "new" ? [] : plan.told;
  for (const start of earlier) {
    mustBeOfLanguage(definition, start);
    const past = pastOf(events, start.runId, start.path);
    mustBeReplayable(definition, past, loss);
    if (definition.executor?.replay !== "exact") continue;
    await repeatRun(makeRun(beginning, { start, past, told, recorder: recorder.replaying() }), past);
  }
}

async function repeatRun(run: Run, past: Past): Promise<void> {
  for (const [stepNumber, step] of past.steps) {
    // A block without a recorded end was killed: what it had done is void.
    if (step.codeStart && step.codeEnd) await run.definition.behaviour.repeatCode?.(run, stepNumber, step);
  }
}

/** The readers of the run get what was recorded before. */
function openRecorder(live: LiveRun, runId: string, told: readonly DurableEvent[]): Recorder {
  const recorder = live.openRecorder(runId);
  for (const event of told) recorder.recall(event);
  return recorder;
}
