// Presets that are imported from a path of their own, so that bundles stay small. Their names are
// also exported here, so that using one throws an error that says what to import. Names of other
// frameworks are exported for the same reason. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "smolts/models");
const preset = (name: string): (() => never) => other(name, `import { ${name} } from "smolts/models/${name}"`);

/** @internal */
export const cerebras: () => never = /* @__PURE__ */ preset("cerebras");
/** @internal */
export const deepseek: () => never = /* @__PURE__ */ preset("deepseek");
/** @internal */
export const fireworks: () => never = /* @__PURE__ */ preset("fireworks");
/** @internal */
export const gemini: () => never = /* @__PURE__ */ preset("gemini");
/** @internal */
export const groq: () => never = /* @__PURE__ */ preset("groq");
/** @internal */
export const llamacpp: () => never = /* @__PURE__ */ preset("llamacpp");
/** @internal */
export const lmstudio: () => never = /* @__PURE__ */ preset("lmstudio");
/** @internal */
export const mistral: () => never = /* @__PURE__ */ preset("mistral");
/** @internal */
export const openrouter: () => never = /* @__PURE__ */ preset("openrouter");
/** @internal */
export const together: () => never = /* @__PURE__ */ preset("together");
/** @internal */
export const vllm: () => never = /* @__PURE__ */ preset("vllm");
/** @internal */
export const xai: () => never = /* @__PURE__ */ preset("xai");
/** @internal */
export const OpenAI: () => never = /* @__PURE__ */ other("OpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const OpenAIModel: () => never = /* @__PURE__ */ other("OpenAIModel", 'openai("gpt-5-mini")');
/** @internal */
export const OpenAIServerModel: () => never = /* @__PURE__ */ other("OpenAIServerModel", 'openai("gpt-5-mini")');
/** @internal */
export const ChatOpenAI: () => never = /* @__PURE__ */ other("ChatOpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const createOpenAI: () => never = /* @__PURE__ */ other("createOpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const initChatModel: () => never = /* @__PURE__ */ other("initChatModel", 'openai("gpt-5-mini")');
/** @internal */
export const ChatAnthropic: () => never = /* @__PURE__ */ other("ChatAnthropic", 'anthropic("claude-sonnet-4-5")');
/** @internal */
export const createAnthropic: () => never = /* @__PURE__ */ other("createAnthropic", 'anthropic("claude-sonnet-4-5")');
/** @internal */
export const InferenceClientModel: () => never = /* @__PURE__ */ other("InferenceClientModel", 'hf("Qwen/Qwen3-8B")');
/** @internal */
export const HfApiModel: () => never = /* @__PURE__ */ other("HfApiModel", 'hf("Qwen/Qwen3-8B")');
/** @internal */
export const LiteLLMModel: () => never = /* @__PURE__ */ other("LiteLLMModel", 'litellm("openai/gpt-5-mini")');
/** @internal */
export const AzureOpenAIModel: () => never = /* @__PURE__ */ other(
  "AzureOpenAIModel",
  'azure("deployment", { baseUrl })',
);
/** @internal */
export const AzureChatOpenAI: () => never = /* @__PURE__ */ other(
  "AzureChatOpenAI",
  'azure("deployment", { baseUrl })',
);
/** @internal */
export const createAzure: () => never = /* @__PURE__ */ other("createAzure", 'azure("deployment", { baseUrl })');
/** @internal */
export const ChatOllama: () => never = /* @__PURE__ */ other("ChatOllama", 'ollama("qwen3")');
/** @internal */
export const createOllama: () => never = /* @__PURE__ */ other("createOllama", 'ollama("qwen3")');
/** @internal */
export const createOpenAICompatible: () => never = /* @__PURE__ */ other(
  "createOpenAICompatible",
  'openAICompatible("model-id", { baseUrl })',
);
/** @internal */
export const google: () => never = /* @__PURE__ */ other(
  "google",
  'gemini("gemini-2.5-flash") of smolts/models/gemini',
);
/** @internal */
export const createGoogleGenerativeAI: () => never = /* @__PURE__ */ other(
  "createGoogleGenerativeAI",
  'gemini("gemini-2.5-flash") of smolts/models/gemini',
);
/** @internal */
export const TransformersModel: () => never = /* @__PURE__ */ other(
  "TransformersModel",
  'transformers("onnx-community/Qwen3-0.6B-ONNX") of @smolts/model-transformers',
);
/** @internal */
export const generateText: () => never = /* @__PURE__ */ other("generateText", "generate(model, { messages })");
/** @internal */
export const streamText: () => never = /* @__PURE__ */ other("streamText", "generate(model, { messages })");
/** @internal */
export const generateObject: () => never = /* @__PURE__ */ other("generateObject", "generate(model, { messages })");
