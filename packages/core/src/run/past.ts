// The events that a log already holds of one agent's run, found by step and call.
//
// Starting and resuming are the same code: each act is looked up here first and performed only when
// it is not there. A fresh run has an empty past.

import type { DurableEvent, EncodedValue, EventOf, ExecutorFactory, Path } from "@smolts/protocol";

/** A recorded call, as far as it came. */
export interface PastCall {
  readonly asked: EventOf<"tool-call">;
  /** Set when neither the tool nor a policy asked for approval. */
  waived: EventOf<"approval-policy"> | null;
  /** Set when a person was to decide, and `decided` when one did: the first decision counts. */
  requested: EventOf<"approval-request"> | null;
  decided: EventOf<"approval-response"> | null;
  /** Set when a person was asked whether it happened, and `resolved` when one said so. */
  doubted: EventOf<"doubt-request"> | null;
  resolved: EventOf<"doubt-response"> | null;
  started: EventOf<"tool-start"> | null;
  /** Whether an agent has begun to work for it. */
  isWorkedOn: boolean;
  result: EventOf<"tool-result"> | null;
}

/** A recorded step, as far as it came. */
export interface PastStep {
  readonly started: boolean;
  /** The names of the tools it is confined to; undefined for all of the agent's. */
  readonly toolNames?: readonly string[] | undefined;
  response: EventOf<"model-response"> | null;
  /** The code that a fork runs in the step, in place of what its message holds. */
  forkedCode: string | null;
  codeStart: EventOf<"code-start"> | null;
  codeEnd: EventOf<"code-end"> | null;
  /** By number in the step. */
  readonly calls: Map<number, PastCall>;
  /** In the order of the log, which is the order of delivery. */
  readonly results: { readonly callIndex: number; readonly event: EventOf<"tool-result"> }[];
  readonly console: EventOf<"console">[];
  /** The results of the checks of the final answer, in order. */
  readonly checks: EventOf<"check-result">[];
  end: EventOf<"step-end"> | null;
}

/** A recorded run, as far as it came. */
export interface Past {
  /** With the limits that a resume has raised, and the lineage of the fork that the run is. */
  start: EventOf<"run-start"> | null;
  /** The forks that the run came of, the newest first. */
  readonly forks: EventOf<"fork">[];
  /**
   * The last step whose answer no longer ends the run: a fork continues after it, or a limit forced
   * it that was raised since.
   */
  lastVoidAnswer: number;
  /**
   * Code before this `seq` has left nothing in a sandbox that cannot run it again; 0 when no
   * sandbox was given up.
   */
  sandboxLostBefore: number;
  /** The versions that its code ran in last. */
  environment: ExecutorFactory["environment"];
  /** How often it was begun: 1 for a run never resumed. */
  attempts: number;
  /** By the number of the step that they were made before. */
  readonly plans: Map<number, EventOf<"plan">>;
  readonly steps: Map<number, PastStep>;
  budgetStop: EventOf<"budget-stop"> | null;
  /** How long the run was at work so far, without the times between its legs. */
  activeMs: number;
  end: EventOf<"run-end"> | null;
}

/** Reads the past of the run `runId` at `path` out of its log. */
export function pastOf(events: Iterable<DurableEvent>, runId: string, path: Path): Past {
  const past: Past = {
    start: null,
    forks: [],
    lastVoidAnswer: 0,
    sandboxLostBefore: 0,
    environment: undefined,
    attempts: 0,
    plans: new Map(),
    steps: new Map(),
    budgetStop: null,
    activeMs: 0,
    end: null,
  };
  const calls = new Map<string, PastCall>();
  const place = path.join("/");
  let lastTime = 0;
  /** Whether nobody is at work, the managed agents neither. */
  let isAtRest = false;
  for (const event of events) {
    if (event.runId !== runId) continue;
    if (event.type === "run-start") recordWork(calls, event);
    if (event.type === "run-suspend") isAtRest = true;
    if (event.type === "run-resume") {
      isAtRest = false;
      lastTime = event.time;
      if (event.emptySandbox) past.sandboxLostBefore = event.seq;
    }
    if (event.path.join("/") !== place) continue;
    if (event.type !== "run-start" && !isAtRest) past.activeMs += event.time - lastTime;
    lastTime = event.time;
    record(past, calls, event);
  }
  return past;
}

/** The record of a step about which nothing is known. */
export const unknownStep = (start?: EventOf<"step-start">): PastStep => ({
  started: start !== undefined,
  toolNames: start?.tools,
  response: null,
  forkedCode: null,
  codeStart: null,
  codeEnd: null,
  calls: new Map(),
  results: [],
  console: [],
  checks: [],
  end: null,
});

/**
 * Calls of a run and of its managed agents of which nobody knows whether they happened, as
 * {@link callKey}.
 */
export function unknownCallsIn(events: Iterable<DurableEvent>): Set<string> {
  const names = new Map<string, string>();
  const started = new Map<string, string>();
  const unknown = new Set<string>();
  for (const event of events) {
    if (event.type === "tool-call") names.set(event.callId, event.name);
    if (event.type === "tool-start") started.set(event.callId, callKey(names.get(event.callId) ?? "", event.input));
    if (event.type !== "tool-result" || event.outcome.type !== "unknown") continue;
    unknown.add(started.get(event.callId) ?? "");
  }
  return unknown;
}

type Environment = NonNullable<ExecutorFactory["environment"]>;

