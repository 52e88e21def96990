export { openai } from "./openai.ts";
export type { OpenAIOptions, ReasoningOptions } from "./openai-options.ts";
