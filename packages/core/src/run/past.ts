// Finds the events of one agent's run that the log already contains, and sorts them by step and by
// call.
//
// The run looks up each action in these events first, and performs the action only if they do not
// contain it. A new run has an empty past, so starting and resuming use the same code.

import {
  type DurableEvent,
  type EncodedValue,
  type EventOf,
  type ExecutorFactory,
  isRecord,
  type Path,
} from "@smolts/protocol";

/** The recorded events of a call. */
export interface PastCall {
  readonly asked: EventOf<"tool-call">;
  /** The record that neither the tool nor a policy required approval; null if there is none. */
  waived: EventOf<"approval-policy"> | null;
  /**
   * The request that asked a person whether the call may happen. The field `decided` is the first
   * decision about it.
   */
  requested: EventOf<"approval-request"> | null;
  decided: EventOf<"approval-response"> | null;
  /**
   * The request that asked a person whether the call has happened. The field `resolved` is the
   * answer to it.
   */
  doubted: EventOf<"doubt-request"> | null;
  resolved: EventOf<"doubt-response"> | null;
  started: EventOf<"tool-start"> | null;
  /** Whether a managed agent has begun to work on this call. */
  isWorkedOn: boolean;
  result: EventOf<"tool-result"> | null;
}

/** The recorded events of a step. */
export interface PastStep {
  readonly started: boolean;
  /**
   * The names of the only tools that the step may use; undefined if it may use all of the agent's
   * tools.
   */
  readonly toolNames?: readonly string[] | undefined;
  response: EventOf<"model-response"> | null;
  /** The code that a fork runs in this step, instead of the code in the model's message. */
  forkedCode: string | null;
  codeStart: EventOf<"code-start"> | null;
  codeEnd: EventOf<"code-end"> | null;
  /** The calls. The keys are the numbers of the calls in the step. */
  readonly calls: Map<number, PastCall>;
  /** The results in the order of the log, which is the order in which the code got them. */
  readonly results: { readonly callIndex: number; readonly event: EventOf<"tool-result"> }[];
  readonly console: EventOf<"console">[];
  /** The results of the checks of the final answer, in order. */
  readonly checks: EventOf<"check-result">[];
  end: EventOf<"step-end"> | null;
}

/** The recorded events of a run. */
export interface Past {
  /**
   * The start of the run. If a resume has raised limits, this event has the new limits. If the run
   * is a fork, its `lineage` is that of the fork and not that of the original run.
   */
  start: EventOf<"run-start"> | null;
  /** The forks through which this run was created, newest first. */
  readonly forks: EventOf<"fork">[];
  /**
   * The last step whose answer no longer ends the run. Either a fork continues after this step, or
   * the answer was forced by a limit that was raised later.
   */
  lastVoidAnswer: number;
  /**
   * The `seq` of the last event at which new, empty sandboxes replaced old ones whose executor has
   * `replay: "never"`; 0 if there is none. The new sandboxes do not have the variables and files of
   * earlier code.
   */
  sandboxLostBefore: number;
  /** The versions of the environment in which the run's code ran last. */
  environment: ExecutorFactory["environment"];
  /** How often the run was started or resumed; 1 if it was never resumed. */
  attempts: number;
  /** The plans, by the number of the step that they were made for. */
  readonly plans: Map<number, EventOf<"plan">>;
  readonly steps: Map<number, PastStep>;
  budgetStop: EventOf<"budget-stop"> | null;
  /** How long the run has worked so far, in ms, without the time between a stop and a resume. */
  activeMs: number;
  end: EventOf<"run-end"> | null;
}

/**
 * Returns the past of one run from the events of a log. The log may also contain runs of managed
 * agents, so `path` says which agent is meant.
 */
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
  /** Whether neither this agent nor any of its managed agents is working. */
  let isSuspended = false;
  for (const event of events) {
    if (event.runId !== runId) continue;
    if (event.type === "run-start") recordWork(calls, event);
    if (event.type === "run-suspend") isSuspended = true;
    if (event.type === "run-resume") {
      isSuspended = false;
      lastTime = event.time;
      if (event.emptySandbox) past.sandboxLostBefore = event.seq;
    }
    if (event.path.join("/") !== place) continue;
    if (event.type !== "run-start" && !isSuspended) past.activeMs += event.time - lastTime;
    lastTime = event.time;
    record(past, calls, event);
  }
  return past;
}

/** Returns the record of a step that has no recorded events except its start. */
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
 * Returns the calls of a run and its managed agents that may or may not have happened, each as a
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

/** Lists the parts of an environment that have changed, such as `engine v8 13.6, was v8 12.4`. */
export const changesIn = (before: Environment = {}, now: Environment = {}): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((part) => before[part] !== now[part])
    .map((part) => `${part} ${now[part] ?? "unknown"}, was ${before[part] ?? "unknown"}`);

/**
 * Says whether a call was started, or shown to a person, before the run was interrupted. The
 * resumed run does not refuse such a call, even if the budget is exhausted.
 */
export const wasAdmitted = (call: PastCall | undefined): boolean =>
  call !== undefined && (call.isWorkedOn || call.started !== null || call.requested !== null);

/**
 * Identifies a call by its tool and its input, but not by its position in the run. The order of the
 * input's fields does not matter.
 */
export const callKey = (name: string, input: EncodedValue): string => `${name} ${JSON.stringify(input, inOrder)}`;

const inOrder = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

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
    case "reset": // a session remembers only what comes after a reset
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

/**
 * Continues a run. Its limits may be higher now, so an answer that the old limits forced no longer
 * ends the run.
 */
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
 * Returns the seed of the random numbers of a step. A fork uses its own seed, beginning with the
 * step at which it was forked.
 */
export const seedOf = (past: Past, start: EventOf<"run-start">, stepNumber: number): string =>
  past.forks.find(({ atStep }) => stepNumber >= atStep)?.seed ?? start.seed;

/**
 * Records that a managed agent works on a call. The `run-start` event of the managed agent names
 * the call.
 */
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
      // A second request replaces the first, because the decision about the first could not be
      // used.
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
