// Reads the size of the host's heap. The host does not report how much of the heap guest code
// holds. An upper bound is the growth above the lowest size that this process or thread ever had.
// The size at the start is not a safe base: garbage that existed then and was collected later would
// hide the same amount of guest memory.

/** The part of `process` that this file reads. Browsers have no `process`. */
declare const process:
  | {
      readonly versions?: { readonly bun?: string };
      memoryUsage?(): { readonly heapUsed: number; readonly external: number };
    }
  | undefined;

const heap = { minBytes: Number.POSITIVE_INFINITY };

/**
 * Returns an upper bound for the bytes of the host's heap that guest code of all sessions holds;
 * `Infinity` if the host does not report its heap. Takes about 40 µs.
 */
export function heldBytesOfHost(): number {
  const bytes = heapBytes();
  if (bytes === null) return Number.POSITIVE_INFINITY;
  heap.minBytes = Math.min(heap.minBytes, bytes);
  return bytes - heap.minBytes;
}

/**
 * Returns the size of the heap in use, including garbage and buffers; null if the size is not
 * known. Bun reports the size at the last collection, and workerd reports 0, so neither value can
 * be used.
 */
function heapBytes(): number | null {
  if (typeof process === "undefined" || typeof process.memoryUsage !== "function") return null;
  if (process.versions?.bun !== undefined) return null;
  try {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed > 0 ? heapUsed + external : null;
  } catch {
    // In the edge runtime of Next.js, `process.memoryUsage` exists, but throws an error.
    return null;
  }
}
