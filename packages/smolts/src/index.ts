export { type AgentOptions, CodeAgent, type CodeAgentOptions, type DoorOptions, ToolCallingAgent } from "./agents.ts";
export {
  type AgentRun,
  defaults,
  finalAnswer,
  type ModelFunction,
  type ModelFunctionAnswer,
  modelFromFunction,
  MultiStepAgent,
  parseCode,
  type ParseCodeOptions,
  type RunOptions,
  type RunResult,
  type Session,
  type SessionOptions,
  type SessionRunOptions,
  type ToolsOption,
} from "@smolts/core";
export { jsonSchema, tool, type ToolOptions } from "@smolts/tools";
export { baseTools, type BaseToolsOptions } from "@smolts/tools/base-tools";
export { javascriptInterpreter, type JavascriptInterpreterOptions } from "@smolts/tools/javascript-interpreter";
export { speechToText, type SpeechToTextOptions } from "@smolts/tools/speech-to-text";
export { visitWebpage, type VisitWebpageOptions } from "@smolts/tools/visit-webpage";
export { type SearchResult, webSearch, type WebSearchOptions } from "@smolts/tools/web-search";
export { wikipediaSearch, type WikipediaSearchOptions } from "@smolts/tools/wikipedia-search";
export {
  type AdapterOptions,
  anthropic,
  azure,
  type FailureDetails,
  generate,
  hf,
  litellm,
  ollama,
  openai,
  openAICompatible,
  type OpenAICompatibleOptions,
  resolveModel,
} from "@smolts/models";
export { interpreter, type InterpreterLimits, type InterpreterOptions } from "@smolts/interpreter";
export {
  foldSteps,
  fullCode,
  memoryLog,
  succinct,
  type SuccinctStep,
  toMessages,
  type ToMessagesOptions,
  totalUsage,
} from "@smolts/memory";
export {
  type ActionStep,
  AgentError,
  type AgentErrorCode,
  type ChatMessage,
  type ContentPart,
  type CustomStep,
  decodeValue,
  type DurableEvent,
  encodeValue,
  type EncodedValue,
  type Executor,
  type ExecutorFactory,
  type FinalAnswerStep,
  type JsonSchema,
  type JsonValue,
  type MemoryStep,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type PassingEvent,
  type RunEvent,
  type RunLog,
  type RunStatus,
  type SerializedError,
  type SystemPromptStep,
  type TaskStep,
  textOf,
  type Timing,
  type TokenUsage,
  type Tool,
  type ToolContext,
  type ToolEffects,
} from "@smolts/protocol";
