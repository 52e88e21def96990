// Records the first events of a run according to its plan.

import { type AgentError, type DurableEvent, type EventOf, invalidOption, untilAborted } from "@smolts/protocol";
import { definitionDigests } from "../agent/definition-digest.ts";
import { pastOf } from "../run/past.ts";
import { type CopiedEvent, copyBlobs, forkedEvents } from "./fork.ts";
import type { SandboxLoss } from "./lost-sandbox.ts";
import { mustBeReplayable, type NewPlan, type PlanContext, type ResumedPlan, sameRunId } from "./plan-run.ts";
import type { Recorder } from "./recorder.ts";
import { storeInput } from "./run-input.ts";
import type { ForkedRequest, ResumeRequest } from "./run-request.ts";
import { eventsOf } from "./session-state.ts";

/** Records the start of a new run, and stores the bytes of its media. */
export async function recordStart(
  { start, input, notes, loss }: NewPlan,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<EventOf<"run-start">> {
  const stored = await untilAborted(storeInput(input, recorder.putBlob), signal);
  const event = recorder.append({ ...start, ...stored });
  for (const [name, data] of Object.entries(notes ?? {})) recorder.append({ type: "note", name, data });
  recordLoss(loss, recorder);
  return event;
}

/** Records that a run continues, and the decisions of people. */
export async function recordResume(
  { resume, message, loss, decisions }: ResumedPlan,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<readonly DurableEvent[]> {
  const resumed = recorder.append(resume);
  const notices = [...(message ? [recorder.append({ type: "message", message })] : []), ...recordLoss(loss, recorder)];
  const decided = decisions.map(({ path, response }) => recorder.append(response, path));
  // Decisions are flushed before the run acts on them, and before a caller learns that they were
  // received.
  if (decided.length > 0) await untilAborted(recorder.flush(), signal);
  return [resumed, ...notices, ...decided];
}

/** Records the message that tells the model about the empty sandbox that replaced its old one. */
export const recordLoss = ({ notice }: SandboxLoss, recorder: Recorder): readonly DurableEvent[] =>
  notice ? [recorder.append({ type: "message", message: notice })] : [];

/**
 * Writes the events that a fork shares with its parent. Returns the request that resumes the fork
 * after these events.
 */
export async function copyParent(
  { state, definition, path, signal }: PlanContext,
  { fork, resume }: ForkedRequest,
): Promise<ResumeRequest> {
  const { runId } = resume;
  for await (const _event of state.log.read()) throw notEmpty(state.log.id);
  if (await state.isRunElsewhere(runId, signal)) throw sameRunId("store", runId);
  const events = await untilAborted(eventsOf(fork.parent), signal);
  const { definitionDigest } = await definitionDigests(definition);
  const forked = await forkedEvents(events, fork, { definition, path, runId, definitionDigest });
  const lostBefore = resume.emptySandbox ? Number.POSITIVE_INFINITY : 0;
  mustBeReplayable(definition, pastOf(forked.map(numbered), runId, path), { lostBefore });
  await copyBlobs(forked, fork.parent, state.writer);
  for (const { runId, path, time, ...body } of forked) state.writer.append(body, { runId, path, time });
  await untilAborted(state.writer.flush(), signal);
  return resume;
}

const notEmpty = (logId: string): AgentError =>
  invalidOption(
    `the log "${logId}" already has events, but a fork needs an empty log`,
    "fork in a new session, or with agent.fork()",
  );

const numbered = (event: CopiedEvent, index: number): DurableEvent => Object.assign({}, event, { seq: index + 1 });
