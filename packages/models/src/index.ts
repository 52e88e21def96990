export { type ModelName, resolveModel } from "./resolve-model.ts";
export { anthropic, type AnthropicOptions } from "./adapters/anthropic.ts";
export { azure, type AzureOptions } from "./adapters/azure.ts";
export { hf, type HfOptions } from "./adapters/hf.ts";
export { litellm, type LitellmOptions } from "./adapters/litellm.ts";
export { ollama, type OllamaOptions } from "./adapters/ollama.ts";
export { openai } from "./adapters/openai.ts";
export { openAICompatible, type OpenAICompatibleOptions } from "./openai-compatible.ts";
export type { AdapterOptions, Retries, Timeouts } from "./adapter-options.ts";
export type { Pricing } from "./http/price.ts";
export type { ToolCallKeys } from "./http/text-calls.ts";
export type { ReasoningReplay } from "./wires/chat-reasoning.ts";
export type { Provider } from "./provider.ts";
export type { FailureDetails } from "./http/failure.ts";
export { type Answer, answerOf, collect, generate, type GenerateOptions } from "./generate.ts";
export { type PresetName, presets } from "./presets.gen.ts";
export type { Preset } from "./preset.ts";
export { retrying } from "./wrappers/retrying.ts";
export { fallback } from "./wrappers/fallback.ts";
export { router, type RouterOptions } from "./wrappers/router.ts";
export { type RateLimitOptions, rateLimited } from "./wrappers/rate-limited.ts";
export { type AnswerStore, cached, type CacheOptions } from "./wrappers/cached.ts";
/** @internal */
export {
  cerebras,
  deepseek,
  fireworks,
  gemini,
  groq,
  llamacpp,
  lmstudio,
  mistral,
  openrouter,
  together,
  vllm,
  xai,
  OpenAI,
  OpenAIModel,
  OpenAIServerModel,
  ChatOpenAI,
  createOpenAI,
  initChatModel,
  ChatAnthropic,
  createAnthropic,
  InferenceClientModel,
  HfApiModel,
  LiteLLMModel,
  AzureOpenAIModel,
  AzureChatOpenAI,
  createAzure,
  ChatOllama,
  createOllama,
  createOpenAICompatible,
  google,
  createGoogleGenerativeAI,
  TransformersModel,
  generateText,
  streamText,
  generateObject,
} from "./other-names.ts";
