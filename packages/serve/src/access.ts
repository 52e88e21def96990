// Decides who may send requests. The key is in a header that a page of another site cannot send
// without permission.

import { bearerKeyOf, hostOf, invalidOption, isLoopback, isSameSecret } from "@smolts/protocol";
import { RefusedRequest } from "./refused-request.ts";

/**
 * Returns the name of the client that made a request, or null to refuse the request. Any other
 * value, such as undefined, also refuses the request. The name must be the same for all requests of
 * a client.
 */
export type Authenticate = (request: Request) => string | null | Promise<string | null>;

/**
 * How clients prove who they are: with one key, with a key per client, with your own function, or
 * not at all. Runs belong to clients, and no client sees the runs of another.
 */
export type Auth =
  | { readonly key: string }
  | { readonly keys: { readonly [client: string]: string } }
  | Authenticate
  | "none";

const shortestKey = 16;

/**
 * Returns the function that checks requests.
 *
 * @throws AgentError `invalid-option` for a key that is too short, or that two clients share
 */
export function authenticator(auth: Auth, option = "auth"): Authenticate {
  if (auth === "none") return loopbackOnly;
  if (typeof auth === "function") return auth;
  if (typeof auth !== "object" || auth === null) {
    throw invalidOption(
      `${option} is ${JSON.stringify(auth)}, which does not say who may use the server`,
      `pass ${option}: { key }, { keys: { client: key } } or a function`,
    );
  }
  const keys = keysOf(auth, option);
  return (request) => {
    const given = bearerKeyOf(request);
    if (given === undefined) return null;
    // Compare all keys, so that the time does not show which key matches.
    const found = keys.filter(([, key]) => isSameSecret(given, key));
    return found[0]?.[0] ?? null;
  };
}

/** Returns the client of a request. @throws RefusedRequest `no-key` */
export async function clientOf(request: Request, authenticate: Authenticate): Promise<string> {
  // The function may return undefined for an unknown key. Accept a request only if the function
  // returned a name.
  const client: unknown = await authenticate(request);
  if (typeof client === "string" && client !== "") return client;
  throw new RefusedRequest("no-key", "the key is missing or wrong; send it as Authorization: Bearer KEY");
}

/**
 * Accepts only requests to a loopback name, and refuses those from a page of another site. Without
 * a key, such a page could otherwise send requests, directly or through a domain name that resolves
 * to this machine.
 */
function loopbackOnly(request: Request): string | null {
  const isFromPage = request.headers.has("origin") || request.headers.get("sec-fetch-site") === "cross-site";
  return isLoopback(hostOf(request)) && !isFromPage ? "anyone" : null;
}

function keysOf(auth: Exclude<Auth, Authenticate | "none">, option: string): readonly (readonly [string, string])[] {
  const keys: readonly (readonly [string, unknown])[] =
    "keys" in auth ? Object.entries(auth.keys ?? {}) : [["client", auth.key]];
  const [, twice] = keys.find(([client, key]) => keys.some((other) => other[0] !== client && other[1] === key)) ?? [];
  if (twice !== undefined) {
    throw invalidOption(
      `${option} has one key for two clients, who would see each other's runs`,
      "give each client its own key",
    );
  }
  const short = keys.find(([, key]) => typeof key !== "string" || key.length < shortestKey || /\s/.test(key));
  // The cast is safe: each key was checked above.
  if (keys.length > 0 && !short) return keys as readonly (readonly [string, string])[];
  const which = short && "keys" in auth ? ` for "${short[0]}"` : "";
  throw invalidOption(
    `${option} has no key${which} of at least ${shortestKey} characters`,
    `pass ${option}: { key: crypto.randomUUID() }`,
  );
}
