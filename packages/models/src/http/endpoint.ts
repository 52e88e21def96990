// Chooses the address of a request, and the API key for it.
//
// A key in an environment variable belongs to one provider. So it is sent only to the provider's
// own origin, or to the address in the provider's own environment variable. An address from
// anywhere else (a shared configuration, a typing error) gets only a key that was passed together
// with that address.

import { type AgentError, invalidOption } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import type { Provider } from "../provider.ts";
import { environmentVariable } from "./environment.ts";

/** Returns the address for requests, from a base URL. */
export type AddressOf = (base: URL) => URL;

/** A server's address and the way to get its key. */
export interface Endpoint {
  /** The full address for requests, such as that of `chat/completions`. */
  readonly url: string;
  /** The address without its query, for messages. */
  readonly shownUrl: string;
  /** Returns the key, or undefined if there is none. Called before each request. */
  readonly readKey: () => Promise<string | undefined>;
  /** The hint of the error if the server refuses the key, or if a key is missing. */
  readonly keyHint: string;
}

/**
 * Chooses the address and the key of a model's requests.
 *
 * @throws AgentError `invalid-option` if there is no address, no key for a provider that needs one,
 *   or if the key would be sent unencrypted
 */
export function chooseEndpoint(
  { baseUrl, apiKey }: Pick<AdapterOptions, "baseUrl" | "apiKey">,
  provider: Provider | undefined,
  addressOf: AddressOf = (base) => below(base, "chat/completions"),
): Endpoint {
  const namedUrl = provider?.baseUrlVariable === undefined ? undefined : environmentVariable(provider.baseUrlVariable);
  const base = parseBaseUrl(baseUrl ?? namedUrl ?? provider?.baseUrl, provider);
  const isOwn = baseUrl === undefined || isOwnAddress(base, provider, namedUrl);
  const variable = isOwn ? provider?.apiKeyVariable : undefined;
  const environmentKey = variable === undefined ? undefined : environmentVariable(variable);
  const key = apiKey ?? environmentKey;
  if (key === undefined && variable !== undefined && !provider?.apiKeyOptional) throw missingKey(provider, variable);
  if (key !== undefined) refuseClearText(base);
  const url = addressOf(base);
  return {
    url: url.href,
    shownUrl: url.origin + url.pathname,
    readKey: keyReader(key),
    keyHint: keyHint(key !== undefined, variable, provider),
  };
}

/** Returns the address of a path below a base URL. The query of the base URL is kept. */
export function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, "")}/${path}`;
  return url;
}

function parseBaseUrl(text: string | undefined, provider: Provider | undefined): URL {
  if (text === undefined) {
    const variable = provider?.baseUrlVariable;
    throw invalidOption(
      "baseUrl is missing",
      variable === undefined ? 'pass one, such as "http://127.0.0.1:8000/v1"' : `pass one, or set ${variable}`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalidOption(
      `baseUrl "${text}" is not an http(s) address`,
      'write it with its scheme: "http://127.0.0.1:8000/v1"',
    );
  }
  const request = /\/(?:chat\/completions|completions|responses|messages|api\/chat)\/*$/.exec(url.pathname);
  if (request !== null) {
    throw invalidOption(
      `baseUrl "${url.origin}${url.pathname}" is the address of one request`,
      `write baseUrl: "${url.origin}${url.pathname.slice(0, request.index)}"; the rest is added to it`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    // The message does not quote the address, because it contains a password.
    throw invalidOption("baseUrl contains a user name or password", "pass them in the option apiKey or headers");
  }
  return url;
}

function isOwnAddress(base: URL, provider: Provider | undefined, namedUrl: string | undefined): boolean {
  if (provider === undefined) return false;
  if (provider.baseUrl !== undefined && base.origin === new URL(provider.baseUrl).origin) return true;
  return namedUrl !== undefined && URL.canParse(namedUrl) && new URL(namedUrl).href === base.href;
}

function refuseClearText(base: URL): void {
  if (base.protocol === "https:" || isLoopback(base.hostname)) return;
  throw invalidOption(
    `a key would be sent to ${base.origin} without encryption`,
    "use https, or a server on this machine, or leave the key out",
  );
}

const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost$/.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === "[::1]";

function keyReader(key: AdapterOptions["apiKey"]): () => Promise<string | undefined> {
  if (typeof key === "function") return async () => checkedKey(await key());
  const checked = key === undefined ? undefined : checkedKey(key);
  return async () => checked;
}

/**
 * Returns the key without surrounding white space, because a key that was read from a file often
 * ends with a line break. Refuses characters that a header cannot contain, because the error of
 * `fetch` would quote the whole key.
 */
function checkedKey(key: string): string {
  // Check the type at run time: a caller without types may pass anything, and so may a function
  // that returns the key.
  if (typeof key !== "string") {
    throw invalidOption(
      `apiKey is a ${typeof key}; expected a string, or a function that returns one`,
      "write apiKey: () => readKey()",
    );
  }
  const trimmed = key.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw invalidOption(
      "apiKey is empty or has a character that is not allowed in a header",
      "pass the key as the provider shows it",
    );
  }
  return trimmed;
}

function missingKey(provider: Provider | undefined, variable: string): AgentError {
  return invalidOption(
    `no key for "${provider?.name}": the environment variable ${variable} is not set`,
    `set ${variable}, or pass the option apiKey, as in ${provider?.name}("${provider?.exampleModel}", { apiKey })`,
  );
}

function keyHint(hasKey: boolean, variable: string | undefined, provider: Provider | undefined): string {
  if (variable !== undefined) return `check that ${variable} or the option apiKey holds a valid key`;
  if (hasKey) return "check that the option apiKey holds a valid key";
  if (provider?.apiKeyVariable === undefined) return "no key was sent: pass the option apiKey";
  const home = provider.baseUrl === undefined ? provider.baseUrlVariable : new URL(provider.baseUrl).origin;
  return `no key was sent: that of ${provider.apiKeyVariable} goes only to ${home}; pass the option apiKey`;
}
