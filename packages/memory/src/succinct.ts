import type { ActionStep, MemoryStep, SystemPromptStep } from "@smolts/protocol";
import { checkSteps } from "./check-steps.ts";

/** A step without repeated content; see {@link succinct}. */
export type SuccinctStep =
  | Exclude<MemoryStep, ActionStep | SystemPromptStep>
  | Omit<ActionStep, "modelOutput" | "observation">;

/**
 * Returns steps without their large parts, for listings and comparisons.
 *
 * It leaves out the system prompt, the model's messages (but not their code and calls) and the
 * observations (but not logs, output and outcomes).
 *
 * @example
 * ```ts
 * import { succinct } from "@smolts/memory";
 *
 * console.log(succinct([{ type: "system-prompt", text: "You are ..." }])); // []
 * ```
 */
export function succinct(steps: readonly MemoryStep[]): readonly SuccinctStep[] {
  checkSteps("succinct()", steps);
  return steps.filter((step) => step.type !== "system-prompt").map(withoutBulk);
}

function withoutBulk(step: Exclude<MemoryStep, SystemPromptStep>): SuccinctStep {
  if (step.type !== "action") return step;
  const { modelOutput, observation, ...rest } = step;
  return rest;
}
