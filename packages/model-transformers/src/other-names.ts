// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/model-transformers");

/** @internal */
export const TransformersModel: () => never = /* @__PURE__ */ other(
  "TransformersModel",
  'transformers("onnx-community/Qwen3-0.6B-ONNX")',
);
/** @internal */
export const MLXModel: () => never = /* @__PURE__ */ other(
  "MLXModel",
  'transformers("onnx-community/Qwen3-0.6B-ONNX")',
);
/** @internal */
export const pipeline: () => never = /* @__PURE__ */ other(
  "pipeline",
  'transformers("onnx-community/Qwen3-0.6B-ONNX")',
);
