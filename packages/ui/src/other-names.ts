// Names that people know from smolagents, or misspell. Importing a name that is not exported is a
// SyntaxError, which does not say what to write.

import { invalidOption } from "@smolts/protocol";

function otherName(name: string): () => never {
  // not an arrow function, which cannot be called with `new`
  return function other(): never {
    throw invalidOption(`@smolts/ui has no "${name}"`, "write await launchUI(agent)");
  };
}

/** @internal */
export const GradioUI: () => never = /* @__PURE__ */ otherName("GradioUI");
/** @internal */
export const launchUi: () => never = /* @__PURE__ */ otherName("launchUi");
