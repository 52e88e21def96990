import type { ActionStep } from "@smolts/protocol";
import type { Run } from "./run.ts";

/** The actions of this very run so far, without those of runs before it in the same memory. */
export function actionsOf(run: Run): readonly ActionStep[] {
  const steps = run.steps();
  const task = steps.findLastIndex((step) => step.type === "task" && step.runId === run.id);
  return steps.slice(task + 1).filter((step) => step.type === "action");
}
