import { type DurableEvent, type EventOf, untilAborted } from "@smolts/protocol";
import { parallelLimit } from "../run/parallel-limit.ts";
import { type Past, unknownCallsIn } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { type Approvals, approvalsBelow, approvalsOf, grantsIn } from "../tool-calls/approvals.ts";
import type { AgentRun, RunResult } from "./agent-run.ts";
import type { LiveRun } from "./live-run.ts";
import type { Recorder } from "./recorder.ts";
import type { Work } from "./run-request.ts";
import type { SessionState } from "./session-state.ts";

/** A run that is about to begin, with everything it needs. */
export interface Beginning {
  readonly live: LiveRun;
  /** The handle that the caller of the run has. */
  readonly handle: AgentRun;
  /** Runs a managed agent on its task. */
  readonly doWork: (state: SessionState, work: Work) => Promise<RunResult>;
}

/** The start of a run, its earlier events, and its recorder. */
export interface RunOrigin {
  readonly start: EventOf<"run-start">;
  readonly past: Past;
  /** The recorded events of the run and of its managed agents. */
  readonly runEvents: readonly DurableEvent[];
  readonly recorder: Recorder;
}

/** Creates the object that the loop works with, from a run and its log. */
export function makeRun({ live, handle, doWork }: Beginning, origin: RunOrigin): Run {
  const { state, definition, caller, signal, metadata, gate } = live;
  const { past, runEvents, recorder } = origin;
  const start = past.start ?? origin.start;
  const beganTime = Date.now();
  return {
    id: start.runId,
    path: start.path,
    definition,
    start,
    past,
    caller,
    signal,
    metadata,
    keptCalls: new Map(),
    sandboxState: { hasVariables: false },
    callLimit: parallelLimit(definition.maxParallelToolCalls),
    approvals: { ...approvalsIn(live, runEvents), grants: grantsIn(past) },
    // All agents of a run share these calls, so that no agent repeats a call whose outcome is
    // unknown, even if another agent made it.
    unknownCalls: caller?.unknownCalls ?? unknownCallsIn(runEvents),
    handle,
    gate,
    usage: () => live.usage,
    activeMs: () => past.activeMs + Date.now() - beganTime,
    steps: () => live.steps,
    hasNewMessage: () => live.hasNewMessage,
    stopListening: () => live.stopListening(),
    sandbox: () => untilAborted(state.openSandbox(), signal),
    discardSandbox: () => state.discardSandbox(),
    recorder,
    append: (body) => recorder.append(body),
    emit: (body) => recorder.emit(body),
    startWork: (work) => doWork(state, work),
    flush: () => untilAborted(recorder.flush(), signal),
    readBlob: recorder.readBlob,
    putBlob: recorder.putBlob,
  };
}

function approvalsIn({ caller, definition, settings, drain }: LiveRun, events: readonly DurableEvent[]): Approvals {
  if (caller) return approvalsBelow(caller.approvals, definition);
  const { approve = definition.approve } = settings.options;
  return approvalsOf({ ...definition, approve }, { events, drain });
}
