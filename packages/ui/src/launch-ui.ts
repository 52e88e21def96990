import { explainMembers, explainPromise, type OptionTable, readOptions } from "@smolts/protocol";
import type { Servable } from "./agent-shape.ts";
import { checkStore, createUIHandler } from "./create-ui-handler.ts";
import { type UIOptions, uiOptions } from "./ui-options.ts";

/**
 * Settings of {@link launchUI}. Without a `store`, sessions are kept in the user's folder for
 * application state, separately for each working directory.
 */
export interface LaunchOptions extends UIOptions {
  /**
   * The port, or 0 for any free port. Default: 7860, or the next free one. If the given port is in
   * use, the call fails.
   */
  readonly port?: number;
  /**
   * The address to listen on. Default: 127.0.0.1. For an address that other machines can reach,
   * `auth` is required.
   */
  readonly host?: string;
  /**
   * Called with messages such as the address. By default they are written to standard output; null
   * turns them off.
   */
  readonly print?: ((text: string) => void) | null;
}

/** A page that is being served. */
export interface LaunchedUI extends AsyncDisposable {
  /**
   * The printed address. Its launch code logs one visitor in. The code works once, for one minute.
   */
  readonly url: string;
  /** Returns the address with a new launch code. */
  newUrl(): string;
  /**
   * Ends the server and its active runs. With a store on disk, the next server can continue these
   * runs.
   */
  close(): Promise<void>;
}

/**
 * Serves the page of an agent on this machine, and prints its address.
 *
 * Only this machine can open the page, and only with the printed link. For a public address pass
 * `host`, `hosts` and `auth`, or mount `createUIHandler` in your own server.
 *
 * @param served - an agent, a function that creates one for each session, or a tool
 * @throws AgentError `invalid-option` for a host that other machines can reach without `auth`, or
 *   for a port in use
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { launchUI, memorySessions } from "@smolts/ui";
 *
 * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") });
 * const ui = await launchUI(agent, { port: 0, print: null, store: memorySessions() });
 * console.log(ui.url.startsWith("http://127.0.0.1:")); // true
 * await ui.close();
 * ```
 */
export function launchUI(served: Servable, given: LaunchOptions = {}): Promise<LaunchedUI> {
  const promise = explainMembers(launched(served, given), "the promise of launchUI()", {
    methods: [["launch queue", "leave it out: await launchUI(agent) serves the page"]],
  });
  return explainPromise(promise, "launchUI()");
}

async function launched(served: Servable, given: LaunchOptions): Promise<LaunchedUI> {
  checkStore(given?.store);
  const options = readOptions(given, "launchUI()", launchUIOptions);
  const { port: _, host: __, print: ___, ...page } = options;
  const { serve } = await import("./server/serve.node.ts");
  return serve((store) => createUIHandler(served, { ...page, store }), options);
}

const launchUIOptions: OptionTable<LaunchOptions> = {
  port: "number",
  host: "text",
  print: "null | function",
  ...uiOptions,
};
