// The places of an array that hold nothing.

import type { Meter } from "../limits.ts";
import { expectedKeys } from "../operations/many-keys.ts";

/** How many holes follow one another from an index on. */
export function holesAt(array: readonly unknown[], index: number, meter: Meter): number {
  if (Object.hasOwn(array, index)) return 0;
  const next = array.length > longestList ? nextKey(array, index, meter) : nextElement(array, index, meter);
  return next - index;
}

// The host keeps longer arrays as tables.
const longestList = 2 ** 25;
const indicesPerCharge = 1 << 10;
const operationsPerCharge = 128;

function nextElement(array: readonly unknown[], after: number, meter: Meter): number {
  for (let index = after + 1; index < array.length; index++) {
    if (index % indicesPerCharge === 0) meter.charge(operationsPerCharge);
    if (Object.hasOwn(array, index)) return index;
  }
  return array.length;
}

// A table can be long and nearly empty, so its keys are looked at instead of its indices.
const operationsPerKey = 12;

function nextKey(array: readonly unknown[], after: number, meter: Meter): number {
  meter.foresee(expectedKeys(array) * operationsPerKey);
  const keys = Object.keys(array);
  meter.charge(keys.length);
  const next = keys.find((key) => isIndex(key) && Number(key) > after);
  return next === undefined ? array.length : Number(next);
}

/** Whether a key is the index of an element. */
export const isIndex = (key: string): boolean => /^(0|[1-9][0-9]{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
