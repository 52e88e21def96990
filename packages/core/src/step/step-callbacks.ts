// Calls the user's functions with each step when it is complete. The functions may edit the memory.
// An edit is recorded as an event, and applied whenever the memory is built from the log. A
// callback gets each step at least once: after an interruption it gets the last step again if
// nothing was recorded after that step.

import {
  type ActionStep,
  AgentError,
  type ContentPart,
  type EncodedValue,
  type FinalAnswerStep,
  invalidOption,
  isRecord,
  type MemoryStep,
  memberExplainer,
  type PlanningStep,
  type StepChange,
  thrownText,
  untilAborted,
  type VariableSummary,
} from "@smolts/protocol";
import { checkParts } from "../media/check-messages.ts";
import type { MultiStepAgent } from "../multi-step-agent.ts";
import type { Run } from "../run/run.ts";
import type { AgentRun } from "../session/agent-run.ts";

/** The context of a callback, which it gets together with the step. */
export interface StepContext {
  /**
   * The id of the step. After a crash a callback may get the last step a second time, with the same
   * id.
   */
  readonly id: string;
  readonly agent: MultiStepAgent;
  /**
   * The handle of the run, for example to abort the run or to send the model a message. Do not
   * await it, because the run waits for the callback.
   */
  readonly run: AgentRun;
  readonly steps: readonly MemoryStep[];
  readonly signal: AbortSignal;
  variables(): Promise<readonly VariableSummary[]>;
  /**
   * Changes the memory of a step of this run: the plan before the step, or its observation. The
   * existing results of native tool calls stay, unless the new observation contains results itself.
   *
   * @throws AgentError `invalid-option` when there is no such step or plan
   */
  edit(stepNumber: number, change: StepEdit): void;
}

/** A callback's changes to a step. */
export interface StepEdit {
  readonly plan?: string;
  readonly observation?: string | readonly ContentPart[];
}

/** A function that gets a step. If it throws, the run ends with the error `callback`. */
export type StepCallback<Step extends MemoryStep> = (step: Step, context: StepContext) => unknown;

type OneOrMore<Item> = Item | readonly Item[];

/** A step of one of the types that callbacks get. */
export type CallbackStep = ActionStep | PlanningStep | FinalAnswerStep;

/** Callbacks for each type of step. A function or a list without a type gets action steps. */
export type StepCallbacks =
  | OneOrMore<StepCallback<ActionStep>>
  | {
      readonly action?: OneOrMore<StepCallback<ActionStep>>;
      readonly planning?: OneOrMore<StepCallback<PlanningStep>>;
      readonly finalAnswer?: OneOrMore<StepCallback<FinalAnswerStep>>;
      /** Callbacks that get steps of all three types. */
      readonly any?: OneOrMore<StepCallback<CallbackStep>>;
    };

/** The callbacks for each type of step. */
export type CallbacksByType = { readonly [Type in CallbackStep["type"]]: readonly StepCallback<never>[] };

/**
 * Checks the option `stepCallbacks` and returns the callbacks by type of step.
 *
 * @throws AgentError `invalid-option`
 */
export function checkStepCallbacks(option: unknown): CallbacksByType {
  const byType = isByType(option) ? option : { action: option };
  const unknown = Object.keys(byType).find((name) => !["action", "planning", "finalAnswer", "any"].includes(name));
  if (unknown !== undefined) throw invalid(`stepCallbacks has "${unknown}"`);
  const { action, planning, finalAnswer, any } = byType;
  return {
    action: [...functions(action), ...functions(any)],
    planning: [...functions(planning), ...functions(any)],
    "final-answer": [...functions(finalAnswer), ...functions(any)],
  };
}

/**
 * Calls the callbacks with the plan before a step, if there is one.
 *
 * @throws AgentError `callback` when one of them fails
 */
export async function callPlanCallbacks(run: Run, stepNumber: number): Promise<void> {
  if (run.past.steps.has(stepNumber)) return;
  await callForStep(run, "planning", () => stepOf(run, "planning", stepNumber));
}

/**
 * Calls the callbacks with an action step that is complete.
 *
 * @throws AgentError `callback` when one of them fails
 */
export async function callActionCallbacks(run: Run, stepNumber: number): Promise<void> {
  const { steps, plans, budgetStop } = run.past;
  const next = stepNumber + 1;
  if (steps.has(next) || plans.has(next) || budgetStop?.stepNumber === next) return;
  await callForStep(run, "action", () => stepOf(run, "action", stepNumber));
}

/**
 * Calls the callbacks with the final answer.
 *
 * @throws AgentError `callback` when one of them fails
 */
export async function callAnswerCallbacks(run: Run, answer: EncodedValue | undefined): Promise<void> {
  if (answer === undefined) return;
  await callForStep(run, "final-answer", () => ({ type: "final-answer", runId: run.id, answer }));
}

/** Calls the callbacks of a type of step. The step is looked up only if there are callbacks. */
async function callForStep(run: Run, type: CallbackStep["type"], find: () => CallbackStep | undefined): Promise<void> {
  const callbacks = run.definition.callbacks[type];
  const step = callbacks.length === 0 ? undefined : find();
  if (!step) return;
  for (const callback of callbacks) {
    await untilAborted(call(run, callback, step), run.signal);
  }
  run.signal.throwIfAborted();
}

