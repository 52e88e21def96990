// Decides which addresses a URL from a model may lead to: only public ones, by their range in the
// registries. An address that contains another one (IPv4-mapped, NAT64, 6to4, Teredo, ISATAP) is
// always refused, because some other machine would unpack it.

/**
 * Returns the name of the range for which an address is refused, such as `loopback`. Undefined for
 * a public address.
 */
export function refusedRange(address: string): string | undefined {
  // A zone id names a network interface of this machine.
  if (address.includes("%")) return "zone id";
  return address.includes(":") ? refusedIpv6Range(address) : refusedIpv4Range(address);
}

/** Parts of the address space, each with a name: prefixes, separated by spaces. */
type Ranges = Readonly<Record<string, string>>;

const ipv4Ranges: Ranges = {
  unspecified: "0.0.0.0/8",
  loopback: "127.0.0.0/8",
  private: "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16",
  carrierGradeNat: "100.64.0.0/10",
  linkLocal: "169.254.0.0/16",
  multicast: "224.0.0.0/4",
  broadcast: "255.255.255.255/32",
  reserved: "192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4",
  as112: "192.31.196.0/24 192.175.48.0/24",
  amt: "192.52.193.0/24",
  // A cloud answers here inside its network, although the address is in a public range.
  "metadata service": "168.63.129.16/32",
};

function refusedIpv4Range(address: string): string | undefined {
  const host = /^[\d.]+$/.test(address) ? hostOf(address) : undefined;
  if (host === undefined) return "no address";
  return host === address ? rangeIn(ipv4Ranges, ipv4Bits(address), ipv4Bits) : "unusual notation";
}

const ipv6Ranges: Ranges = {
  unspecified: "::/128",
  loopback: "::1/128",
  linkLocal: "fe80::/10",
  uniqueLocal: "fc00::/7",
  multicast: "ff00::/8",
  ipv4Mapped: "::ffff:0:0/96",
  documentation: "2001:db8::/32 3ff0::/12",
  teredo: "2001::/32",
  reserved: "2001::/23",
  "6to4": "2002::/16",
  as112: "2620:4f:8000::/48",
};

function refusedIpv6Range(address: string): string | undefined {
  const host = /^[\da-f:.]+$/i.test(address) ? hostOf(`[${address}]`) : undefined;
  if (host === undefined) return "no address";
  const canonical = host.slice(1, -1);
  const bits = ipv6Bits(canonical);
  const range = rangeIn(ipv6Ranges, bits, ipv6Bits);
  if (range !== undefined) return range;
  // Only 2000::/3 is assigned for public use. All other addresses are unassigned, site-local, or
  // for local use (64:ff9b:1::/48).
  if (!bits.startsWith("001")) return "not global unicast";
  return isIsatap(ipv6Groups(canonical)) ? "isatap" : undefined;
}

/**
 * Says whether the address is the end of an ISATAP tunnel: its interface id is `[02]00:5efe` and an
 * IPv4 address.
 */
const isIsatap = ([, , , , fifth, sixth]: readonly string[]): boolean =>
  (fifth === "0" || fifth === "200") && sixth === "5efe";

/**
 * Returns an address in the notation of URLs, which is the same for all notations of an address.
 * Undefined for a text that is not an address.
 */
function hostOf(address: string): string | undefined {
  const url = `http://${address}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function rangeIn(ranges: Ranges, bits: string, toBits: (address: string) => string): string | undefined {
  const contains = (prefix: string): boolean => {
    const [start = "", length = ""] = prefix.split("/");
    return bits.startsWith(toBits(start).slice(0, Number(length)));
  };
  return Object.keys(ranges).find((name) => ranges[name]?.split(" ").some(contains));
}

const bitsOf = (value: number, count: number): string => value.toString(2).padStart(count, "0");

const ipv4Bits = (address: string): string =>
  address
    .split(".")
    .map((byte) => bitsOf(Number(byte), 8))
    .join("");

const ipv6Bits = (address: string): string =>
  ipv6Groups(address)
    .map((group) => bitsOf(Number.parseInt(group, 16), 16))
    .join("");

/** Returns the eight groups of an address in the notation of URLs. */
function ipv6Groups(address: string): readonly string[] {
  const [start = [], end = []] = address.split("::").map((part) => (part === "" ? [] : part.split(":")));
  return [...start, ...new Array<string>(8 - start.length - end.length).fill("0"), ...end];
}
