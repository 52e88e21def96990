export { type AiSdkOptions, fromAiSdkModel } from "./from-ai-sdk-model.ts";
export type { AiSdkModel, AiSdkStream, PartStream } from "./ai-sdk-model.ts";
/** @internal */
export { AISDKModel, aiSdk, aiSdkModel, aisdk, fromAISDK, fromAiSdk } from "./other-names.ts";
