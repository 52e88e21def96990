// Decides to which addresses a URL from a model may lead. Only addresses in the public ranges of
// the registries are allowed. An address that contains another address (IPv4-mapped, NAT64, 6to4,
// Teredo, ISATAP) is always refused, because another machine on the way may send the request to the
// inner address.

import ipaddr from "ipaddr.js";

/**
 * Returns the name of the range for which an address is refused, such as `loopback`. Undefined for
 * a public address.
 */
export function refusedRange(address: string): string | undefined {
  // A zone id names a network interface of this machine.
  if (address.includes("%")) return "zone id";
  if (!ipaddr.isValid(address)) return "no address";
  const parsed = ipaddr.parse(address);
  return parsed.kind() === "ipv4"
    ? refusedIpv4Range(address, parsed.range())
    : refusedIpv6Range(parsed.range(), parsed.toByteArray());
}

function refusedIpv4Range(address: string, range: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address)) return "unusual notation";
  if (publicServiceAddresses.has(address)) return "metadata service";
  return range === "unicast" ? undefined : range;
}

/**
 * Addresses of services that exist only inside a cloud's network, although the addresses are in
 * public ranges.
 */
const publicServiceAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

function refusedIpv6Range(range: string, bytes: readonly number[]): string | undefined {
  if (range !== "unicast") return range;
  const [first = 0, second = 0] = bytes;
  // Only 2000::/3 is assigned for public use. All other addresses are unassigned, site-local, or
  // for local use (64:ff9b:1::/48).
  if (first >> 5 !== 1) return "not global unicast";
  if (first === 0x3f && second >= 0xf0) return "documentation";
  return isIsatap(bytes) ? "isatap" : undefined;
}

/**
 * Says whether the address is the end of an ISATAP tunnel: its interface id is `[02]00:5efe` and an
 * IPv4 address.
 */
const isIsatap = (bytes: readonly number[]): boolean =>
  ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
