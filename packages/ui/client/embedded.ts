// The `<agent-ui>` element for other people's pages. The build puts its script and its style sheet
// into one file.

import { defineAgentUI as define } from "./element.tsx";

/** The style sheet. The build inserts it. */
declare const agentUIStyle: string;

/** Defines `<agent-ui>`, if the environment has custom elements. A second call does nothing. */
export async function defineAgentUI(): Promise<void> {
  if (typeof customElements !== "undefined") define(agentUIStyle);
}
