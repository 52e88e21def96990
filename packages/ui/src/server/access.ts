// Decides who may talk to the server. Two secrets are needed: a cookie that scripts cannot read,
// and a key in a header that other sites cannot send. The cookie alone is not enough, because a
// page on another port of this host has it too. The key alone is not enough, because somebody may
// have seen it.
//
// Nothing is stored about visitors. The key is a keyed hash of the cookie, and the visitor's id is
// another keyed hash of the cookie. So a restarted server with the same secret recognises its
// visitors.

import { hostOf, isLoopback, isSameSecret } from "@smolts/protocol";
import type { Entry } from "../wire.ts";
import { keyHeader } from "../wire.ts";
import { clientNetwork } from "./client-network.ts";
import { RefusedRequest } from "./refusal.ts";
import { keyedHash, randomSecret } from "./secrets.ts";

/** A person who uses the page. Each session belongs to a visitor. */
export interface Visitor {
  readonly id: string;
  /** The name of the person. It is recorded in decisions as `by`. */
  readonly name?: string;
}

/**
 * How visitors log in: with a password, or through a login in front of this server. For the latter,
 * pass a function. It gets each request, with the headers that the login has added, and returns the
 * visitor, or null to refuse.
 */
export type Auth = { readonly password: string } | ((request: Request) => Visitor | null | Promise<Visitor | null>);

/** Settings of {@link Access}. */
export interface AccessOptions {
  /** How visitors log in. Default: with launch codes. */
  readonly auth?: Auth | undefined;
  /** The host names of the server, without port. Default: only loopback names. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * The secret from which keys are derived. If it is the same after a restart, visitors stay logged
   * in.
   */
  readonly secret: () => Promise<string>;
  readonly now?: () => number;
}

const codeLifetimeMs = 60_000;
/**
 * The maximum number of wrong passwords per minute from one network. After that, all clients in
 * this network must wait. Launch codes have no limit: they are 128 random bits, so nobody can guess
 * them. With a limit, wrong codes from somebody else could lock out the person who has the right
 * code.
 */
const maxFailuresPerMinute = 10;

