// Reads the host's heap. The host does not say which part of it guest code holds. It is at most the
// growth above the lowest reading that this process (or thread) ever had. A reading from the start
// alone is not enough: garbage that was there at the start and was collected since would hide the
// same amount of guest memory.

/** The part of `process` that is read here; browsers have none. */
declare const process:
  | {
      readonly versions?: { readonly bun?: string };
      memoryUsage?(): { readonly heapUsed: number; readonly external: number };
    }
  | undefined;

const heap = { leastBytes: Number.POSITIVE_INFINITY };

/**
 * At most how many bytes of the host's heap guest code holds, of all sessions; `Infinity` where the
 * host does not tell. Takes some 40 µs.
 */
export function heldBytesOfHost(): number {
  const bytes = heapBytes();
  if (bytes === null) return Number.POSITIVE_INFINITY;
  heap.leastBytes = Math.min(heap.leastBytes, bytes);
  return bytes - heap.leastBytes;
}

/**
 * The heap in use, garbage and buffers included. Bun reports the state at the last collection, and
 * workerd reports 0: neither helps.
 */
function heapBytes(): number | null {
  if (typeof process === "undefined" || typeof process.memoryUsage !== "function") return null;
  if (process.versions?.bun !== undefined) return null;
  try {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed > 0 ? heapUsed + external : null;
  } catch {
    // The edge runtime of Next has the function, which says that it is not supported.
    return null;
  }
}
