// Folds a log into the steps that a run remembers.
//
// The fold takes one event at a time, so that a live run handles each event once. A step that has
// ended stays the same object. So callers can cache messages or bytes for that object in a WeakMap.
// Only the current step is created again for each event.

import {
  type ActionStep,
  type CallOutcome,
  type CompactionStep,
  type ConsoleLine,
  type ContentPart,
  type DurableEvent,
  type EventOf,
  type ExecutionResult,
  isPathAt,
  type MemoryStep,
  type OptionTable,
  type Path,
  readOptions,
  type SerializedError,
  type StepChange,
  type ToolCallRecord,
  wrongArgument,
} from "@smolts/protocol";
import { explainAnswer, explainPlan, explainStep } from "./explain-step.ts";
import { releaseHidden } from "./to-messages.ts";

/** Options of {@link foldSteps}. */
export interface FoldOptions {
  /**
   * The path of the agent whose events are folded. If absent, it is the path of the agent in the
   * first `run-start`. Events of other agents in the same log are ignored. If the path names a
   * managed agent without a call number, as in `["manager", "search"]`, all calls of that agent are
   * folded.
   */
  readonly path?: Path;
}

/** A fold that is updated as events arrive. */
export interface StepFold {
  add(event: DurableEvent): void;
  /**
   * The steps so far. A step that has ended is the same object each time. The current step is last
   * and holds what is known of it so far. The array stays the same until an event changes it.
   */
  readonly steps: readonly MemoryStep[];
  /**
   * Whether a message was sent during the current step. The message becomes a step after the
   * current step, because the model has not seen the message yet.
   */
  readonly hasNewMessage: boolean;
}

/**
 * Folds a log into steps.
 *
 * @example
 * ```ts
 * import { foldSteps, memoryLog } from "@smolts/memory";
 *
 * const log = memoryLog();
 * log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
 * console.log(foldSteps(log.events, { path: ["agent"] })[0]?.type); // action
 * ```
 */
export function foldSteps(events: Iterable<DurableEvent>, options: FoldOptions = {}): readonly MemoryStep[] {
  const fold = createStepFold(options);
  // A run also has `Symbol.iterator`, but calling it throws an error. So runs are recognised by
  // `Symbol.asyncIterator`.
  const isList = typeof events?.[Symbol.iterator] === "function" && !(Symbol.asyncIterator in Object(events));
  if (!isList || typeof events === "string") {
    throw wrongArgument("foldSteps()", events, "the events of a run", "its result has the steps: result.steps");
  }
  for (const event of events) fold.add(event);
  return fold.steps;
}

/**
 * Starts a fold to which events are added as they are appended.
 *
 * @example
 * ```ts
 * import { createStepFold, memoryLog } from "@smolts/memory";
 *
 * const log = memoryLog();
 * const fold = createStepFold({ path: ["agent"] });
 * fold.add(log.append({ type: "note", name: "acme/mark", data: 1 }, { runId: "r", path: ["agent"] }));
 * console.log(fold.steps); // [ { type: 'custom', name: 'acme/mark', data: 1 } ]
 * ```
 */
export function createStepFold(options: FoldOptions = {}): StepFold {
  const { path } = readOptions(options, "createStepFold()", foldOptions);
  return new Fold(path ?? null);
}

const foldOptions: OptionTable<FoldOptions> = { path: "texts" };

class Fold implements StepFold {
  #path: Path | null;
  readonly #ended: MemoryStep[] = [];
  #current: ActionDraft | null = null;
  /** The step that the end of the last run cut off, and its index in the list of ended steps. */
  #cut: { readonly draft: ActionDraft; readonly index: number } | null = null;
  /** Messages that were sent during the current step. */
  readonly #newMessages: MemoryStep[] = [];
  #systemPrompt: string | null = null;
  /** The steps that `steps` returned last; null when they are out of date. */
  #view: readonly MemoryStep[] | null = null;

  constructor(path: Path | null) {
    this.#path = path;
  }

  get hasNewMessage(): boolean {
    return this.#newMessages.length > 0;
  }

  get steps(): readonly MemoryStep[] {
    this.#view ??= this.#current ? [...this.#ended, this.#current.toStep()] : [...this.#ended];
    return this.#view;
  }

