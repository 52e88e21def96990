// The element for other people's pages, with script and style sheet in one file.

import { defineAgentUI as define } from "./element.tsx";

/** The style sheet. The build inserts it. */
declare const agentUIStyle: string;

/** Defines `<agent-ui>`, if the environment has custom elements. A second call does nothing. */
export async function defineAgentUI(): Promise<void> {
  if (typeof customElements !== "undefined") define(agentUIStyle);
}
