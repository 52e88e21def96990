export { CodeAgent } from "./code-agent.ts";
export { ToolCallingAgent } from "./tool-calling-agent.ts";
export { type AgentKind, MultiStepAgent } from "./multi-step-agent.ts";
export type { Action, AgentBehaviour, AgentDefinition, TextSorter } from "./agent-definition.ts";
export type {
  AgentOptions,
  CheckedOptions,
  CodeAgentOptions,
  ManagedAgentOption,
  ResumeOptions,
  RunOptions,
  ToolCallingAgentOptions,
  ToolsOption,
} from "./agent-options.ts";
export type { ApprovalPolicy, ApproveHandler, PolicyCall } from "./approvals.ts";
export type { AgentTool, AgentToolInput, AsToolOptions, ManagedAgent } from "./agent-tool.ts";
export type { HistoryMessage, RunInputOptions, Task, TaskPart } from "./run-input.ts";
export {
  audio,
  file,
  image,
  type MediaInput,
  type MediaOptions,
  type MediaSource,
  type UnstoredMedia,
} from "./media.ts";
export type { AgentAudio, AgentImage, AgentText, MediaAnswer } from "./media-answer.ts";
export type { BeforeStep, StepDraft, StepOverrides } from "./before-step.ts";
export type { AnswerCheckContext, FinalAnswerCheck } from "./answer-checks.ts";
export type { StepCallback, StepCallbacks, StepContext, StepEdit, ToldStep } from "./step-callbacks.ts";
export type { AgentRun, RunResult } from "./agent-run.ts";
export type { Session, SessionOptions, SessionRunOptions } from "./session.ts";
export { defaults } from "./defaults.ts";
export { finalAnswer } from "./final-answer.ts";
export { type ParseToolCalls, parseToolCalls, type TextToolCall } from "./text-tool-calls.ts";
export type { AnswerCheck, AnswerIssue, AnswerSchema } from "./typed-answer.ts";
export { type ModelFunction, type ModelFunctionAnswer, modelFromFunction } from "./model-from-function.ts";
export { parseCode, completeCode, type ParseCodeOptions } from "./parse-code.ts";
export { type CodeBlockTags, type CodeTags, codeTags, stopSequences } from "./code-tags.ts";
export { type CodeStream, createCodeStream, type StreamPiece } from "./code-stream.ts";
export { type DeclaredTool, renderDeclarations, typeText } from "./declarations.ts";
export type {
  ActionForm,
  FinalAnswerPromptParts,
  ManagedAgentPromptParts,
  PlanPromptParts,
  Prompt,
  PromptParts,
  Prompts,
  ReportPromptParts,
  SystemPromptParts,
  ToolPromptParts,
} from "./prompts/prompts-option.ts";
export { systemPrompt, type SystemPromptInput } from "./prompts/system.ts";
export { classicPrompts } from "./prompts/classic.ts";
export { managedAgentPrompt, reportPrompt } from "./prompts/managed-agent.ts";
export { finalAnswerMessages, finalAnswerPrompt } from "./prompts/final-answer.ts";
export { cutMiddle, type ObservationInput, renderObservation, renderToolResult } from "./observe.ts";
export type { ResultNames } from "./cut-results.ts";
export { createToolSearch, type ToolSearch } from "./tool-search.ts";
export { createStructuredStream } from "./structured-stream.ts";
export { shapeText } from "./shape-text.ts";
export { inputFromArguments } from "./call-arguments.ts";
export { redact, toToolError } from "./redact.ts";
export type { SavedAgent, SavedTool } from "./saved-agent.ts";
export { visualize } from "./visualize.ts";
