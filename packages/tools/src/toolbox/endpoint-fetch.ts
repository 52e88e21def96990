// Sends requests to an address that the program configured, such as a search engine or a service
// with a key. A model can only choose parameters, never the address. Redirects are not followed,
// because they would send the key to another address.

import { AgentError, invalidOption } from "@smolts/protocol";

/** The standard `fetch`, or a function that replaces it. */
export type EndpointFetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request to a configured endpoint. */
export interface EndpointRequest {
  /** The name of the service, for error messages. */
  readonly service: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The size limit of the answer, in bytes. @defaultValue 50_000_000 */
  readonly maxBytes?: number;
  readonly fetch?: EndpointFetch | undefined;
}

/**
 * Sends a request to a configured endpoint and returns its answer, whatever its status is. The size
 * of the body is limited.
 *
 * @throws AgentError `tool-execution` if the endpoint cannot be reached, takes too long or sends
 *   too much; the error contains no key
 */
export async function requestEndpoint(request: EndpointRequest): Promise<Response> {
  const {
    service,
    url,
    method = "GET",
    headers = {},
    body,
    timeoutMs,
    maxBytes = 50_000_000,
    fetch: send = fetch,
  } = request;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const init: RequestInit = { method, headers, redirect: "error", signal, ...(body === undefined ? {} : { body }) };
  try {
    const response = await send(url, init);
    const content = await readWithin(response, maxBytes, service);
    const isEmpty = [204, 205, 304].includes(response.status);
    return new Response(isEmpty ? null : content, { status: response.status, headers: response.headers });
  } catch (error) {
    request.signal.throwIfAborted();
    if (AgentError.is(error)) throw error;
    const why = signal.aborted ? `did not answer within ${timeoutMs} ms` : "could not be reached";
    throw new AgentError("tool-execution", `${service} ${why}`, { cause: error });
  }
}

/**
 * Sends a request to a configured endpoint and returns the answer's bytes.
 *
 * @throws AgentError `tool-execution` if the endpoint cannot be reached or answers with an error;
 *   the error contains no key
 */
export async function fetchEndpoint(request: EndpointRequest): Promise<Uint8Array<ArrayBuffer>> {
  const response = await requestEndpoint(request);
  if (!response.ok) throw failure(request.service, response.status);
  return new Uint8Array(await response.arrayBuffer());
}

/** Sends a request to a configured endpoint and returns its answer, parsed as JSON. */
export async function fetchEndpointJson(request: EndpointRequest): Promise<unknown> {
  const text = new TextDecoder().decode(await fetchEndpoint(request));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgentError("tool-execution", `${request.service} answered with something that is not JSON`, {
      cause: error,
    });
  }
}

/**
 * Returns the given key, or otherwise the key in the environment variable. Undefined if there is
 * neither.
 */
export function keyFrom(apiKey: string | undefined, variable: string): string | undefined {
  return apiKey ?? globalThis.process?.env?.[variable];
}

/**
 * Returns the given key, or otherwise the key in the environment variable.
 *
 * @throws AgentError `invalid-option` that names both places, if there is no key
 */
export function requireKey(apiKey: string | undefined, variable: string, what: string): string {
  const key = keyFrom(apiKey, variable);
  if (key) return key;
  throw invalidOption(`${what} needs a key`, `set ${variable}, or pass apiKey`);
}

async function readWithin(response: Response, maxBytes: number, service: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AgentError("tool-execution", `${service} sent more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function failure(service: string, status: number): AgentError {
  const hints: Readonly<Record<number, string>> = {
    401: "its key is wrong or missing",
    403: "its key is wrong, or it does not serve this machine",
    429: "it gets too many requests; wait, or send fewer",
  };
  return new AgentError("tool-execution", `${service} answered with status ${status}`, { hint: hints[status] });
}
