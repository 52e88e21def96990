// Names that people know from smolagents, or misspell. They are exported so that calling them
// throws an error that says what to write. Importing a name that is not exported would be a
// SyntaxError without such advice.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/ui");

/** @internal */
export const GradioUI: () => never = /* @__PURE__ */ other("GradioUI", "await launchUI(agent)");
/** @internal */
export const launchUi: () => never = /* @__PURE__ */ other("launchUi", "await launchUI(agent)");
/** @internal */
export const AgentUI: () => never = /* @__PURE__ */ other("AgentUI", 'import { AgentUI } from "@smolts/ui/react"');
/** @internal */
export const fileSessions: () => never = /* @__PURE__ */ other(
  "fileSessions",
  'import { fileSessions } from "@smolts/ui/files"',
);
/** @internal */
export const defineAgentUI: () => never = /* @__PURE__ */ other(
  "defineAgentUI",
  'import { defineAgentUI } from "@smolts/ui/element"',
);
