// What a run may use up. Budgets decide where something is asked for, by number: before a step, and before a tool call. The decision before a step is an
// event of the log, one about a call is the call's outcome, so that neither is made again on resume.

import { AgentError, type Budget, type EventOf, type SerializedError, type TokenUsage } from "@smolts/protocol";
import type { AskedCall } from "../tool-calls/asked-call.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { actionsOf } from "./own-steps.ts";
import { failuresInARow } from "./repeated-failures.ts";
import type { Run } from "./run.ts";

const limits = [
  "tokens",
  "costUsd",
  "durationMs",
  "toolCalls",
  "repeatedFailures",
] as const satisfies readonly (keyof Budget)[];

/** Checks a budget. @throws AgentError `invalid-option` that says what to change */
export function checkBudget(budget: unknown): Budget {
  if (typeof budget !== "object" || budget === null) throw invalid(`budget is ${String(budget)}`);
  for (const [limit, value] of Object.entries(budget)) {
    if (!limits.some((known) => known === limit)) throw invalid(`budget has no limit "${limit}"`);
    if (typeof value !== "number" || !(value >= 0)) throw invalid(`budget.${limit} is ${String(value)}`);
  }
  // The values of limits that are not set are dropped, so that the log can hold the rest.
  return Object.fromEntries(Object.entries(budget).filter(([, value]) => value > 0 && Number.isFinite(value)));
}

/** Whether a step is not to be taken, since a budget is used up; that is recorded. */
export function isUsedUp(run: Run, stepNumber: number): boolean {
  const { budgetStop, steps } = run.past;
  if (budgetStop) return budgetStop.stepNumber === stepNumber;
  if (steps.has(stepNumber)) return false;
  const stop = firstUsedUp(run);
  if (stop) run.append({ type: "budget-stop", stepNumber, ...stop });
  return stop !== null;
}

/** Why a tool must not be called any more; null when it may be. The answer may always be given. */
export function budgetRefusal(run: Run, call: AskedCall): SerializedError | null {
  if (!run.start.budget || call.name === finalAnswerName) return null;
  const allowed = run.start.budget.toolCalls ?? Number.POSITIVE_INFINITY;
  const callNumber = callsBefore(run, call.stepNumber) + call.callIndex;
  const stop =
    callNumber > allowed ? { limit: "toolCalls", allowed } : firstUsedUp(run, ["tokens", "costUsd", "durationMs"]);
  if (!stop) return null;
  return new AgentError(
    "budget",
    `"${call.name}" was not called: the budget of ${stop.allowed} ${stop.limit} is used up`,
    {
      hint: "answer now, from what you have",
    },
  ).toJSON();
}

/**
 * Ends a run whose model does not tell what a budget has to be held against.
 *
 * @throws AgentError `invalid-option` that names the budget
 */
export function mustTellUsage({ start: { budget }, definition: { model } }: Run, usage: TokenUsage | null): void {
  if (budget?.tokens !== undefined && usage === null) throw untold("tokens", model.id, "used");
  if (budget?.costUsd !== undefined && usage?.costUsd === undefined) throw untold("costUsd", model.id, "cost");
}

type Stop = Pick<EventOf<"budget-stop">, "limit" | "allowed" | "used">;

function firstUsedUp(run: Run, among: readonly (keyof Budget)[] = limits): Stop | null {
  const { budget } = run.start;
  if (!budget) return null;
  for (const limit of among) {
    const allowed = budget[limit];
    if (allowed === undefined) continue;
    const used = usedOf[limit](run);
    if (used >= allowed) return { limit, allowed, used };
  }
  return null;
}

const usedOf: { readonly [Limit in keyof Required<Budget>]: (run: Run) => number } = {
  tokens: (run) => run.usage()?.totalTokens ?? 0,
  costUsd: (run) => run.usage()?.costUsd ?? 0,
  durationMs: (run) => run.activeMs(),
  toolCalls: (run) => callsBefore(run, Number.POSITIVE_INFINITY),
  repeatedFailures: (run) => failuresInARow(run),
};

const callsBefore = (run: Run, stepNumber: number): number =>
  actionsOf(run)
    .filter((step) => step.stepNumber < stepNumber)
    .flatMap((step) => step.toolCalls)
    .filter(({ name }) => name !== finalAnswerName).length;

const untold = (limit: keyof Budget, model: string, what: string): AgentError =>
  new AgentError(
    "invalid-option",
    `budget.${limit} cannot be kept: the model "${model}" does not tell what it ${what}`,
    {
      hint: limit === "costUsd" ? "give the model its option pricing, or use budget.tokens" : "use budget.durationMs",
    },
  );

const invalid = (what: string): AgentError =>
  new AgentError("invalid-option", `${what}; expected numbers >= 0 named ${limits.join(", ")}`, {
    hint: "write budget: { tokens: 100_000 }; 0 and Infinity mean no limit",
  });
