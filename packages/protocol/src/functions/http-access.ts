// What every server of ours asks of a request: by which name it came, and with which key.

/** The part of a request that says who sends it, and where to. */
interface RequestHeaders {
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/**
 * The name by which a request reached its server, in small letters and without the port. An
 * attacker can point a name of their own at this machine: a server compares it with its own names.
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
 * Whether a host is one of this machine's names for itself: `localhost`, `127.x.x.x`, `::1`, also
 * in brackets.
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
 * The key of a request, `Authorization: Bearer KEY`; undefined when it brings none.
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
 * Whether a text that somebody sent is the secret. Every character is compared, so that the time
 * says nothing about how much of a guess is right.
 *
 * @example
 * ```ts
 * import { isSameSecret } from "@smolts/protocol";
 *
 * console.log(isSameSecret("guess", "a long key"), isSameSecret("a long key", "a long key")); // false true
 * ```
 */
export function isSameSecret(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length;
  // Beyond the end of the guess there is NaN, which counts as 0.
  for (let index = 0; index < secret.length; index++) difference |= given.charCodeAt(index) ^ secret.charCodeAt(index);
  return difference === 0;
}
