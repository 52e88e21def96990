export { type AiSdkOptions, fromAiSdkModel } from "./from-ai-sdk-model.ts";
export type { AiSdkModel, AiSdkStream } from "./ai-sdk-model.ts";
