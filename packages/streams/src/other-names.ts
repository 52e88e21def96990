// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/streams");

/** @internal */
export const createUIMessageStream: () => never = /* @__PURE__ */ other(
  "createUIMessageStream",
  "toUIMessageStream(run.events())",
);
/** @internal */
export const toDataStream: () => never = /* @__PURE__ */ other("toDataStream", "toUIMessageStream(run.events())");
/** @internal */
export const toUIMessageStreamResponse: () => never = /* @__PURE__ */ other(
  "toUIMessageStreamResponse",
  "toUIMessageStream(run.events())",
);
