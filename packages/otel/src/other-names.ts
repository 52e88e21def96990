// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/otel");

/** @internal */
export const SmolagentsInstrumentor: () => never = /* @__PURE__ */ other("SmolagentsInstrumentor", "runTracing()");
/** @internal */
export const registerOTel: () => never = /* @__PURE__ */ other("registerOTel", "runTracing()");
/** @internal */
export const LangfuseExporter: () => never = /* @__PURE__ */ other("LangfuseExporter", "runTracing()");
