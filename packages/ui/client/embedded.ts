// The element for pages of other people: script and style sheet in one.

import { defineAgentUI as define } from "./element.tsx";

/** The style sheet; the build puts it here. */
declare const agentUIStyle: string;

/** Defines `<agent-ui>`, where there are elements; a second call does nothing. */
export async function defineAgentUI(): Promise<void> {
  if (typeof customElements !== "undefined") define(agentUIStyle);
}
