// Code can still read results that were cut before the model saw them. The next block of code finds
// each result in a variable whose name is in the observation.

import type { ActionStep, CompactionStep, EncodedValue, MemoryStep } from "@smolts/protocol";
import { textOf } from "@smolts/protocol";

/** The names of the variables that hold a step's printed text and its last value. */
export interface ResultNames {
  readonly printed: string;
  readonly output: string;
}

/** Returns the names for the results of a step. */
export const resultNames = (stepNumber: number): ResultNames => ({
  printed: `printed${stepNumber}`,
  output: `output${stepNumber}`,
});

/** Returns a note that tells the model which variable contains the whole text. */
export const cutNote = (name: string, what: string): string =>
  `${what} is cut above; the variable ${name} holds all of it.`;

/**
 * Returns the variables that a block of code gets for results that were cut in the step before it.
 *
 * The variables depend only on the record, and not on the current limits, so that a replay returns
 * the same variables. Recorded names are used instead of the names in the observation, because the
 * observation may have been edited since.
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

/** Returns the variables for observations that a compaction left out between two blocks of code. */
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

/** The words for printed text in the note about a cut. */
export const printedText = "What was printed";

/** The words for a program's last value in the note about a cut. */
export const outputText = "The last value";
