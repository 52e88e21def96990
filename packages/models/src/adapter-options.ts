import type { Fetch, JsonValue, MessageRole, ModelRequest, OptionTable } from "@smolts/protocol";
import type { Pricing } from "./http/price.ts";
import type { ToolCallKeys } from "./http/text-calls.ts";

/**
 * How long to wait for a server, in ms. 0 or Infinity means no limit.
 *
 * There is no limit for connecting, because only the platform's `fetch` knows when a connection is
 * established. Node's `fetch` gives up after 10 s, with its own error message.
 */
export interface Timeouts {
  /**
   * The longest wait from sending the request to the first event of the answer, in ms. Default:
   * 120,000, because local servers may have to load the model first.
   */
  readonly firstEventMs?: number;
  /** The longest wait between two pieces of the answer, in ms. Default: 60,000. */
  readonly idleMs?: number;
}

/**
 * How often and when a request is repeated after status 408, 409, 429 or 5xx, or after a network
 * error. A request is never repeated after a part of its answer was shown.
 */
export interface Retries {
  /**
   * The maximum number of attempts, including the first one. Default: 3. With 1, nothing is
   * repeated.
   */
  readonly attempts?: number;
  /**
   * The wait before the second attempt, in ms. It doubles for each further attempt, and a random
   * part is subtracted. Default: 500.
   */
  readonly initialDelayMs?: number;
  /** The longest wait between two attempts, in ms. Default: 8,000. */
  readonly maxDelayMs?: number;
  /**
   * The longest wait that is accepted from a server's `Retry-After` header, in ms. If the server
   * asks for more, the request is not repeated. Default: 60,000.
   */
  readonly maxRetryAfterMs?: number;
}

/** Options of every adapter. All of them are optional. */
export interface AdapterOptions {
  /** The server's address without `/chat/completions`, such as `http://127.0.0.1:8000/v1`. */
  readonly baseUrl?: string;
  /**
   * The API key, or a function that returns it before each request. Without this option, a preset
   * reads the environment variable of its provider, but only for the provider's own server.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Headers that are sent with every request. They replace the adapter's own headers of the same
   * name.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** A `fetch` that is used instead of the platform's. */
  readonly fetch?: Fetch;
  /** The value of the header `OpenAI-Organization`. */
  readonly organization?: string;
  /** The value of the header `OpenAI-Project`. */
  readonly project?: string;
  /** Other names for roles, such as `{ system: "user" }` for a model that has no system role. */
  readonly roles?: { readonly [Role in MessageRole]?: string };
  /**
   * Whether every message is sent as plain text. Images and sounds are then replaced by a note.
   * Default: false.
   */
  readonly contentAsText?: boolean;
  /** The values that are used if a request sets none of its own. */
  readonly defaults?: { readonly temperature?: number; readonly maxOutputTokens?: number };
  /**
   * Further fields of the request body. They are sent unchanged and replace the adapter's own
   * fields. Null removes a field. A field that the server refuses is left out of later requests.
   */
  readonly extra?: { readonly [field: string]: JsonValue };
  /**
   * The JSON Schema of the answer, for requests that have none. If the server refuses the schema,
   * the request is repeated without it.
   */
  readonly responseFormat?: NonNullable<ModelRequest["responseFormat"]>;
  /**
   * For a model that writes its tool calls as JSON in its text: the JSON keys under which it writes
   * the tool's name and input, such as `{ name: "action", input: "action_input" }`. Default: text
   * is not searched for calls.
   */
  readonly toolCallKeys?: ToolCallKeys;
  /** The price of the model. Default: the cost that the provider reports, if any. */
  readonly pricing?: Pricing;
  /**
   * The maximum number of requests per minute, spread evenly and including retries. Default: no
   * limit.
   */
  readonly requestsPerMinute?: number;
  /** How long the model may take to begin an answer, and how long it may pause, in ms. */
  readonly timeouts?: Timeouts;
  /** How often a failed request is repeated, and after which wait. */
  readonly retries?: Retries;
}

/** The types of the options in {@link Retries}. */
export const retryOptions: OptionTable<Retries> = {
  attempts: "number",
  initialDelayMs: "number",
  maxDelayMs: "number",
  maxRetryAfterMs: "number",
};

/** The types of the options in {@link Timeouts}. */
export const timeoutOptions: OptionTable<Timeouts> = { firstEventMs: "number", idleMs: "number" };

/** The types of the options in {@link AdapterOptions}. */
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
  responseFormat: { name: "required text", schema: "required object" },
  toolCallKeys: { name: "text", input: "text" },
  pricing: { inputUsdPerMillion: "number", outputUsdPerMillion: "number", cachedInputUsdPerMillion: "number" },
  requestsPerMinute: "number",
  timeouts: timeoutOptions,
  retries: retryOptions,
};
