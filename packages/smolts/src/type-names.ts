// A value for each type that `smolts` exports. Each value throws when it is used.
//
// Node runs TypeScript without removing unused imports, so an import of the type `Tool` needs a
// value `Tool`. If another framework has a class of the same name, the error says what to write
// instead of that class. The values are not in the type declarations.

import { otherName } from "@smolts/protocol";

const typeName = (name: string): (() => never) =>
  otherName(name, `import type { ${name} } from "smolts": it is a type`);

/** @internal */
export const ActionStep: () => never = /* @__PURE__ */ otherName("ActionStep", 'step.type === "action"');
/** @internal */
export const AdapterOptions: () => never = /* @__PURE__ */ typeName("AdapterOptions");
/** @internal */
export const AgentAudio: () => never = /* @__PURE__ */ otherName("AgentAudio", "audio(source)");
/** @internal */
export const AgentErrorCode: () => never = /* @__PURE__ */ typeName("AgentErrorCode");
/** @internal */
export const AgentImage: () => never = /* @__PURE__ */ otherName("AgentImage", "image(source)");
/** @internal */
export const AgentRun: () => never = /* @__PURE__ */ typeName("AgentRun");
/** @internal */
export const AgentText: () => never = /* @__PURE__ */ otherName("AgentText", "the text itself");
/** @internal */
export const AgentTool: () => never = /* @__PURE__ */ otherName("AgentTool", "agent.asTool({ name, description })");
/** @internal */
export const AnswerCheckContext: () => never = /* @__PURE__ */ typeName("AnswerCheckContext");
/** @internal */
export const AnswerOf: () => never = /* @__PURE__ */ typeName("AnswerOf");
/** @internal */
export const AnswerSchema: () => never = /* @__PURE__ */ typeName("AnswerSchema");
/** @internal */
export const ApprovalDecision: () => never = /* @__PURE__ */ typeName("ApprovalDecision");
/** @internal */
export const ApprovalPolicy: () => never = /* @__PURE__ */ typeName("ApprovalPolicy");
/** @internal */
export const ApprovalRequest: () => never = /* @__PURE__ */ typeName("ApprovalRequest");
/** @internal */
export const ApproveHandler: () => never = /* @__PURE__ */ typeName("ApproveHandler");
/** @internal */
export const AsToolOptions: () => never = /* @__PURE__ */ typeName("AsToolOptions");
/** @internal */
export const BaseToolsOptions: () => never = /* @__PURE__ */ typeName("BaseToolsOptions");
/** @internal */
export const BeforeStep: () => never = /* @__PURE__ */ typeName("BeforeStep");
/** @internal */
export const Budget: () => never = /* @__PURE__ */ otherName("Budget", "budget: { costUsd: 1 }, an option of agents");
/** @internal */
export const ChatMessage: () => never = /* @__PURE__ */ otherName(
  "ChatMessage",
  '{ role: "user", content: [{ type: "text", text: "..." }] }',
);
/** @internal */
export const ContentPart: () => never = /* @__PURE__ */ typeName("ContentPart");
/** @internal */
export const ContextOptions: () => never = /* @__PURE__ */ typeName("ContextOptions");
/** @internal */
export const CustomStep: () => never = /* @__PURE__ */ typeName("CustomStep");
/** @internal */
export const DecisionInput: () => never = /* @__PURE__ */ typeName("DecisionInput");
/** @internal */
export const DurableEvent: () => never = /* @__PURE__ */ typeName("DurableEvent");
/** @internal */
export const EncodedValue: () => never = /* @__PURE__ */ typeName("EncodedValue");
/** @internal */
export const Executor: () => never = /* @__PURE__ */ otherName(
  "Executor",
  "interpreter(), or an object with the members of the type Executor",
);
/** @internal */
export const ExecutorFactory: () => never = /* @__PURE__ */ typeName("ExecutorFactory");
/** @internal */
export const FailureDetails: () => never = /* @__PURE__ */ typeName("FailureDetails");
/** @internal */
export const FinalAnswerCheck: () => never = /* @__PURE__ */ typeName("FinalAnswerCheck");
/** @internal */
export const FinalAnswerStep: () => never = /* @__PURE__ */ otherName(
  "FinalAnswerStep",
  'step.type === "final-answer"',
);
/** @internal */
export const GuestModuleOptions: () => never = /* @__PURE__ */ typeName("GuestModuleOptions");
/** @internal */
export const HistoryMessage: () => never = /* @__PURE__ */ typeName("HistoryMessage");
/** @internal */
export const HostModuleOptions: () => never = /* @__PURE__ */ typeName("HostModuleOptions");
/** @internal */
export const InterpreterLimits: () => never = /* @__PURE__ */ typeName("InterpreterLimits");
/** @internal */
export const InterpreterOptions: () => never = /* @__PURE__ */ typeName("InterpreterOptions");
/** @internal */
export const JavascriptInterpreterOptions: () => never = /* @__PURE__ */ typeName("JavascriptInterpreterOptions");
/** @internal */
export const JsonSchema: () => never = /* @__PURE__ */ typeName("JsonSchema");
/** @internal */
export const JsonValue: () => never = /* @__PURE__ */ typeName("JsonValue");
/** @internal */
export const LostUsageEstimate: () => never = /* @__PURE__ */ typeName("LostUsageEstimate");
/** @internal */
export const MediaAnswer: () => never = /* @__PURE__ */ typeName("MediaAnswer");
/** @internal */
export const MediaInput: () => never = /* @__PURE__ */ typeName("MediaInput");
/** @internal */
export const MediaOptions: () => never = /* @__PURE__ */ typeName("MediaOptions");
/** @internal */
export const MediaSource: () => never = /* @__PURE__ */ typeName("MediaSource");
/** @internal */
export const MemoryStep: () => never = /* @__PURE__ */ typeName("MemoryStep");
/** @internal */
export const MessageStep: () => never = /* @__PURE__ */ typeName("MessageStep");
/** @internal */
export const Model: () => never = /* @__PURE__ */ otherName(
  "Model",
  'openai("gpt-5-mini"), or model: (messages) => "..."',
);
/** @internal */
export const ModelEvent: () => never = /* @__PURE__ */ typeName("ModelEvent");
/** @internal */
export const ModelFunction: () => never = /* @__PURE__ */ typeName("ModelFunction");
/** @internal */
export const ModelFunctionAnswer: () => never = /* @__PURE__ */ typeName("ModelFunctionAnswer");
/** @internal */
export const ModelName: () => never = /* @__PURE__ */ typeName("ModelName");
/** @internal */
export const ModelRequest: () => never = /* @__PURE__ */ typeName("ModelRequest");
/** @internal */
export const OpenAICompatibleOptions: () => never = /* @__PURE__ */ typeName("OpenAICompatibleOptions");
/** @internal */
export const ParseCodeOptions: () => never = /* @__PURE__ */ typeName("ParseCodeOptions");
/** @internal */
export const PlanningStep: () => never = /* @__PURE__ */ otherName("PlanningStep", 'step.type === "planning"');
/** @internal */
export const Prompt: () => never = /* @__PURE__ */ typeName("Prompt");
/** @internal */
export const Prompts: () => never = /* @__PURE__ */ otherName("Prompts", "prompts: { system }, an option of agents");
/** @internal */
export const QuestionForm: () => never = /* @__PURE__ */ typeName("QuestionForm");
/** @internal */
export const RenderRunOptions: () => never = /* @__PURE__ */ typeName("RenderRunOptions");
/** @internal */
export const ResumeOptions: () => never = /* @__PURE__ */ typeName("ResumeOptions");
/** @internal */
export const RunEvent: () => never = /* @__PURE__ */ typeName("RunEvent");
/** @internal */
export const RunLog: () => never = /* @__PURE__ */ otherName("RunLog", "memoryLog()");
/** @internal */
export const RunOptions: () => never = /* @__PURE__ */ typeName("RunOptions");
/** @internal */
export const RunReader: () => never = /* @__PURE__ */ typeName("RunReader");
/** @internal */
export const RunResult: () => never = /* @__PURE__ */ otherName("RunResult", "await agent.run(task).result");
/** @internal */
export const RunStatus: () => never = /* @__PURE__ */ typeName("RunStatus");
/** @internal */
export const Sandbox: () => never = /* @__PURE__ */ otherName("Sandbox", "await openSandbox()");
/** @internal */
export const SandboxOptions: () => never = /* @__PURE__ */ typeName("SandboxOptions");
/** @internal */
export const SandboxResult: () => never = /* @__PURE__ */ typeName("SandboxResult");
/** @internal */
export const SandboxRunOptions: () => never = /* @__PURE__ */ typeName("SandboxRunOptions");
/** @internal */
export const SearchResult: () => never = /* @__PURE__ */ typeName("SearchResult");
/** @internal */
export const Secret: () => never = /* @__PURE__ */ otherName("Secret", "secret(text)");
/** @internal */
export const SerializedError: () => never = /* @__PURE__ */ typeName("SerializedError");
/** @internal */
export const Session: () => never = /* @__PURE__ */ otherName("Session", "agent.session()");
/** @internal */
export const SessionOptions: () => never = /* @__PURE__ */ typeName("SessionOptions");
/** @internal */
export const SessionRunOptions: () => never = /* @__PURE__ */ typeName("SessionRunOptions");
/** @internal */
export const SpeechToTextOptions: () => never = /* @__PURE__ */ typeName("SpeechToTextOptions");
/** @internal */
export const StepCallback: () => never = /* @__PURE__ */ typeName("StepCallback");
/** @internal */
export const StepCallbacks: () => never = /* @__PURE__ */ typeName("StepCallbacks");
/** @internal */
export const StepContext: () => never = /* @__PURE__ */ typeName("StepContext");
/** @internal */
export const StepDraft: () => never = /* @__PURE__ */ typeName("StepDraft");
/** @internal */
export const StepEdit: () => never = /* @__PURE__ */ typeName("StepEdit");
/** @internal */
export const StepOverrides: () => never = /* @__PURE__ */ typeName("StepOverrides");
/** @internal */
export const SuccinctStep: () => never = /* @__PURE__ */ typeName("SuccinctStep");
/** @internal */
export const SystemPromptStep: () => never = /* @__PURE__ */ otherName(
  "SystemPromptStep",
  'step.type === "system-prompt"',
);
/** @internal */
export const Task: () => never = /* @__PURE__ */ typeName("Task");
/** @internal */
export const TaskPart: () => never = /* @__PURE__ */ typeName("TaskPart");
/** @internal */
export const TaskStep: () => never = /* @__PURE__ */ otherName("TaskStep", 'step.type === "task"');
/** @internal */
export const Timing: () => never = /* @__PURE__ */ otherName(
  "Timing",
  "result.timing, where result is await agent.run(task).result",
);
/** @internal */
export const ToMessagesOptions: () => never = /* @__PURE__ */ typeName("ToMessagesOptions");
/** @internal */
export const TokenUsage: () => never = /* @__PURE__ */ otherName(
  "TokenUsage",
  "result.usage, where result is await agent.run(task).result",
);
/** @internal */
export const Tool: () => never = /* @__PURE__ */ otherName(
  "Tool",
  "tool({ name, description, input, execute }); fromSpace() and fromLangChain() adapt tools of others",
);
/** @internal */
export const ToolContext: () => never = /* @__PURE__ */ typeName("ToolContext");
/** @internal */
export const ToolEffects: () => never = /* @__PURE__ */ typeName("ToolEffects");
/** @internal */
export const ToolOptions: () => never = /* @__PURE__ */ typeName("ToolOptions");
/** @internal */
export const TransientEvent: () => never = /* @__PURE__ */ typeName("TransientEvent");
/** @internal */
export const UsageTree: () => never = /* @__PURE__ */ typeName("UsageTree");
/** @internal */
export const VisitWebpageOptions: () => never = /* @__PURE__ */ typeName("VisitWebpageOptions");
/** @internal */
export const WebSearchOptions: () => never = /* @__PURE__ */ typeName("WebSearchOptions");
/** @internal */
export const WikipediaSearchOptions: () => never = /* @__PURE__ */ typeName("WikipediaSearchOptions");

/** @internal */
export const AgentOptions: () => never = /* @__PURE__ */ typeName("AgentOptions");
/** @internal */
export const BaseAgentOptions: () => never = /* @__PURE__ */ typeName("BaseAgentOptions");
/** @internal */
export const CodeAgentOptions: () => never = /* @__PURE__ */ typeName("CodeAgentOptions");
/** @internal */
export const ToolsOption: () => never = /* @__PURE__ */ typeName("ToolsOption");
