import type { ActionStep, MemoryStep, SystemPromptStep } from "@smolts/protocol";

/** A step without what it says twice; see {@link succinct}. */
export type SuccinctStep =
  | Exclude<MemoryStep, ActionStep | SystemPromptStep>
  | Omit<ActionStep, "modelOutput" | "observation">;

/**
 * Steps without their bulk, for listings and comparisons.
 *
 * Left out are the system prompt, the model's messages (their code and calls stay) and the
 * observations (logs, output and outcomes stay).
 *
 * @example
 * ```ts
 * import { succinct } from "@smolts/memory";
 *
 * console.log(succinct([{ type: "system-prompt", text: "You are ..." }])); // []
 * ```
 */
export function succinct(steps: readonly MemoryStep[]): readonly SuccinctStep[] {
  return steps.filter((step) => step.type !== "system-prompt").map(withoutBulk);
}

function withoutBulk(step: Exclude<MemoryStep, SystemPromptStep>): SuccinctStep {
  if (step.type !== "action") return step;
  const { modelOutput, observation, ...rest } = step;
  return rest;
}
