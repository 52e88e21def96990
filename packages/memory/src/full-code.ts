import type { MemoryStep } from "@smolts/protocol";
import { checkSteps } from "./check-steps.ts";

/**
 * Returns one program: the code of all steps that ran code, with a blank line between the blocks.
 *
 * @example
 * ```ts
 * import { foldSteps, fullCode, memoryLog } from "@smolts/memory";
 *
 * const log = memoryLog();
 * const at = { runId: "r", path: ["agent"] };
 * log.append({ type: "step-start", stepNumber: 1 }, at);
 * log.append({ type: "code-start", stepNumber: 1, code: "1 + 1" }, at);
 * console.log(fullCode(foldSteps(log.events, { path: ["agent"] }))); // 1 + 1
 * ```
 */
export function fullCode(steps: readonly MemoryStep[]): string {
  checkSteps("fullCode()", steps);
  return steps.flatMap((step) => (step.type === "action" && step.code !== null ? [step.code] : [])).join("\n\n");
}
