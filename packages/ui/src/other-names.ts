// Names that people know from smolagents, or misspell. They are exported so that calling them
// throws an error that says what to write. Importing a name that is not exported would be a
// SyntaxError without such advice.

import { invalidOption } from "@smolts/protocol";

function otherName(name: string): () => never {
  // Not an arrow function, because arrow functions cannot be called with `new`.
  return function other(): never {
    throw invalidOption(`@smolts/ui has no "${name}"`, "write await launchUI(agent)");
  };
}

/** @internal */
export const GradioUI: () => never = /* @__PURE__ */ otherName("GradioUI");
/** @internal */
export const launchUi: () => never = /* @__PURE__ */ otherName("launchUi");
