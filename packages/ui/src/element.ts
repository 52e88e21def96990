import type { RunEvent } from "@smolts/protocol";

declare global {
  // Programs without the DOM library need these three interfaces to compile. With the library, they
  // merge with its declarations and add nothing.
  interface HTMLElement {}
  interface Event {}
  // biome-ignore lint/suspicious/noExplicitAny: the library declares it so, and both must agree
  interface CustomEvent<T = any> extends Event {}
  interface HTMLElementEventMap {
    "run-event": CustomEvent<RunEvent>;
  }
  interface HTMLElementTagNameMap {
    "agent-ui": AgentUIElement;
  }
}

/**
 * `<agent-ui>`: the page as an element. Its attributes are `src`, `run`, `theme` (`light`, `dark`,
 * `system`) and `locale`.
 */
export interface AgentUIElement extends HTMLElement {
  /** Shows the text of a run file, read only. */
  showRun(name: string, text: string): void;
}

/**
 * Defines `<agent-ui>`, which shows an agent or a run file in your own page. On a platform without
 * custom elements, such as a server, it does nothing. A second call does nothing either.
 *
 * `<agent-ui src="/agent/">` shows the agent that `createUIHandler` serves at that address. The
 * address must have the same origin as your page. `<agent-ui run="/runs/42.jsonl">` shows a run
 * file. The element sends a DOM event `run-event` for each event of the shown session.
 *
 * @example
 * ```ts
 * import { defineAgentUI } from "@smolts/ui/element";
 *
 * await defineAgentUI();
 * if (typeof document !== "undefined") {
 *   const element = document.createElement("agent-ui");
 *   element.setAttribute("src", "/agent/");
 *   document.body.append(element);
 * }
 * ```
 */
export async function defineAgentUI(): Promise<void> {
  // The published package replaces this module by one that contains the built page
  // (`scripts/built.ts`).
  if (typeof customElements === "undefined") return;
  const client = new URL("../client/main.ts", import.meta.url).href;
  await import(client);
}
