// The names that other frameworks export (smolagents, the AI SDK, LangChain, LlamaIndex, Mastra and
// the OpenAI Agents SDK), and the names that other paths and packages of smolts export. Without
// this file, importing such a name from `smolts` fails with a SyntaxError that does not say what to
// write. With this file, the error says what to use instead. The names are not in the type
// declarations, so editors do not suggest them and TypeScript rejects them. Bundlers remove the
// names that a program does not import.

import { otherName } from "@smolts/protocol";

/** Creates a value for a name that must be imported from another path or package of smolts. */
const elsewhere = (name: string, from: string): (() => never) =>
  otherName(name, `import { ${name} } from "${from}"${installationOf(from)}`);

/** Returns how to install the package of a path. Paths of `smolts` need no installation. */
function installationOf(from: string): string {
  const [scope = "", name = ""] = from.split("/");
  return scope === "smolts" ? "" : `, after npm install ${scope}/${name}`;
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
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const streamText: () => never = /* @__PURE__ */ otherName(
  "streamText",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const generateObject: () => never = /* @__PURE__ */ otherName(
  "generateObject",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const streamObject: () => never = /* @__PURE__ */ otherName(
  "streamObject",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const run: () => never = /* @__PURE__ */ otherName("run", 'new CodeAgent({ model, tools }).run("your task")');
/** @internal */
export const Runner: () => never = /* @__PURE__ */ otherName(
  "Runner",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const AgentExecutor: () => never = /* @__PURE__ */ otherName(
  "AgentExecutor",
  'new CodeAgent({ model, tools }).run("your task")',
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
/** @internal */
export const Experimental_Agent: () => never = /* @__PURE__ */ otherName(
  "Experimental_Agent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const codeAgent: () => never = /* @__PURE__ */ otherName("codeAgent", "new CodeAgent({ model, tools })");
/** @internal */
export const toolCallingAgent: () => never = /* @__PURE__ */ otherName(
  "toolCallingAgent",
  "new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const OpenAI: () => never = /* @__PURE__ */ otherName("OpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const createOpenAICompatible: () => never = /* @__PURE__ */ otherName(
  "createOpenAICompatible",
  'openAICompatible("model-id", { baseUrl })',
);
/** @internal */
export const createOllama: () => never = /* @__PURE__ */ otherName("createOllama", 'ollama("qwen3")');
/** @internal */
export const google: () => never = /* @__PURE__ */ otherName(
  "google",
  'gemini("gemini-2.5-flash") of smolts/models/gemini',
);
/** @internal */
export const createGoogleGenerativeAI: () => never = /* @__PURE__ */ otherName(
  "createGoogleGenerativeAI",
  'gemini("gemini-2.5-flash") of smolts/models/gemini',
);
/** @internal */
export const ChatGoogleGenerativeAI: () => never = /* @__PURE__ */ otherName(
  "ChatGoogleGenerativeAI",
  'gemini("gemini-2.5-flash") of smolts/models/gemini',
);
/** @internal */
export const ChatGroq: () => never = /* @__PURE__ */ otherName(
  "ChatGroq",
  'groq("llama-3.3-70b-versatile") of smolts/models/groq',
);
/** @internal */
export const hasToolCall: () => never = /* @__PURE__ */ otherName(
  "hasToolCall",
  "maxSteps: 20, an option of agents and runs",
);
/** @internal */
export const Output: () => never = /* @__PURE__ */ otherName(
  "Output",
  "output: z.object({ ... }), an option of agents and runs",
);
/** @internal */
export const toolStrategy: () => never = /* @__PURE__ */ otherName(
  "toolStrategy",
  "output: z.object({ ... }), an option of agents and runs",
);
/** @internal */
export const providerStrategy: () => never = /* @__PURE__ */ otherName(
  "providerStrategy",
  "output: z.object({ ... }), an option of agents and runs",
);
/** @internal */
export const dynamicTool: () => never = /* @__PURE__ */ otherName(
  "dynamicTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const HumanMessage: () => never = /* @__PURE__ */ otherName(
  "HumanMessage",
  'agent.run("your task"); the option history of a run has earlier messages',
);
/** @internal */
export const AIMessage: () => never = /* @__PURE__ */ otherName(
  "AIMessage",
  'agent.run("your task"); the option history of a run has earlier messages',
);
/** @internal */
export const SystemMessage: () => never = /* @__PURE__ */ otherName(
  "SystemMessage",
  'instructions: "...", an option of agents',
);
/** @internal */
export const StateGraph: () => never = /* @__PURE__ */ otherName(
  "StateGraph",
  "the steps as code, with a call of agent.run() in each",
);
/** @internal */
export const createMiddleware: () => never = /* @__PURE__ */ otherName(
  "createMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const createMCPClient: () => never = /* @__PURE__ */ otherName("createMCPClient", "mcpTools() of @smolts/mcp");
/** @internal */
export const experimental_createMCPClient: () => never = /* @__PURE__ */ otherName(
  "experimental_createMCPClient",
  "mcpTools() of @smolts/mcp",
);
/** @internal */
export const MultiServerMCPClient: () => never = /* @__PURE__ */ otherName(
  "MultiServerMCPClient",
  "mcpTools() of @smolts/mcp",
);
/** @internal */
export const MCPServerStdio: () => never = /* @__PURE__ */ otherName("MCPServerStdio", "mcpTools() of @smolts/mcp");
/** @internal */
export const createAgentUIStreamResponse: () => never = /* @__PURE__ */ otherName(
  "createAgentUIStreamResponse",
  "toResponse(run) of @smolts/streams",
);

/** @internal */
export const z: () => never = /* @__PURE__ */ otherName("z", 'input: { city: "string" }, or import { z } from "zod"');
/** @internal */
export const gateway: () => never = /* @__PURE__ */ otherName("gateway", 'openai("gpt-5-mini"), or another preset');
/** @internal */
export const convertToModelMessages: () => never = /* @__PURE__ */ otherName(
  "convertToModelMessages",
  'agent.run("your task"); the option history of a run has earlier messages',
);
/** @internal */
export const convertToCoreMessages: () => never = /* @__PURE__ */ otherName(
  "convertToCoreMessages",
  'agent.run("your task"); the option history of a run has earlier messages',
);
/** @internal */
export const smoothStream: () => never = /* @__PURE__ */ otherName(
  "smoothStream",
  "for await (const text of agent.run(task).textStream())",
);
/** @internal */
export const createUIMessageStreamResponse: () => never = /* @__PURE__ */ otherName(
  "createUIMessageStreamResponse",
  "toResponse(run) of @smolts/streams",
);
/** @internal */
export const createDataStreamResponse: () => never = /* @__PURE__ */ otherName(
  "createDataStreamResponse",
  "toResponse(run) of @smolts/streams",
);
/** @internal */
export const wrapLanguageModel: () => never = /* @__PURE__ */ otherName(
  "wrapLanguageModel",
  "retrying(model), cached(model, { scope }), or a function of the messages",
);
/** @internal */
export const createTool: () => never = /* @__PURE__ */ otherName(
  "createTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const Mastra: () => never = /* @__PURE__ */ otherName(
  "Mastra",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const Memory: () => never = /* @__PURE__ */ otherName(
  "Memory",
  'fileStore(folder) of smolts/memory/files, as the option "store" of agents',
);
/** @internal */
export const createStep: () => never = /* @__PURE__ */ otherName(
  "createStep",
  "the steps as code, with a call of agent.run() in each",
);
/** @internal */
export const createWorkflow: () => never = /* @__PURE__ */ otherName(
  "createWorkflow",
  "the steps as code, with a call of agent.run() in each",
);
/** @internal */
export const agent: () => never = /* @__PURE__ */ otherName("agent", "new CodeAgent({ model, tools })");
/** @internal */
export const multiAgent: () => never = /* @__PURE__ */ otherName(
  "multiAgent",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const AgentWorkflow: () => never = /* @__PURE__ */ otherName(
  "AgentWorkflow",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const ReActAgent: () => never = /* @__PURE__ */ otherName(
  "ReActAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const FunctionAgent: () => never = /* @__PURE__ */ otherName(
  "FunctionAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const OpenAIAgent: () => never = /* @__PURE__ */ otherName(
  "OpenAIAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const FunctionTool: () => never = /* @__PURE__ */ otherName(
  "FunctionTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const Settings: () => never = /* @__PURE__ */ otherName(
  "Settings",
  "new CodeAgent({ model }): each agent has its own model",
);
/** @internal */
export const VectorStoreIndex: () => never = /* @__PURE__ */ otherName(
  "VectorStoreIndex",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const QueryEngineTool: () => never = /* @__PURE__ */ otherName(
  "QueryEngineTool",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const Anthropic: () => never = /* @__PURE__ */ otherName("Anthropic", 'anthropic("claude-sonnet-4-5")');
/** @internal */
export const Ollama: () => never = /* @__PURE__ */ otherName("Ollama", 'ollama("qwen3")');
/** @internal */
export const Groq: () => never = /* @__PURE__ */ otherName(
  "Groq",
  'groq("llama-3.3-70b-versatile") of smolts/models/groq',
);
/** @internal */
export const Gemini: () => never = /* @__PURE__ */ otherName(
  "Gemini",
  'gemini("gemini-2.5-flash") of smolts/models/gemini',
);
/** @internal */
export const MistralAI: () => never = /* @__PURE__ */ otherName(
  "MistralAI",
  'mistral("mistral-large-latest") of smolts/models/mistral',
);
/** @internal */
export const ChatMistralAI: () => never = /* @__PURE__ */ otherName(
  "ChatMistralAI",
  'mistral("mistral-large-latest") of smolts/models/mistral',
);
/** @internal */
export const ChatPromptTemplate: () => never = /* @__PURE__ */ otherName(
  "ChatPromptTemplate",
  "the task as a text: agent.run(`Translate ${text}`)",
);
/** @internal */
export const PromptTemplate: () => never = /* @__PURE__ */ otherName(
  "PromptTemplate",
  "the task as a text: agent.run(`Translate ${text}`)",
);
/** @internal */
export const ToolMessage: () => never = /* @__PURE__ */ otherName(
  "ToolMessage",
  'agent.run("your task"); the option history of a run has earlier messages',
);
/** @internal */
export const createOpenAIToolsAgent: () => never = /* @__PURE__ */ otherName(
  "createOpenAIToolsAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const createToolCallingAgent: () => never = /* @__PURE__ */ otherName(
  "createToolCallingAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const ToolNode: () => never = /* @__PURE__ */ otherName(
  "ToolNode",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const MessagesAnnotation: () => never = /* @__PURE__ */ otherName(
  "MessagesAnnotation",
  "the steps as code, with a call of agent.run() in each",
);
/** @internal */
export const Annotation: () => never = /* @__PURE__ */ otherName(
  "Annotation",
  "the steps as code, with a call of agent.run() in each",
);
/** @internal */
export const createSupervisor: () => never = /* @__PURE__ */ otherName(
  "createSupervisor",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const createSwarm: () => never = /* @__PURE__ */ otherName(
  "createSwarm",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const TavilySearch: () => never = /* @__PURE__ */ otherName("TavilySearch", "webSearch()");
/** @internal */
export const TavilySearchResults: () => never = /* @__PURE__ */ otherName("TavilySearchResults", "webSearch()");
/** @internal */
export const MaxTurnsExceededError: () => never = /* @__PURE__ */ otherName(
  "MaxTurnsExceededError",
  '(await agent.run(task).result).status, which is "max-steps" then',
);
/** @internal */
export const ModelBehaviorError: () => never = /* @__PURE__ */ otherName(
  "ModelBehaviorError",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const ToolCallError: () => never = /* @__PURE__ */ otherName(
  "ToolCallError",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const InputGuardrailTripwireTriggered: () => never = /* @__PURE__ */ otherName(
  "InputGuardrailTripwireTriggered",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const OutputGuardrailTripwireTriggered: () => never = /* @__PURE__ */ otherName(
  "OutputGuardrailTripwireTriggered",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const defineOutputGuardrail: () => never = /* @__PURE__ */ otherName(
  "defineOutputGuardrail",
  "finalAnswerChecks: [(answer) => ...], an option of agents",
);
/** @internal */
export const defineInputGuardrail: () => never = /* @__PURE__ */ otherName(
  "defineInputGuardrail",
  "a check of the task before agent.run(task)",
);
/** @internal */
export const setDefaultOpenAIKey: () => never = /* @__PURE__ */ otherName(
  "setDefaultOpenAIKey",
  'openai("gpt-5-mini", { apiKey })',
);
/** @internal */
export const setDefaultOpenAIClient: () => never = /* @__PURE__ */ otherName(
  "setDefaultOpenAIClient",
  'openai("gpt-5-mini", { baseUrl, apiKey })',
);
/** @internal */
export const setTracingDisabled: () => never = /* @__PURE__ */ otherName(
  "setTracingDisabled",
  "nothing: a run is traced only with runTracing() of @smolts/otel",
);
/** @internal */
export const withTrace: () => never = /* @__PURE__ */ otherName("withTrace", "runTracing() of @smolts/otel");
/** @internal */
export const hostedMcpTool: () => never = /* @__PURE__ */ otherName("hostedMcpTool", "mcpTools() of @smolts/mcp");
/** @internal */
export const MCPServerStreamableHttp: () => never = /* @__PURE__ */ otherName(
  "MCPServerStreamableHttp",
  "mcpTools() of @smolts/mcp",
);
/** @internal */
export const MCPServerSSE: () => never = /* @__PURE__ */ otherName("MCPServerSSE", "mcpTools() of @smolts/mcp");
/** @internal */
export const codeInterpreterTool: () => never = /* @__PURE__ */ otherName(
  "codeInterpreterTool",
  "new CodeAgent({ model, tools }): its actions are code",
);
/** @internal */
export const fileSearchTool: () => never = /* @__PURE__ */ otherName(
  "fileSearchTool",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const MemorySession: () => never = /* @__PURE__ */ otherName("MemorySession", "agent.session()");
/** @internal */
export const AmazonBedrockModel: () => never = /* @__PURE__ */ otherName(
  "AmazonBedrockModel",
  'litellm("bedrock/...")',
);
/** @internal */
export const AmazonBedrockServerModel: () => never = /* @__PURE__ */ otherName(
  "AmazonBedrockServerModel",
  'litellm("bedrock/...")',
);
/** @internal */
export const bedrock: () => never = /* @__PURE__ */ otherName("bedrock", 'litellm("bedrock/...")');
/** @internal */
export const ManagedAgent: () => never = /* @__PURE__ */ otherName(
  "ManagedAgent",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const PromptTemplates: () => never = /* @__PURE__ */ otherName(
  "PromptTemplates",
  "prompts: { system: ... }, an option of agents",
);
/** @internal */
export const AgentMemory: () => never = /* @__PURE__ */ otherName(
  "AgentMemory",
  "(await agent.run(task).result).steps",
);
/** @internal */
export const AgentMaxStepsError: () => never = /* @__PURE__ */ otherName(
  "AgentMaxStepsError",
  '(await agent.run(task).result).status, which is "max-steps" then',
);
/** @internal */
export const AgentGenerationError: () => never = /* @__PURE__ */ otherName(
  "AgentGenerationError",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const AgentExecutionError: () => never = /* @__PURE__ */ otherName(
  "AgentExecutionError",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const AgentParsingError: () => never = /* @__PURE__ */ otherName(
  "AgentParsingError",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const AgentToolCallError: () => never = /* @__PURE__ */ otherName(
  "AgentToolCallError",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const AgentToolExecutionError: () => never = /* @__PURE__ */ otherName(
  "AgentToolExecutionError",
  "AgentError.is(error), and compare error.code",
);
/** @internal */
export const DockerExecutor: () => never = /* @__PURE__ */ otherName(
  "DockerExecutor",
  "docker() of @smolts/executor-docker",
);
/** @internal */
export const E2BExecutor: () => never = /* @__PURE__ */ otherName("E2BExecutor", "e2b() of @smolts/executor-e2b");
/** @internal */
export const ModalExecutor: () => never = /* @__PURE__ */ otherName(
  "ModalExecutor",
  "docker() of @smolts/executor-docker",
);
/** @internal */
export const BlaxelExecutor: () => never = /* @__PURE__ */ otherName("BlaxelExecutor", "e2b() of @smolts/executor-e2b");
/** @internal */
export const WasmExecutor: () => never = /* @__PURE__ */ otherName(
  "WasmExecutor",
  "pyodide() of @smolts/executor-pyodide",
);
/** @internal */
export const LocalPythonExecutor: () => never = /* @__PURE__ */ otherName(
  "LocalPythonExecutor",
  "pyodide() of @smolts/executor-pyodide",
);
/** @internal */
export const InferenceClient: () => never = /* @__PURE__ */ otherName("InferenceClient", 'hf("Qwen/Qwen3-8B")');
/** @internal */
export const HfInference: () => never = /* @__PURE__ */ otherName("HfInference", 'hf("Qwen/Qwen3-8B")');
/** @internal */
export const McpClient: () => never = /* @__PURE__ */ otherName("McpClient", "mcpTools() of @smolts/mcp");
/** @internal */
export const MessageRole: () => never = /* @__PURE__ */ otherName(
  "MessageRole",
  'the role as text: "user", "assistant" or "tool"',
);
/** @internal */
export const ChatMessageStreamDelta: () => never = /* @__PURE__ */ otherName(
  "ChatMessageStreamDelta",
  'event.type === "text-delta"',
);
/** @internal */
export const ToolCall: () => never = /* @__PURE__ */ otherName("ToolCall", 'event.type === "tool-call"');
/** @internal */
export const ToolOutput: () => never = /* @__PURE__ */ otherName("ToolOutput", 'event.type === "tool-result"');
/** @internal */
export const ActionOutput: () => never = /* @__PURE__ */ otherName("ActionOutput", 'event.type === "step-end"');
/** @internal */
export const CallbackRegistry: () => never = /* @__PURE__ */ otherName(
  "CallbackRegistry",
  "stepCallbacks: { action, planning, finalAnswer, any }, an option of agents",
);
/** @internal */
export const RemotePythonExecutor: () => never = /* @__PURE__ */ otherName(
  "RemotePythonExecutor",
  'docker({ language: "python" }) of @smolts/executor-docker',
);
/** @internal */
export const Monitor: () => never = /* @__PURE__ */ otherName(
  "Monitor",
  'verbosityLevel: "info", an option of agents; result.usage has the tokens',
);
/** @internal */
export const PipelineTool: () => never = /* @__PURE__ */ otherName(
  "PipelineTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const BaseTool: () => never = /* @__PURE__ */ otherName(
  "BaseTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const createGroq: () => never = /* @__PURE__ */ otherName(
  "createGroq",
  'groq("llama-3.3-70b-versatile") of smolts/models/groq',
);
/** @internal */
export const createMistral: () => never = /* @__PURE__ */ otherName(
  "createMistral",
  'mistral("mistral-large-latest") of smolts/models/mistral',
);
/** @internal */
export const createXai: () => never = /* @__PURE__ */ otherName("createXai", 'xai("grok-4") of smolts/models/xai');
/** @internal */
export const createDeepSeek: () => never = /* @__PURE__ */ otherName(
  "createDeepSeek",
  'deepseek("deepseek-chat") of smolts/models/deepseek',
);
/** @internal */
export const createAzure: () => never = /* @__PURE__ */ otherName("createAzure", 'azure("deployment", { baseUrl })');
/** @internal */
export const createOpenRouter: () => never = /* @__PURE__ */ otherName(
  "createOpenRouter",
  'openrouter("openai/gpt-5-mini") of smolts/models/openrouter',
);
/** @internal */
export const generateId: () => never = /* @__PURE__ */ otherName("generateId", "crypto.randomUUID()");
/** @internal */
export const createIdGenerator: () => never = /* @__PURE__ */ otherName("createIdGenerator", "crypto.randomUUID()");
/** @internal */
export const useChat: () => never = /* @__PURE__ */ otherName(
  "useChat",
  'toResponse(run, { format: "ai-sdk" }) of @smolts/streams on the server; useChat stays in @ai-sdk/react',
);
/** @internal */
export const useCompletion: () => never = /* @__PURE__ */ otherName(
  "useCompletion",
  'toResponse(run, { format: "ai-sdk" }) of @smolts/streams on the server; useChat stays in @ai-sdk/react',
);
/** @internal */
export const useObject: () => never = /* @__PURE__ */ otherName(
  "useObject",
  'toResponse(run, { format: "ai-sdk" }) of @smolts/streams on the server; useChat stays in @ai-sdk/react',
);
/** @internal */
export const RunnableSequence: () => never = /* @__PURE__ */ otherName(
  "RunnableSequence",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const RunnableLambda: () => never = /* @__PURE__ */ otherName(
  "RunnableLambda",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const RunnableParallel: () => never = /* @__PURE__ */ otherName(
  "RunnableParallel",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const RunnablePassthrough: () => never = /* @__PURE__ */ otherName(
  "RunnablePassthrough",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const andThen: () => never = /* @__PURE__ */ otherName(
  "andThen",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const andAgent: () => never = /* @__PURE__ */ otherName(
  "andAgent",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const END: () => never = /* @__PURE__ */ otherName(
  "END",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const START: () => never = /* @__PURE__ */ otherName(
  "START",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const Command: () => never = /* @__PURE__ */ otherName(
  "Command",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const StringOutputParser: () => never = /* @__PURE__ */ otherName(
  "StringOutputParser",
  "output: z.object({ ... }), an option of agents",
);
/** @internal */
export const JsonOutputParser: () => never = /* @__PURE__ */ otherName(
  "JsonOutputParser",
  "output: z.object({ ... }), an option of agents",
);
/** @internal */
export const StructuredOutputParser: () => never = /* @__PURE__ */ otherName(
  "StructuredOutputParser",
  "output: z.object({ ... }), an option of agents",
);
/** @internal */
export const createDeepAgent: () => never = /* @__PURE__ */ otherName(
  "createDeepAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const OpenAIFunctionsAgent: () => never = /* @__PURE__ */ otherName(
  "OpenAIFunctionsAgent",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const initializeAgentExecutorWithOptions: () => never = /* @__PURE__ */ otherName(
  "initializeAgentExecutorWithOptions",
  "new CodeAgent({ model, tools }), or new ToolCallingAgent({ model, tools })",
);
/** @internal */
export const BufferMemory: () => never = /* @__PURE__ */ otherName(
  "BufferMemory",
  "agent.session(), which keeps memory from task to task",
);
/** @internal */
export const ConversationBufferMemory: () => never = /* @__PURE__ */ otherName(
  "ConversationBufferMemory",
  "agent.session(), which keeps memory from task to task",
);
/** @internal */
export const InMemoryChatMessageHistory: () => never = /* @__PURE__ */ otherName(
  "InMemoryChatMessageHistory",
  "agent.session(), which keeps memory from task to task",
);
/** @internal */
export const RunnableWithMessageHistory: () => never = /* @__PURE__ */ otherName(
  "RunnableWithMessageHistory",
  "agent.session(), which keeps memory from task to task",
);
/** @internal */
export const createMemory: () => never = /* @__PURE__ */ otherName(
  "createMemory",
  "agent.session(), which keeps memory from task to task",
);
/** @internal */
export const InMemoryStorageAdapter: () => never = /* @__PURE__ */ otherName(
  "InMemoryStorageAdapter",
  "agent.session(), which keeps memory from task to task",
);
/** @internal */
export const OpenAIConversationsSession: () => never = /* @__PURE__ */ otherName(
  "OpenAIConversationsSession",
  "agent.session(), which keeps memory from task to task",
);
/** @internal */
export const Document: () => never = /* @__PURE__ */ otherName(
  "Document",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const SimpleDirectoryReader: () => never = /* @__PURE__ */ otherName(
  "SimpleDirectoryReader",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const MemoryVectorStore: () => never = /* @__PURE__ */ otherName(
  "MemoryVectorStore",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const RecursiveCharacterTextSplitter: () => never = /* @__PURE__ */ otherName(
  "RecursiveCharacterTextSplitter",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const createVectorQueryTool: () => never = /* @__PURE__ */ otherName(
  "createVectorQueryTool",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const agentStreamEvent: () => never = /* @__PURE__ */ otherName(
  "agentStreamEvent",
  'event.type === "text-delta" in for await (const event of agent.run(task))',
);
/** @internal */
export const agentToolCallEvent: () => never = /* @__PURE__ */ otherName(
  "agentToolCallEvent",
  'event.type === "text-delta" in for await (const event of agent.run(task))',
);
/** @internal */
export const agentOutputEvent: () => never = /* @__PURE__ */ otherName(
  "agentOutputEvent",
  'event.type === "text-delta" in for await (const event of agent.run(task))',
);
/** @internal */
export const agentInputEvent: () => never = /* @__PURE__ */ otherName(
  "agentInputEvent",
  'event.type === "text-delta" in for await (const event of agent.run(task))',
);
/** @internal */
export const RuntimeContext: () => never = /* @__PURE__ */ otherName(
  "RuntimeContext",
  "additionalArgs: { name: value }, an option of runs; metadata is for your own tools",
);
/** @internal */
export const RequestContext: () => never = /* @__PURE__ */ otherName(
  "RequestContext",
  "additionalArgs: { name: value }, an option of runs; metadata is for your own tools",
);
/** @internal */
export const RunContext: () => never = /* @__PURE__ */ otherName(
  "RunContext",
  "additionalArgs: { name: value }, an option of runs; metadata is for your own tools",
);
/** @internal */
export const createRuntimeContext: () => never = /* @__PURE__ */ otherName(
  "createRuntimeContext",
  "additionalArgs: { name: value }, an option of runs; metadata is for your own tools",
);
/** @internal */
export const LibSQLStore: () => never = /* @__PURE__ */ otherName(
  "LibSQLStore",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const LibSQLMemoryAdapter: () => never = /* @__PURE__ */ otherName(
  "LibSQLMemoryAdapter",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const LibSQLStorage: () => never = /* @__PURE__ */ otherName(
  "LibSQLStorage",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const InMemoryStore: () => never = /* @__PURE__ */ otherName(
  "InMemoryStore",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const SqliteSaver: () => never = /* @__PURE__ */ otherName(
  "SqliteSaver",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const PostgresSaver: () => never = /* @__PURE__ */ otherName(
  "PostgresSaver",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const PostgresStore: () => never = /* @__PURE__ */ otherName(
  "PostgresStore",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const PgVector: () => never = /* @__PURE__ */ otherName(
  "PgVector",
  'store: fileStore("./runs") of smolts/memory/files, an option of agents',
);
/** @internal */
export const Handoff: () => never = /* @__PURE__ */ otherName("Handoff", "managedAgents: [agent], an option of agents");
/** @internal */
export const createHandoff: () => never = /* @__PURE__ */ otherName(
  "createHandoff",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const createHandoffTool: () => never = /* @__PURE__ */ otherName(
  "createHandoffTool",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const RunResultStreaming: () => never = /* @__PURE__ */ otherName(
  "RunResultStreaming",
  "await agent.run(task).result; agent.resume(runId) continues a run",
);
/** @internal */
export const RunState: () => never = /* @__PURE__ */ otherName(
  "RunState",
  "await agent.run(task).result; agent.resume(runId) continues a run",
);
/** @internal */
export const VoltAgent: () => never = /* @__PURE__ */ otherName(
  "VoltAgent",
  "new CodeAgent({ model, tools, managedAgents }); one agent needs no registry",
);
/** @internal */
export const AgentRegistry: () => never = /* @__PURE__ */ otherName(
  "AgentRegistry",
  "new CodeAgent({ model, tools, managedAgents }); one agent needs no registry",
);
/** @internal */
export const VoltOpsClient: () => never = /* @__PURE__ */ otherName(
  "VoltOpsClient",
  "new CodeAgent({ model, tools, managedAgents }); one agent needs no registry",
);
/** @internal */
export const createWorkflowChain: () => never = /* @__PURE__ */ otherName(
  "createWorkflowChain",
  "code, with a call of agent.run() in each step",
);
/** @internal */
export const Workflow: () => never = /* @__PURE__ */ otherName(
  "Workflow",
  "code, with a call of agent.run() in each step",
);
/** @internal */
export const createSupervisorAgent: () => never = /* @__PURE__ */ otherName(
  "createSupervisorAgent",
  "code, with a call of agent.run() in each step",
);
/** @internal */
export const createReasoningTools: () => never = /* @__PURE__ */ otherName(
  "createReasoningTools",
  "planningInterval: 3, an option of agents",
);
/** @internal */
export const createToolkit: () => never = /* @__PURE__ */ otherName("createToolkit", "tools: [...], a list of tools");
/** @internal */
export const Toolkit: () => never = /* @__PURE__ */ otherName("Toolkit", "tools: [...], a list of tools");
/** @internal */
export const CodeAgents: () => never = /* @__PURE__ */ otherName(
  "CodeAgents",
  'new CodeAgent({ model }).run("what is to be done")',
);
/** @internal */
export const codeagent: () => never = /* @__PURE__ */ otherName(
  "codeagent",
  'new CodeAgent({ model }).run("what is to be done")',
);
/** @internal */
export const Codeagent: () => never = /* @__PURE__ */ otherName(
  "Codeagent",
  'new CodeAgent({ model }).run("what is to be done")',
);
/** @internal */
export const code_agent: () => never = /* @__PURE__ */ otherName(
  "code_agent",
  'new CodeAgent({ model }).run("what is to be done")',
);
/** @internal */
export const createCodeAgent: () => never = /* @__PURE__ */ otherName(
  "createCodeAgent",
  'new CodeAgent({ model }).run("what is to be done")',
);
/** @internal */
export const ToolCallAgent: () => never = /* @__PURE__ */ otherName(
  "ToolCallAgent",
  'new ToolCallingAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const toolcallingagent: () => never = /* @__PURE__ */ otherName(
  "toolcallingagent",
  'new ToolCallingAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const ToolCallingAgents: () => never = /* @__PURE__ */ otherName(
  "ToolCallingAgents",
  'new ToolCallingAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const FunctionCallingAgent: () => never = /* @__PURE__ */ otherName(
  "FunctionCallingAgent",
  'new ToolCallingAgent({ model, tools }).run("what is to be done")',
);
/** @internal */
export const MultistepAgent: () => never = /* @__PURE__ */ otherName(
  "MultistepAgent",
  "new CodeAgent({ model }), or new ToolCallingAgent({ model })",
);
/** @internal */
export const BaseAgent: () => never = /* @__PURE__ */ otherName(
  "BaseAgent",
  "new CodeAgent({ model }), or new ToolCallingAgent({ model })",
);
/** @internal */
export const ReactAgent: () => never = /* @__PURE__ */ otherName(
  "ReactAgent",
  "new CodeAgent({ model }), or new ToolCallingAgent({ model })",
);
/** @internal */
export const ReactJsonAgent: () => never = /* @__PURE__ */ otherName(
  "ReactJsonAgent",
  "new CodeAgent({ model }), or new ToolCallingAgent({ model })",
);
/** @internal */
export const ReactCodeAgent: () => never = /* @__PURE__ */ otherName(
  "ReactCodeAgent",
  "new CodeAgent({ model }), or new ToolCallingAgent({ model })",
);
/** @internal */
export const load_default_tools: () => never = /* @__PURE__ */ otherName(
  "load_default_tools",
  "addBaseTools: true, an option of agents",
);
/** @internal */
export const default_tools: () => never = /* @__PURE__ */ otherName(
  "default_tools",
  "addBaseTools: true, an option of agents",
);
/** @internal */
export const TOOL_MAPPING: () => never = /* @__PURE__ */ otherName(
  "TOOL_MAPPING",
  "addBaseTools: true, an option of agents",
);
/** @internal */
export const EMPTY_PROMPT_TEMPLATES: () => never = /* @__PURE__ */ otherName(
  "EMPTY_PROMPT_TEMPLATES",
  "classicPrompts, for prompts: { system }",
);
/** @internal */
export const BASE_BUILTIN_MODULES: () => never = /* @__PURE__ */ otherName(
  "BASE_BUILTIN_MODULES",
  "modules: { name: guestModule(source) }, an option of agents",
);
/** @internal */
export const PythonExecutor: () => never = /* @__PURE__ */ otherName(
  "PythonExecutor",
  "interpreter(), the default executor",
);
/** @internal */
export const LocalExecutor: () => never = /* @__PURE__ */ otherName(
  "LocalExecutor",
  "interpreter(), the default executor",
);
/** @internal */
export const SmolagentsError: () => never = /* @__PURE__ */ otherName(
  "SmolagentsError",
  "AgentError, whose member code says what went wrong",
);
/** @internal */
export const ToolExecutionError: () => never = /* @__PURE__ */ otherName(
  "ToolExecutionError",
  "AgentError, whose member code says what went wrong",
);
/** @internal */
export const NoSuchToolError: () => never = /* @__PURE__ */ otherName(
  "NoSuchToolError",
  "AgentError, whose member code says what went wrong",
);
/** @internal */
export const InvalidToolInputError: () => never = /* @__PURE__ */ otherName(
  "InvalidToolInputError",
  "AgentError, whose member code says what went wrong",
);
/** @internal */
export const APICallError: () => never = /* @__PURE__ */ otherName(
  "APICallError",
  "AgentError, whose member code says what went wrong",
);
/** @internal */
export const AISDKError: () => never = /* @__PURE__ */ otherName(
  "AISDKError",
  "AgentError, whose member code says what went wrong",
);
/** @internal */
export const UserError: () => never = /* @__PURE__ */ otherName(
  "UserError",
  "AgentError, whose member code says what went wrong",
);
/** @internal */
export const interrupt: () => never = /* @__PURE__ */ otherName("interrupt", "needsApproval: true, an option of tools");
/** @internal */
export const humanInTheLoopMiddleware: () => never = /* @__PURE__ */ otherName(
  "humanInTheLoopMiddleware",
  "needsApproval: true, an option of tools",
);
/** @internal */
export const summarizationMiddleware: () => never = /* @__PURE__ */ otherName(
  "summarizationMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const contextEditingMiddleware: () => never = /* @__PURE__ */ otherName(
  "contextEditingMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const defaultSettingsMiddleware: () => never = /* @__PURE__ */ otherName(
  "defaultSettingsMiddleware",
  "cached(model, { scope }), or retrying(model)",
);
/** @internal */
export const extractReasoningMiddleware: () => never = /* @__PURE__ */ otherName(
  "extractReasoningMiddleware",
  "cached(model, { scope }), or retrying(model)",
);
/** @internal */
export const createProviderRegistry: () => never = /* @__PURE__ */ otherName(
  "createProviderRegistry",
  'resolveModel("openai:gpt-5-mini")',
);
/** @internal */
export const customProvider: () => never = /* @__PURE__ */ otherName(
  "customProvider",
  'resolveModel("openai:gpt-5-mini")',
);
/** @internal */
export const createRegistry: () => never = /* @__PURE__ */ otherName(
  "createRegistry",
  'resolveModel("openai:gpt-5-mini")',
);
/** @internal */
export const LangfuseExporter: () => never = /* @__PURE__ */ otherName(
  "LangfuseExporter",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const addTraceProcessor: () => never = /* @__PURE__ */ otherName(
  "addTraceProcessor",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const setTraceProcessors: () => never = /* @__PURE__ */ otherName(
  "setTraceProcessors",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const BatchTraceProcessor: () => never = /* @__PURE__ */ otherName(
  "BatchTraceProcessor",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const OpenAIProvider: () => never = /* @__PURE__ */ otherName("OpenAIProvider", 'openai("gpt-5-mini")');
/** @internal */
export const OpenAIChatCompletionsModel: () => never = /* @__PURE__ */ otherName(
  "OpenAIChatCompletionsModel",
  'openai("gpt-5-mini")',
);
/** @internal */
export const OpenAIResponsesModel: () => never = /* @__PURE__ */ otherName(
  "OpenAIResponsesModel",
  'openai("gpt-5-mini")',
);
/** @internal */
export const setDefaultModelProvider: () => never = /* @__PURE__ */ otherName(
  "setDefaultModelProvider",
  'openai("gpt-5-mini")',
);
/** @internal */
export const setOpenAIAPI: () => never = /* @__PURE__ */ otherName("setOpenAIAPI", 'openai("gpt-5-mini")');
/** @internal */
export const aisdk: () => never = /* @__PURE__ */ otherName("aisdk", 'openai("gpt-5-mini")');
/** @internal */
export const user: () => never = /* @__PURE__ */ otherName(
  "user",
  '{ role: "user", content: [{ type: "text", text: "..." }] }',
);
/** @internal */
export const system: () => never = /* @__PURE__ */ otherName(
  "system",
  '{ role: "user", content: [{ type: "text", text: "..." }] }',
);
/** @internal */
export const assistant: () => never = /* @__PURE__ */ otherName(
  "assistant",
  '{ role: "user", content: [{ type: "text", text: "..." }] }',
);
/** @internal */
export const computerTool: () => never = /* @__PURE__ */ otherName(
  "computerTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const shellTool: () => never = /* @__PURE__ */ otherName(
  "shellTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const applyPatchTool: () => never = /* @__PURE__ */ otherName(
  "applyPatchTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const toolNamespace: () => never = /* @__PURE__ */ otherName(
  "toolNamespace",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const imageGenerationTool: () => never = /* @__PURE__ */ otherName(
  "imageGenerationTool",
  "imageGeneration() of smolts/tools/image-generation",
);
/** @internal */
export const generateImage: () => never = /* @__PURE__ */ otherName(
  "generateImage",
  "imageGeneration() of smolts/tools/image-generation",
);
/** @internal */
export const experimental_generateImage: () => never = /* @__PURE__ */ otherName(
  "experimental_generateImage",
  "imageGeneration() of smolts/tools/image-generation",
);
/** @internal */
export const transcribe: () => never = /* @__PURE__ */ otherName("transcribe", "speechToText()");
/** @internal */
export const experimental_transcribe: () => never = /* @__PURE__ */ otherName(
  "experimental_transcribe",
  "speechToText()",
);
/** @internal */
export const createUIMessageStream: () => never = /* @__PURE__ */ otherName(
  "createUIMessageStream",
  'toResponse(agent.run(task), { format: "ai-sdk" }) of @smolts/streams',
);
/** @internal */
export const createAgentUIStream: () => never = /* @__PURE__ */ otherName(
  "createAgentUIStream",
  'toResponse(agent.run(task), { format: "ai-sdk" }) of @smolts/streams',
);
/** @internal */
export const pipeAgentUIStreamToResponse: () => never = /* @__PURE__ */ otherName(
  "pipeAgentUIStreamToResponse",
  'toResponse(agent.run(task), { format: "ai-sdk" }) of @smolts/streams',
);
/** @internal */
export const createDataStream: () => never = /* @__PURE__ */ otherName(
  "createDataStream",
  'toResponse(agent.run(task), { format: "ai-sdk" }) of @smolts/streams',
);
/** @internal */
export const validateUIMessages: () => never = /* @__PURE__ */ otherName(
  "validateUIMessages",
  "agent.run(task, { history }), with the earlier messages",
);
/** @internal */
export const safeValidateUIMessages: () => never = /* @__PURE__ */ otherName(
  "safeValidateUIMessages",
  "agent.run(task, { history }), with the earlier messages",
);
/** @internal */
export const pruneMessages: () => never = /* @__PURE__ */ otherName(
  "pruneMessages",
  "agent.run(task, { history }), with the earlier messages",
);
/** @internal */
export const trimMessages: () => never = /* @__PURE__ */ otherName(
  "trimMessages",
  "agent.run(task, { history }), with the earlier messages",
);
/** @internal */
export const filterMessages: () => never = /* @__PURE__ */ otherName(
  "filterMessages",
  "agent.run(task, { history }), with the earlier messages",
);
/** @internal */
export const mergeMessageRuns: () => never = /* @__PURE__ */ otherName(
  "mergeMessageRuns",
  "agent.run(task, { history }), with the earlier messages",
);
/** @internal */
export const embed: () => never = /* @__PURE__ */ otherName(
  "embed",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const embedMany: () => never = /* @__PURE__ */ otherName(
  "embedMany",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const cosineSimilarity: () => never = /* @__PURE__ */ otherName(
  "cosineSimilarity",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const rerank: () => never = /* @__PURE__ */ otherName(
  "rerank",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const OpenAIEmbeddings: () => never = /* @__PURE__ */ otherName(
  "OpenAIEmbeddings",
  "retriever({ documents, description }) of smolts/tools/retriever",
);
/** @internal */
export const zodSchema: () => never = /* @__PURE__ */ otherName(
  "zodSchema",
  'input: with the schema itself, or jsonSchema({ type: "object" })',
);
/** @internal */
export const valibotSchema: () => never = /* @__PURE__ */ otherName(
  "valibotSchema",
  'input: with the schema itself, or jsonSchema({ type: "object" })',
);
/** @internal */
export const asSchema: () => never = /* @__PURE__ */ otherName(
  "asSchema",
  'input: with the schema itself, or jsonSchema({ type: "object" })',
);
/** @internal */
export const ToolSet: () => never = /* @__PURE__ */ otherName(
  "ToolSet",
  'import type { Tool, ChatMessage } from "smolts"',
);
/** @internal */
export const ToolRuntime: () => never = /* @__PURE__ */ otherName(
  "ToolRuntime",
  'import type { Tool, ChatMessage } from "smolts"',
);
/** @internal */
export const InferUITools: () => never = /* @__PURE__ */ otherName(
  "InferUITools",
  'import type { Tool, ChatMessage } from "smolts"',
);
/** @internal */
export const UIMessage: () => never = /* @__PURE__ */ otherName(
  "UIMessage",
  'import type { Tool, ChatMessage } from "smolts"',
);
/** @internal */
export const ModelMessage: () => never = /* @__PURE__ */ otherName(
  "ModelMessage",
  'import type { Tool, ChatMessage } from "smolts"',
);
/** @internal */
export const CoreMessage: () => never = /* @__PURE__ */ otherName(
  "CoreMessage",
  'import type { Tool, ChatMessage } from "smolts"',
);
/** @internal */
export const entrypoint: () => never = /* @__PURE__ */ otherName(
  "entrypoint",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const MessagesZodState: () => never = /* @__PURE__ */ otherName(
  "MessagesZodState",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const MessagesValue: () => never = /* @__PURE__ */ otherName(
  "MessagesValue",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const MessagesState: () => never = /* @__PURE__ */ otherName(
  "MessagesState",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const StateSchema: () => never = /* @__PURE__ */ otherName(
  "StateSchema",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const ReducedValue: () => never = /* @__PURE__ */ otherName(
  "ReducedValue",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const Send: () => never = /* @__PURE__ */ otherName(
  "Send",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const GraphState: () => never = /* @__PURE__ */ otherName(
  "GraphState",
  "the steps as code: const answer = await agent.run(task)",
);
/** @internal */
export const toolCallLimitMiddleware: () => never = /* @__PURE__ */ otherName(
  "toolCallLimitMiddleware",
  "budget: { toolCalls: 50 }, an option of agents",
);
/** @internal */
export const modelCallLimitMiddleware: () => never = /* @__PURE__ */ otherName(
  "modelCallLimitMiddleware",
  "budget: { toolCalls: 50 }, an option of agents",
);
/** @internal */
export const modelFallbackMiddleware: () => never = /* @__PURE__ */ otherName(
  "modelFallbackMiddleware",
  'fallback([openai("gpt-5-mini"), ollama("qwen3")])',
);
/** @internal */
export const modelRetryMiddleware: () => never = /* @__PURE__ */ otherName("modelRetryMiddleware", "retrying(model)");
/** @internal */
export const toolRetryMiddleware: () => never = /* @__PURE__ */ otherName("toolRetryMiddleware", "retrying(model)");
/** @internal */
export const piiMiddleware: () => never = /* @__PURE__ */ otherName(
  "piiMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const piiRedactionMiddleware: () => never = /* @__PURE__ */ otherName(
  "piiRedactionMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const todoListMiddleware: () => never = /* @__PURE__ */ otherName(
  "todoListMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const dynamicSystemPromptMiddleware: () => never = /* @__PURE__ */ otherName(
  "dynamicSystemPromptMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const llmToolSelectorMiddleware: () => never = /* @__PURE__ */ otherName(
  "llmToolSelectorMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const anthropicPromptCachingMiddleware: () => never = /* @__PURE__ */ otherName(
  "anthropicPromptCachingMiddleware",
  "beforeStep: (draft) => ..., an option of agents",
);
/** @internal */
export const PinoLogger: () => never = /* @__PURE__ */ otherName(
  "PinoLogger",
  'verbosityLevel: "info", an option of agents',
);
/** @internal */
export const ConsoleLogger: () => never = /* @__PURE__ */ otherName(
  "ConsoleLogger",
  'verbosityLevel: "info", an option of agents',
);
/** @internal */
export const createLogger: () => never = /* @__PURE__ */ otherName(
  "createLogger",
  'verbosityLevel: "info", an option of agents',
);
/** @internal */
export const logger: () => never = /* @__PURE__ */ otherName("logger", 'verbosityLevel: "info", an option of agents');
/** @internal */
export const createScorer: () => never = /* @__PURE__ */ otherName(
  "createScorer",
  "evaluate({ cases, agent, scorers }) of @smolts/eval",
);
/** @internal */
export const runEvals: () => never = /* @__PURE__ */ otherName(
  "runEvals",
  "evaluate({ cases, agent, scorers }) of @smolts/eval",
);
/** @internal */
export const MockLanguageModelV3: () => never = /* @__PURE__ */ otherName(
  "MockLanguageModelV3",
  'scriptedModel(["..."]) of @smolts/testing',
);
/** @internal */
export const MockLanguageModelV2: () => never = /* @__PURE__ */ otherName(
  "MockLanguageModelV2",
  'scriptedModel(["..."]) of @smolts/testing',
);
/** @internal */
export const FakeListChatModel: () => never = /* @__PURE__ */ otherName(
  "FakeListChatModel",
  'scriptedModel(["..."]) of @smolts/testing',
);
/** @internal */
export const FakeModel: () => never = /* @__PURE__ */ otherName(
  "FakeModel",
  'scriptedModel(["..."]) of @smolts/testing',
);
/** @internal */
export const fakeModel: () => never = /* @__PURE__ */ otherName(
  "fakeModel",
  'scriptedModel(["..."]) of @smolts/testing',
);
/** @internal */
export const simulateReadableStream: () => never = /* @__PURE__ */ otherName(
  "simulateReadableStream",
  'scriptedModel(["..."]) of @smolts/testing',
);
/** @internal */
export const BraintrustExporter: () => never = /* @__PURE__ */ otherName(
  "BraintrustExporter",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const DefaultExporter: () => never = /* @__PURE__ */ otherName(
  "DefaultExporter",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const Observability: () => never = /* @__PURE__ */ otherName("Observability", "runTracing() of @smolts/otel");
/** @internal */
export const registerTelemetry: () => never = /* @__PURE__ */ otherName(
  "registerTelemetry",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const LangSmithTracer: () => never = /* @__PURE__ */ otherName(
  "LangSmithTracer",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const SmolagentsInstrumentor: () => never = /* @__PURE__ */ otherName(
  "SmolagentsInstrumentor",
  "runTracing() of @smolts/otel",
);
/** @internal */
export const createAgentApp: () => never = /* @__PURE__ */ otherName("createAgentApp", "serve(agent) of @smolts/serve");
/** @internal */
export const createHandler: () => never = /* @__PURE__ */ otherName("createHandler", "serve(agent) of @smolts/serve");
/** @internal */
export const createServer: () => never = /* @__PURE__ */ otherName("createServer", "serve(agent) of @smolts/serve");
/** @internal */
export const toA2a: () => never = /* @__PURE__ */ otherName("toA2a", "serve(agent) of @smolts/serve");
/** @internal */
export const registerApiRoute: () => never = /* @__PURE__ */ otherName(
  "registerApiRoute",
  "serve(agent) of @smolts/serve",
);
/** @internal */
export const chatRoute: () => never = /* @__PURE__ */ otherName("chatRoute", "serve(agent) of @smolts/serve");
/** @internal */
export const RealtimeAgent: () => never = /* @__PURE__ */ otherName(
  "RealtimeAgent",
  "new CodeAgent({ model, tools }); there are no voice agents here",
);
/** @internal */
export const RealtimeSession: () => never = /* @__PURE__ */ otherName(
  "RealtimeSession",
  "new CodeAgent({ model, tools }); there are no voice agents here",
);
/** @internal */
export const VoicePipeline: () => never = /* @__PURE__ */ otherName(
  "VoicePipeline",
  "new CodeAgent({ model, tools }); there are no voice agents here",
);
/** @internal */
export const AISDKModel: () => never = /* @__PURE__ */ otherName(
  "AISDKModel",
  'anthropic("claude-sonnet-4-5"), ollama("qwen3") or another preset',
);
/** @internal */
export const OllamaModel: () => never = /* @__PURE__ */ otherName(
  "OllamaModel",
  'anthropic("claude-sonnet-4-5"), ollama("qwen3") or another preset',
);
/** @internal */
export const AnthropicModel: () => never = /* @__PURE__ */ otherName(
  "AnthropicModel",
  'anthropic("claude-sonnet-4-5"), ollama("qwen3") or another preset',
);
/** @internal */
export const GeminiModel: () => never = /* @__PURE__ */ otherName(
  "GeminiModel",
  'anthropic("claude-sonnet-4-5"), ollama("qwen3") or another preset',
);
/** @internal */
export const GoogleModel: () => never = /* @__PURE__ */ otherName(
  "GoogleModel",
  'anthropic("claude-sonnet-4-5"), ollama("qwen3") or another preset',
);
/** @internal */
export const createClient: () => never = /* @__PURE__ */ otherName("createClient", 'openai("gpt-5-mini")');
/** @internal */
export const createModel: () => never = /* @__PURE__ */ otherName("createModel", 'openai("gpt-5-mini")');
/** @internal */
export const ChatModel: () => never = /* @__PURE__ */ otherName("ChatModel", 'openai("gpt-5-mini")');
/** @internal */
export const LanguageModel: () => never = /* @__PURE__ */ otherName("LanguageModel", 'openai("gpt-5-mini")');
/** @internal */
export const printRun: () => never = /* @__PURE__ */ elsewhere("printRun", "smolts/terminal");
/** @internal */
export const save: () => never = /* @__PURE__ */ elsewhere("save", "smolts/save");
/** @internal */
export const load: () => never = /* @__PURE__ */ elsewhere("load", "smolts/save");
/** @internal */
export const fileStore: () => never = /* @__PURE__ */ elsewhere("fileStore", "smolts/memory/files");
/** @internal */
export const cerebras: () => never = /* @__PURE__ */ elsewhere("cerebras", "smolts/models/cerebras");
/** @internal */
export const deepseek: () => never = /* @__PURE__ */ elsewhere("deepseek", "smolts/models/deepseek");
/** @internal */
export const fireworks: () => never = /* @__PURE__ */ elsewhere("fireworks", "smolts/models/fireworks");
/** @internal */
export const gemini: () => never = /* @__PURE__ */ elsewhere("gemini", "smolts/models/gemini");
/** @internal */
export const groq: () => never = /* @__PURE__ */ elsewhere("groq", "smolts/models/groq");
/** @internal */
export const llamacpp: () => never = /* @__PURE__ */ elsewhere("llamacpp", "smolts/models/llamacpp");
/** @internal */
export const lmstudio: () => never = /* @__PURE__ */ elsewhere("lmstudio", "smolts/models/lmstudio");
/** @internal */
export const mistral: () => never = /* @__PURE__ */ elsewhere("mistral", "smolts/models/mistral");
/** @internal */
export const openrouter: () => never = /* @__PURE__ */ elsewhere("openrouter", "smolts/models/openrouter");
/** @internal */
export const together: () => never = /* @__PURE__ */ elsewhere("together", "smolts/models/together");
/** @internal */
export const vllm: () => never = /* @__PURE__ */ elsewhere("vllm", "smolts/models/vllm");
/** @internal */
export const xai: () => never = /* @__PURE__ */ elsewhere("xai", "smolts/models/xai");
/** @internal */
export const recorded: () => never = /* @__PURE__ */ elsewhere("recorded", "smolts/models/recorded");
/** @internal */
export const replayed: () => never = /* @__PURE__ */ elsewhere("replayed", "smolts/models/recorded");
/** @internal */
export const readFile: () => never = /* @__PURE__ */ elsewhere("readFile", "smolts/tools/files");
/** @internal */
export const listFiles: () => never = /* @__PURE__ */ elsewhere("listFiles", "smolts/tools/files");
/** @internal */
export const writeFile: () => never = /* @__PURE__ */ elsewhere("writeFile", "smolts/tools/files");
/** @internal */
export const fromAiSdk: () => never = /* @__PURE__ */ elsewhere("fromAiSdk", "smolts/tools/from-ai-sdk");
/** @internal */
export const fromLangChain: () => never = /* @__PURE__ */ elsewhere("fromLangChain", "smolts/tools/from-lang-chain");
/** @internal */
export const fromOpenApi: () => never = /* @__PURE__ */ elsewhere("fromOpenApi", "smolts/tools/from-open-api");
/** @internal */
export const fromSpace: () => never = /* @__PURE__ */ elsewhere("fromSpace", "smolts/tools/from-space");
/** @internal */
export const guardedFetch: () => never = /* @__PURE__ */ elsewhere("guardedFetch", "smolts/tools/guarded-fetch");
/** @internal */
export const imageGeneration: () => never = /* @__PURE__ */ elsewhere(
  "imageGeneration",
  "smolts/tools/image-generation",
);
/** @internal */
export const memoryTools: () => never = /* @__PURE__ */ elsewhere("memoryTools", "smolts/tools/memory");
/** @internal */
export const retriever: () => never = /* @__PURE__ */ elsewhere("retriever", "smolts/tools/retriever");
/** @internal */
export const sql: () => never = /* @__PURE__ */ elsewhere("sql", "smolts/tools/sql");
/** @internal */
export const userInput: () => never = /* @__PURE__ */ elsewhere("userInput", "smolts/tools/user-input");
/** @internal */
export const zod3: () => never = /* @__PURE__ */ elsewhere("zod3", "smolts/tools/zod3");
/** @internal */
export const toolCollection: () => never = /* @__PURE__ */ elsewhere("toolCollection", "smolts/tools");
/** @internal */
export const evaluate: () => never = /* @__PURE__ */ elsewhere("evaluate", "@smolts/eval");
/** @internal */
export const judge: () => never = /* @__PURE__ */ elsewhere("judge", "@smolts/eval");
/** @internal */
export const docker: () => never = /* @__PURE__ */ elsewhere("docker", "@smolts/executor-docker");
/** @internal */
export const e2b: () => never = /* @__PURE__ */ elsewhere("e2b", "@smolts/executor-e2b");
/** @internal */
export const pyodide: () => never = /* @__PURE__ */ elsewhere("pyodide", "@smolts/executor-pyodide");
/** @internal */
export const quickjs: () => never = /* @__PURE__ */ elsewhere("quickjs", "@smolts/executor-quickjs");
/** @internal */
export const worker: () => never = /* @__PURE__ */ elsewhere("worker", "@smolts/executor-worker");
/** @internal */
export const push: () => never = /* @__PURE__ */ elsewhere("push", "@smolts/hub");
/** @internal */
export const loadTool: () => never = /* @__PURE__ */ elsewhere("loadTool", "@smolts/hub");
/** @internal */
export const loadCollection: () => never = /* @__PURE__ */ elsewhere("loadCollection", "@smolts/hub");
/** @internal */
export const mcpTools: () => never = /* @__PURE__ */ elsewhere("mcpTools", "@smolts/mcp");
/** @internal */
export const serveMcp: () => never = /* @__PURE__ */ elsewhere("serveMcp", "@smolts/mcp");
/** @internal */
export const fromAiSdkModel: () => never = /* @__PURE__ */ elsewhere("fromAiSdkModel", "@smolts/model-ai-sdk");
/** @internal */
export const transformers: () => never = /* @__PURE__ */ elsewhere("transformers", "@smolts/model-transformers");
/** @internal */
export const runTracing: () => never = /* @__PURE__ */ elsewhere("runTracing", "@smolts/otel");
/** @internal */
export const serve: () => never = /* @__PURE__ */ elsewhere("serve", "@smolts/serve");
/** @internal */
export const postgresStore: () => never = /* @__PURE__ */ elsewhere("postgresStore", "@smolts/store-sql");
/** @internal */
export const sqliteStore: () => never = /* @__PURE__ */ elsewhere("sqliteStore", "@smolts/store-sql");
/** @internal */
export const toResponse: () => never = /* @__PURE__ */ elsewhere("toResponse", "@smolts/streams");
/** @internal */
export const scriptedModel: () => never = /* @__PURE__ */ elsewhere("scriptedModel", "@smolts/testing");
/** @internal */
export const startModelServer: () => never = /* @__PURE__ */ elsewhere("startModelServer", "@smolts/testing/server");
/** @internal */
export const typecheck: () => never = /* @__PURE__ */ elsewhere("typecheck", "@smolts/typecheck");
/** @internal */
export const launchUI: () => never = /* @__PURE__ */ elsewhere("launchUI", "@smolts/ui");
/** @internal */
export const contains: () => never = /* @__PURE__ */ elsewhere("contains", "@smolts/eval");
/** @internal */
export const exact: () => never = /* @__PURE__ */ elsewhere("exact", "@smolts/eval");
/** @internal */
export const memoryStore: () => never = /* @__PURE__ */ elsewhere("memoryStore", "smolts/memory");
/** @internal */
export const trimSteps: () => never = /* @__PURE__ */ elsewhere("trimSteps", "smolts/memory");
/** @internal */
export const estimateTokens: () => never = /* @__PURE__ */ elsewhere("estimateTokens", "smolts/memory");
/** @internal */
export const withoutOldImages: () => never = /* @__PURE__ */ elsewhere("withoutOldImages", "smolts/memory");
/** @internal */
export const withoutOldObservations: () => never = /* @__PURE__ */ elsewhere("withoutOldObservations", "smolts/memory");
/** @internal */
export const parseRunFile: () => never = /* @__PURE__ */ elsewhere("parseRunFile", "smolts/memory");
/** @internal */
export const saveImage: () => never = /* @__PURE__ */ elsewhere("saveImage", "smolts/media");
/** @internal */
export const readGuestModule: () => never = /* @__PURE__ */ elsewhere(
  "readGuestModule",
  "smolts/interpreter/read-module",
);
/** @internal */
export const readSqliteSchema: () => never = /* @__PURE__ */ elsewhere("readSqliteSchema", "smolts/tools/sql");
/** @internal */
export const codeMode: () => never = /* @__PURE__ */ elsewhere("codeMode", "@smolts/mcp");
/** @internal */
export const mcpHandler: () => never = /* @__PURE__ */ elsewhere("mcpHandler", "@smolts/mcp");
/** @internal */
export const serveAcp: () => never = /* @__PURE__ */ elsewhere("serveAcp", "@smolts/serve");
/** @internal */
export const serveHandler: () => never = /* @__PURE__ */ elsewhere("serveHandler", "@smolts/serve");
/** @internal */
export const createUIHandler: () => never = /* @__PURE__ */ elsewhere("createUIHandler", "@smolts/ui");
/** @internal */
export const exportHtml: () => never = /* @__PURE__ */ elsewhere("exportHtml", "@smolts/ui");
/** @internal */
export const memorySessions: () => never = /* @__PURE__ */ elsewhere("memorySessions", "@smolts/ui");
/** @internal */
export const viewRun: () => never = /* @__PURE__ */ elsewhere("viewRun", "@smolts/ui");
/** @internal */
export const fileSessions: () => never = /* @__PURE__ */ elsewhere("fileSessions", "@smolts/ui/files");
/** @internal */
export const defineAgentUI: () => never = /* @__PURE__ */ elsewhere("defineAgentUI", "@smolts/ui/element");
/** @internal */
export const AgentUI: () => never = /* @__PURE__ */ elsewhere("AgentUI", "@smolts/ui/react");
/** @internal */
export const compare: () => never = /* @__PURE__ */ elsewhere("compare", "@smolts/eval");
/** @internal */
export const evaluationHtml: () => never = /* @__PURE__ */ elsewhere("evaluationHtml", "@smolts/eval");
/** @internal */
export const parseCases: () => never = /* @__PURE__ */ elsewhere("parseCases", "@smolts/eval");
/** @internal */
export const renderComparison: () => never = /* @__PURE__ */ elsewhere("renderComparison", "@smolts/eval");
/** @internal */
export const renderEvaluation: () => never = /* @__PURE__ */ elsewhere("renderEvaluation", "@smolts/eval");
/** @internal */
export const replay: () => never = /* @__PURE__ */ elsewhere("replay", "@smolts/eval");
/** @internal */
export const schema: () => never = /* @__PURE__ */ elsewhere("schema", "@smolts/eval");
/** @internal */
export const traceNote: () => never = /* @__PURE__ */ elsewhere("traceNote", "@smolts/otel");
/** @internal */
export const inspectRepo: () => never = /* @__PURE__ */ elsewhere("inspectRepo", "@smolts/hub");
/** @internal */
export const callTool: () => never = /* @__PURE__ */ elsewhere("callTool", "@smolts/testing");
/** @internal */
export const executorContract: () => never = /* @__PURE__ */ elsewhere("executorContract", "@smolts/testing");
/** @internal */
export const modelContract: () => never = /* @__PURE__ */ elsewhere("modelContract", "@smolts/testing");
/** @internal */
export const storeContract: () => never = /* @__PURE__ */ elsewhere("storeContract", "@smolts/testing");
/** @internal */
export const toolContract: () => never = /* @__PURE__ */ elsewhere("toolContract", "@smolts/testing");
/** @internal */
export const toAgui: () => never = /* @__PURE__ */ elsewhere("toAgui", "@smolts/streams");
/** @internal */
export const toChatCompletions: () => never = /* @__PURE__ */ elsewhere("toChatCompletions", "@smolts/streams");
/** @internal */
export const toResponses: () => never = /* @__PURE__ */ elsewhere("toResponses", "@smolts/streams");
/** @internal */
export const toUIMessageStream: () => never = /* @__PURE__ */ elsewhere("toUIMessageStream", "@smolts/streams");
/** @internal */
export const process: () => never = /* @__PURE__ */ elsewhere("process", "@smolts/executor-worker/process");
/** @internal */
export const pipelineTool: () => never = /* @__PURE__ */ elsewhere("pipelineTool", "@smolts/model-transformers");
/** @internal */
export const Swarm: () => never = /* @__PURE__ */ otherName("Swarm", "managedAgents: [agent], an option of agents");
/** @internal */
export const Crew: () => never = /* @__PURE__ */ otherName("Crew", "managedAgents: [agent], an option of agents");
/** @internal */
export const defineAgent: () => never = /* @__PURE__ */ otherName("defineAgent", "new CodeAgent({ model, tools })");
/** @internal */
export const AssistantAgent: () => never = /* @__PURE__ */ otherName(
  "AssistantAgent",
  "new CodeAgent({ model, tools })",
);
/** @internal */
export const defineTool: () => never = /* @__PURE__ */ otherName(
  "defineTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const agentTool: () => never = /* @__PURE__ */ otherName("agentTool", "agent.asTool({ name, description })");
/** @internal */
export const handoffs: () => never = /* @__PURE__ */ otherName(
  "handoffs",
  "managedAgents: [agent], an option of agents",
);
/** @internal */
export const createSession: () => never = /* @__PURE__ */ otherName("createSession", "agent.session()");
/** @internal */
export const Conversation: () => never = /* @__PURE__ */ otherName("Conversation", "agent.session()");
/** @internal */
export const MemoryStore: () => never = /* @__PURE__ */ otherName("MemoryStore", "memoryStore() of smolts/memory");
/** @internal */
export const FileStore: () => never = /* @__PURE__ */ otherName(
  "FileStore",
  "fileStore(folder) of smolts/memory/files",
);
/** @internal */
export const SqliteStore: () => never = /* @__PURE__ */ otherName(
  "SqliteStore",
  "sqliteStore(database) of @smolts/store-sql",
);
/** @internal */
export const createSandbox: () => never = /* @__PURE__ */ otherName("createSandbox", "await openSandbox({ executor })");
/** @internal */
export const CodeInterpreter: () => never = /* @__PURE__ */ otherName("CodeInterpreter", "interpreter()");
/** @internal */
export const Docker: () => never = /* @__PURE__ */ otherName("Docker", "docker() of @smolts/executor-docker");
/** @internal */
export const E2B: () => never = /* @__PURE__ */ otherName("E2B", "e2b() of @smolts/executor-e2b");
/** @internal */
export const PythonInterpreter: () => never = /* @__PURE__ */ otherName(
  "PythonInterpreter",
  "pyodide() of @smolts/executor-pyodide",
);
/** @internal */
export const web_search: () => never = /* @__PURE__ */ otherName("web_search", "webSearch()");
/** @internal */
export const visit_webpage: () => never = /* @__PURE__ */ otherName("visit_webpage", "visitWebpage()");
/** @internal */
export const final_answer: () => never = /* @__PURE__ */ otherName("final_answer", "finalAnswer");
/** @internal */
export const user_input: () => never = /* @__PURE__ */ otherName(
  "user_input",
  "userInput() of smolts/tools/user-input",
);
/** @internal */
export const MCPServer: () => never = /* @__PURE__ */ otherName("MCPServer", "serveMcp([tool]) of @smolts/mcp");
/** @internal */
export const trace: () => never = /* @__PURE__ */ otherName("trace", "runTracing() of @smolts/otel");
/** @internal */
export const Planner: () => never = /* @__PURE__ */ otherName("Planner", "planningInterval: 3, an option of agents");
/** @internal */
export const ChatBedrock: () => never = /* @__PURE__ */ otherName(
  "ChatBedrock",
  "fromAiSdkModel(model) of @smolts/model-ai-sdk",
);
/** @internal */
export const createAmazonBedrock: () => never = /* @__PURE__ */ otherName(
  "createAmazonBedrock",
  "fromAiSdkModel(model) of @smolts/model-ai-sdk",
);
/** @internal */
export const vertex: () => never = /* @__PURE__ */ otherName("vertex", "fromAiSdkModel(model) of @smolts/model-ai-sdk");
/** @internal */
export const RedisSaver: () => never = /* @__PURE__ */ otherName(
  "RedisSaver",
  "postgresStore(pool) of @smolts/store-sql",
);
/** @internal */
export const RedisStore: () => never = /* @__PURE__ */ otherName(
  "RedisStore",
  "postgresStore(pool) of @smolts/store-sql",
);
/**
 * The default export. Its error explains what to write instead of `import smolts from "smolts"`.
 *
 * @internal
 */
export const noDefault: () => never = /* @__PURE__ */ otherName(
  "default",
  'import { CodeAgent, tool } from "smolts", with the names in braces',
);
