// Names that people look for in this package. They are exported so that their use throws an error
// that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/eval");

/** @internal */
export const exactMatch: () => never = /* @__PURE__ */ other("exactMatch", "exact()");
/** @internal */
export const includes: () => never = /* @__PURE__ */ other("includes", "contains()");
/** @internal */
export const llmJudge: () => never = /* @__PURE__ */ other("llmJudge", "judge(model)");
/** @internal */
export const createScorer: () => never = /* @__PURE__ */ other(
  "createScorer",
  "a function of { answer, case } in scorers",
);
