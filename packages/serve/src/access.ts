// Who may send requests. The key is in a header, which no page of another site can send by itself.

import { AgentError, bearerKeyOf, hostOf, isLoopback, isSameSecret } from "@smolts/protocol";
import { RefusedRequest } from "./refused-request.ts";

/**
 * Returns the client that made a request, by a name that is the same for each of its requests; null
 * when nobody may come in with it. Anything but a name, such as undefined, lets nobody in either.
 */
export type Authenticate = (request: Request) => string | null | Promise<string | null>;

/**
 * How clients show who they are: by one key, by a key for each client, by a function of yours, or
 * not at all. Runs belong to clients: no client sees the run of another one.
 */
export type Auth =
  | { readonly key: string }
  | { readonly keys: { readonly [client: string]: string } }
  | Authenticate
  | "none";

const shortestKey = 16;

/**
 * Makes the function that lets requests in. @throws AgentError `invalid-option` for a key that can
 * be guessed, or that two clients have
 */
export function authenticator(auth: Auth, option = "auth"): Authenticate {
  if (auth === "none") return onlyOwnNames;
  if (typeof auth === "function") return auth;
  if (typeof auth !== "object" || auth === null) {
    throw new AgentError(
      "invalid-option",
      `${option} is ${JSON.stringify(auth)}, which says nothing about who may come in`,
      {
        hint: `pass ${option}: { key }, { keys: { client: key } } or a function`,
      },
    );
  }
  const keys = keysOf(auth, option);
  return (request) => {
    const given = bearerKeyOf(request);
    if (given === undefined) return null;
    // All are compared, so that the time says nothing about which one fits.
    const found = keys.filter(([, key]) => isSameSecret(given, key));
    return found[0]?.[0] ?? null;
  };
}

/** The client of a request. @throws RefusedRequest `no-key` */
export async function clientOf(request: Request, authenticate: Authenticate): Promise<string> {
  // A function of the server's owner may look it up where there is nothing: only a name lets a
  // request in.
  const client: unknown = await authenticate(request);
  if (typeof client === "string" && client !== "") return client;
  throw new RefusedRequest("no-key", "the key is missing or wrong; send it as Authorization: Bearer KEY");
}

/** 128 random bits in hex. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Without a key, a page of another site could send requests: by a name that it points at this
 * machine, or straight to it.
 */
function onlyOwnNames(request: Request): string | null {
  const isOfPage = request.headers.has("origin") || request.headers.get("sec-fetch-site") === "cross-site";
  return isLoopback(hostOf(request)) && !isOfPage ? "anyone" : null;
}

function keysOf(auth: Exclude<Auth, Authenticate | "none">, option: string): readonly (readonly [string, string])[] {
  const keys: readonly (readonly [string, unknown])[] =
    "keys" in auth ? Object.entries(auth.keys ?? {}) : [["client", auth.key]];
  const [, twice] = keys.find(([client, key]) => keys.some((other) => other[0] !== client && other[1] === key)) ?? [];
  if (twice !== undefined) {
    throw new AgentError("invalid-option", `${option} has one key for two clients, who would see each other's runs`, {
      hint: "give each client a key of its own",
    });
  }
  const short = keys.find(([, key]) => typeof key !== "string" || key.length < shortestKey || /\s/.test(key));
  if (keys.length > 0 && !short) return keys as readonly (readonly [string, string])[]; // looked at one by one
  const which = short && "keys" in auth ? ` for "${short[0]}"` : "";
  throw new AgentError("invalid-option", `${option} has no key${which} of at least ${shortestKey} characters`, {
    hint: `pass ${option}: { key: crypto.randomUUID() }`,
  });
}
