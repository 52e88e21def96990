// <agent-ui>: the page as one element, for any page.
//
//   <agent-ui src="/agent/"></agent-ui>          an agent that `createUIHandler` serves
//   <agent-ui run="/runs/42.jsonl"></agent-ui>   a run file, read only; nothing but the file is requested

import { fromBase64 } from "@smolts/protocol";
import { render } from "preact";
import { App, wantedLocale } from "./app.tsx";
import { loadLanguage } from "./languages/strings.ts";
import { Store } from "./store.ts";

/** The address of this script. The style sheet is in the same folder. */
const scriptUrl = import.meta.url;

/** The style sheet, if it is bundled with the script. */
let ownStyle: string | null = null;

// Code that renders pages on a server imports this file too, but has no HTMLElement.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * The element `<agent-ui>`. Its attributes are `src`, `run`, `theme` (`light`, `dark`, `system`)
 * and `locale`. For each event of the shown session, it sends a DOM event `run-event` with the
 * event as `detail`.
 */
export class AgentUIElement extends Base {
  static readonly observedAttributes: readonly string[] = ["src", "run", "theme", "locale"];
  #store: Store | null = null;

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.#store || before === now) return;
    if (name === "src" || name === "run") {
      this.disconnectedCallback();
      this.connectedCallback();
    } else this.#store.changed();
  }

  connectedCallback(): void {
    if (this.#store) return;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const place = document.createElement("div");
    place.className = "root";
    const run = this.getAttribute("run");
    const src = this.getAttribute("src");
    const base = run === null ? new URL(src === null || src === "" ? "./" : withSlash(src), document.baseURI) : null;
    const store = new Store(base);
    this.#store = store;
    store.onEvent = (event) => void this.dispatchEvent(new CustomEvent("run-event", { detail: event }));
    const draw = async (): Promise<void> => {
      const first = await loadLanguage(wantedLocale(store, this));
      if (this.#store === store) render(<App store={store} host={this} first={first} />, place);
    };
    applyStyles(root, place, this.getAttribute("stylesheet"), draw);
    if (run === null) void store.enter(launchCode());
    else if (run.startsWith("#")) this.#openOwn(store, run.slice(1));
    else void this.#open(store, new URL(run, document.baseURI));
  }

  disconnectedCallback(): void {
    const place = this.shadowRoot?.querySelector(".root");
    if (place) render(null, place);
    this.#store?.session?.stream?.close();
    this.#store = null;
  }

  /** Shows the text of a run file. */
  showRun(name: string, text: string): void {
    this.#store?.openText(name, text);
  }

  /** Opens the run file that the page contains, as base64 in a template. */
  #openOwn(store: Store, id: string): void {
    const template = document.getElementById(id);
    const base64 = template instanceof HTMLTemplateElement ? template.content.textContent : "";
    try {
      store.openText(
        document.title,
        new TextDecoder().decode(fromBase64(base64.replace(/\s/g, "")) ?? new Uint8Array()),
      );
    } catch {
      store.notice = { text: store.translate("fileNoRun", { name: document.title }), isProblem: true };
      store.changed();
    }
  }

  async #open(store: Store, url: URL): Promise<void> {
    const name = url.pathname.split("/").at(-1) ?? "run.jsonl";
    try {
      const response = await fetch(url, { credentials: "omit" });
      if (!response.ok) throw new Error(`status ${response.status}`);
      store.openText(name, await response.text());
    } catch (error) {
      store.notice = {
        text: store.translate("fileUnreachable", { name, reason: error instanceof Error ? error.message : "" }),
        isProblem: true,
      };
      store.changed();
    }
  }
}

/**
 * Adds the style sheet, and renders when it has loaded, so that nobody sees the page without
 * styles.
 */
function applyStyles(root: ShadowRoot, place: HTMLElement, address: string | null, draw: () => Promise<void>): void {
  // An exported page contains the style sheet. The rules of that style sheet are copied, because an
  // exported page must not request anything.
  const inPage = document.getElementById("agent-ui-style");
  const own = inPage instanceof HTMLStyleElement ? inPage.textContent : ownStyle;
  if (own !== null && address === null) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(own);
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(place);
    return void draw();
  }
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = address ?? styleSheetUrl();
  style.addEventListener("load", () => void draw());
  style.addEventListener("error", () => void draw());
  root.replaceChildren(style, place);
}

/** Returns the address of the style sheet that was built with this script. */
function styleSheetUrl(): string {
  const linked = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].find((link) =>
    /\/agent-ui\.css(?:\?|$)/.test(link.href),
  );
  return linked?.href ?? new URL("./agent-ui.css", scriptUrl).href;
}

const withSlash = (address: string): string => (/[/?#]$/.test(address) ? address : `${address}/`);

/**
 * Returns the launch code in the page's address, and removes the code from the address, so that
 * nobody copies it.
 */
function launchCode(): string | undefined {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    return decodeURIComponent(code);
  } catch {
    return code; // a damaged link: the server refuses this code
  }
}

/**
 * Defines `<agent-ui>`; a second call does nothing.
 *
 * @param style - the style sheet, if it is bundled with the script
 */
export function defineAgentUI(style: string | null = null): void {
  ownStyle ??= style;
  if (!customElements.get("agent-ui")) customElements.define("agent-ui", AgentUIElement);
}
