// All requests to the network go through this file. The token is sent only to the Hub's own origin,
// even if a redirect, a Link header or a response names another address. The length of every
// response is limited. The library for the Hub's API uses {@link hubFetch} instead of the global
// `fetch`.

import { AgentError, type Fetch, invalidOption } from "@smolts/protocol";
import { guardedFetch } from "@smolts/tools/guarded-fetch";

/** The address of the Hub, and the credentials for it. */
export interface HubAccess {
  /**
   * A token of Hugging Face, such as `hf_...`. Without one, only public repositories can be read.
   */
  readonly token?: string;
  /** The address of the Hub. Default: `https://huggingface.co`. */
  readonly hubUrl?: string;
  /** Aborts the requests. */
  readonly signal?: AbortSignal;
}

/** Returns the address of the Hub. @throws AgentError `invalid-option` */
export function hubUrlOf({ hubUrl = "https://huggingface.co" }: HubAccess): string {
  const url = URL.canParse(hubUrl) ? new URL(hubUrl) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") {
    return hubUrl.replace(/\/+$/, "");
  }
  throw invalidOption(
    "hubUrl is not a valid address; expected one that begins with https://, without a password",
    'leave it out for huggingface.co, and write the key as { token: "hf_..." }',
  );
}

const maxRedirects = 5;
/** The time limit for each request, including its redirects and its body, in ms. */
const timeoutMs = 120_000;

/** Returns a `fetch` for the Hub. `maxBytes` limits the body of each response. */
export function hubFetch(access: HubAccess, maxBytes: number): Fetch {
  const { origin } = new URL(hubUrlOf(access));
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = [access.signal, init?.signal, timeout].filter((signal) => signal !== undefined && signal !== null);
    const options = { ...init, signal: AbortSignal.any(signals), redirect: "manual" as const };
    const url = new URL(input instanceof Request ? input.url : input);
    return fetchFrom(url, options, origin, maxBytes);
  };
}

async function fetchFrom(start: URL, init: RequestInit, origin: string, maxBytes: number): Promise<Response> {
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    if (url.origin !== origin) return fetchElsewhere(url, init, maxBytes);
    const response = await fetch(url, init);
    const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null) return limited(response, maxBytes, url);
    await response.body?.cancel();
    url = new URL(location, url);
  }
  throw new AgentError("tool-execution", `${placeOf(start)} redirects more than ${maxRedirects} times`);
}

/**
 * Sends a request to a storage server behind the Hub, without the token. Downloads and uploads of
 * large files use these servers.
 */
async function fetchElsewhere(url: URL, init: RequestInit, maxBytes: number): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const name of ["authorization", "cookie"]) headers.delete(name);
  const { method = "GET", signal, body } = init;
  if (url.protocol !== "https:") {
    throw new AgentError("tool-execution", `the Hub names an address at "${url.origin}", which is not https`);
  }
  if (method === "PUT") return limited(await fetch(url, { ...init, headers }), maxBytes, url);
  if (method !== "GET" || (body !== undefined && body !== null)) {
    throw new AgentError("tool-execution", `the Hub redirects a ${method} to another origin, "${url.origin}"`);
  }
  // Only public addresses are allowed, so that a redirect cannot reach the user's own network.
  return guardedFetch(url, { headers: Object.fromEntries(headers), maxBytes, timeoutMs, ...(signal && { signal }) });
}

/** Returns the response with a body that fails when it is longer than `maxBytes`. */
function limited(response: Response, maxBytes: number, url: URL): Response {
  const { status, statusText, headers, body } = response;
  if (body === null || status === 204) return response;
  let length = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length > maxBytes) controller.error(tooLong(url, maxBytes));
        else controller.enqueue(chunk);
      },
    }),
  );
  const answer = new Response(counted, { status, statusText, headers });
  // The library reads the URL of a response, but the constructor of Response cannot set the URL.
  Object.defineProperty(answer, "url", { value: response.url });
  return answer;
}

const tooLong = (url: URL, maxBytes: number): AgentError =>
  new AgentError("tool-execution", `${placeOf(url)} sends more than ${maxBytes} bytes`, {
    hint: "no part of it was kept",
  });

/** Returns an address without its query. The query may contain a signature that gives access. */
const placeOf = ({ origin, pathname }: URL): string => origin + pathname;