/** The parts of an environment that are not as they were, such as `engine v8 13.6, was v8 12.4`. */
export const changesIn = (before: Environment = {}, now: Environment = {}): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((part) => before[part] !== now[part])
    .map((part) => `${part} ${now[part] ?? "unknown"}, was ${before[part] ?? "unknown"}`);

/**
 * Whether a call was made, or put to a person, before the interruption. Such a call is not refused
 * when the budget is exhausted.
 */
export const wasLetIn = (call: PastCall | undefined): boolean =>
  call !== undefined && (call.isWorkedOn || call.started !== null || call.requested !== null);

/**
 * A call without its place: the same tool with the same input, in whatever order its fields were
 * written.
 */
export const callKey = (name: string, input: EncodedValue): string => `${name} ${JSON.stringify(input, inOrder)}`;

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function record(past: Past, calls: Map<string, PastCall>, event: DurableEvent): void {
  switch (event.type) {
    case "fork":
      if (past.forks.length === 0) past.lastVoidAnswer = event.atStep - 1;
      past.forks.push(event);
      return;
    case "run-start":
      past.start = { ...event, lineage: past.forks[0]?.lineage ?? event.lineage };
      past.environment = event.environment;
      past.attempts = 1;
      return;
    case "run-resume":
      return continueRun(past, event);
    case "run-end":
      past.end = event;
      return;
    case "plan":
      past.plans.set(event.stepNumber, event);
      return;
    case "budget-stop":
      past.budgetStop = event;
      return;
    case "step-start":
      past.steps.set(event.stepNumber, { ...unknownStep(event), forkedCode: forkedCodeOf(past, event.stepNumber) });
      return;
    case "run-suspend":
    case "reset": // what a session remembers begins after it
      return;
    case "approval-policy":
    case "approval-request":
    case "approval-response":
    case "doubt-request":
    case "doubt-response":
    case "tool-start":
    case "tool-result":
      return recordCall(past, calls, event);
    case "message":
    case "model-request":
    case "compaction":
    case "step-edit":
    case "note":
      return;
    default:
      return recordInStep(stepOf(past, event.stepNumber), calls, event);
  }
}

const forkedCodeOf = (past: Past, stepNumber: number): string | null =>
  past.forks.find(({ atStep }) => atStep === stepNumber)?.code ?? null;

/** The limits may be higher now: an answer that they forced is no longer the last word. */
function continueRun(past: Past, { attempt, maxSteps, budget, environment }: EventOf<"run-resume">): void {
  past.attempts = attempt;
  past.environment = environment ?? past.environment;
  if (past.end?.status === "max-steps" || past.end?.status === "budget") {
    past.lastVoidAnswer = Math.max(...past.steps.keys());
    past.budgetStop = null;
  }
  past.end = null;
  if (past.start) past.start = { ...past.start, ...(maxSteps && { maxSteps }), ...(budget && { budget }) };
}

/**
 * The seed of the random numbers of a step. A fork has its own from the step on that it does again.
 */
export const seedOf = (past: Past, start: EventOf<"run-start">, stepNumber: number): string =>
  past.forks.find(({ atStep }) => stepNumber >= atStep)?.seed ?? start.seed;

/** The beginning of a managed agent is at its own path, and names the call that it works for. */
function recordWork(calls: Map<string, PastCall>, { parentCallId }: EventOf<"run-start">): void {
  const call = parentCallId === undefined ? undefined : calls.get(parentCallId);
  if (call) call.isWorkedOn = true;
}

type CallEvent = EventOf<
  | "approval-policy"
  | "approval-request"
  | "approval-response"
  | "doubt-request"
  | "doubt-response"
  | "tool-start"
  | "tool-result"
>;

function recordCall(past: Past, calls: Map<string, PastCall>, event: CallEvent): void {
  const call = calls.get(event.callId);
  if (!call) return;
  switch (event.type) {
    case "approval-policy":
      call.waived = event;
      return;
    case "approval-request":
      // A second question takes the place of the first: the answer to that one could not be used.
      call.requested = event;
      call.decided = null;
      return;
    case "approval-response":
      call.decided ??= event;
      return;
    case "doubt-request":
      call.doubted = event;
      call.resolved = null;
      return;
    case "doubt-response":
      call.resolved ??= event;
      return;
    case "tool-start":
      call.started = event;
      call.doubted = null;
      call.resolved = null;
      return;
    case "tool-result":
      call.result = event;
      stepOf(past, call.asked.stepNumber).results.push({ callIndex: call.asked.callIndex, event });
      return;
    default:
      event satisfies never;
  }
}

type StepEvent = EventOf<
  "model-response" | "code-start" | "console" | "code-end" | "tool-call" | "check-result" | "step-end"
>;

function recordInStep(step: PastStep, calls: Map<string, PastCall>, event: StepEvent): void {
  switch (event.type) {
    case "model-response":
      step.response = event;
      return;
    case "code-start":
      step.codeStart = event;
      return;
    case "console":
      step.console.push(event);
      return;
    case "code-end":
      step.codeEnd = event;
      return;
    case "tool-call": {
      const call: PastCall = {
        asked: event,
        waived: null,
        requested: null,
        decided: null,
        doubted: null,
        resolved: null,
        started: null,
        isWorkedOn: false,
        result: null,
      };
      calls.set(event.callId, call);
      step.calls.set(event.callIndex, call);
      return;
    }
    case "check-result":
      step.checks.push(event);
      return;
    case "step-end":
      step.end = event;
      return;
    default:
      event satisfies never;
  }
}

function stepOf(past: Past, stepNumber: number): PastStep {
  const step = past.steps.get(stepNumber) ?? unknownStep();
  past.steps.set(stepNumber, step);
  return step;
}
