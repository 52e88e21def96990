// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/hub");

/** @internal */
export const push_to_hub: () => never = /* @__PURE__ */ other("push_to_hub", "push(agent, repo, { token })");
/** @internal */
export const pushToHub: () => never = /* @__PURE__ */ other("pushToHub", "push(agent, repo, { token })");
/** @internal */
export const from_hub: () => never = /* @__PURE__ */ other("from_hub", "load(repo)");
/** @internal */
export const fromHub: () => never = /* @__PURE__ */ other("fromHub", "load(repo)");
/** @internal */
export const load_tool: () => never = /* @__PURE__ */ other("load_tool", "loadTool(repo)");
/** @internal */
export const ToolCollection: () => never = /* @__PURE__ */ other("ToolCollection", "loadCollection(slug)");
