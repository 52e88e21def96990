// Who may talk to the server. Two secrets, and both are needed: a cookie that scripts cannot read,
// and a key in a header that no other site can send. A cookie alone is what a page on another port
// has, a header alone is what somebody who saw the key has.
//
// Nothing about visitors is kept: the key is a keyed hash of the cookie, and the visitor's id is
// another one. So a server that has the same secret after a restart knows its visitors again.

import { hostOf, isLoopback, isSameSecret } from "@smolts/protocol";
import type { Entry } from "../wire.ts";
import { keyHeader } from "../wire.ts";
import { RefusedRequest } from "./refusal.ts";
import { keyedHash, randomSecret } from "./secrets.ts";

/** Somebody who uses the page. Sessions belong to visitors. */
export interface Visitor {
  readonly id: string;
  /** Written into decisions as `by`. */
  readonly name?: string;
}

/**
 * Who may use the page: a password; or a function that looks at a request, as the login that is
 * before the server left it, and returns the visitor, or null for nobody.
 */
export type Auth = { readonly password: string } | ((request: Request) => Visitor | null | Promise<Visitor | null>);

/** Settings of {@link Access}. */
export interface AccessOptions {
  /** Launch codes when absent. */
  readonly auth?: Auth | undefined;
  /** The names that the server is reached by, without port; only loopback names when absent. */
  readonly hosts?: readonly string[] | undefined;
  /** What keys are made from; the same over restarts lets visitors stay. */
  readonly secret: () => Promise<string>;
  readonly now?: () => number;
}

const codeLifetimeMs = 60_000;
/** Wrong passwords and codes in a minute, of all visitors together; after them everybody waits. */
const maxFailuresPerMinute = 10;

/** Lets visitors in, and knows them again. */
export class Access {
  readonly #options: AccessOptions;
  /** Null for the names of this machine for itself. */
  readonly #hosts: ReadonlySet<string> | null;
  readonly #now: () => number;
  /** When each code ends, by code. */
  readonly #codes = new Map<string, number>();
  #failures: number[] = [];

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#hosts = options.hosts ? new Set(options.hosts.map((host) => host.toLowerCase())) : null;
    this.#now = options.now ?? Date.now;
  }

  /** How visitors get in. */
  get entry(): Entry {
    const { auth } = this.#options;
    if (!auth) return "launch-code";
    return typeof auth === "function" ? "login" : "password";
  }

  /** A code that lets one visitor in, once, within a minute. */
  newCode(): string {
    for (const [code, end] of this.#codes) if (end < this.#now()) this.#codes.delete(code);
    const code = randomSecret();
    this.#codes.set(code, this.#now() + codeLifetimeMs);
    return code;
  }

  /**
   * Refuses a request that another site made, or that reached the server by a name which is not its
   * own: a name that an attacker points at this machine.
   *
   * @throws RefusedRequest `foreign-origin`
   */
  checkOrigin(request: Request): void {
    const host = hostOf(request);
    if (!(this.#hosts?.has(host) ?? isLoopback(host))) {
      throw new RefusedRequest("foreign-origin", `the host "${host}" is not a name of this server`, {
        hint: "open the page by the address in the terminal, or name the host in the option hosts",
      });
    }
    const origin = request.headers.get("origin");
    const fetchSite = request.headers.get("sec-fetch-site");
    const isForeign = origin !== null && !this.#isOwnOrigin(origin, request);
    if (isForeign || (fetchSite === "cross-site" && !isVisit(request))) {
      throw new RefusedRequest("foreign-origin", "the request comes from another site", {
        hint: "open the page by its own address",
      });
    }
  }

  /** Lets a visitor in: returns the key, and the cookie to set. */
  async enter(request: Request, code: string | undefined): Promise<{ readonly key: string; readonly cookie: string }> {
    const known = cookieOf(request, this.#cookieName(request));
    await this.#mustBeLetIn(request, code);
    const cookie = known && isSecret(known) ? known : randomSecret();
    return { key: await this.#keyOf(cookie), cookie: this.#setCookie(request, cookie) };
  }

  /**
   * Who makes a request.
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
    this.#failures = this.#failures.filter((time) => time > this.#now() - 60_000);
    if (this.#failures.length >= maxFailuresPerMinute) {
      throw new RefusedRequest("too-many", "too many wrong codes were tried", { hint: "wait a minute" });
    }
    // Counted before it is compared: guesses that come at the same time are not compared at once.
    const failure = this.#now();
    this.#failures.push(failure);
    const isRight = auth ? isSameSecret(code, auth.password) : this.#takeCode(code);
    if (isRight) return void this.#failures.splice(this.#failures.indexOf(failure), 1);
    throw auth
      ? new RefusedRequest("wrong-code", "the password is wrong", { details: { needs: this.entry } })
      : new RefusedRequest("wrong-code", "this link was used before, or is older than a minute", {
          hint: "press Enter in the terminal for a new one",
          details: { needs: this.entry },
        });
  }

  #takeCode(code: string): boolean {
    const end = this.#codes.get(code);
    this.#codes.delete(code);
    return end !== undefined && end >= this.#now();
  }

  #notEntered(): RefusedRequest {
    const hints: Readonly<Record<Entry, string>> = {
      "launch-code": "open the page by a link from the terminal; press Enter there for a new one",
      password: "enter the password",
      login: "log in first",
    };
    return new RefusedRequest("not-entered", "nobody was let in with this request", {
      hint: hints[this.entry],
      details: { needs: this.entry },
    });
  }

  async #keyOf(cookie: string): Promise<string> {
    return keyedHash(await this.#options.secret(), `key ${cookie}`);
  }

  /**
   * Cookies are shared by all ports of a host, so the port is in the name. Behind TLS its prefix
   * says that this very host set it: no other server, of another port or of a name below, can give
   * a visitor a cookie of its choice.
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
 * Whether somebody follows a link, or comes back from a login elsewhere. The browser shows the
 * answer and no script of the other site reads it.
 */
const isVisit = ({ method, headers }: Request): boolean =>
  method === "GET" && headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";

/**
 * A cookie that a visitor brings along must look like one of ours: it is not theirs to choose a
 * short one.
 */
const isSecret = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** Whether the visitor's browser speaks TLS, with us or with a proxy before us. */
const isSecure = (request: Request): boolean =>
  new URL(request.url).protocol === "https:" || request.headers.get("x-forwarded-proto") === "https";

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([key]) => key === name)?.[1];
}
