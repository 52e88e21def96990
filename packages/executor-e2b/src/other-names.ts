// Names that people look for in this package. They are exported so that their use throws an error
// that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/executor-e2b");

/** @internal */
export const E2BExecutor: () => never = /* @__PURE__ */ other("E2BExecutor", "e2b()");
/** @internal */
export const Sandbox: () => never = /* @__PURE__ */ other("Sandbox", "e2b()");
