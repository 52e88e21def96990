// Who may send requests: the names by which the server is reached, the pages that may call it, and
// the key.

import { bearerKeyOf, hostOf, isLoopback, isSameSecret } from "@smolts/protocol";

/**
 * Returns who made a request, as a name that is the same for each of their requests; null when
 * nobody may come in with it.
 */
export type Authenticate = (request: Request) => string | null | Promise<string | null>;

/** How clients show that they may use a server: by a key, by a function of yours, or not at all. */
export type HttpAuth = { readonly key: string } | Authenticate | "none";

/** What {@link HttpAccess} checks. */
export interface HttpAccessOptions {
  readonly auth: HttpAuth;
  /** Names of the server, without port; those of this machine for itself when absent. */
  readonly hosts: readonly string[] | undefined;
  /** Origins of pages that may call the server, such as `https://app.example.com`. */
  readonly origins: readonly string[];
}

/** Lets requests in, or answers why not. */
export class HttpAccess {
  readonly #auth: HttpAuth;
  readonly #hosts: ReadonlySet<string> | null;
  readonly #origins: ReadonlySet<string>;

  constructor({ auth, hosts, origins }: HttpAccessOptions) {
    this.#auth = auth;
    this.#hosts = hosts === undefined ? null : new Set(hosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(origins.map((origin) => origin.toLowerCase()));
  }

  /** Returns the principal of a request, or the refusal. */
  async check(request: Request): Promise<string | Response> {
    const host = (request.headers.get("host") ?? new URL(request.url).host).toLowerCase();
    // A name that an attacker points at this machine is not one of the server's own.
    const name = hostOf(request);
    if (!(this.#hosts?.has(name) ?? isLoopback(name))) return refusal(403, "this is not a name of the server");
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
    if (typeof this.#auth === "function") return this.#auth(request);
    const key = bearerKeyOf(request);
    return key !== undefined && isSameSecret(key, this.#auth.key) ? "key" : null;
  }
}

/** An error as JSON-RPC has it, for requests that no server object answers. */
export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = { jsonrpc: "2.0", error: { code: status === 400 ? -32_700 : -32_000, message }, id: null };
  return Response.json(body, { status, headers: { ...headers, "cache-control": "no-store" } });
}
