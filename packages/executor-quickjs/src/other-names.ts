// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/executor-quickjs");

/** @internal */
export const QuickJSExecutor: () => never = /* @__PURE__ */ other("QuickJSExecutor", "quickjs()");
/** @internal */
export const QuickJsExecutor: () => never = /* @__PURE__ */ other("QuickJsExecutor", "quickjs()");
/** @internal */
export const WasmExecutor: () => never = /* @__PURE__ */ other("WasmExecutor", "quickjs()");
/** @internal */
export const QuickJS: () => never = /* @__PURE__ */ other("QuickJS", "quickjs()");
/** @internal */
export const quickJS: () => never = /* @__PURE__ */ other("quickJS", "quickjs()");
