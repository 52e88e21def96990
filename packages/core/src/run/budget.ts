// Enforces the limits of a run. The limits are checked before each step and before each tool call.
// The log keeps each result, so that no check is repeated on resume: the result of a check before a
// step is an event, and that of a check before a call is the outcome of the call. Usage of a
// managed agent also counts for its callers. If a caller has exhausted its tokens, money or time,
// the managed agent stops too.

import {
  AgentError,
  type Budget,
  type EventOf,
  invalidOption,
  type OptionTable,
  readOptions,
  type SerializedError,
  type TokenUsage,
} from "@smolts/protocol";
import type { AskedCall } from "../tool-calls/asked-call.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { actionsOf } from "./own-steps.ts";
import type { PastStep } from "./past.ts";
import { failuresInARow } from "./repeated-failures.ts";
import type { Run } from "./run.ts";

const limits = [
  "tokens",
  "costUsd",
  "durationMs",
  "toolCalls",
  "repeatedFailures",
] as const satisfies readonly (keyof Budget)[];

const budgetTable: OptionTable<Budget> = {
  tokens: true,
  costUsd: true,
  durationMs: true,
  toolCalls: true,
  repeatedFailures: true,
};

/**
 * If a caller reaches one of these limits, its managed agents stop too. Calls and failures are
 * counted for each agent separately.
 */
const sharedLimits = ["tokens", "costUsd", "durationMs"] as const satisfies readonly (keyof Budget)[];

/**
 * Checks a budget, and returns the limits that are set.
 *
 * @throws AgentError `invalid-option` that says what to change
 */
export function checkBudget(budget: unknown): Budget {
  if (typeof budget !== "object" || budget === null) throw invalid(`budget is ${String(budget)}`);
  const read = readOptions<Budget>(budget, "budget", budgetTable);
  for (const [limit, value] of Object.entries(read)) {
    if (typeof value !== "number" || !(value >= 0)) throw invalid(`budget.${limit} is ${String(value)}`);
  }
  // Both 0 and Infinity mean "no limit", so such entries are left out. The log cannot hold
  // Infinity.
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value > 0 && Number.isFinite(value)));
}

/**
 * Returns the limit that is exhausted before a step, and records it. Null when the step may be
 * taken.
 *
 * @throws AgentError `invalid-option` when a model did not report the usage that the budget limits
 */
export function exhaustedLimit(run: Run, stepNumber: number): keyof Budget | null {
  const { budgetStop, steps } = run.past;
  if (budgetStop) return budgetStop.stepNumber === stepNumber ? budgetStop.limit : null;
  const begun = steps.get(stepNumber);
  if (begun && !hasLostAnswer(run, begun)) return null;
  const stop = firstExhausted(run, limits);
  if (stop) run.append({ type: "budget-stop", stepNumber, ...stop });
  return stop?.limit ?? null;
}

/**
 * Says whether the given step is the last one that the limits allow. Records no event, unlike
 * {@link exhaustedLimit}.
 */
export const isLastStep = (run: Run, stepNumber: number): boolean =>
  stepNumber >= run.start.maxSteps || firstExhausted(run, limits) !== null;

/**
 * Says whether a step began and the model's answer to it was lost. The model must then be asked
 * again, and its new answer must be paid for too.
 */
const hasLostAnswer = ({ past }: Run, { response, forkedCode, codeStart, end }: PastStep): boolean =>
  past.attempts > 1 && response === null && forkedCode === null && codeStart === null && end === null;

/**
 * Returns why a tool call is refused; null if the budget allows it. The final answer is always
 * allowed.
 */
export function budgetRefusal(run: Run, call: AskedCall): SerializedError | null {
  if (call.name === finalAnswerName) return null;
  const stop = tooManyCalls(run, call);
  return stop ? refusalOf(stop, `"${call.name}"`) : sharedBudgetRefusal(run, `"${call.name}"`);
}

/**
 * Returns the error that refuses a call because the tokens, money or time of the budget are
 * exhausted. Null while the budget allows the call.
 */
