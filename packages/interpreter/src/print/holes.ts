// The places of an array that hold nothing.

import type { Meter } from "../limits.ts";

/** How many holes follow one another from an index on. */
export function holesAt(array: readonly unknown[], index: number, meter: Meter): number {
  if (Object.hasOwn(array, index)) return 0;
  const next = nextIndex(array, index, meter);
  return next - index;
}

// A sparse array can be long and nearly empty, so its keys are looked at instead of its indices.
function nextIndex(array: readonly unknown[], after: number, meter: Meter): number {
  const end = Math.min(after + 1_000, array.length);
  for (let index = after + 1; index < end; index++) {
    meter.charge(1);
    if (Object.hasOwn(array, index)) return index;
  }
  const keys = Object.keys(array);
  meter.charge(keys.length);
  const next = keys.find((key) => isIndex(key) && Number(key) > after);
  return next === undefined ? array.length : Number(next);
}

/** Whether a key is the index of an element. */
export const isIndex = (key: string): boolean => /^(0|[1-9][0-9]{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
