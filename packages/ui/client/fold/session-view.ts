// Folds a session's events into the view that the page shows.
//
// The fold is one pass, linear in the number of events. The nodes of the view (runs, steps, calls)
// are changed in place. A change increases the `version` of the node and of all nodes above it, so
// components render only what has changed. Live runs, reloads and replays use the same fold.

import {
  type ChatMessage,
  type ConsoleLine,
  type ContentPart,
  type EncodedValue,
  type EventOf,
  type ExecutionResult,
  isTransientEvent,
  type JsonValue,
  type Path,
  type RecordedDecision,
  type RecordedDoubtDecision,
  type RunEvent,
  type RunStatus,
  type SerializedError,
  type Timing,
  type TokenUsage,
  textOf,
} from "@smolts/protocol";
import { thoughtBefore } from "./thought.ts";

/**
 * The fields of every node of the view. `version` increases when the node or a node below it
 * changes.
 */
interface Node {
  version: number;
  readonly parent: Node | null;
}

/** One run of one agent. The run of a managed agent is below the call that started it. */
export interface RunView extends Node {
  readonly type: "run";
  readonly id: string;
  readonly path: Path;
  readonly name: string;
  readonly model: string;
  readonly task: readonly ContentPart[];
  readonly maxSteps: number;
  readonly systemPrompt: string;
  readonly startTime: number;
  /** The time of the last event so far. */
  endTime: number;
  status: RunStatus | "running";
  readonly items: RunItem[];
  answer: { readonly value: EncodedValue } | null;
  error: SerializedError | null;
  /** The usage of this run without its managed agents. */
  readonly usage: Usage;
  /** The event that says which budget was exhausted; null if none was. */
  budgetStop: EventOf<"budget-stop"> | null;
}

/** An entry in a run's list of items. The list is in chronological order. */
export type RunItem = StepView | PlanView | SaidView | NoteView;

/** One step of an agent. */
export interface StepView extends Node {
  readonly type: "step";
  readonly key: string;
  readonly number: number;
  readonly run: RunView;
  readonly startTime: number;
  endTime: number;
  isLive: boolean;
  /** The model's text before its code. */
  thought: string;
  reasoning: string;
  code: string | null;
  codeState: "none" | "writing" | "written" | "running" | "done";
  readonly calls: CallView[];
  /** The tool calls that the model is writing, by their index. */
  drafts: CallDraft[];
  readonly console: ConsoleLine[];
  /** The value of the last expression of the code. */
  output: { readonly text: string; readonly value?: EncodedValue } | null;
  /** The images, sounds and files that the model got. */
  media: readonly ContentPart[];
  observation: readonly ContentPart[];
  message: ChatMessage | null;
  finishReason: string | null;
  answer: { readonly value: EncodedValue } | null;
  error: SerializedError | null;
  checks: EventOf<"check-result">[];
  retry: RetryView | null;
  usage: TokenUsage | null;
  modelTiming: Timing | null;
}

/** A failed model call that will be tried again. */
export interface RetryView {
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: SerializedError;
  readonly time: number;
  readonly earlier: readonly RetryView[];
}

/** A tool call that the model is writing. */
export interface CallDraft {
  readonly name: string;
  readonly inputText: string;
}

/** One tool call, or one call of a managed agent. */
export interface CallView extends Node {
  readonly type: "call";
  readonly id: string;
  readonly name: string;
  readonly args: readonly EncodedValue[];
  readonly step: StepView;
  readonly startTime: number;
  /** When the tool itself started; null before that. */
  effectTime: number | null;
  endTime: number | null;
  outcome: EventOf<"tool-result">["outcome"] | null;
  approval: ApprovalView | null;
  doubt: DoubtView | null;
  /** The input that the tool actually received; null if it is not known. */
  input: EncodedValue | null;
  progress: JsonValue | null;
  agents: RunView[];
}

/** A question to a person about a call, and the decision. */
export interface ApprovalView {
  readonly callId: string;
  readonly runId: string;
  readonly path: Path;
  readonly name: string;
  readonly input: EncodedValue;
  readonly digest: string;
  readonly each: boolean;
  readonly askedAt: number;
  decision: RecordedDecision | null;
  decidedAt: number | null;
  by: string | null;
}

/** The question to a person whether an interrupted call took effect, and the person's decision. */
export interface DoubtView {
  readonly callId: string;
  readonly runId: string;
  readonly name: string;
  readonly input: EncodedValue;
  readonly digest: string;
  readonly askedAt: number;
  readonly problem: string | null;
  decision: RecordedDoubtDecision | null;
}

