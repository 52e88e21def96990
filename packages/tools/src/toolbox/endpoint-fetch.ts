// Requests to an address that the program itself configured: a search engine, a service with a key. Nothing that a model chose comes here but as a
// parameter, and no redirect is followed, for it would carry the key along.

import { AgentError } from "@smolts/protocol";

/** The standard `fetch`, or one that stands in for it. */
export type EndpointFetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request to a configured endpoint. */
export interface EndpointRequest {
  /** Names the service in errors. */
  readonly service: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly fetch?: EndpointFetch | undefined;
}

const maxBytes = 50_000_000;

/**
 * Sends a request to a configured endpoint and gives the answer's bytes.
 *
 * @throws AgentError `tool-execution` when it cannot be reached or answers with an error; the text of neither holds a key
 */
export async function fetchEndpoint(request: EndpointRequest): Promise<Uint8Array<ArrayBuffer>> {
  const { service, url, method = "GET", headers = {}, body, timeoutMs, fetch: send = fetch } = request;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const init: RequestInit = { method, headers, redirect: "error", signal, ...(body === undefined ? {} : { body }) };
  const response = await send(url, init).catch((error: unknown) => {
    request.signal.throwIfAborted();
    const why = signal.aborted ? `did not answer within ${timeoutMs} ms` : "could not be reached";
    throw new AgentError("tool-execution", `${service} ${why}`, { cause: error });
  });
  if (!response.ok) throw failure(service, response.status);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength > maxBytes)
    throw new AgentError("tool-execution", `${service} sent more than ${maxBytes} bytes`);
  return bytes;
}

/** The same, for an answer that is JSON. */
export async function fetchEndpointJson(request: EndpointRequest): Promise<unknown> {
  const text = new TextDecoder().decode(await fetchEndpoint(request));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgentError("tool-execution", `${request.service} answered with something that is no JSON`, {
      cause: error,
    });
  }
}

/** The key that was given, else that of the environment; a program may need none. */
export function keyFrom(apiKey: string | undefined, variable: string): string | undefined {
  return apiKey ?? globalThis.process?.env?.[variable];
}

/**
 * The key that was given, else that of the environment.
 *
 * @throws AgentError `invalid-option` that names both places
 */
export function requireKey(apiKey: string | undefined, variable: string, what: string): string {
  const key = keyFrom(apiKey, variable);
  if (key) return key;
  throw new AgentError("invalid-option", `${what} needs a key`, { hint: `set ${variable}, or pass apiKey` });
}

function failure(service: string, status: number): AgentError {
  const hints: Readonly<Record<number, string>> = {
    401: "its key is wrong or missing",
    403: "its key is wrong, or it does not serve this machine",
    429: "it is asked too often; wait, or ask less",
  };
  return new AgentError("tool-execution", `${service} answered with status ${status}`, { hint: hints[status] });
}
