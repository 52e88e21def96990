// Checks a URL without using the network.

import { AgentError } from "@smolts/protocol";
import { refusedRange } from "./guarded-address.ts";

/** The parts that a URL may have. */
export interface UrlPolicy {
  readonly ports: readonly number[];
  /**
   * Origins that the program trusts, such as `http://wiki.intranet:8080`. For these, neither port
   * nor address is checked.
   */
  readonly allowedOrigins: readonly string[];
}

/**
 * Parses a URL that a model or a web page chose. Refuses a URL whose text already shows that the
 * URL does not lead to a public address.
 *
 * @throws AgentError `tool-execution`
 */
export function checkUrl(address: string | URL, policy: UrlPolicy, base?: URL): URL {
  const url = parseUrl(String(address), base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refusal(url, `the scheme is "${url.protocol}"`, "only http and https addresses can be fetched");
  }
  if (url.username !== "" || url.password !== "") {
    throw refusal(url, "it contains a user name or a password", "give the address without them");
  }
  if (isAllowedOrigin(url, policy)) return url;
  const port = portOf(url);
  if (!policy.ports.includes(port)) {
    throw refusal(url, `port ${port} is not allowed`, `the allowed ports are ${policy.ports.join(", ")}`);
  }
  checkHost(url);
  return url;
}

/** Says whether the program trusts the URL's origin. */
export const isAllowedOrigin = (url: URL, { allowedOrigins }: UrlPolicy): boolean =>
  allowedOrigins.some((origin) => URL.canParse(origin) && new URL(origin).origin === url.origin);

/** Returns the IP address in the URL, without brackets. Undefined if the URL has a host name. */
export function addressInUrl({ hostname }: { readonly hostname: string }): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  // For http and https, the URL parser has converted every notation of an IPv4 address to this one.
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

/** Returns the port to connect to. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));

/** Creates the error for an address that must not be fetched. */
export function refusal(url: URL, reason: string, hint = "only public web addresses can be fetched"): AgentError {
  return new AgentError("tool-execution", `refused to fetch "${shownUrl(url)}": ${reason}`, { hint });
}

/** Returns a URL for messages: cut, and without parts that may be secret. */
export function shownUrl(url: URL): string {
  const text = url.origin === "null" ? url.protocol : `${url.origin}${url.pathname}`;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const maxUrlLength = 8_192;

function parseUrl(address: string, base: URL | undefined): URL {
  if (address.length <= maxUrlLength && URL.canParse(address, base?.href)) return new URL(address, base?.href);
  throw new AgentError("tool-execution", `"${address.slice(0, 200)}" is not a URL`, {
    hint: "pass a whole address, such as https://example.org/page",
  });
}

function checkHost(url: URL): void {
  const address = addressInUrl(url);
  const range = address === undefined ? undefined : refusedRange(address);
  if (range !== undefined) throw refusal(url, `the address is not public (${range})`);
  if (address === undefined && isLocalName(url.hostname)) throw refusal(url, "the name belongs to a local network");
}

/**
 * Says whether a name is local: public resolvers do not know it, but the machine's own resolver
 * may.
 */
function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.+$/, "");
  return (
    !name.includes(".") ||
    /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion|invalid|test)$/.test(name)
  );
}
