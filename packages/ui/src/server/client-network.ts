// Remembers which network each request comes from. Only the server that accepts the connection
// knows the network; a fetch-style handler gets only the request.

const networks = new WeakMap<Request, string>();

/** Records the client's IP address for a request. */
export function noteClient(request: Request, address: string): void {
  networks.set(request, networkOf(address));
}

/**
 * Returns the network of the client, as a text that is the same for all requests from that network.
 * Empty if the network is unknown, for example when the handler is mounted in another server.
 */
export const clientNetwork = (request: Request): string => networks.get(request) ?? "";

/**
 * Returns the network of an address. For IPv4 it is the whole address. For IPv6 it is the first 64
 * bits, because one client may use all addresses that begin with the same 64 bits.
 */
function networkOf(address: string): string {
  const version4 = /^(?:::ffff:)?([\d.]+)$/i.exec(address)?.[1];
  if (version4 !== undefined) return version4;
  const [start = "", end] = address.split("::");
  const first = start.split(":");
  const last = end === undefined || end === "" ? [] : end.split(":");
  const zeros = end === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array.from({ length: zeros }, () => "0"), ...last].slice(0, 4).join(":");
}
