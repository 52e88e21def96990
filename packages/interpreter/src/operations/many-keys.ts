// About how many keys an object has. The host tells only by making a list of them all, which takes
// long where they are many; so that is counted by sample, when they are stored.

import { settle } from "../function-object.ts";
import type { GuestObject } from "../guest-value.ts";
import { type Meter, meterOfTurn } from "../limits.ts";

const counts = new WeakMap<object, number>();
// One store in so many is looked at.
const sampleSize = 1 << 14;
const manyKeys = 4 * sampleSize;
// An object of many properties is a table, which is moved to one of twice the size when it is full.
const bytesOfProperty = 48;
const bytesOfMove = 96;

/** Counts a property that may be new, before it is stored under a key that was computed. */
export function countStoredKey(meter: Meter, object: GuestObject, keyLength: number): void {
  meter.allocate(bytesOfProperty + 2 * keyLength);
  if ((++meter.storedKeys & (sampleSize - 1)) === 0) takeSample(meter, object);
}

/** {@link countStoredKey} for what built-ins store and have paid for, for whoever has the turn. */
export function noteStoredKey(object: GuestObject): void {
  const meter = meterOfTurn();
  if (meter && (++meter.storedKeys & (sampleSize - 1)) === 0) takeSample(meter, object);
}

function takeSample(meter: Meter, object: GuestObject): void {
  // Settling a function moves all that was stored into it, so that is done while it has little.
  settle(object);
  const count = expectedKeys(object) + sampleSize;
  counts.set(object, count);
  if (count >= manyKeys) meter.requireRoom(bytesOfMove * count);
}

/** How many keys an object probably has; 0 when they are not many. */
export function expectedKeys(object: object): number {
  return counts.get(object) ?? 0;
}

/** Whether an object probably has so many keys that listing them takes long. */
export function hasManyKeys(object: object): boolean {
  return expectedKeys(object) >= manyKeys;
}

/** Keeps how many keys an object was found to have. */
export function noteKeys(object: object, count: number): void {
  if (count >= sampleSize) counts.set(object, count);
  else if (counts.has(object)) counts.delete(object);
}
