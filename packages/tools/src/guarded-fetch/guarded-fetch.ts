// Fetches every URL that a model chose. Without a check, a hostile page could make the model fetch
// a cloud's metadata service or a router's admin page. So the host name of each URL and of each
// redirect is resolved, and the resulting address is checked. The connection then uses that address
// and does not resolve the name again. Otherwise an attacker could change the name's address
// between the check and the connection.

import { AgentError, invalidOption, type OptionTable, readOptions } from "@smolts/protocol";
import { type Endpoint, type Hop, type HopAnswer, isRedirect, type ResolveName } from "./guarded-hop.ts";
import { checkUrl, refusal, shownUrl, type UrlPolicy } from "./guarded-url.ts";

export type { Endpoint, ResolveName } from "./guarded-hop.ts";

/** Options of {@link guardedFetch}. */
export interface GuardedFetchOptions {
  /** @defaultValue "GET" */
  readonly method?: string;
  /**
   * Further headers. `authorization`, `cookie`, `proxy-authorization` and `host` are refused,
   * unless `withCredentials` is set.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the request. Default: none. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /**
   * Allows `authorization` in `headers`, for credentials that belong to exactly this address.
   * Redirects are then not followed.
   *
   * @defaultValue false
   */
  readonly withCredentials?: boolean;
  /** Cancels the request when it aborts. */
  readonly signal?: AbortSignal;
  /**
   * The time limit for everything, from the look-up of the name to the last byte, in ms.
   * @defaultValue 20_000
   */
  readonly timeoutMs?: number;
  /**
   * The size limit of the body, both as sent and decompressed, in bytes.
   *
   * @defaultValue 10_000_000
   */
  readonly maxBytes?: number;
  /** @defaultValue 5 */
  readonly maxRedirects?: number;
  /** @defaultValue [80, 443] */
  readonly ports?: readonly number[];
  /**
   * Origins that the program trusts, such as `"http://wiki.intranet:8080"`. They may be private and
   * use any port.
   */
  readonly allowedOrigins?: readonly string[];
  /** Returns all addresses of a host name. Node only. @defaultValue the system's resolver */
  readonly resolve?: ResolveName;
  /**
   * Returns the endpoint that is connected to instead of a checked address, such as the local end
   * of a tunnel. Node only.
   *
   * @defaultValue the address itself
   */
  readonly dial?: (checked: Endpoint) => Endpoint;
  /**
   * Certificate authorities in PEM format that are trusted in addition to the platform's, such as
   * that of an intranet. Node only.
   */
  readonly authorities?: readonly string[];
}

/**
 * Fetches a public web address, and nothing else.
 *
 * It refuses schemes other than http and https, ports outside of the option `ports`, credentials in
 * the URL, and every address that is not public: loopback, private, link-local, carrier-grade NAT,
 * metadata services, mapped, tunnelled and reserved addresses, in any notation. In Node, the host
 * name is resolved first, and its addresses are checked. The connection goes to exactly the checked
 * address and ignores proxies from the environment. Each redirect is checked in the same way. On
 * other platforms, host names cannot be resolved. There only the text of the URL is checked, and
 * the browser or platform decides where a name leads.
 *
 * The body is read before the promise resolves. The response's `url` is the address after the last
 * redirect.
 *
 * @throws AgentError `tool-execution` if the address is refused, cannot be reached, takes too long
 *   or sends too much; `invalid-option` for headers with credentials; if the signal aborts, its
 *   reason is thrown
 * @example
 * ```ts
 * import { guardedFetch } from "@smolts/tools/guarded-fetch";
 *
 * await guardedFetch("http://169.254.169.254/latest/meta-data").catch((error: Error) => console.log(error.message));
 * // refused to fetch "http://169.254.169.254/latest/meta-data": the address is not public (linkLocal)
 * ```
 */
