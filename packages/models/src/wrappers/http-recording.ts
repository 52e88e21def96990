// A recording is JSON lines: the first one is its format, each other one an exchange with a server.
// A request is recognised by method, path and body; the host may differ, so that a recording of one
// server can be replayed for a client of any.

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
  /** With path and query; what may be secret in it is replaced. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer, with its body piece by piece as it came. */
export interface RecordedResponse {
  readonly type: "response";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly string[];
  /**
   * `broken` when the connection was lost in the middle of the body, `left` when the reader wanted
   * no more.
   */
  readonly end: "whole" | "broken" | "left";
}

/** No answer at all. */
export interface RecordedFailure {
  readonly type: "failure";
  readonly message: string;
}

/** The first line. */
export const recordingFormat = { type: "smolts-http-recording", version: 1 } as const;

/** The parts by which a request is recognised. */
export function requestKey({ method, url, body }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}\n${body}`;
}

/** The request as it is written down: the headers that are listed, and nothing secret. */
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

/** Those headers that are on the list. */
export function listedHeaders(headers: Headers, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => names.includes(name)));
}

/** Whether a header or parameter of this name may be secret. */
export const isSecretName = (name: string): boolean => /auth|key|token|secret|cookie|sig|password/i.test(name);
