// The checks that all our servers make on a request: the host name it was sent to, and the key it
// carries.

/** The parts of a `Request` that these checks read. */
interface RequestHeaders {
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/**
 * Returns the host name that a request was sent to, in lower case and without the port. An attacker
 * can let a domain of their own resolve to this machine, so a server must compare this name with
 * the names that it expects.
 *
 * @example
 * ```ts
 * import { hostOf } from "@smolts/protocol";
 *
 * console.log(hostOf(new Request("http://Localhost:8080/"))); // localhost
 * ```
 */
export const hostOf = ({ url, headers }: RequestHeaders): string =>
  (headers.get("host") ?? new URL(url).host).replace(/:\d+$/, "").toLowerCase();

/**
 * Says whether a host name means this machine: `localhost`, `127.x.x.x`, or `::1` with or without
 * brackets.
 *
 * @example
 * ```ts
 * import { isLoopback } from "@smolts/protocol";
 *
 * console.log(isLoopback("127.0.0.1"), isLoopback("127.0.0.1.example.org")); // true false
 * ```
 */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);

/**
 * Returns the key of a request, from `Authorization: Bearer KEY`. Undefined when the request has no
 * key.
 *
 * @example
 * ```ts
 * import { bearerKeyOf } from "@smolts/protocol";
 *
 * console.log(bearerKeyOf(new Request("http://localhost/", { headers: { authorization: "Bearer abc" } }))); // abc
 * ```
 */
export const bearerKeyOf = ({ headers }: RequestHeaders): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];

/**
 * Says whether a text that a client sent is the secret. It always compares every character of the
 * secret, so that the time it takes does not reveal how much of a guess is right.
 *
 * @example
 * ```ts
 * import { isSameSecret } from "@smolts/protocol";
 *
 * console.log(isSameSecret("guess", "a long key"), isSameSecret("a long key", "a long key")); // false true
 * ```
 */
export function isSameSecret(candidate: string, secret: string): boolean {
  let difference = candidate.length ^ secret.length;
  // Beyond the end of the guess `charCodeAt` returns NaN, which counts as 0.
  for (let index = 0; index < secret.length; index++)
    difference |= candidate.charCodeAt(index) ^ secret.charCodeAt(index);
  return difference === 0;
}
