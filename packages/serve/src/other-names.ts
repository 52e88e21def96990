// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/serve");

/** @internal */
export const serveA2a: () => never = /* @__PURE__ */ other("serveA2a", "serve(agent), which also speaks A2A");
/** @internal */
export const serveA2A: () => never = /* @__PURE__ */ other("serveA2A", "serve(agent), which also speaks A2A");
/** @internal */
export const serveOpenAI: () => never = /* @__PURE__ */ other("serveOpenAI", "serve(agent)");
/** @internal */
export const serveHttp: () => never = /* @__PURE__ */ other("serveHttp", "serve(agent)");
/** @internal */
export const serveACP: () => never = /* @__PURE__ */ other("serveACP", "serveAcp(agent)");
