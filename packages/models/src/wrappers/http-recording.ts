// The format of recordings. A recording consists of JSON lines. The first line names the format,
// and each further line is an exchange with a server. A request is recognised by its method, path
// and body. The host is not compared, so a recording of one server can be replayed for a client of
// another server.

import type { Redact } from "../http/redact.ts";

/** One request and its response. */
export interface Exchange {
  readonly type: "exchange";
  readonly request: RecordedRequest;
  readonly outcome: RecordedResponse | RecordedFailure;
}

/** The request. */
export interface RecordedRequest {
  readonly method: string;
  /** The URL with path and query. Values that may be secret are replaced. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response. Its body is kept in the pieces in which it arrived. */
export interface RecordedResponse {
  readonly type: "response";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly string[];
  /**
   * How the body ended: `whole`, `broken` if the connection was lost in the middle of the body, or
   * `left` if the consumer stopped reading.
   */
  readonly end: "whole" | "broken" | "left";
}

/** A request that got no response. */
export interface RecordedFailure {
  readonly type: "failure";
  readonly message: string;
}

/** The first line of a recording. */
export const recordingFormat = { type: "smolts-http-recording", version: 1 } as const;

/** Returns a key made of the parts that identify a request. */
export function requestKey({ method, url, body }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}\n${body}`;
}

/** Returns the request as it is recorded: with only the listed headers, and without secrets. */
export async function describeRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  names: readonly string[],
  redact: Redact = (text) => text,
): Promise<RecordedRequest> {
  const request = new Request(input, init);
  const url = new URL(request.url);
  for (const [name] of [...url.searchParams]) if (isSecretName(name)) url.searchParams.set(name, "redacted");
  return {
    method: request.method,
    url: redact(url.href),
    headers: listedHeaders(request.headers, names),
    body: redact(await request.text()),
  };
}

/** Returns the headers whose names are on the list. */
export function listedHeaders(headers: Headers, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => names.includes(name)));
}

/** Says whether a header or parameter with this name may hold a secret. */
export const isSecretName = (name: string): boolean => /auth|key|token|secret|cookie|sig|password/i.test(name);
