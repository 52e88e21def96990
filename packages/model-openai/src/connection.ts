// Creates a client of the SDK that does nothing on its own. By default, the SDK would repeat
// requests, follow redirects with the key, print, and read six environment variables, one of which
// adds headers. So its options are set explicitly. In addition, every request goes through
// `guardedFetch`, which sends only the SDK's harmless headers and our own.

import {
  type Callee,
  createRedact,
  createSecrets,
  type Endpoint,
  isCertainSecret,
  noAnswerError,
  type Provider,
  redirectError,
  type Secrets,
} from "@smolts/models/adapting";
import type { OpenAI } from "openai";
import type { OpenAIOptions } from "./openai-options.ts";

/** The settings from which a client is created. */
export interface ClientSettings {
  readonly modelId: string;
  readonly options: OpenAIOptions;
  readonly provider: Provider;
  readonly endpoint: Endpoint;
  /** The path of the API, below the base URL. */
  readonly path: string;
}

/** The SDK's client for one request, and what is needed to handle its answer. */
export interface Connection {
  readonly client: OpenAI;
  /** The SDK's error classes. */
  readonly errors: Pick<typeof OpenAI, "APIError" | "APIConnectionError">;
  readonly callee: Callee;
  /** The secrets that are removed from answers. */
  readonly secrets: Secrets;
  readonly timeouts: NonNullable<OpenAIOptions["timeouts"]>;
}

/** Creates a connection with the current key. No request is sent yet. */
export async function connectionFor({
  modelId,
  options,
  provider,
  endpoint,
  path,
}: ClientSettings): Promise<Connection> {
  // Loaded at the first use, because importing the SDK takes longer than importing all of our code.
  const { OpenAI } = await import("openai");
  const key = await endpoint.readKey();
  const { headers = {}, organization, project, fetch = globalThis.fetch, timeouts = {} } = options;
  const url = new URL(endpoint.url);
  const own = new Headers({
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(organization === undefined ? {} : { "openai-organization": organization }),
    ...(project === undefined ? {} : { "openai-project": project }),
    ...headers,
  });
  const secrets = [...(key === undefined ? [] : [key]), ...secretValues([...own, ...url.searchParams])];
  const shownUrl = endpoint.shownUrl.replace(/chat\/completions$/, path);
  const callee: Callee = { modelId, provider, endpoint: { ...endpoint, shownUrl }, redact: createRedact(secrets) };
  const client = new OpenAI({
    // This key is never sent: `guardedFetch` adds the real one.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: url.origin + url.pathname.replace(/\/chat\/completions$/, ""),
    defaultQuery: Object.fromEntries(url.searchParams),
    fetch: guardedFetch(fetch, own, callee),
    // The SDK's retries and time-outs are disabled. Ours are used instead, so that retries are
    // shown as events.
    maxRetries: 0,
    timeout: maxTimerMs,
    logLevel: "off",
    // Without this option, the SDK refuses to work on a web page. Our other adapters work there,
    // and the author of the page has chosen to use the key.
    dangerouslyAllowBrowser: true,
  });
  return { client, errors: OpenAI, callee, secrets: createSecrets(secrets.filter(isCertainSecret)), timeouts };
}

const maxTimerMs = 2 ** 31 - 1;

/**
 * Returns the values whose names sound secret. Each value is listed whole and word by word, so that
 * "Bearer x" also adds "x".
 */
function secretValues(named: readonly (readonly [name: string, value: string])[]): readonly string[] {
  return named
    .filter(([name]) => /auth|key|token|secret|cookie|sig/i.test(name))
    .flatMap(([, value]) => [value, ...value.split(/\s+/)]);
}

function guardedFetch(fetch: typeof globalThis.fetch, own: Headers, callee: Callee): typeof globalThis.fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    for (const name of [...headers.keys()]) if (!harmless.test(name)) headers.delete(name);
    for (const [name, value] of own) headers.set(name, value);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    const { status, type, ok } = response;
    if (type === "opaqueredirect" || (status >= 300 && status < 400)) throw redirectError(callee);
    if (!ok) return withErrorKey(response);
    const mediaType = response.headers.get("content-type") ?? "";
    if (/\bevent-stream\b/i.test(mediaType)) return response;
    return asEvents(response, callee);
  };
}

/**
 * Adds a property "error" to the body of an error response. The SDK drops a body without this
 * property.
 */
async function withErrorKey(response: Response): Promise<Response> {
  const text = await response.text().catch(() => "");
  const { status, headers } = response;
  const known = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) known.delete(name);
  const body = parsedJson(text);
  const isKnown = body === undefined || (typeof body === "object" && body !== null && "error" in body);
  return new Response(isKnown ? text : JSON.stringify({ error: body }), { status, headers: known });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Callers expect undefined for a text that is not JSON.
    return undefined;
  }
}

/**
 * Corrects the media type of a response that is a stream of events. With another type, the SDK
 * would find no events and end without an error.
 */
async function asEvents(response: Response, callee: Callee): Promise<Response> {
  const [start, body] = response.body?.tee() ?? [];
  const beginning = start ? await beginningOf(start) : "";
  const events = new Response(body ?? null, { headers: { "content-type": "text/event-stream" } });
  if (!/^\s*(?:data|event|id|retry)?:/.test(beginning)) throw noAnswerError(callee, await events.text());
  return events;
}

/** Reads as much of a stream as is needed to see whether it is a stream of events. */
async function beginningOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let isDone = false; !isDone && text.trimStart().length < "event:".length; ) {
    const { done, value } = await reader.read();
    isDone = done;
    text += decoder.decode(value, { stream: true });
  }
  // Only the other branch of the stream is read further, so errors of this branch do not matter.
  reader.cancel().catch(() => {});
  return text;
}

const harmless = /^(accept|content-type|user-agent|x-stainless-[a-z-]+)$/;
