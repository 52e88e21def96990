// Reads the size of the host's heap. The host does not report how much of the heap guest code
// holds. As an upper bound, this file returns how far the heap is above the lowest size that was
// ever read in this process or thread. The size at the start is not a safe base: garbage that
// existed then and was collected later would hide the same amount of guest memory.

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
 * `Infinity` if the host does not report its heap. Takes about 40 µs. With `collects`, the garbage
 * is collected first, which takes up to 1 ms for each MB of data in use.
 */
export function heldBytesOfHost(collects = false): number {
  if (collects) collectGarbage();
  const bytes = heapBytes();
  if (bytes === null) return Number.POSITIVE_INFINITY;
  heap.minBytes = Math.min(heap.minBytes, bytes);
  return bytes - heap.minBytes;
}

// The size of a buffer that makes V8 collect all garbage. V8 does so when the buffers have grown by
// more than half of the largest possible heap, which is at most 4 GB by default.
const bytesOfPressure = 2 ** 31 + 2 ** 28;

/**
 * Makes the host collect its garbage. V8 collects late, because it expects programs to need memory
 * again. There is a function for it only if the host was started with `--expose-gc`. But V8 also
 * collects when buffers need much memory, or cannot be allocated. This buffer is released before it
 * is used, so the system never provides memory for it.
 */
function collectGarbage(): void {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (gc) return gc();
  try {
    new ArrayBuffer(bytesOfPressure);
  } catch {
    // There is no room for such a buffer. Then V8 has collected the garbage, too.
  }
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
    // Without the buffers of `collectGarbage`, which count as external until they are garbage.
    return heapUsed > 0 ? heapUsed + (external % bytesOfPressure) : null;
  } catch {
    // In the edge runtime of Next.js, `process.memoryUsage` exists, but throws an error.
    return null;
  }
}