export function sharedBudgetRefusal(run: Run, what: string): SerializedError | null {
  const stop = firstExhausted(run, sharedLimits);
  return stop && refusalOf(stop, what);
}

const refusalOf = ({ allowed, limit }: Stop, what: string): SerializedError =>
  new AgentError("budget", `${what} was not called: the budget of ${allowed} ${limit} is exhausted`, {
    hint: "answer now, from what you have",
  }).toJSON();

function tooManyCalls(run: Run, call: AskedCall): Stop | null {
  const allowed = run.start.budget?.toolCalls;
  if (allowed === undefined) return null;
  const used = callsBefore(run, call.stepNumber) + call.callIndex - 1;
  return used >= allowed ? { limit: "toolCalls", allowed, used } : null;
}

/**
 * Says whether the run, or a run that called it, has a budget that needs the usage of each answer.
 */
export const needsUsage = ({ start: { budget }, caller }: Run): boolean =>
  budget?.tokens !== undefined || budget?.costUsd !== undefined || (caller !== null && needsUsage(caller));

/**
 * Throws if the budget limits tokens or costs and the model does not report them.
 *
 * @throws AgentError `invalid-option` that names the limit
 */
export function requireUsage({ start: { budget }, definition: { model } }: Run, usage: TokenUsage | null): void {
  const which = `the model "${model.id}"`;
  if (budget?.tokens !== undefined && usage === null) throw unreported("tokens", which);
  if (budget?.costUsd !== undefined && usage?.costUsd === undefined) throw unreported("costUsd", which);
}

type Stop = Pick<EventOf<"budget-stop">, "limit" | "allowed" | "used" | "estimated">;

function firstExhausted(run: Run, among: readonly (keyof Budget)[]): Stop | null {
  const ofCaller = run.caller ? firstExhausted(run.caller, sharedLimits) : null;
  const { budget } = run.start;
  if (!budget || ofCaller) return ofCaller;
  for (const limit of among) {
    const allowed = budget[limit];
    if (allowed === undefined) continue;
    const estimated = estimateOf(run, limit);
    const used = usedOf[limit](run) + estimated;
    if (used >= allowed) return { limit, allowed, used, ...(estimated > 0 && { estimated }) };
  }
  return null;
}

const usedOf: { readonly [Limit in keyof Required<Budget>]: (run: Run) => number } = {
  tokens: (run) => {
    const usage = run.usage();
    if (usage === null) throw unreported("tokens", "a model that worked for it");
    return usage.totalTokens;
  },
  costUsd: (run) => {
    const usage = run.usage();
    if (usage?.totalTokens === 0) return 0;
    if (usage?.costUsd === undefined) throw unreported("costUsd", "a model that worked for it");
    return usage.costUsd;
  },
  durationMs: (run) => run.activeMs(),
  toolCalls: (run) => callsBefore(run, Number.POSITIVE_INFINITY),
  repeatedFailures: (run) => failuresInARow(run),
};

/**
 * Estimates how much of a limit was used by answers that a crash lost. These answers were paid for,
 * but their usage is unknown.
 */
function estimateOf(run: Run, limit: keyof Budget): number {
  if (limit === "tokens") return run.usage()?.lostEstimate?.totalTokens ?? 0;
  return limit === "costUsd" ? (run.usage()?.lostEstimate?.costUsd ?? 0) : 0;
}

const callsBefore = (run: Run, stepNumber: number): number =>
  actionsOf(run)
    .filter((step) => step.stepNumber < stepNumber)
    .flatMap((step) => step.toolCalls)
    .filter(({ name }) => name !== finalAnswerName).length;

const unreported = (limit: "tokens" | "costUsd", which: string): AgentError =>
  invalidOption(
    `budget.${limit} cannot be enforced: ${which} does not report ${limit === "tokens" ? "its tokens" : "its cost"}`,
    limit === "costUsd" ? "give the model its option pricing, or use budget.tokens" : "use budget.durationMs",
  );

const invalid = (what: string): AgentError =>
  invalidOption(
    `${what}; expected numbers >= 0 named ${limits.join(", ")}`,
    "write budget: { tokens: 100_000 }; 0 and Infinity mean no limit",
  );