/** A plan, and the plan before it. */
export interface PlanView extends Node {
  readonly type: "plan";
  readonly key: string;
  readonly run: RunView;
  readonly beforeStep: number;
  readonly startTime: number;
  endTime: number;
  isLive: boolean;
  text: string;
  readonly previous: PlanView | null;
  usage: TokenUsage | null;
  modelTiming: Timing | null;
}

/** A message from a person to a working agent. */
export interface SaidView extends Node {
  readonly type: "said";
  readonly key: string;
  readonly run: RunView;
  readonly text: string;
  readonly time: number;
}

/** A note that the program or another package added to the log. */
export interface NoteView extends Node {
  readonly type: "note";
  readonly key: string;
  readonly run: RunView;
  readonly name: string;
  readonly data: JsonValue;
  readonly time: number;
}

/** Tokens and cost so far. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cachedInputTokens: number;
  /** The cost in US dollars; null if an answer did not report its cost. */
  costUsd: number | null;
  /** False if an answer did not report its usage. */
  isComplete: boolean;
  /** The number of counted answers. */
  answers: number;
}

/** The whole log of a session, in the form that the page shows. */
export interface SessionView extends Node {
  readonly type: "session";
  /** The runs of the outermost agent. */
  readonly runs: RunView[];
  /** The calls that wait for a person, oldest first. */
  readonly waiting: Map<string, CallView>;
  /** The number of the last durable event. Deltas are not durable. */
  seq: number;
  eventCount: number;
}

/** A fold that takes events one by one. */
export interface SessionFold {
  readonly view: SessionView;
  add(event: RunEvent): void;
  /**
   * Removes text that came only from deltas. Used after a reconnect, because the server then sends
   * these deltas again.
   */
  forgetDeltas(): void;
}

/** Starts a fold with no events. */
export function createSessionFold(): SessionFold {
  return new Fold();
}

/** Folds a whole log. */
export function foldSession(events: Iterable<RunEvent>): SessionView {
  const fold = createSessionFold();
  for (const event of events) fold.add(event);
  return fold.view;
}

class Fold implements SessionFold {
  readonly view: SessionView = {
    type: "session",
    version: 0,
    parent: null,
    runs: [],
    waiting: new Map(),
    seq: 0,
    eventCount: 0,
  };
  /** The runs, by run id and path. */
  readonly #runs = new Map<string, RunView>();
  /** The calls, by run id and call id. */
  readonly #calls = new Map<string, CallView>();
  readonly #steps = new Map<RunView, StepView>();
  readonly #plans = new Map<RunView, PlanView>();

  add(event: RunEvent): void {
    if (!isTransientEvent(event)) {
      if (event.seq <= this.view.seq) return; // the event was added before
      this.view.seq = event.seq;
    }
    this.view.eventCount++;
    if (event.type === "run-start") return this.#startRun(event);
    const run = this.#runs.get(keyOf(event.runId, event.path));
    if (run) this.#take(run, event);
  }

  forgetDeltas(): void {
    for (const step of this.#steps.values()) {
      if (!step.isLive || step.message !== null) continue;
      Object.assign(step, { thought: "", reasoning: "", code: null, codeState: "none", drafts: [], retry: null });
      touch(step);
    }
    for (const [run, plan] of this.#plans) {
      if (!plan.isLive) continue;
      run.items.splice(run.items.indexOf(plan), 1);
      if (plan.previous) this.#plans.set(run, plan.previous);
      else this.#plans.delete(run);
      touch(run);
    }
  }

