import { type OptionTable, readOptions } from "@smolts/protocol";
import type { Served } from "./agent-shape.ts";
import { createUIHandler } from "./create-ui-handler.ts";
import { type UIOptions, uiOptions } from "./ui-options.ts";

/**
 * A page with its own server, in Node. Without a `store`, sessions live in a folder of the user's
 * own for programs' data, one for each working directory.
 */
export interface LaunchOptions extends UIOptions {
  /**
   * 7860 when absent, or the next port that is free; 0 for any. A port that is named and taken is
   * an error.
   */
  readonly port?: number;
  /**
   * The address to listen on; 127.0.0.1 by default. Any address that other machines reach needs
   * `auth`.
   */
  readonly host?: string;
  /**
   * Receives messages such as the address. Writes to standard output by default; null turns them
   * off.
   */
  readonly print?: ((text: string) => void) | null;
}

/** A page that is being served. */
export interface LaunchedUI extends AsyncDisposable {
  /** The address that was printed. Its launch code lets one visitor in, once, within a minute. */
  readonly url: string;
  /** The address with a new launch code. */
  newUrl(): string;
  /**
   * Ends the server. Runs that are going on end with it; a store on disk lets the next server go on
   * with them.
   */
  close(): Promise<void>;
}

/**
 * Serves the page of an agent on this machine, and prints its address.
 *
 * Nobody but this machine reaches it, and only with the link. For a public address give `host`,
 * `hosts` and `auth`, or mount `createUIHandler` in a server of your own.
 *
 * @param served - an agent, a function that makes one for each session, or a tool
 * @throws AgentError `invalid-option` for a host that others reach without `auth`, or a port that
 *   is taken
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
export async function launchUI(served: Served, given: LaunchOptions = {}): Promise<LaunchedUI> {
  const options = readOptions(given, "launchUI()", launchUIOptions);
  const { port: _, host: __, print: ___, ...page } = options;
  const { serve } = await import("./server/serve.node.ts");
  return serve((store) => createUIHandler(served, { ...page, store }), options);
}

const launchUIOptions: OptionTable<LaunchOptions> = {
  ...uiOptions,
  port: "number",
  host: "text",
  print: "null | function",
};
