// Results that were cut for the model can still be read whole: the next block of code finds each in
// a variable that the observation names.

import type { ActionStep, CompactionStep, EncodedValue, MemoryStep } from "@smolts/protocol";
import { textOf } from "@smolts/protocol";

/** The names under which code finds what a step printed and gave. */
export interface ResultNames {
  readonly printed: string;
  readonly output: string;
}

/** The names for the results of a step. */
export const resultNames = (stepNumber: number): ResultNames => ({
  printed: `printed${stepNumber}`,
  output: `output${stepNumber}`,
});

/** Tells the model by which variable it can look at the rest. */
export const cutNote = (name: string, what: string): string =>
  `${what} is cut above; the variable ${name} holds all of it.`;

/**
 * The variables that a block of code gets for what was cut in the step before it.
 *
 * They follow from the record alone, whatever the limits are now, so that a replay returns the same
 * ones. The names that were `recorded` come before what the step shows: that may have been edited
 * since.
 */
export function cutVariables(
  steps: readonly MemoryStep[],
  {
    runId,
    stepNumber,
    recorded,
  }: Pick<ActionStep, "runId" | "stepNumber"> & { readonly recorded: readonly string[] | undefined },
): { readonly [name: string]: EncodedValue } {
  const isBefore = (step: MemoryStep): step is ActionStep =>
    step.type === "action" && step.runId === runId && step.stepNumber < stepNumber && step.code !== null;
  const step = steps.findLast(isBefore);
  if (!step) return {};
  const reopened = shortenedBetween(steps, step, { stepNumber, recorded });
  const shown = textOf(step.observation);
  const names = resultNames(step.stepNumber);
  const isGiven = (name: string, what: string): boolean =>
    recorded ? recorded.includes(name) : shown.includes(cutNote(name, what));
  return {
    ...reopened,
    ...(isGiven(names.printed, printedText) ? { [names.printed]: step.logs } : {}),
    ...(isGiven(names.output, outputText) ? { [names.output]: step.output } : {}),
  };
}

/** The variables of observations that were left out of the history between two blocks. */
function shortenedBetween(
  steps: readonly MemoryStep[],
  last: ActionStep,
  { stepNumber, recorded }: { readonly stepNumber: number; readonly recorded: readonly string[] | undefined },
): { readonly [name: string]: EncodedValue } {
  const isBetween = (step: MemoryStep): step is CompactionStep =>
    step.type === "compaction" &&
    step.runId === last.runId &&
    step.stepNumber > last.stepNumber &&
    step.stepNumber <= stepNumber;
  const shortened = steps.filter(isBetween).flatMap((step) => step.shortened);
  const wanted = recorded ?? shortened.flatMap(({ names }) => names);
  if (wanted.length === 0) return {};
  const variables: [string, EncodedValue][] = [];
  for (const step of steps) {
    if (step.type !== "action" || step.runId !== last.runId || step === last) continue;
    const { printed, output } = resultNames(step.stepNumber);
    if (wanted.includes(printed)) variables.push([printed, step.logs]);
    if (wanted.includes(output)) variables.push([output, step.output]);
  }
  return Object.fromEntries(variables);
}

/** The printed text of a step, in the words of the note that it is cut. */
export const printedText = "What was printed";

/** The value of a step, in the words of the note. */
export const outputText = "The last value";