  #take(run: RunView, event: Exclude<RunEvent, { type: "run-start" }>): void {
    if (event.time > run.endTime) run.endTime = event.time;
    switch (event.type) {
      case "run-suspend":
        return this.#setStatus(run, "suspended");
      case "run-resume":
        return this.#setStatus(run, "running");
      case "run-end":
        return this.#endRun(run, event);
      case "plan-delta":
        return this.#addPlanText(run, event);
      case "plan":
        return this.#endPlan(run, event);
      case "step-start":
        return this.#startStep(run, event);
      case "message":
        return this.#addItem(run, { type: "said", text: textOf(event.message), ...itemAt(run, event) });
      case "note":
        return this.#addItem(run, { type: "note", name: event.name, data: event.data, ...itemAt(run, event) });
      case "budget-stop":
        run.budgetStop = event;
        return touch(run);
      case "approval-request":
        return this.#askApproval(run, event);
      case "approval-response":
        return this.#decide(event);
      case "doubt-request":
        return this.#changeCall(event, (call) => {
          const { callId, runId, name, input, digest, time, problem = null } = event;
          call.doubt = { callId, runId, name, input, digest, askedAt: time, problem, decision: null };
          this.view.waiting.set(callId, call);
        });
      case "doubt-response":
        return this.#changeCall(event, (call) => {
          if (call.doubt) call.doubt.decision = event.decision;
          this.view.waiting.delete(event.callId);
        });
      case "tool-start":
        return this.#startTool(event);
      case "tool-progress":
        return this.#changeCall(event, (call) => {
          call.progress = event.data;
        });
      case "tool-result":
        return this.#endCall(event);
      case "step-edit":
        return this.#editStep(run, event);
      case "text-delta":
      case "reasoning-delta":
      case "code-delta":
      case "tool-call-delta":
      case "retry":
      case "model-response":
      case "code-start":
      case "tool-call":
      case "console":
      case "code-end":
      case "check-result":
      case "step-end":
        return this.#takeOfStep(run, event);
      case "reset": // a reset belongs to no run
      case "fork": // a fork comes before the run that it begins
      case "compaction": // compaction changes only what the model gets
      case "approval-policy": // the page does not show it
      case "model-request": // the answer is shown instead
        return;
      default:
        // Events that only newer versions know are not shown in the view.
        event satisfies never;
    }
  }

  #startRun(event: EventOf<"run-start">): void {
    const { runId, path, time } = event;
    const caller = event.parentCallId === undefined ? undefined : this.#calls.get(keyOf(runId, [event.parentCallId]));
    const run: RunView = {
      type: "run",
      version: 0,
      parent: caller ?? this.view,
      id: runId,
      path,
      name: nameOf(path),
      model: event.model,
      task: event.task,
      maxSteps: event.maxSteps,
      systemPrompt: event.systemPrompt,
      startTime: time,
      endTime: time,
      status: "running",
      items: [],
      answer: null,
      error: null,
      usage: noUsage(),
      budgetStop: null,
    };
    this.#runs.set(keyOf(runId, path), run);
    if (caller) caller.agents.push(run);
    else this.view.runs.push(run);
    touch(run);
  }

  #endRun(run: RunView, { status, answer, error, time }: EventOf<"run-end">): void {
    run.endTime = time;
    run.answer = answer === undefined ? null : { value: answer };
    run.error = error ?? null;
    const step = this.#steps.get(run);
    if (step?.isLive) this.#closeStep(step, time, error ?? null);
    for (const call of this.view.waiting.values()) if (isUnder(call, run)) this.view.waiting.delete(call.id);
    this.#setStatus(run, status);
  }

  /**
   * Sets the status of a run. Its newest plan and step are rendered again, because they look
   * different when the run is not active.
   */
  #setStatus(run: RunView, status: RunView["status"]): void {
    run.status = status;
    for (const newest of [this.#plans.get(run), this.#steps.get(run)]) if (newest) touch(newest);
    touch(run);
  }

  #addPlanText(run: RunView, { stepNumber, text, time }: EventOf<"plan-delta">): void {
    const plan = this.#livePlan(run, stepNumber, time);
    plan.text += text;
    touch(plan);
  }

  #endPlan(run: RunView, event: EventOf<"plan">): void {
    const plan = this.#livePlan(run, event.stepNumber, event.timing.startTime);
    plan.text = event.plan;
    plan.isLive = false;
    plan.endTime = event.time;
    plan.usage = event.usage;
    plan.modelTiming = event.timing;
    addUsage(run.usage, event.usage);
    touch(plan);
  }

  #livePlan(run: RunView, beforeStep: number, startTime: number): PlanView {
    const known = this.#plans.get(run);
    if (known?.isLive) return known;
    const plan: PlanView = {
      type: "plan",
      version: 0,
      parent: run,
      key: `${run.id}/${run.path.join("/")}/plan-${beforeStep}`,
      run,
      beforeStep,
      startTime,
      endTime: startTime,
      isLive: true,
      text: "",
      previous: known ?? null,
      usage: null,
      modelTiming: null,
    };
    this.#plans.set(run, plan);
    run.items.push(plan);
    if (known) touch(known); // it is not the newest plan any more
    return plan;
  }

  #startStep(run: RunView, { stepNumber, time }: EventOf<"step-start">): void {
    const last = this.#steps.get(run);
    if (last?.isLive) this.#closeStep(last, time, null);
    this.#stepAt(run, stepNumber, time);
  }

  #stepAt(run: RunView, number: number, time: number): StepView {
    const known = this.#steps.get(run);
    if (known && known.number === number) return known;
    const step: StepView = {
      type: "step",
      version: 0,
      parent: run,
      key: `${run.id}/${run.path.join("/")}/${number}`,
      number,
      run,
      startTime: time,
      endTime: time,
      isLive: true,
      thought: "",
      reasoning: "",
      code: null,
      codeState: "none",
      calls: [],
      drafts: [],
      console: [],
      output: null,
      media: [],
      observation: [],
      message: null,
      finishReason: null,
      answer: null,
      error: null,
      checks: [],
      retry: null,
      usage: null,
      modelTiming: null,
    };
    this.#steps.set(run, step);
    run.items.push(step);
    touch(step);
    return step;
  }

  #takeOfStep(run: RunView, event: StepEvent): void {
    const step = this.#stepAt(run, event.stepNumber, event.time);
    if (event.time > step.endTime) step.endTime = event.time;
    switch (event.type) {
      case "text-delta":
        step.thought += event.text;
        step.retry = null;
        break;
      case "reasoning-delta":
        step.reasoning += event.text;
        step.retry = null;
        break;
      case "code-delta":
        step.code = (step.code ?? "") + event.text;
        step.codeState = "writing";
        step.retry = null;
        break;
      case "tool-call-delta": {
        const draft = step.drafts[event.index];
        step.drafts = step.drafts.slice();
        step.drafts[event.index] = {
          name: event.name ?? draft?.name ?? "",
          inputText: (draft?.inputText ?? "") + event.inputText,
        };
        step.retry = null;
        break;
      }
      case "retry":
        step.retry = { ...event, earlier: step.retry ? [...step.retry.earlier, step.retry] : [] };
        break;
      case "model-response":
        takeResponse(step, event);
        addUsage(run.usage, event.usage);
        break;
      case "code-start":
        step.code = event.code;
        step.codeState = "running";
        if (step.message) step.thought = thoughtBefore(textOf(step.message), event.code);
        break;
      case "tool-call":
        this.#addCall(step, event);
        break;
      case "console":
        step.console.push({ level: event.level, text: event.text });
        break;
      case "code-end":
        takeCodeEnd(step, event.result);
        break;
      case "check-result":
        step.checks = [...step.checks, event];
        break;
      case "step-end":
        step.observation = event.observation;
        step.media = event.observation.filter(isMedia);
        step.answer = event.answer;
        this.#closeStep(step, event.time, event.error);
        break;
      default:
        event satisfies never;
    }
    touch(step);
  }

  #closeStep(step: StepView, time: number, error: SerializedError | null): void {
    step.isLive = false;
    step.endTime = time;
    step.error = error;
    step.retry = null;
    step.drafts = [];
    if (step.codeState !== "none") step.codeState = "done";
    touch(step);
  }

  #addCall(step: StepView, { runId, callId, name, args, time }: EventOf<"tool-call">): void {
    const call: CallView = {
      type: "call",
      version: 0,
      parent: step,
      id: callId,
      name,
      args,
      step,
      startTime: time,
      effectTime: null,
      endTime: null,
      outcome: null,
      approval: null,
      doubt: null,
      input: null,
      progress: null,
      agents: [],
    };
    step.calls.push(call);
    step.drafts = [];
    this.#calls.set(keyOf(runId, [callId]), call);
  }

  #askApproval(
    run: RunView,
    { callId, name, input, digest, each, time, runId, path }: EventOf<"approval-request">,
  ): void {
    const call = this.#calls.get(keyOf(run.id, [callId]));
    if (!call) return;
    const open = { decision: null, decidedAt: null, by: null };
    call.approval = { callId, runId, path, name, input, digest, each, askedAt: time, ...open };
    this.view.waiting.set(callId, call);
    touch(call);
  }

  #decide({ callId, runId, decision, by, time }: EventOf<"approval-response">): void {
    this.#changeCall({ callId, runId }, (call) => {
      if (!call.approval) return;
      Object.assign(call.approval, { decision, decidedAt: time, by: by ?? null });
      this.view.waiting.delete(callId);
    });
  }

  #startTool({ callId, runId, input, time }: EventOf<"tool-start">): void {
    this.#changeCall({ callId, runId }, (call) => {
      call.input = input;
      call.effectTime = time;
    });
  }

  #endCall({ callId, runId, outcome, time }: EventOf<"tool-result">): void {
    this.#changeCall({ callId, runId }, (call) => {
      call.outcome = outcome;
      call.endTime = time;
      this.view.waiting.delete(callId);
    });
  }

  #editStep(run: RunView, { stepNumber, change }: EventOf<"step-edit">): void {
    for (const item of run.items) {
      if (item.type === "plan" && item.beforeStep === stepNumber && change.plan !== undefined) {
        item.text = change.plan;
        touch(item);
      }
      if (item.type === "step" && item.number === stepNumber && change.observation) {
        item.observation = change.observation;
        item.media = change.observation.filter(isMedia);
        touch(item);
      }
    }
  }

  #changeCall(
    { callId, runId }: { readonly callId: string; readonly runId: string },
    change: (call: CallView) => void,
  ): void {
    const call = this.#calls.get(keyOf(runId, [callId]));
    if (!call) return;
    change(call);
    touch(call);
  }

  #addItem(run: RunView, item: RunItem): void {
    run.items.push(item);
    touch(run);
  }
}

