// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/testing");

/** @internal */
export const MockLanguageModelV2: () => never = /* @__PURE__ */ other("MockLanguageModelV2", "scriptedModel([reply])");
/** @internal */
export const MockLanguageModelV3: () => never = /* @__PURE__ */ other("MockLanguageModelV3", "scriptedModel([reply])");
/** @internal */
export const FakeListChatModel: () => never = /* @__PURE__ */ other("FakeListChatModel", "scriptedModel([reply])");
/** @internal */
export const FakeModel: () => never = /* @__PURE__ */ other("FakeModel", "scriptedModel([reply])");
/** @internal */
export const mockModel: () => never = /* @__PURE__ */ other("mockModel", "scriptedModel([reply])");
/** @internal */
export const startModelServer: () => never = /* @__PURE__ */ other(
  "startModelServer",
  'import { startModelServer } from "@smolts/testing/server"',
);
/** @internal */
export const startE2bServer: () => never = /* @__PURE__ */ other(
  "startE2bServer",
  'import { startE2bServer } from "@smolts/testing/e2b"',
);
