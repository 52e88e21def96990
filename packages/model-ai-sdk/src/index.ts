export { type AiSdkOptions, fromAiSdkModel } from "./from-ai-sdk-model.ts";
export type { AiSdkModel, AiSdkStream, PartStream } from "./ai-sdk-model.ts";
