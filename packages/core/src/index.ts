export { CodeAgent } from "./code-agent.ts";
export { ToolCallingAgent } from "./tool-calling-agent.ts";
export { type AgentKind, MultiStepAgent } from "./multi-step-agent.ts";
export type { Action, AgentBehavior, AgentDefinition, TextSorter } from "./agent/agent-definition.ts";
export type {
  AgentOptions,
  CodeAgentOptions,
  ForkOptions,
  ManagedAgentOption,
  ResumeOptions,
  RunOptions,
  ToolCallingAgentOptions,
  ToolsOption,
} from "./agent/agent-options.ts";
export { codeAgentOptions, toolCallingAgentOptions } from "./agent/option-tables.ts";
export type { CheckedOptions } from "./agent/check-options.ts";
export type { ApprovalPolicy, ApproveHandler, PolicyCall } from "./tool-calls/approvals.ts";
export type { AgentTool, AgentToolInput, AsToolOptions, ManagedAgent } from "./tools/agent-tool.ts";
export type { HistoryMessage, RunInputOptions, Task, TaskPart } from "./session/run-input.ts";
export {
  audio,
  file,
  image,
  type MediaInput,
  type MediaOptions,
  type MediaSource,
  type UnstoredMedia,
} from "./media/media.ts";
export type { AgentAudio, AgentImage, AgentText, MediaAnswer } from "./media/media-answer.ts";
export type { ContextOptions } from "./step/compaction.ts";
export type { BeforeStep, StepDraft, StepOverrides } from "./step/before-step.ts";
export type { AnswerCheckContext, FinalAnswerCheck } from "./step/answer-checks.ts";
export type { StepCallback, StepCallbacks, StepContext, StepEdit, CallbackStep } from "./step/step-callbacks.ts";
export type { AgentRun, RunReader, RunResult } from "./session/agent-run.ts";
export type { Session, SessionForkOptions, SessionOptions, SessionRunOptions } from "./session/session.ts";
export { defaults } from "./defaults.ts";
export { finalAnswer } from "./tools/final-answer.ts";
export { type ParseToolCalls, parseToolCalls, type TextToolCall } from "./parsing/text-tool-calls.ts";
export type { AnswerCheck, AnswerIssue, AnswerOf, AnswerSchema } from "./tools/typed-answer.ts";
export { type ModelFunction, type ModelFunctionAnswer, modelFromFunction } from "./step/model-from-function.ts";
export { parseCode, completeCode, type ParseCodeOptions } from "./parsing/parse-code.ts";
export { type CodeBlockTags, type CodeTags, codeTags, stopSequences } from "./parsing/code-tags.ts";
export { type CodeStream, createCodeStream, type StreamPiece } from "./parsing/code-stream.ts";
export type { DeclaredTool } from "./languages/code-language.ts";
export { renderDeclarations, shapeText, typeText } from "./languages/languages.ts";
export type {
  ActionForm,
  FinalAnswerPromptParts,
  RunLimit,
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
export { cutMiddle, type ObservationInput, renderObservation, renderToolResult } from "./observation/observe.ts";
export type { ResultNames } from "./observation/cut-results.ts";
export { createToolSearch, type ToolSearch } from "./tools/tool-search.ts";
export { createStructuredStream } from "./parsing/structured-stream.ts";
export { inputFromArguments } from "./tool-calls/call-arguments.ts";
export { redact } from "@smolts/protocol";
export { toToolError } from "./tool-calls/redact.ts";
export type { SavedAgent, SavedTool } from "./agent/saved-agent.ts";
export { explainAgents, type OtherNames } from "./explain-agents.ts";
export { visualize } from "./visualize.ts";
/** @internal */
export {
  Agent,
  Runner,
  Tool,
  ToolLoopAgent,
  anthropic,
  baseTools,
  createAgent,
  createReactAgent,
  createTool,
  fileStore,
  generate,
  generateObject,
  generateText,
  hf,
  interpreter,
  ollama,
  openAICompatible,
  openai,
  run,
  streamObject,
  streamText,
  tool,
  webSearch,
} from "./other-names.ts";