/**
 * Returns a step of this run by its number. The memory may also contain steps of earlier runs with
 * the same number. They are ignored.
 */
function stepOf(run: Run, type: "planning" | "action", stepNumber: number): CallbackStep | undefined {
  const isIt = (step: MemoryStep): step is PlanningStep | ActionStep =>
    step.type === type && step.runId === run.id && step.stepNumber === stepNumber;
  return run.steps().findLast(isIt);
}

async function call(run: Run, callback: StepCallback<never>, step: CallbackStep): Promise<void> {
  try {
    // The cast is safe: callbacks are listed under the type of step that they take.
    const returned = await (callback as StepCallback<CallbackStep>)(Object.freeze(step), contextOf(run, step));
    if (returned !== step && isChange(returned)) throw invalidOption("it returned a change", editing);
  } catch (error) {
    run.signal.throwIfAborted();
    const place = step.type === "final-answer" ? "the final answer" : `${step.type} step ${step.stepNumber}`;
    const why = thrownText(error);
    const name = callback.name === "" ? "" : ` "${callback.name}"`;
    const hint = AgentError.is(error) ? error.hint : isAssignment(why) ? editing : undefined;
    throw new AgentError("callback", `the step callback${name} failed after ${place}: ${why}`, { cause: error, hint });
  }
}

/**
 * Says whether a callback returned a step, or a change for `edit`. Neither has an effect. Other
 * values are allowed, because many short functions return something, such as a call of `push`.
 */
const isChange = (returned: unknown): boolean =>
  isRecord(returned) && ("observation" in returned || "plan" in returned);

const editing = "write context.edit(step.stepNumber, { observation })";

/**
 * Says whether an error message is about a change to a frozen object. Callbacks written for
 * smolagents cause such errors, because they assign to the fields of a step.
 */
export const isAssignment = (message: string): boolean => /read.?only|not extensible/.test(message);

/** In smolagents, a callback gets the agent instead of this context. */
const explainStepContext: <Context extends object>(context: Context) => Context = /* @__PURE__ */ memberExplainer(
  "the context of a step callback",
  {
    methods: [["interrupt abort stop cancel", "write context.run.abort()"]],
    values: [
      ["memory logs", "write context.steps"],
      ["state", "write await context.variables()"],
      ["stepNumber", "write step.stepNumber"],
      ["model tools name maxSteps", "write context.agent, and the name after it"],
    ],
  },
);

const contextOf = (run: Run, step: CallbackStep): StepContext =>
  explainStepContext({
    id: [run.id, ...run.path, step.type, ...(step.type === "final-answer" ? [] : [step.stepNumber])].join("/"),
    agent: run.definition.agent,
    run: run.handle,
    steps: run.steps(),
    signal: run.signal,
    variables: () => run.handle.variables(),
    edit: (stepNumber, change) => {
      run.append({ type: "step-edit", stepNumber, change: checkedChange(run, stepNumber, change) });
    },
  });

function checkedChange(run: Run, stepNumber: number, change: StepEdit): StepChange {
  if (typeof stepNumber !== "number" || typeof change !== "object" || change === null)
    throw invalidEdit(String(stepNumber), "needs the number of a step and an object");
  const { plan, observation } = change;
  const has = (type: "planning" | "action"): boolean => stepOf(run, type, stepNumber) !== undefined;
  if (plan === undefined && observation === undefined) throw invalidEdit(stepNumber, "changes nothing");
  if (plan !== undefined && typeof plan !== "string") throw invalidEdit(stepNumber, "has a plan that is not a string");
  if (plan !== undefined && !has("planning")) throw invalidEdit(stepNumber, "is of a plan that was not made");
  if (observation !== undefined && !has("action")) throw invalidEdit(stepNumber, "is of a step that was not taken");
  const parts: readonly ContentPart[] | undefined =
    typeof observation === "string" ? [{ type: "text", text: observation }] : observation;
  if (parts !== undefined) checkParts(parts, `the observation of step ${stepNumber}`);
  return { ...(plan === undefined ? {} : { plan }), ...(parts === undefined ? {} : { observation: parts }) };
}

/** The fields of the option before they are checked. */
interface UncheckedCallbacks {
  readonly action?: unknown;
  readonly planning?: unknown;
  readonly finalAnswer?: unknown;
  readonly any?: unknown;
}

const isByType = (option: unknown): option is UncheckedCallbacks => isRecord(option) && !(Symbol.iterator in option);

function functions(callbacks: unknown = []): readonly StepCallback<never>[] {
  const list: readonly unknown[] = Array.isArray(callbacks) ? callbacks : [callbacks];
  if (list.every((callback): callback is StepCallback<never> => typeof callback === "function")) return list;
  throw invalid("stepCallbacks contains something that is not a function");
}

const invalid = (what: string): AgentError =>
  invalidOption(
    `${what}; expected functions, or an object { action, planning, finalAnswer, any } of functions`,
    "write stepCallbacks: (step) => console.log(step.stepNumber)",
  );

const invalidEdit = (stepNumber: number | string, what: string): AgentError =>
  invalidOption(
    `the edit of step ${stepNumber} ${what}`,
    "write edit(step.stepNumber, { plan: ... }) for a plan, or { observation: ... } for an action",
  );