type StepEvent = EventOf<
  | "text-delta"
  | "reasoning-delta"
  | "code-delta"
  | "tool-call-delta"
  | "retry"
  | "model-response"
  | "code-start"
  | "tool-call"
  | "console"
  | "code-end"
  | "check-result"
  | "step-end"
>;

/** Says whether a person has to decide if a call happened. */
export const isDoubted = ({ doubt, outcome }: CallView): boolean =>
  doubt !== null && doubt.decision === null && outcome === null;

const keyOf = (runId: string, path: Path): string => `${runId}\n${path.join("\n")}`;

/** Returns an agent's name from its path, without the number of the call that started it. */
const nameOf = (path: Path): string => (path.at(-1) ?? "agent").replace(/#[^#]*$/, "");

const isMedia = ({ type }: ContentPart): boolean => type === "image" || type === "audio" || type === "file";

function itemAt(run: RunView, { seq, time }: RunEvent) {
  return { version: 0, parent: run, key: `${run.id}/${run.path.join("/")}/at-${seq}`, run, time };
}

function touch(node: Node): void {
  for (let at: Node | null = node; at; at = at.parent) at.version++;
}

function takeResponse(step: StepView, { message, usage, timing, finishReason }: EventOf<"model-response">): void {
  step.message = message;
  step.usage = usage;
  step.modelTiming = timing;
  step.finishReason = finishReason;
  step.retry = null;
  step.reasoning = message.content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  // The text before the code is the thought. If the code is not known yet, the whole text is shown
  // until `code-start` brings the code.
  step.thought = thoughtBefore(textOf(message), step.code);
  if (step.code !== null) step.codeState = "written";
}

function takeCodeEnd(step: StepView, result: ExecutionResult): void {
  step.codeState = "done";
  if (result.type === "value") step.output = result.output;
  if (result.type === "error" || result.type === "stopped") step.error = result.error;
}

function isUnder(call: CallView, run: RunView): boolean {
  for (let at: Node | null = call; at; at = at.parent) if (at === run) return true;
  return false;
}

function noUsage(): Usage {
  const none = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cachedInputTokens: 0 };
  return { ...none, costUsd: 0, isComplete: true, answers: 0 };
}

