// Decides how many bytes an execution may still allocate. It uses two values, and each alone could
// mislead:
// - The meter estimates how many bytes were allocated, but not how many of them are still held.
// - The size of the host's heap shows how many are held, but other work of the process uses the
//   same heap.
//
// A large heap alone therefore does not end an execution. The meter's estimate, or the growth of
// the heap during the execution, must also be too large.

import { currentMeterChanges } from "../limits.ts";
import type { HeapGrowth } from "./heap-growth.ts";

// If less than this part of the limit is left, the garbage is collected. If that does not help, the
// execution ends. So a program that holds nearly the whole limit does not cause one collection
// after another.
const reservePart = 16;
// If the heap exceeds the limit by this factor, most of it belongs to others. Collecting its
// garbage would take too long then.
const maxHeapFactor = 4;

/** The values that decide how much one execution may allocate. */
export interface MemoryBounds {
  /** The limit on what this execution itself allocates and keeps. */
  readonly ownBytes: number;
  /** The limit on what all code of the session holds. */
  readonly heldBytes: number;
  /**
   * Returns an upper bound for the bytes that are held now; `Infinity` if the host does not report
   * its heap. Collects the garbage first if asked to.
   */
  readonly readHeldBytes: (collects?: boolean) => number;
  /** What the session has added to the heap. Each call of `readHeldBytes` updates it. */
  readonly growth: HeapGrowth;
}

/**
 * Returns a function that takes the bytes allocated so far, and those that will be allocated next.
 * It returns how many more may be allocated. A result below zero means that too many bytes were
 * allocated.
 */
export function memoryRoom({
  ownBytes,
  heldBytes,
  readHeldBytes,
  growth,
}: MemoryBounds): (allocatedBytes: number, bytes?: number) => number {
  let heldBefore: number | null = null;
  // The last measurement.
  let lastHeld = 0;
  let lastAllocated = 0;
  let lastHandovers = -1;
  const read = (allocatedBytes: number, collects: boolean): number => {
    const held = readHeldBytes(collects);
    if (held === Number.POSITIVE_INFINITY) return held;
    const handovers = currentMeterChanges();
    // What earlier executions added to the heap also counts.
    heldBefore ??= held - (held > maxHeapFactor * heldBytes ? allocatedBytes : growth.bytes);
    // If another session ran between the last two measurements, growth beyond the counted bytes
    // belongs to that session.
    if (lastHandovers >= 0 && handovers !== lastHandovers)
      heldBefore += Math.max(0, held - lastHeld - (allocatedBytes - lastAllocated));
    lastHeld = held;
    lastAllocated = allocatedBytes;
    lastHandovers = handovers;
    return held;
  };
  const roomFor = (allocatedBytes: number, held: number): number => {
    if (held === Number.POSITIVE_INFINITY) return ownBytes - allocatedBytes;
    // Even if the count is far too low, the growth of the heap still shows how much is held.
    if (allocatedBytes < ownBytes) return Math.max(heldBefore ?? 0, 0) + heldBytes - held;
    return heldBytes - held;
  };
  return (allocatedBytes, bytes = 0) => {
    const held = read(allocatedBytes, false);
    const room = roomFor(allocatedBytes, held);
    const reserve = heldBytes / reservePart;
    if (room >= bytes + reserve || held > maxHeapFactor * heldBytes) return room;
    return roomFor(allocatedBytes, read(allocatedBytes, true)) - reserve;
  };
}
