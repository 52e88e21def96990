export { memoryLog, type MemoryLog, type MemoryLogOptions } from "./memory-log.ts";
export { createStepFold, foldSteps, type FoldOptions, type StepFold } from "./fold-steps.ts";
export { toMessages, type ToMessagesOptions } from "./to-messages.ts";
export { succinct, type SuccinctStep } from "./succinct.ts";
export { fullCode } from "./full-code.ts";
export { totalUsage } from "./total-usage.ts";
export { type UsageTree, usageTree } from "./usage-tree.ts";
export { renderRun, type RenderRunOptions } from "./render-run.ts";
export { durationText, usageText } from "./figures.ts";
