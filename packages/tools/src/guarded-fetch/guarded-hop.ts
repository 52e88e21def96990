// The types for sending one request without following redirects. The sender for Node and the sender
// for other platforms share them.

import type { UrlPolicy } from "./guarded-url.ts";

/** Returns all addresses of a host name. */
export type ResolveName = (hostname: string, options: { readonly signal: AbortSignal }) => Promise<readonly string[]>;

/** An address and a port. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** One request without its redirects. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly policy: UrlPolicy;
  readonly resolve: ResolveName | undefined;
  readonly dial: ((checked: Endpoint) => Endpoint) | undefined;
  /** Certificate authorities in PEM format that are trusted in addition to the platform's. */
  readonly authorities: readonly string[];
}

/** The response. It has no body if it is a redirect. */
export interface HopAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Says whether the response is a redirect, so that its body is not needed. */
export const isRedirect = (status: number, headers: Headers): boolean =>
  redirectStatuses.has(status) && headers.has("location");

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
