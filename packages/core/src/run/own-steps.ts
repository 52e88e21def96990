import type { ActionStep } from "@smolts/protocol";
import type { Run } from "./run.ts";

/**
 * Returns the action steps of this run so far, without those of earlier runs in the same memory.
 */
export function actionsOf(run: Run): readonly ActionStep[] {
  const steps = run.steps();
  const task = steps.findLastIndex((step) => step.type === "task" && step.runId === run.id);
  return steps.slice(task + 1).filter((step) => step.type === "action");
}
