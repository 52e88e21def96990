export { memoryLog, type MemoryLog, type MemoryLogOptions } from "./memory-log.ts";
export { memoryStore } from "./store/memory-store.ts";
export { createStepFold, foldSteps, type FoldOptions, type StepFold } from "./fold-steps.ts";
export { toMessages, type ToMessagesOptions } from "./to-messages.ts";
export { succinct, type SuccinctStep } from "./succinct.ts";
export { type AskingEvent, isAsking, openQuestions, openRequests, requestOf } from "./asked-people.ts";
export { explainMessage, explainMessages, explainRecords, explainTiming, type NamesOfRecords } from "./explain-step.ts";
export { fullCode } from "./full-code.ts";
export { sumUsage, totalUsage } from "./total-usage.ts";
export { createUsageFold, type LostUsageEstimate, type UsageFold, type UsageTree, usageTree } from "./usage-tree.ts";
export { renderRun, type RenderRunOptions } from "./render-run.ts";
export { durationText, usageText } from "./figures.ts";
export { blobsNamedIn, parseRunFile, type RunFile, runFileLines } from "./run-file.ts";
export { importedEvents, type ImportedEvent } from "./imported-events.ts";
export {
  compactedSteps,
  estimateTokens,
  hasLongObservation,
  trimSteps,
  withoutOldImages,
  withoutOldObservations,
} from "./views.ts";
/** @internal */
export { InMemoryStore, MemorySaver, fileStore, postgresStore, sqliteStore } from "./other-names.ts";