function addUsage(sum: Usage, usage: TokenUsage | null): void {
  sum.answers++;
  if (!usage) {
    sum.isComplete = false;
    sum.costUsd = null;
    return;
  }
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  sum.totalTokens += usage.totalTokens;
  sum.cachedInputTokens += usage.cachedInputTokens ?? 0;
  sum.costUsd = sum.costUsd === null || usage.costUsd === undefined ? null : sum.costUsd + usage.costUsd;
}

/** Returns the usage of a run, including its managed agents. */
export function totalUsageOf(run: RunView): Usage {
  const sum: Usage = { ...run.usage };
  for (const agent of agentsOf(run)) {
    const usage = totalUsageOf(agent);
    if (usage.answers === 0) continue;
    sum.inputTokens += usage.inputTokens;
    sum.outputTokens += usage.outputTokens;
    sum.totalTokens += usage.totalTokens;
    sum.cachedInputTokens += usage.cachedInputTokens;
    sum.costUsd = sum.costUsd === null || usage.costUsd === null ? null : sum.costUsd + usage.costUsd;
    sum.isComplete &&= usage.isComplete;
    sum.answers += usage.answers;
  }
  return sum;
}

/** Returns the runs of managed agents that this run started directly. */
function agentsOf(run: RunView): readonly RunView[] {
  return run.items.flatMap((item) => (item.type === "step" ? item.calls.flatMap((call) => call.agents) : []));
}

/** Returns the steps of a run. */
export const stepsOf = (run: RunView): readonly StepView[] => run.items.filter((item) => item.type === "step");
