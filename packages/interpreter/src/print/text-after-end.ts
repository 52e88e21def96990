// Makes texts of values after their program has ended. The program does not pay for that work, and
// no clock can end it, so it is limited by itself: a value whose text takes too long is shown by
// its kind.

import { isObject } from "../guest-value.ts";
import { Breach, Meter } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { type InspectOptions, inspect } from "./inspect.ts";

/** Makes a meter for work after the end of a program. Its limits are the same in every session. */
export function meterAfterEnd(operations: number): Meter {
  const meter = new Meter();
  meter.start({ operations: Math.max(0, operations), memoryBytes: 64 * 2 ** 20, hasNoClock: true });
  return meter;
}

/** Returns the text of a value, or only its kind if the text takes more than these operations. */
export function textAfterEnd(realm: Realm, value: unknown, operations: number, options: InspectOptions): string {
  return (
    withinLimit(() => inspect(realm, value, { ...options, meter: meterAfterEnd(operations) })) ?? kindOf(realm, value)
  );
}

/** Returns the text that `make` makes; null if it took too long. */
export function withinLimit(make: () => string): string | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof Breach) return null;
    throw error;
  }
}

// Enough for the name of a class.
const operationsOfKind = 100_000;

/** Returns the text of a value without anything that is in it. */
export function kindOf(realm: Realm, value: unknown): string {
  if (!isObject(value)) return `[${typeof value}]`;
  const text = withinLimit(() => inspect(realm, value, { depth: -1, meter: meterAfterEnd(operationsOfKind) }));
  return text ?? `[${Array.isArray(value) ? "Array" : "Object"}]`;
}
