// One request without its redirects: what the sender of a platform gets and gives.

import type { UrlPolicy } from "./guarded-url.ts";

/** All addresses of a name. */
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
  /** In PEM, besides those that the platform trusts. */
  readonly authorities: readonly string[];
}

/** The response; without a body if it is a redirect. */
export interface HopAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Whether the answer's body is of no interest, since it leads elsewhere. */
export const isRedirect = (status: number, headers: Headers): boolean =>
  redirectStatuses.has(status) && headers.has("location");

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
