// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/model-ai-sdk");

/** @internal */
export const aisdk: () => never = /* @__PURE__ */ other("aisdk", "fromAiSdkModel(model)");
/** @internal */
export const aiSdk: () => never = /* @__PURE__ */ other("aiSdk", "fromAiSdkModel(model)");
/** @internal */
export const AISDKModel: () => never = /* @__PURE__ */ other("AISDKModel", "fromAiSdkModel(model)");
/** @internal */
export const fromAiSdk: () => never = /* @__PURE__ */ other("fromAiSdk", "fromAiSdkModel(model)");
/** @internal */
export const fromAISDK: () => never = /* @__PURE__ */ other("fromAISDK", "fromAiSdkModel(model)");
/** @internal */
export const aiSdkModel: () => never = /* @__PURE__ */ other("aiSdkModel", "fromAiSdkModel(model)");
