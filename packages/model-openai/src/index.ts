export { openai } from "./openai.ts";
export type { OpenAIOptions, ReasoningOptions } from "./openai-options.ts";
/** @internal */
export { ChatOpenAI, OpenAI, OpenAIModel, OpenAIServerModel, createOpenAI } from "./other-names.ts";