/** Logs visitors in, and recognises them later. */
export class Access {
  readonly #options: AccessOptions;
  /** The allowed host names; null for loopback names only. */
  readonly #hosts: ReadonlySet<string> | null;
  readonly #now: () => number;
  /** The time when each launch code expires, in epoch ms, by code. */
  readonly #codes = new Map<string, number>();
  /** The times of wrong passwords in the last minute, in epoch ms, by network. */
  readonly #failures = new Map<string, readonly number[]>();

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#hosts = options.hosts ? new Set(options.hosts.map((host) => host.toLowerCase())) : null;
    this.#now = options.now ?? Date.now;
  }

  /** How visitors log in. */
  get entry(): Entry {
    const { auth } = this.#options;
    if (!auth) return "launch-code";
    return typeof auth === "function" ? "login" : "password";
  }

  /** Creates a launch code. It logs one visitor in, works once, and expires after a minute. */
  newCode(): string {
    for (const [code, end] of this.#codes) if (end < this.#now()) this.#codes.delete(code);
    const code = randomSecret();
    this.#codes.set(code, this.#now() + codeLifetimeMs);
    return code;
  }

  /**
   * Refuses a request that another site made. Also refuses a request to a host name that is not the
   * server's own. Otherwise an attacker could point a domain name at this machine (DNS rebinding).
   *
   * @throws RefusedRequest `foreign-origin`
   */
  checkOrigin(request: Request): void {
    const host = hostOf(request);
    if (!(this.#hosts?.has(host) ?? isLoopback(host))) {
      throw new RefusedRequest("foreign-origin", `the host "${host}" is not a name of this server`, {
        hint: "open the page with the address in the terminal, or add the host to the option hosts",
      });
    }
    const origin = request.headers.get("origin");
    const fetchSite = request.headers.get("sec-fetch-site");
    const isForeign = origin !== null && !this.#isOwnOrigin(origin, request);
    if (isForeign || (fetchSite === "cross-site" && !isVisit(request))) {
      throw new RefusedRequest("foreign-origin", "the request comes from another site", {
        hint: "open the page with its own address",
      });
    }
  }

  /** Logs a visitor in. Returns the key, and the cookie to set. */
  async enter(request: Request, code: string | undefined): Promise<{ readonly key: string; readonly cookie: string }> {
    const known = cookieOf(request, this.#cookieName(request));
    await this.#mustBeLetIn(request, code);
    const cookie = known && isSecret(known) ? known : randomSecret();
    return { key: await this.#keyOf(cookie), cookie: this.#setCookie(request, cookie) };
  }

  /**
   * Returns the visitor who made a request.
   *
   * @throws RefusedRequest `not-entered`
   */
  async visitor(request: Request): Promise<Visitor> {
    const cookie = cookieOf(request, this.#cookieName(request));
    const key = request.headers.get(keyHeader);
    if (!cookie || !key || !isSameSecret(key, await this.#keyOf(cookie))) throw this.#notEntered();
    const { auth, secret } = this.#options;
    if (typeof auth !== "function") return { id: (await keyedHash(await secret(), `visitor ${cookie}`)).slice(0, 22) };
    const visitor = await auth(request);
    if (!visitor) throw this.#notEntered();
    return visitor;
  }

  async #mustBeLetIn(request: Request, code: string | undefined): Promise<void> {
    const { auth } = this.#options;
    if (typeof auth === "function") {
      if (await auth(request)) return;
      throw this.#notEntered();
    }
    if (code === undefined) throw this.#notEntered();
    if (auth) return this.#checkPassword(request, code, auth.password);
    if (this.#takeCode(code)) return;
    throw new RefusedRequest("wrong-code", "this link was used before, or is older than a minute", {
      hint: "press Enter in the terminal for a new one",
      details: { needs: this.entry },
    });
  }

  #checkPassword(request: Request, given: string, password: string): void {
    const minuteAgo = this.#now() - 60_000;
    for (const [network, times] of this.#failures) {
      if ((times.at(-1) ?? 0) <= minuteAgo) this.#failures.delete(network);
    }
    const network = clientNetwork(request);
    const failures = (this.#failures.get(network) ?? []).filter((time) => time > minuteAgo);
    if (failures.length >= maxFailuresPerMinute) {
      throw new RefusedRequest("too-many", "too many wrong passwords were tried", { hint: "wait a minute" });
    }
    if (isSameSecret(given, password)) return;
    this.#failures.set(network, [...failures, this.#now()]);
    throw new RefusedRequest("wrong-code", "the password is wrong", { details: { needs: this.entry } });
  }

  #takeCode(code: string): boolean {
    const end = this.#codes.get(code);
    this.#codes.delete(code);
    return end !== undefined && end >= this.#now();
  }

  #notEntered(): RefusedRequest {
    const hints: Readonly<Record<Entry, string>> = {
      "launch-code": "open the page with a link from the terminal; press Enter there for a new one",
      password: "enter the password",
      login: "log in first",
    };
    return new RefusedRequest("not-entered", "this request is not logged in", {
      hint: hints[this.entry],
      details: { needs: this.entry },
    });
  }

  async #keyOf(cookie: string): Promise<string> {
    return keyedHash(await this.#options.secret(), `key ${cookie}`);
  }

  /**
   * Returns the name of the cookie. It contains the port, because all ports of a host share
   * cookies. With HTTPS it has the prefix `__Host-`. Browsers then accept the cookie only from this
   * exact host, so no subdomain can set it for a visitor.
   */
  #cookieName(request: Request): string {
    const { port, protocol } = new URL(request.url);
    return `${isSecure(request) ? "__Host-" : ""}smolts-${port || (protocol === "https:" ? "443" : "80")}`;
  }

  #setCookie(request: Request, value: string): string {
    const kept = `Max-Age=${30 * 24 * 3600}`;
    const secure = isSecure(request) ? "; Secure" : "";
    return `${this.#cookieName(request)}=${value}; HttpOnly; SameSite=Strict; Path=/; ${kept}${secure}`;
  }

  #isOwnOrigin(origin: string, request: Request): boolean {
    if (!URL.canParse(origin)) return false;
    const { host } = new URL(origin);
    return host === (request.headers.get("host") ?? new URL(request.url).host);
  }
}

/**
 * Says whether a request comes from a browser that opens the page: a person follows a link, or
 * returns from a login on another site. Such a request is safe even if it comes from another site,
 * because no script of that site can read the response.
 */
const isVisit = ({ method, headers }: Request): boolean =>
  method === "GET" && headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";

/**
 * Says whether a visitor's cookie has the format that this server generates. Without this check, an
 * attacker could set a short, guessable cookie.
 */
const isSecret = (text: string): boolean => /^[\w-]{22}$/.test(text);

/**
 * Says whether the visitor's browser uses HTTPS, with this server or with a proxy in front of it.
 */
const isSecure = (request: Request): boolean =>
  new URL(request.url).protocol === "https:" || request.headers.get("x-forwarded-proto") === "https";

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([key]) => key === name)?.[1];
}
