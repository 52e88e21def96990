// Estimates how many keys an object has. The host cannot count keys without listing all of them,
// which takes long if there are many. So only some of the assignments to properties are examined,
// and the number is estimated from these (object-bytes.ts).

import type { Meter } from "../limits.ts";

const counts = new WeakMap<object, number>();
/** The number of keys of an object is recorded only if it is at least this large. */
export const minRecordedKeys = 512;
const manyKeys = 1 << 16;
// The bytes that each property needs while the host moves an object's properties to a hash table of
// twice the size.
const bytesOfMove = 96;
const keysBetweenMoves = 1 << 14;

/**
 * Ends the execution if the memory limit leaves no room for the host to move an object's keys to a
 * larger hash table. Call it after keys have been added. It checks only objects with many keys, and
 * only periodically.
 */
export function requireRoomForKeys(meter: Meter, object: object, added: number): void {
  const count = expectedKeys(object);
  if (count >= manyKeys && count % keysBetweenMoves < added) meter.requireRoom(bytesOfMove * count);
}

/** Returns how many keys an object probably has; 0 if there are few. */
export function expectedKeys(object: object): number {
  return counts.get(object) ?? 0;
}

/** Says whether an object probably has so many keys that listing them takes long. */
export function hasManyKeys(object: object): boolean {
  return expectedKeys(object) >= manyKeys;
}

/**
 * Adds to the number of keys of an object that may have too many elements to list all its keys.
 */
export function addKeys(object: object, count: number): void {
  counts.set(object, expectedKeys(object) + count);
}

/** Records the actual number of keys of an object. */
export function noteKeys(object: object, count: number): void {
  if (count >= minRecordedKeys) counts.set(object, count);
  else if (counts.has(object)) counts.delete(object);
}
