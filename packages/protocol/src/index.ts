/// <reference lib="esnext.disposable" preserve="true" />

export type {
  ApprovalDecision,
  ApprovalRequest,
  QuestionForm,
  DoubtDecision,
  DecisionInput,
  RecordedDecision,
  RecordedDoubtDecision,
} from "./approval.ts";
export { thrownText } from "./functions/thrown-text.ts";
export { fromBase64, toBase64 } from "./functions/base64.ts";
export type { Budget } from "./budget.ts";
export type { Fetch, WebWorker } from "./platform-types.ts";
export { isDurableType, isTransientEvent } from "./durable-types.ts";
export { AgentError, type AgentErrorCode, type AgentErrorOptions, type SerializedError } from "./error.ts";
export { invalidOption } from "./options/invalid-option.ts";
export type {
  DurableBody,
  DurableEvent,
  EventOf,
  EventStamp,
  TransientBody,
  TransientEvent,
  Path,
  RunEvent,
  RunStatus,
} from "./event.ts";
export type {
  BlockOutput,
  CallOutcome,
  ConsoleLine,
  ExecuteOptions,
  ExecutionEnvironment,
  ExecutionFacts,
  ExecutionResult,
  Executor,
  ExecutorFactory,
  HostCall,
  OpenOptions,
  OutputMedia,
  StopReason,
  VariablesOptions,
  VariableSummary,
} from "./executor.ts";
export type { CodeCheck, CodeCheckInput, CodeProblem } from "./code-check.ts";
export { isPathAt, isPathUnder } from "./path.ts";
export { isRecord, type JsonSchema, type JsonValue } from "./json.ts";
export {
  type BlobRef,
  type ChatMessage,
  type ContentPart,
  type MediaPart,
  type MessageRole,
  type ReadBlob,
  type ReasoningPart,
  type TextPart,
  textOf,
  type ToolCallPart,
  type ToolResultPart,
} from "./message.ts";
export type {
  FinishReason,
  Model,
  ModelCapabilities,
  ModelEvent,
  ModelReference,
  ModelRequest,
  ModelStreamOptions,
  TokenUsage,
  ToolDeclaration,
} from "./model.ts";
export type {
  GuestModule,
  HostFunction,
  HostModule,
  ImportableModules,
  ModuleDeclaration,
  Modules,
} from "./module.ts";
export { readApprovalDecision, readDoubtDecision } from "./functions/read-decision.ts";
export { bearerKeyOf, hostOf, isLoopback, isSameSecret } from "./functions/http-access.ts";
export { likelyName, nearestName } from "./functions/nearest-name.ts";
export { jsonLength } from "./functions/json-length.ts";
export { toPlainJson, toPlainText } from "./functions/plain-json.ts";
export {
  type ExplainedMembers,
  explainDetachedCalls,
  explainLoop,
  explainSpelling,
  explainUnknown,
  explainWords,
  explainMembers,
  memberExplainer,
  type OtherMembers,
} from "./options/explain-members.ts";
export { checkRequest } from "./options/check-request.ts";
export { explainFactory } from "./options/explain-factory.ts";
export { explainPromise } from "./options/explain-promise.ts";
export { otherName } from "./options/other-name.ts";
export { explainToolContext } from "./options/explain-tool-context.ts";
export { isClass, wrongArgument } from "./options/option-kinds.ts";
export { type OptionTable, readOptions } from "./options/read-options.ts";
export type { EventPlace, RunLog } from "./run-log.ts";
export type {
  EventCursor,
  ListRunsOptions,
  OpenLogOptions,
  RunStore,
  StoredEvent,
  StoredLog,
  StoredRun,
  StoredRunStatus,
} from "./run-store.ts";
export type {
  ActionStep,
  CompactionStep,
  CompactionView,
  CustomStep,
  FinalAnswerStep,
  MemoryStep,
  MessageStep,
  PlanningStep,
  StepChange,
  SystemPromptStep,
  TaskStep,
  Timing,
  ToolCallRecord,
} from "./step.ts";
export {
  isTool,
  type Tool,
  type ToolContext,
  type ToolEffects,
  type ToolGeneration,
  type ToolQuestion,
  type ToolReference,
} from "./tool.ts";
export {
  decodeValue,
  encodeValue,
  type EncodedValue,
  type EncodeOptions,
  maxValueDepth,
  type ObjectShape,
  type ValueBuilder,
} from "./functions/value-codec.ts";
export { hiddenCharacter, visible, type VisibleTextOptions, VisibleTextStream } from "./functions/visible-text.ts";
export { randomHex, toHex } from "./functions/hex.ts";
export { sha256 } from "./functions/sha256.ts";
export { onAbort, untilAborted } from "./functions/until-aborted.ts";
export { wait } from "./functions/wait.ts";
export { redact, redactData } from "./functions/redact.ts";
export { type HideSecrets, hideSecretsOf, isSecret, type Secret, secret } from "./secret.ts";