export async function guardedFetch(address: string | URL, options: GuardedFetchOptions = {}): Promise<Response> {
  const settings = readOptions(options, "guardedFetch()", guardedFetchOptions);
  const {
    signal: callerSignal,
    timeoutMs = 20_000,
    maxRedirects = 5,
    ports = [80, 443],
    allowedOrigins = [],
    withCredentials = false,
  } = settings;
  const policy: UrlPolicy = { ports, allowedOrigins };
  const headers = checkHeaders(settings.headers ?? {}, withCredentials);
  let url = checkUrl(address, policy);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout;
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await sendHop(toHop(url, headers, signal, policy, settings));
      const location = redirectOf(answer);
      if (location === undefined) return toResponse(answer, url);
      if (redirects >= maxRedirects)
        throw refusal(url, `it redirects more than ${maxRedirects} times`, "give another address");
      checkMethod(url, settings.method);
      if (withCredentials)
        throw refusal(url, "it redirects a request with credentials", "use the address that it redirects to");
      url = checkUrl(location, policy, url);
    }
  } catch (error) {
    callerSignal?.throwIfAborted();
    if (timeout.aborted) throw failure(url, `it took longer than ${timeoutMs} ms`, error);
    throw AgentError.is(error) ? error : failure(url, reasonOf(error), error);
  }
}

const guardedFetchOptions: OptionTable<GuardedFetchOptions> = {
  method: "text",
  headers: "object",
  body: "text | object",
  withCredentials: "flag",
  signal: "signal",
  timeoutMs: "number",
  maxBytes: "number",
  maxRedirects: "number",
  ports: "numbers",
  allowedOrigins: "texts",
  resolve: "function",
  dial: "function",
  authorities: "texts",
};

const credentialHeaders: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization", "host"]);

function checkHeaders(
  headers: Readonly<Record<string, string>>,
  withCredentials: boolean,
): Readonly<Record<string, string>> {
  const refused = (name: string) => credentialHeaders.has(name) && !(withCredentials && name === "authorization");
  const found = Object.keys(headers).find((name) => refused(name.toLowerCase()));
  if (found === undefined) return headers;
  throw invalidOption(
    `headers of a guarded fetch contain "${found}"`,
    "an address that a model chose gets no credentials; leave the header out",
  );
}

function toHop(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  policy: UrlPolicy,
  { method = "GET", body, maxBytes = 10_000_000, resolve, dial, authorities = [] }: GuardedFetchOptions,
): Hop {
  return { url, method: method.toUpperCase(), headers, body, signal, maxBytes, policy, resolve, dial, authorities };
}

/**
 * Sends one request. In Node, the module for Node also checks the address behind the host name. In
 * bundles for browsers, the field `browser` of package.json replaces that module with the one for
 * other platforms.
 */
async function sendHop(hop: Hop): Promise<HopAnswer> {
  const { sendHop: send } =
    globalThis.process?.versions?.node === undefined
      ? await import("./guarded-fetch.web.ts")
      : await import("./guarded-fetch.node.ts");
  return send(hop);
}

const redirectOf = ({ status, headers }: HopAnswer): string | undefined =>
  isRedirect(status, headers) ? (headers.get("location") ?? undefined) : undefined;

/**
 * Refuses to follow a redirect of any method other than GET or HEAD. The caller agreed only to the
 * first address.
 */
function checkMethod(url: URL, method = "GET"): void {
  if (["GET", "HEAD"].includes(method.toUpperCase())) return;
  throw refusal(url, `it redirects a ${method} request`, "use the address that it redirects to");
}

function toResponse({ status, headers, body }: HopAnswer, url: URL): Response {
  const isEmpty = [204, 205, 304].includes(status);
  for (const name of ["content-encoding", "content-length", "set-cookie"]) headers.delete(name);
  const response = new Response(isEmpty ? null : body, { status, headers });
  return Object.defineProperty(response, "url", { value: url.href });
}

const failure = (url: URL, reason: string, cause: unknown): AgentError =>
  new AgentError("tool-execution", `could not fetch "${shownUrl(url)}": ${reason}`, { cause });

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return reasons[code ?? ""] ?? code ?? (error.message || error.name);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "no such host",
  EAI_AGAIN: "its name cannot be resolved at the moment",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is another name's",
};
