// The part of the guard that needs no network: the URL itself.

import { AgentError } from "@smolts/protocol";
import { refusedRange } from "./guarded-address.ts";

/** The allowed parts of a URL. */
export interface UrlPolicy {
  readonly ports: readonly number[];
  /**
   * Origins that the program trusts, such as `http://wiki.intranet:8080`: neither port nor address
   * is checked.
   */
  readonly allowedOrigins: readonly string[];
}

/**
 * Parses a URL that a model or a web page chose, and refuses it when its own text says that it
 * leads nowhere public.
 *
 * @throws AgentError `tool-execution`
 */
export function checkUrl(given: string | URL, policy: UrlPolicy, base?: URL): URL {
  const url = parseUrl(String(given), base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refusal(url, `the scheme is "${url.protocol}"`, "only http and https addresses can be fetched");
  }
  if (url.username !== "" || url.password !== "") {
    throw refusal(url, "it carries a user name or a password", "give the address without them");
  }
  if (isAllowedOrigin(url, policy)) return url;
  const port = portOf(url);
  if (!policy.ports.includes(port)) {
    throw refusal(url, `port ${port} is not allowed`, `the allowed ports are ${policy.ports.join(", ")}`);
  }
  checkHost(url);
  return url;
}

/** Whether the program itself vouched for the origin. */
export const isAllowedOrigin = (url: URL, { allowedOrigins }: UrlPolicy): boolean =>
  allowedOrigins.some((origin) => URL.canParse(origin) && new URL(origin).origin === url.origin);

/** The address that the URL has in place of a name, without brackets. */
export function addressInUrl({ hostname }: { readonly hostname: string }): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  // For http and https the URL parser has turned every notation of an IPv4 address into this one.
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

/** The port that a connection goes to. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));

/** The error for an address that may not be fetched. */
export function refusal(url: URL, reason: string, hint = "only public web addresses can be fetched"): AgentError {
  return new AgentError("tool-execution", `refused to fetch "${shownUrl(url)}": ${reason}`, { hint });
}

/** A URL for messages: cut, and without what may be secret. */
export function shownUrl(url: URL): string {
  const text = url.origin === "null" ? url.protocol : `${url.origin}${url.pathname}`;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const maxUrlLength = 8_192;

function parseUrl(given: string, base: URL | undefined): URL {
  if (given.length <= maxUrlLength && URL.canParse(given, base?.href)) return new URL(given, base?.href);
  throw new AgentError("tool-execution", `"${given.slice(0, 200)}" is no URL`, {
    hint: "pass a whole address, such as https://example.org/page",
  });
}

function checkHost(url: URL): void {
  const address = addressInUrl(url);
  const range = address === undefined ? undefined : refusedRange(address);
  if (range !== undefined) throw refusal(url, `the address is not public (${range})`);
  if (address === undefined && isLocalName(url.hostname)) throw refusal(url, "the name is one of a local network");
}

/** Names that no public resolver knows, and that the machine's own may. */
function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.+$/, "");
  return (
    !name.includes(".") ||
    /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion|invalid|test)$/.test(name)
  );
}
