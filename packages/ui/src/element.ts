import type { RunEvent } from "@smolts/protocol";

/**
 * `<agent-ui>`: the page as an element. Its attributes are `src`, `run`, `theme` (`light`, `dark`,
 * `system`) and `locale`.
 */
export interface AgentUIElement extends HTMLElement {
  /** Shows the text of a run file, read only. */
  showRun(name: string, text: string): void;
  addEventListener(
    type: "run-event",
    listener: (this: AgentUIElement, event: CustomEvent<RunEvent>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(...args: Parameters<HTMLElement["addEventListener"]>): void;
}

/**
 * Defines `<agent-ui>`, so that a page of yours can show an agent or a run file. Where there are no
 * elements, as on a server, it does nothing; so does a second call.
 *
 * `<agent-ui src="/agent/">` shows what `createUIHandler` serves there; it must be of the same
 * origin. `<agent-ui run="/runs/42.jsonl">` shows a run file. The element sends an event
 * `run-event` for each event of the session that is shown.
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
  // In the published package another module stands here, with the page as it was built
  // (`scripts/built.ts`).
  if (typeof customElements === "undefined") return;
  const client = new URL("../client/main.ts", import.meta.url).href;
  await import(client);
}
