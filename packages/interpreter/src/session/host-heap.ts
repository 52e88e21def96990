// What the host tells of its heap. Nobody tells which part of it guest code holds, but it is no more than what came on top of the least that
// this process (or thread) was ever seen with. A reading of the start alone would not do: what lay around there and was cleared away since
// would hide as much that guest code holds.

/** The part of `process` that is read here; browsers have none. */
declare const process:
  | {
      readonly versions?: { readonly bun?: string };
      memoryUsage?(): { readonly heapUsed: number; readonly external: number };
    }
  | undefined;

const heap = { leastBytes: Number.POSITIVE_INFINITY };

/** At most how many bytes of the host's heap guest code holds, of all sessions; `Infinity` where the host does not tell. Takes some 40 µs. */
export function heldBytesOfHost(): number {
  const bytes = heapBytes();
  if (bytes === null) return Number.POSITIVE_INFINITY;
  heap.leastBytes = Math.min(heap.leastBytes, bytes);
  return bytes - heap.leastBytes;
}

/** What is in use, dropped or not, buffers included. Bun says what it was at the last collection, and workerd says 0: neither helps. */
function heapBytes(): number | null {
  if (typeof process === "undefined" || typeof process.memoryUsage !== "function") return null;
  if (process.versions?.bun !== undefined) return null;
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed > 0 ? heapUsed + external : null;
}
