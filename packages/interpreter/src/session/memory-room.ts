// Decides how many bytes an execution may still allocate. It uses two values, and each alone could
// mislead:
// - The meter estimates how many bytes were allocated, but not how many of them are still held.
// - The size of the host's heap shows how many are held, but other work of the process uses the
//   same heap.
//
// A large heap alone therefore does not end an execution. The meter's estimate, or the growth of
// the heap during the execution, must also be too large.

import { currentMeterChanges } from "../limits.ts";

/** The values that decide how much one execution may allocate. */
export interface MemoryBounds {
  /** The limit on what this execution itself allocates and keeps. */
  readonly ownBytes: number;
  /** The limit on what all code of the session holds. */
  readonly heldBytes: number;
  /**
   * Returns an upper bound for the bytes that are held now; `Infinity` if the host does not report
   * its heap.
   */
  readonly readHeldBytes: () => number;
}

/**
 * Returns a function that takes the bytes allocated so far and returns how many more may be
 * allocated. A result below zero means that too many bytes were allocated.
 */
export function memoryRoom({ ownBytes, heldBytes, readHeldBytes }: MemoryBounds): (allocatedBytes: number) => number {
  let heldBefore: number | null = null;
  let last: { readonly held: number; readonly allocatedBytes: number; readonly handovers: number } | null = null;
  return (allocatedBytes) => {
    const held = readHeldBytes();
    if (held === Number.POSITIVE_INFINITY) return ownBytes - allocatedBytes;
    const handovers = currentMeterChanges();
    heldBefore ??= held - allocatedBytes;
    // If another session ran between the last two measurements, growth beyond the counted bytes
    // belongs to that session.
    if (last && handovers !== last.handovers)
      heldBefore += Math.max(0, held - last.held - (allocatedBytes - last.allocatedBytes));
    last = { held, allocatedBytes, handovers };
    // Even if the count is far too low, the growth of the heap still shows how much is held.
    if (allocatedBytes < ownBytes) return Math.max(heldBefore, 0) + heldBytes - held;
    return heldBytes - held;
  };
}
