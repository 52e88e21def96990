// Decides who may send requests. Checks the host name in the request, the web page that the request
// comes from, and the key.

import { bearerKeyOf, hostOf, isLoopback, isSameSecret } from "@smolts/protocol";

/**
 * Returns the name of the user who sent a request, or null if the request is not allowed. Any other
 * value, such as undefined, also refuses the request. The name must be the same for all requests of
 * a user.
 */
export type Authenticate = (request: Request) => string | null | Promise<string | null>;

/**
 * How clients prove that they may use the server: by a key, by a function of yours, or not at all.
 */
export type HttpAuth = { readonly key: string } | Authenticate | "none";

/** Options of {@link HttpAccess}. */
export interface HttpAccessOptions {
  readonly auth: HttpAuth;
  /**
   * The host names of the server, without port. Default: the loopback names, such as `localhost`.
   */
  readonly hosts: readonly string[] | undefined;
  /** The origins of web pages that may call the server, such as `https://app.example.com`. */
  readonly origins: readonly string[];
}

/** Accepts requests, or returns the response that refuses them. */
export class HttpAccess {
  readonly #auth: HttpAuth;
  readonly #hosts: ReadonlySet<string> | null;
  readonly #origins: ReadonlySet<string>;

  constructor({ auth, hosts, origins }: HttpAccessOptions) {
    this.#auth = auth;
    this.#hosts = hosts === undefined ? null : new Set(hosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase()));
  }

  /** Returns the user who sent a request, or the response that refuses it. */
  async check(request: Request): Promise<string | Response> {
    const host = (request.headers.get("host") ?? new URL(request.url).host).toLowerCase();
    // An attacker can make another host name resolve to this machine (DNS rebinding). So only the
    // server's own names are accepted.
    const name = hostOf(request);
    if (!(this.#hosts?.has(name) ?? isLoopback(name)))
      return refusal(403, "the host name is not a name of this server");
    const origin = request.headers.get("origin")?.toLowerCase();
    if (origin !== undefined && !this.#isAllowed(origin, host))
      return refusal(403, "pages of this origin may not call the server");
    const principal = await this.#authenticate(request);
    if (principal !== null) return principal;
    return refusal(401, "the key is missing or wrong; send it as Authorization: Bearer KEY", {
      "www-authenticate": 'Bearer realm="mcp"',
    });
  }

  #isAllowed(origin: string, host: string): boolean {
    return this.#origins.has(origin) || origin === `http://${host}` || origin === `https://${host}`;
  }

  async #authenticate(request: Request): Promise<string | null> {
    if (this.#auth === "none") return "anyone";
    if (typeof this.#auth === "function") {
      // The function may return undefined for an unknown key. Accept a request only if the function
      // returned a name.
      const principal: unknown = await this.#auth(request);
      return typeof principal === "string" && principal !== "" ? principal : null;
    }
    const key = bearerKeyOf(request);
    return key !== undefined && isSameSecret(key, this.#auth.key) ? "key" : null;
  }
}

/** Returns a JSON-RPC error, for a request that is refused before it reaches a server object. */
export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = { jsonrpc: "2.0", error: { code: status === 400 ? -32_700 : -32_000, message }, id: null };
  return Response.json(body, { status, headers: { ...headers, "cache-control": "no-store" } });
}
