import { type OptionTable, readOptions } from "@smolts/protocol";
import type { Auth } from "./access.ts";
import { type ServeOptions, serveOptions } from "./serve-options.ts";
import type { Served } from "./served-agent.ts";

/** Settings of {@link serve}. */
export interface ServeHttpOptions extends ServeOptions {
  /** Who may use the server; whoever has the key that is made when absent. */
  readonly auth?: Auth;
  /** 8080 when absent, 0 for any that is free. */
  readonly port?: number;
  /**
   * The address to listen on; 127.0.0.1 by default. Any address that other machines reach needs
   * `auth`.
   */
  readonly host?: string;
}

/** A server that runs. Disposing ends it. */
export interface Serving extends AsyncDisposable {
  /** What clients call the base URL: it ends with `/v1`. */
  readonly url: string;
  /** What clients send as `Authorization: Bearer KEY`; absent with an `auth` of your own. */
  readonly key?: string;
  /** What people send who decide about calls; absent with `approvers` of your own. */
  readonly approvalKey?: string;
  /**
   * Refuses new runs, lets those that go on end within `graceMs` (10,000 when absent), and closes
   * the server.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Serves an agent by HTTP: clients of OpenAI's Chat Completions and Responses use it as a model.
 *
 * Only this machine reaches it unless `host` says otherwise. Without `auth` a key is made, and
 * another one for people who decide about calls.
 *
 * @param served - an agent, or a function that makes one for each run
 * @throws AgentError `invalid-option` for a host that others reach without `auth`, or a port that
 *   is taken
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
export async function serve(served: Served, given: ServeHttpOptions = {}): Promise<Serving> {
  const options = readOptions(given, "serve()", serveHttpOptions);
  const { serveHttp } = await import("./serve-http.node.ts");
  return serveHttp(served, options);
}

const serveHttpOptions: OptionTable<ServeHttpOptions> = {
  ...serveOptions,
  auth: "text | function | object",
  port: "number",
  host: "text",
};