  add(event: DurableEvent): void {
    if (this.#path === null && event.type === "run-start") this.#path = event.path;
    // Handle a reset by any agent: it clears the memory of all agents of a session.
    if (event.type === "reset") return this.#reset();
    if (this.#path === null || !isPathAt(event.path, this.#path)) return;
    this.#view = null;
    this.#take(event);
  }

  #take(event: Exclude<DurableEvent, EventOf<"reset">>): void {
    switch (event.type) {
      case "run-start":
        this.#startRun(event);
        break;
      case "run-resume":
        this.#reopenStep();
        break;
      case "fork":
      case "run-suspend":
      case "check-result": // the step shows the result of the check
      case "budget-stop":
      case "model-request":
        break;
      case "message":
        this.#addMessage(event);
        break;
      case "step-edit":
        this.#edit(event);
        break;
      case "run-end":
        this.#endRun(event);
        break;
      case "plan":
        this.#ended.push(planningStep(event));
        break;
      case "compaction":
        this.#compact(compactionStep(event));
        break;
      case "step-start":
        this.#startStep(event);
        break;
      case "step-end":
        this.#current?.end(event);
        this.#closeStep();
        break;
      case "note":
        this.#ended.push({ type: "custom", name: event.name, data: event.data });
        break;
      case "model-response":
      case "code-start":
      case "tool-call":
      case "approval-policy":
      case "approval-request":
      case "approval-response":
      case "doubt-request":
      case "doubt-response":
      case "tool-start":
      case "tool-result":
      case "console":
      case "code-end":
        this.#current?.add(event);
        break;
      default:
        event satisfies never;
    }
  }

  #reset(): void {
    this.#view = null;
    this.#ended.length = 0;
    this.#newMessages.length = 0;
    this.#current = null;
    this.#cut = null;
    this.#systemPrompt = null;
  }

  #compact(step: CompactionStep): void {
    releaseHidden(this.#ended, step);
    this.#ended.push(step);
  }

  #startRun({ runId, systemPrompt, history = [], task }: EventOf<"run-start">): void {
    this.#closeStep();
    this.#cut = null;
    if (systemPrompt !== this.#systemPrompt) this.#ended.push({ type: "system-prompt", text: systemPrompt });
    this.#systemPrompt = systemPrompt;
    for (const message of history) this.#ended.push({ type: "message", runId, message });
    this.#ended.push({ type: "task", runId, content: task });
  }

  /**
   * Ends a run. A step that was cut off keeps its content so far, and gets the reason for the end
   * of the run.
   */
  #endRun({ runId, time, error, answer }: EventOf<"run-end">): void {
    this.#current?.cutOff(error ?? null, time);
    this.#cut = this.#current && { draft: this.#current, index: this.#ended.length };
    this.#closeStep();
    if (answer !== undefined) this.#ended.push(explainAnswer({ type: "final-answer", runId, answer }));
  }

  #startStep(event: EventOf<"step-start">): void {
    this.#closeStep();
    this.#current = new ActionDraft(event);
  }

  /**
   * Adds a message. A message that was sent during a step comes after that step, because the model
   * had not seen it yet.
   */
  #addMessage({ runId, message }: EventOf<"message">): void {
    (this.#current ? this.#newMessages : this.#ended).push({ type: "message", runId, message });
  }

  /** Reopens the step that the end of the run cut off, because the run is resumed. */
  #reopenStep(): void {
    if (!this.#cut) return;
    const [, ...later] = this.#ended.splice(this.#cut.index);
    this.#newMessages.push(...later);
    this.#current = this.#cut.draft;
    this.#current.cutOff(null, this.#current.endTime);
    this.#cut = null;
  }

  /**
   * Applies a change to a step. The changed step is a new object, so that values that were cached
   * for the old object are not used.
   */
  #edit({ runId, stepNumber, change }: EventOf<"step-edit">): void {
    for (const type of ["planning", "action"] as const) {
      const index = this.#ended.findLastIndex(
        (step) => step.type === type && step.runId === runId && step.stepNumber === stepNumber,
      );
      const step = this.#ended[index];
      if (step) this.#ended[index] = changed(step, change);
    }
  }

  #closeStep(): void {
    if (this.#current) this.#ended.push(explainStep(this.#current.toStep()));
    this.#current = null;
    this.#ended.push(...this.#newMessages.splice(0));
  }
}

const planningStep = ({ runId, stepNumber, plan, message, usage, timing }: EventOf<"plan">): MemoryStep =>
  explainPlan({ type: "planning", runId, stepNumber, plan, modelOutput: message, usage, timing });

