import type { OptionTable, RunStore } from "@smolts/protocol";
import type { Auth, Authenticate } from "./access.ts";
import type { OnError } from "./runs/client-errors.ts";
import type { RunLimits } from "./runs/run-slots.ts";

/** The limits of a server. */
export interface ServeLimits extends RunLimits {
  /** The largest request body, in bytes. @defaultValue 20 MB */
  readonly bodyBytes: number;
  /** How long a request body may take to arrive, in ms. @defaultValue 30,000 */
  readonly bodyTimeoutMs: number;
  /**
   * How long a client may read nothing of a response before it is disconnected and its run is
   * aborted, in ms. @defaultValue 60,000
   */
  readonly stalledMs: number;
}

/**
 * Says who decides about calls that need approval. With `"clients"`, each client decides about
 * calls of its own runs. With a key or a function, everybody with access decides about calls of all
 * runs.
 */
export type Approvers = "clients" | { readonly key: string } | Authenticate;

/** Settings of a served agent. */
export interface ServeOptions {
  /**
   * Clients see the agent as a model; this is the model's name. If absent, it is the agent's own
   * name, or `agent` if the agent has none.
   */
  readonly name?: string;
  /** The description that clients see; the agent's own if absent. */
  readonly description?: string;
  /**
   * The public address of the server without `/v1`, such as `https://agents.example.org`. The agent
   * card contains this address. If absent, the card contains the address that its request came to,
   * which is wrong behind a proxy that terminates TLS.
   */
  readonly publicUrl?: string;
  /**
   * The store for runs and conversations. If absent, the agent's own store is used. If the agent
   * has no store, the newest `keptRuns` runs are kept in memory. If you serve a function that makes
   * agents, pass the agents' store here.
   */
  readonly store?: RunStore;
  /**
   * The maximum number of ended and waiting runs that are kept in memory if `store` is absent. The
   * requests of these runs may take 256 MB in total. @defaultValue 1,000
   */
  readonly keptRuns?: number;
  /** The limits for runs, bytes and waiting requests. Each limit has its own default. */
  readonly limits?: Partial<ServeLimits>;
  /**
   * Who decides about calls that need approval. If absent, nobody decides, and the runs of such
   * calls stay suspended.
   */
  readonly approvers?: Approvers;
  /**
   * How long a run waits for a decision, in ms. After that the run is suspended and its request
   * ends.
   * @defaultValue 60,000
   */
  readonly approvalWaitMs?: number;
  /**
   * Called with each error whose details clients do not see, such as a provider's error. The client
   * knows the `id`: the id of the failed run, or a random one. If absent, {@link serve} writes
   * errors to standard error, and {@link serveHandler} ignores them.
   */
  readonly onError?: OnError;
}

/** Settings of {@link serveHandler}. */
export interface ServeHandlerOptions extends ServeOptions {
  /** How clients prove who they are. */
  readonly auth: Auth;
  /** The path under which requests reach the handler, such as `/agents`; `/` if absent. */
  readonly basePath?: string;
}

/** The default limits. */
export const defaultLimits: ServeLimits = {
  runs: 64,
  runsPerClient: 16,
  queued: 256,
  queueTimeoutMs: 30_000,
  requestsPerMinute: 600,
  bodyBytes: 20_000_000,
  bodyTimeoutMs: 30_000,
  stalledMs: 60_000,
};

/** The options that all kinds of servers share. */
export const serveOptions: OptionTable<ServeOptions> = {
  name: "text",
  description: "text",
  publicUrl: "text",
  store: "object",
  keptRuns: "number",
  limits: {
    runs: "number",
    runsPerClient: "number",
    queued: "number",
    queueTimeoutMs: "number",
    requestsPerMinute: "number",
    bodyBytes: "number",
    bodyTimeoutMs: "number",
    stalledMs: "number",
  },
  approvers: "text | object | function",
  approvalWaitMs: "number",
  onError: "function",
};
