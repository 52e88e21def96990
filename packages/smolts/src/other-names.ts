// What other frameworks export: smolagents, the AI SDK, LangChain and the OpenAI Agents SDK.
// Without these names an import of one of them ends in a native SyntaxError, and nobody hears what
// to write. No declaration has them, so no editor shows them, and TypeScript refuses to import
// them. A bundle has none of those that a program does not import.

import { AgentError } from "@smolts/protocol";

/** Throws when it is called, with or without `new`. */
function otherName(name: string, ours: string): () => never {
  return function other(): never {
    throw new AgentError("invalid-option", `smolts has no "${name}"`, { hint: `write ${ours}` });
  };
}

/** @internal */
export const InferenceClientModel: () => never = /* @__PURE__ */ otherName(
  "InferenceClientModel",
  'hf("Qwen/Qwen3-8B")',
);
/** @internal */
export const HfApiModel: () => never = /* @__PURE__ */ otherName("HfApiModel", 'hf("Qwen/Qwen3-8B")');
/** @internal */
export const OpenAIModel: () => never = /* @__PURE__ */ otherName("OpenAIModel", 'openai("gpt-5-mini")');
/** @internal */
export const OpenAIServerModel: () => never = /* @__PURE__ */ otherName("OpenAIServerModel", 'openai("gpt-5-mini")');
/** @internal */
export const ChatOpenAI: () => never = /* @__PURE__ */ otherName("ChatOpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const createOpenAI: () => never = /* @__PURE__ */ otherName("createOpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const initChatModel: () => never = /* @__PURE__ */ otherName("initChatModel", 'openai("gpt-5-mini")');
/** @internal */
export const AzureOpenAIModel: () => never = /* @__PURE__ */ otherName(
  "AzureOpenAIModel",
  'azure("deployment", { baseUrl })',
);
/** @internal */
export const AzureOpenAIServerModel: () => never = /* @__PURE__ */ otherName(
  "AzureOpenAIServerModel",
  'azure("deployment", { baseUrl })',
);
/** @internal */
export const AzureChatOpenAI: () => never = /* @__PURE__ */ otherName(
  "AzureChatOpenAI",
  'azure("deployment", { baseUrl })',
);
/** @internal */
export const ChatAnthropic: () => never = /* @__PURE__ */ otherName("ChatAnthropic", 'anthropic("claude-sonnet-4-5")');
/** @internal */
export const createAnthropic: () => never = /* @__PURE__ */ otherName(
  "createAnthropic",
  'anthropic("claude-sonnet-4-5")',
);
/** @internal */
export const LiteLLMModel: () => never = /* @__PURE__ */ otherName("LiteLLMModel", 'litellm("openai/gpt-5-mini")');
/** @internal */
export const LiteLLMRouterModel: () => never = /* @__PURE__ */ otherName(
  "LiteLLMRouterModel",
  'router([openai("gpt-5-mini"), anthropic("claude-haiku-4-5")])',
);
/** @internal */
export const VLLMModel: () => never = /* @__PURE__ */ otherName("VLLMModel", 'vllm("Qwen/Qwen3-8B")');
/** @internal */
export const ChatOllama: () => never = /* @__PURE__ */ otherName("ChatOllama", 'ollama("qwen3")');
/** @internal */
export const TransformersModel: () => never = /* @__PURE__ */ otherName(
  "TransformersModel",
  'transformers("onnx-community/Qwen3-0.6B-ONNX") of @smolts/model-transformers',
);
/** @internal */
export const MLXModel: () => never = /* @__PURE__ */ otherName(
  "MLXModel",
  'transformers("onnx-community/Qwen3-0.6B-ONNX") of @smolts/model-transformers',
);
/** @internal */
export const generateText: () => never = /* @__PURE__ */ otherName(
  "generateText",
  'new CodeAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const streamText: () => never = /* @__PURE__ */ otherName(
  "streamText",
  'new CodeAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const generateObject: () => never = /* @__PURE__ */ otherName(
  "generateObject",
  'new CodeAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const streamObject: () => never = /* @__PURE__ */ otherName(
  "streamObject",
  'new CodeAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const run: () => never = /* @__PURE__ */ otherName(
  "run",
  'new CodeAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const Runner: () => never = /* @__PURE__ */ otherName(
  "Runner",
  'new CodeAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const AgentExecutor: () => never = /* @__PURE__ */ otherName(
  "AgentExecutor",
  'new CodeAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const Agent: () => never = /* @__PURE__ */ otherName(
  "Agent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const ToolLoopAgent: () => never = /* @__PURE__ */ otherName(
  "ToolLoopAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const createAgent: () => never = /* @__PURE__ */ otherName(
  "createAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const createReactAgent: () => never = /* @__PURE__ */ otherName(
  "createReactAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const stepCountIs: () => never = /* @__PURE__ */ otherName(
  "stepCountIs",
  "maxSteps: 20, an option of agents and runs",
);
/** @internal */
export const isStepCount: () => never = /* @__PURE__ */ otherName(
  "isStepCount",
  "maxSteps: 20, an option of agents and runs",
);
/** @internal */
export const handoff: () => never = /* @__PURE__ */ otherName("handoff", "managedAgents: [agent], an option of agents");
/** @internal */
export const DynamicStructuredTool: () => never = /* @__PURE__ */ otherName(
  "DynamicStructuredTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const DynamicTool: () => never = /* @__PURE__ */ otherName(
  "DynamicTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const StructuredTool: () => never = /* @__PURE__ */ otherName(
  "StructuredTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const WebSearchTool: () => never = /* @__PURE__ */ otherName("WebSearchTool", "webSearch()");
/** @internal */
export const DuckDuckGoSearchTool: () => never = /* @__PURE__ */ otherName("DuckDuckGoSearchTool", "webSearch()");
/** @internal */
export const GoogleSearchTool: () => never = /* @__PURE__ */ otherName("GoogleSearchTool", "webSearch()");
/** @internal */
export const ApiWebSearchTool: () => never = /* @__PURE__ */ otherName("ApiWebSearchTool", "webSearch()");
/** @internal */
export const webSearchTool: () => never = /* @__PURE__ */ otherName("webSearchTool", "webSearch()");
/** @internal */
export const VisitWebpageTool: () => never = /* @__PURE__ */ otherName("VisitWebpageTool", "visitWebpage()");
/** @internal */
export const WikipediaSearchTool: () => never = /* @__PURE__ */ otherName(
  "WikipediaSearchTool",
  "wikipediaSearch() of smolts/tools/wikipedia-search",
);
/** @internal */
export const UserInputTool: () => never = /* @__PURE__ */ otherName(
  "UserInputTool",
  "userInput() of smolts/tools/user-input",
);
/** @internal */
export const PythonInterpreterTool: () => never = /* @__PURE__ */ otherName(
  "PythonInterpreterTool",
  "javascriptInterpreter() of smolts/tools/javascript-interpreter",
);
/** @internal */
export const SpeechToTextTool: () => never = /* @__PURE__ */ otherName(
  "SpeechToTextTool",
  "speechToText() of smolts/tools/speech-to-text",
);
/** @internal */
export const FinalAnswerTool: () => never = /* @__PURE__ */ otherName("FinalAnswerTool", "finalAnswer");
/** @internal */
export const load_tool: () => never = /* @__PURE__ */ otherName(
  "load_tool",
  "loadTool() of @smolts/hub, or fromSpace() of smolts/tools/from-space",
);
/** @internal */
export const ToolCollection: () => never = /* @__PURE__ */ otherName(
  "ToolCollection",
  "loadCollection() of @smolts/hub, or mcpTools() of @smolts/mcp",
);
/** @internal */
export const MCPClient: () => never = /* @__PURE__ */ otherName("MCPClient", "mcpTools() of @smolts/mcp");
/** @internal */
export const GradioUI: () => never = /* @__PURE__ */ otherName("GradioUI", "launchUI(agent) of @smolts/ui");
/** @internal */
export const stream_to_gradio: () => never = /* @__PURE__ */ otherName(
  "stream_to_gradio",
  "launchUI(agent) of @smolts/ui",
);
/** @internal */
export const MemorySaver: () => never = /* @__PURE__ */ otherName(
  "MemorySaver",
  'fileStore(folder) of smolts/memory/files, as the option "store" of agents',
);
/** @internal */
export const InMemorySaver: () => never = /* @__PURE__ */ otherName(
  "InMemorySaver",
  'fileStore(folder) of smolts/memory/files, as the option "store" of agents',
);
/** @internal */
export const LogLevel: () => never = /* @__PURE__ */ otherName(
  "LogLevel",
  'verbosityLevel: "info", an option of agents',
);
/** @internal */
export const AgentLogger: () => never = /* @__PURE__ */ otherName(
  "AgentLogger",
  'verbosityLevel: "info", an option of agents',
);