function compactionStep(event: EventOf<"compaction">): CompactionStep {
  const { runId, stepNumber, reason, through, shortened, summary, keptCalls, usage } = event;
  const used = usage === undefined ? {} : { usage };
  return { type: "compaction", runId, stepNumber, reason, through, shortened, summary, keptCalls, ...used };
}

function changed(step: MemoryStep, { plan, observation }: StepChange): MemoryStep {
  if (step.type === "planning") return plan === undefined ? step : { ...step, plan };
  if (step.type !== "action" || observation === undefined) return step;
  const isResult = (part: ContentPart): boolean => part.type === "tool-result";
  const kept = observation.some(isResult) ? [] : step.observation.filter(isResult);
  return explainStep({ ...step, observation: [...kept, ...observation] });
}

type ActionEvent = EventOf<
  | "model-response"
  | "code-start"
  | "tool-call"
  | "approval-policy"
  | "approval-request"
  | "approval-response"
  | "doubt-request"
  | "doubt-response"
  | "tool-start"
  | "tool-result"
  | "console"
  | "code-end"
>;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An action step that has not ended yet. */
class ActionDraft {
  readonly #step: Mutable<Omit<ActionStep, "toolCalls" | "logs" | "timing">>;
  readonly #calls = new Map<string, Mutable<ToolCallRecord>>();
  readonly #logs: string[] = [];
  readonly #startTime: number;
  #endTime: number;

  constructor({ runId, stepNumber, time }: EventOf<"step-start">) {
    this.#startTime = time;
    this.#endTime = time;
    this.#step = {
      type: "action",
      runId,
      stepNumber,
      modelOutput: null,
      code: null,
      output: null,
      observation: [],
      error: null,
      answer: null,
      usage: null,
    };
  }

  add(event: ActionEvent): void {
    this.#endTime = event.time;
    switch (event.type) {
      case "model-response":
        this.#step.modelOutput = event.message;
        this.#step.usage = event.usage;
        break;
      case "code-start":
        this.#step.code = event.code;
        break;
      case "tool-call":
        this.#addCall(event);
        break;
      case "approval-response":
        this.#editCall(event);
        break;
      case "approval-policy":
      case "approval-request":
      case "doubt-request":
      case "doubt-response":
      case "tool-start":
        break; // these events do not change the step
      case "tool-result":
        this.#settleCall(event.callId, event.outcome);
        break;
      case "console":
        this.#addLine(event);
        break;
      case "code-end":
        this.#endCode(event.result);
        break;
      default:
        event satisfies never;
    }
  }

  end({ observation, error, answer, time }: EventOf<"step-end">): void {
    this.#endTime = time;
    Object.assign(this.#step, { observation, error, answer });
  }

  get endTime(): number {
    return this.#endTime;
  }

  cutOff(error: SerializedError | null, time: number): void {
    this.#endTime = time;
    this.#step.error = error;
  }

  /** Returns the step as it is now. Later events do not change the returned object. */
  toStep(): ActionStep {
    // Do not write `{ ...this.#step, logs }` here: if properties follow a spread, V8 creates a new
    // hidden class for every object.
    return Object.assign({}, this.#step, {
      toolCalls: [...this.#calls.values()].map((call) => ({ ...call })),
      logs: this.#logs.join("\n"),
      timing: { startTime: this.#startTime, endTime: this.#endTime },
    });
  }

  #addCall({ callId, name, args, providerId }: EventOf<"tool-call">): void {
    const record = { callId, name, args, ...(providerId === undefined ? {} : { providerId }), outcome: null };
    this.#calls.set(callId, record);
  }

  #editCall({ callId, decision }: EventOf<"approval-response">): void {
    const call = this.#calls.get(callId);
    if (call && decision.type === "edit") call.editedInput = decision.input;
  }

  /**
   * Sets the outcome of a call of this step. A call of an earlier step is not found here, because a
   * step that has ended never changes.
   */
  #settleCall(callId: string, outcome: CallOutcome): void {
    const call = this.#calls.get(callId);
    if (call) call.outcome = outcome;
  }

  #addLine({ text }: ConsoleLine): void {
    this.#logs.push(text);
  }

  #endCode(result: ExecutionResult): void {
    if (result.type === "value") this.#step.output = result.output?.value ?? null;
  }
}
