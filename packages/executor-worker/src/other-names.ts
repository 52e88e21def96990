// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/executor-worker");

/** @internal */
export const process: () => never = /* @__PURE__ */ other(
  "process",
  'import { process } from "@smolts/executor-worker/process"',
);
