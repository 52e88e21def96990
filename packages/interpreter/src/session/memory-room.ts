// How many bytes an execution may still allocate. What it has allocated is counted, by estimate;
// what it holds of that only the host knows, and not exactly: other work of the process shares its
// heap. So the host's word ends an execution only when the count, or the growth that came with it,
// says so too.

import { countHandovers } from "../limits.ts";

/** The values that decide how much one execution may allocate. */
export interface MemoryBounds {
  /** The limits on its own allocations and on the memory it keeps. */
  readonly ownBytes: number;
  /** What may be held in all. */
  readonly heldBytes: number;
  /** At most how many bytes are held now; `Infinity` where nobody tells. */
  readonly readHeldBytes: () => number;
}

/**
 * A function from what was allocated so far to what may be allocated besides; nothing when that is
 * below zero.
 */
export function memoryRoom({ ownBytes, heldBytes, readHeldBytes }: MemoryBounds): (allocatedBytes: number) => number {
  let heldBefore: number | null = null;
  let last: { readonly held: number; readonly allocatedBytes: number; readonly handovers: number } | null = null;
  return (allocatedBytes) => {
    const held = readHeldBytes();
    if (held === Number.POSITIVE_INFINITY) return ownBytes - allocatedBytes;
    const handovers = countHandovers();
    heldBefore ??= held - allocatedBytes;
    // If others had a turn meanwhile, growth beyond the count is theirs.
    if (last && handovers !== last.handovers)
      heldBefore += Math.max(0, held - last.held - (allocatedBytes - last.allocatedBytes));
    last = { held, allocatedBytes, handovers };
    // An estimate that is far too low shows in the growth.
    if (allocatedBytes < ownBytes) return Math.max(heldBefore, 0) + heldBytes - held;
    return heldBytes - held;
  };
}
