import { explainPromise, type OptionTable, readOptions } from "@smolts/protocol";
import type { Auth } from "./access.ts";
import { type ServeOptions, serveOptions } from "./serve-options.ts";
import type { Servable } from "./served-agent.ts";

/** Settings of {@link serve}. */
export interface ServeHttpOptions extends ServeOptions {
  /** How clients prove who they are. If absent, the server creates a key, and `key` returns it. */
  readonly auth?: Auth;
  /** The port; 8080 if absent, 0 for any free port. */
  readonly port?: number;
  /**
   * The address to listen on; 127.0.0.1 if absent. For an address that other machines can reach,
   * `auth` is required.
   */
  readonly host?: string;
}

/** A running server. Disposing it closes the server. */
export interface RunningServer extends AsyncDisposable {
  /** The base URL for clients. It ends with `/v1`. */
  readonly url: string;
  /** The key that clients send as `Authorization: Bearer KEY`; absent with your own `auth`. */
  readonly key?: string;
  /**
   * The key that people send with their decisions about calls; absent with your own `approvers`.
   */
  readonly approvalKey?: string;
  /**
   * Refuses new runs, waits up to `graceMs` (10,000 ms if absent) for the active runs to end, and
   * closes the server.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Serves an agent over HTTP. Clients of OpenAI's Chat Completions and Responses use it as a model.
 *
 * By default only this machine can reach the server; `host` changes that. Without `auth`, the
 * server creates a key for clients. Without `approvers`, it creates a key for people who decide
 * about calls.
 *
 * @param served - an agent, or a function that creates one for each run
 * @throws AgentError `invalid-option` for a host that other machines can reach without `auth`, or
 *   for a port in use
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { serve } from "@smolts/serve";
 *
 * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") });
 * await using serving = await serve(agent, { port: 0 });
 * const response = await fetch(`${serving.url}/models`, { headers: { authorization: `Bearer ${serving.key}` } });
 * console.log(response.status); // 200
 * ```
 */
export function serve(served: Servable, given: ServeHttpOptions = {}): Promise<RunningServer> {
  return explainPromise(started(served, given), "serve()");
}

async function started(served: Servable, given: ServeHttpOptions): Promise<RunningServer> {
  const options = readOptions(given, "serve()", serveHttpOptions);
  const { serveHttp } = await import("./serve-http.node.ts");
  return serveHttp(served, options);
}

const serveHttpOptions: OptionTable<ServeHttpOptions> = {
  port: "number",
  host: "text",
  auth: "text | function | object",
  ...serveOptions,
};
