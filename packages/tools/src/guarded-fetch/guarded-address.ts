// Which addresses a URL that a model chose may lead to: the public ones, by their range in the
// registries. What carries another address inside it (IPv4-mapped, NAT64, 6to4, Teredo, ISATAP) is
// refused whatever it carries, for who unpacks it is not us.

import ipaddr from "ipaddr.js";

/**
 * Why an address is refused: the name of its range, such as `loopback`; nothing for a public one.
 */
export function refusedRange(address: string): string | undefined {
  // A zone id names one of our own interfaces.
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

/** Answered inside a cloud, though they are in public ranges. */
const publicServiceAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

function refusedIpv6Range(range: string, bytes: readonly number[]): string | undefined {
  if (range !== "unicast") return range;
  const [first = 0, second = 0] = bytes;
  // Only 2000::/3 is given out; all else is unassigned, site-local, or for local use
  // (64:ff9b:1::/48).
  if (first >> 5 !== 1) return "not global unicast";
  if (first === 0x3f && second >= 0xf0) return "documentation";
  return isIsatap(bytes) ? "isatap" : undefined;
}

/** An interface id of `[02]00:5efe` and an IPv4 address: a tunnel end. */
const isIsatap = (bytes: readonly number[]): boolean =>
  ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
