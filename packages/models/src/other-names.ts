// Presets that are imported from a path of their own, so that bundles stay small. Their names are
// also exported here, so that using one throws an error that says what to import. They are not in
// the type declarations.

import { otherName } from "@smolts/protocol";

const preset = (name: string): (() => never) =>
  otherName(name, `import { ${name} } from "smolts/models/${name}"`, "smolts/models");

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
