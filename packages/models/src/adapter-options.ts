import type { Fetch, JsonValue, MessageRole, ModelRequest, OptionTable } from "@smolts/protocol";
import type { Pricing } from "./http/price.ts";
import type { ToolCallKeys } from "./http/text-calls.ts";

/**
 * How long to wait for a server, in ms; 0 or Infinity waits for ever.
 *
 * The time to connect is not among them: only the platform's `fetch` knows when a connection
 * stands. Node's gives up after 10 s, and that has a message of its own.
 */
export interface Timeouts {
  /**
   * From sending the request to the first event of the answer. Default: 120,000. Local servers may
   * load the model in this time.
   */
  readonly firstEventMs?: number;
  /** Between two pieces of the answer. Default: 60,000. */
  readonly idleMs?: number;
}

/**
 * How often and when to ask again after 408, 409, 429, 5xx and network errors: only as long as
 * nothing of an answer was shown.
 */
export interface Retries {
  /** In all, the first included. Default: 3; 1 for no retry. */
  readonly attempts?: number;
  /** Before the second attempt, in ms; doubled for each one after it, with jitter. Default: 500. */
  readonly initialDelayMs?: number;
  /** What doubling ends at, in ms. Default: 8,000. */
  readonly maxDelayMs?: number;
  /**
   * A server that asks by `Retry-After` for more than this is not asked again, in ms. Default:
   * 60,000.
   */
  readonly maxRetryAfterMs?: number;
}

/** Options of every adapter; all optional. */
export interface AdapterOptions {
  /**
   * Where the server is: everything before `/chat/completions`, such as `http://127.0.0.1:8000/v1`.
   */
  readonly baseUrl?: string;
  /**
   * The key, or a function that returns it before each request. Without it a preset reads its own
   * variable, but only for its own server.
   */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** Sent with every request, over the adapter's own of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the platform's `fetch`. */
  readonly fetch?: Fetch;
  /** Sent as `OpenAI-Organization`. */
  readonly organization?: string;
  /** Sent as `OpenAI-Project`. */
  readonly project?: string;
  /** Other names for roles, such as `{ system: "user" }` for a model without a system role. */
  readonly roles?: { readonly [Role in MessageRole]?: string };
  /** Sends every message as plain text. A note replaces images and sounds. */
  readonly contentAsText?: boolean;
  /** For requests that do not say. */
  readonly defaults?: { readonly temperature?: number; readonly maxOutputTokens?: number };
  /**
   * Fields of the request body, sent as they are, over the adapter's own; null deletes one. A field
   * that the server refuses is left out from then on.
   */
  readonly extra?: { readonly [field: string]: JsonValue };
  /**
   * The JSON Schema to answer in, for requests that name none. A server that refuses it is asked
   * without.
   */
  readonly responseFormat?: NonNullable<ModelRequest["responseFormat"]>;
  /**
   * For a model without native tool calls that writes them as JSON text, such as
   * `{ name: "action", input: "action_input" }`. Default: text is text.
   */
  readonly toolCallKeys?: ToolCallKeys;
  /** The price of the model. Default: the cost that the provider reports, if any. */
  readonly pricing?: Pricing;
  /** At most so many requests a minute, evenly spread, retries included. Default: no limit. */
  readonly requestsPerMinute?: number;
  /** How long the model may take to begin, and between two pieces, in ms. */
  readonly timeouts?: Timeouts;
  /** How often and how late a failed request is sent again. */
  readonly retries?: Retries;
}

/** The options of repeated requests. */
export const retryOptions: OptionTable<Retries> = {
  attempts: "number",
  initialDelayMs: "number",
  maxDelayMs: "number",
  maxRetryAfterMs: "number",
};

/** The options of how long to wait. */
export const timeoutOptions: OptionTable<Timeouts> = { firstEventMs: "number", idleMs: "number" };

/** The options of every adapter. */
export const adapterOptions: OptionTable<AdapterOptions> = {
  baseUrl: "text",
  apiKey: "text | function",
  headers: "object",
  fetch: "function",
  organization: "text",
  project: "text",
  roles: "object",
  contentAsText: "flag",
  defaults: { temperature: "number", maxOutputTokens: "number" },
  extra: "object",
  responseFormat: "object",
  toolCallKeys: { name: "text", input: "text" },
  pricing: { inputUsdPerMillion: "number", outputUsdPerMillion: "number", cachedInputUsdPerMillion: "number" },
  requestsPerMinute: "number",
  timeouts: timeoutOptions,
  retries: retryOptions,
};
