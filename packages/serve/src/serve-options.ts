import type { OptionTable, RunStore } from "@smolts/protocol";
import type { Auth, Authenticate } from "./access.ts";
import type { RunLimits } from "./desk/run-slots.ts";

/** How much clients may use. */
export interface ServeLimits extends RunLimits {
  /** The longest request, in bytes. @defaultValue 20 MB */
  readonly bodyBytes: number;
  /** How long a request may take to arrive, in ms. @defaultValue 30,000 */
  readonly bodyTimeoutMs: number;
  /** How long a reader may take nothing of an answer before it is disconnected and its run aborted, in ms. @defaultValue 60,000 */
  readonly stalledMs: number;
}

/** Who decides about calls that need a person: `"clients"` about those of their own runs, or whoever has the key, about those of all. */
export type Approvers = "clients" | { readonly key: string } | Authenticate;

/** Settings of a served agent. */
export interface ServeOptions {
  /** The name of the agent as a model; the agent's own, or `agent`, when absent. */
  readonly name?: string;
  /** Shown to clients; the agent's own when absent. */
  readonly description?: string;
  /** Where runs and conversations are kept; the agent's own store, or else the newest `keptRuns` in memory. Agents of a function have none of their own. */
  readonly store?: RunStore;
  /** How many ended and waiting runs are kept in memory without a store. Their requests may have 256 MB in all. @defaultValue 1,000 */
  readonly keptRuns?: number;
  /**
   * How many runs, bytes and waiting requests the server accepts; each limit has its own default.
   */
  readonly limits?: Partial<ServeLimits>;
  /** Nobody when absent: a call that needs a person then leaves its run waiting. */
  readonly approvers?: Approvers;
  /** How long a run waits for a decision before it is suspended and its request ends, in ms. @defaultValue 60,000 */
  readonly approvalWaitMs?: number;
  /** Is told of failures that clients get no details of. */
  readonly onError?: (error: unknown) => void;
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
  name: true,
  description: true,
  store: true,
  keptRuns: true,
  limits: {
    runs: true,
    runsPerClient: true,
    queued: true,
    queueTimeoutMs: true,
    requestsPerMinute: true,
    bodyBytes: true,
    bodyTimeoutMs: true,
    stalledMs: true,
  },
  approvers: true,
  approvalWaitMs: true,
  onError: true,
};
