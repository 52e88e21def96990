import type { OptionTable, RunStore } from "@smolts/protocol";
import type { Auth, Authenticate } from "./access.ts";
import type { RunLimits } from "./desk/run-slots.ts";
import type { OnError } from "./desk/told-errors.ts";

/** How much clients may use. */
export interface ServeLimits extends RunLimits {
  /** The longest request, in bytes. @defaultValue 20 MB */
  readonly bodyBytes: number;
  /** How long a request may take to arrive, in ms. @defaultValue 30,000 */
  readonly bodyTimeoutMs: number;
  /**
   * How long a reader may take nothing of an answer before it is disconnected and its run aborted,
   * in ms. @defaultValue 60,000
   */
  readonly stalledMs: number;
}

/**
 * Who approves calls: with `"clients"` each client those of its own runs; else whoever has the key,
 * those of all runs.
 */
export type Approvers = "clients" | { readonly key: string } | Authenticate;

/** Settings of a served agent. */
export interface ServeOptions {
  /** The name of the agent as a model; the agent's own, or `agent`, when absent. */
  readonly name?: string;
  /** Shown to clients; the agent's own when absent. */
  readonly description?: string;
  /**
   * The address by which clients reach the server, without `/v1`, such as
   * `https://agents.example.org`; the agent card names it. When absent, the card names the address
   * that it was asked by, which is wrong behind a proxy that ends TLS.
   */
  readonly publicUrl?: string;
  /**
   * Where runs and conversations are kept; the agent's own store, or else the newest `keptRuns` in
   * memory. Agents of a function have none of their own.
   */
  readonly store?: RunStore;
  /**
   * How many ended and waiting runs are kept in memory without a store. Their requests may have 256
   * MB in all. @defaultValue 1,000
   */
  readonly keptRuns?: number;
  /**
   * How many runs, bytes and waiting requests the server accepts; each limit has its own default.
   */
  readonly limits?: Partial<ServeLimits>;
  /** Nobody when absent: a call that needs a person then leaves its run waiting. */
  readonly approvers?: Approvers;
  /**
   * How long a run waits for a decision before it is suspended and its request ends, in ms.
   * @defaultValue 60,000
   */
  readonly approvalWaitMs?: number;
  /**
   * Gets each failure whose details clients do not get, such as a provider's error. The client has
   * the `id`: that of the run that failed, or one of the failure alone. When absent, {@link serve}
   * writes them to standard error, and {@link serveHandler} nowhere.
   */
  readonly onError?: OnError;
}

/** Settings of {@link serveHandler}. */
export interface ServeHandlerOptions extends ServeOptions {
  /** Who may use the server. */
  readonly auth: Auth;
  /** The path it is mounted at, as the server sees it in a request's address; `/` when absent. */
  readonly basePath?: string;
}

/** The bounds that hold where none are given. */
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

/** The options of every server. */
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
