// A client of the SDK that does only what we say. By itself it would repeat requests, follow
// redirects with the key, print, and read six variables, one of which adds headers; so every
// request passes a `fetch` of ours, which sends the SDK's harmless headers and our own.

import {
  type Callee,
  createRedact,
  createSecrets,
  type Endpoint,
  isUnmistakable,
  noAnswer,
  type Provider,
  redirected,
  type Secrets,
} from "@smolts/models/adapting";
import type { OpenAI } from "openai";
import type { OpenAIOptions } from "./openai-options.ts";

/** The facts about a model's server. */
export interface ClientSettings {
  readonly modelId: string;
  readonly options: OpenAIOptions;
  readonly provider: Provider;
  readonly endpoint: Endpoint;
  /** The path of the interface, below the base URL. */
  readonly path: string;
}

/** For one request. */
export interface Connection {
  readonly client: OpenAI;
  /** The SDK's errors. */
  readonly errors: Pick<typeof OpenAI, "APIError" | "APIConnectionError">;
  readonly callee: Callee;
  /** What must not come out in an answer. */
  readonly secrets: Secrets;
  readonly timeouts: NonNullable<OpenAIOptions["timeouts"]>;
}

/** Makes a connection with the key of the moment; sends nothing. */
export async function connectionFor({
  modelId,
  options,
  provider,
  endpoint,
  path,
}: ClientSettings): Promise<Connection> {
  // At first use: importing it takes longer than all of ours together.
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
    // Not sent: `guardedFetch` has the key.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: url.origin + url.pathname.replace(/\/chat\/completions$/, ""),
    defaultQuery: Object.fromEntries(url.searchParams),
    fetch: guardedFetch(fetch, own, callee),
    // Retries are shown as events, and time-outs are ours.
    maxRetries: 0,
    timeout: longestTimerMs,
    logLevel: "off",
    // The key was given by whoever wrote the page; our own adapters work there, too.
    dangerouslyAllowBrowser: true,
  });
  return { client, errors: OpenAI, callee, secrets: createSecrets(secrets.filter(isUnmistakable)), timeouts };
}

const longestTimerMs = 2 ** 31 - 1;

/** Values whose names say that they are secret, and their words: of "Bearer x", also "x". */
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
    if (type === "opaqueredirect" || (status >= 300 && status < 400)) throw redirected(callee);
    if (!ok) return withErrorKey(response);
    const mediaType = response.headers.get("content-type") ?? "";
    if (/\bevent-stream\b/i.test(mediaType)) return response;
    return asEvents(response, callee);
  };
}

/** The SDK drops the body of a failure that has no key "error". */
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
    // Not JSON: that is the answer.
    return undefined;
  }
}

/**
 * A response whose events are announced as something else. In any other one the SDK would find no
 * events, and end in silence.
 */
async function asEvents(response: Response, callee: Callee): Promise<Response> {
  const [start, body] = response.body?.tee() ?? [];
  const beginning = start ? await beginningOf(start) : "";
  const events = new Response(body ?? null, { headers: { "content-type": "text/event-stream" } });
  if (!/^\s*(?:data|event|id|retry)?:/.test(beginning)) throw noAnswer(callee, await events.text());
  return events;
}

/** As much of a text as tells whether it is a stream of events. */
async function beginningOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let isDone = false; !isDone && text.trimStart().length < "event:".length; ) {
    const { done, value } = await reader.read();
    isDone = done;
    text += decoder.decode(value, { stream: true });
  }
  // The other branch reads on; how this one ends does not matter.
  reader.cancel().catch(() => {});
  return text;
}

const harmless = /^(accept|content-type|user-agent|x-stainless-[a-z-]+)$/;
