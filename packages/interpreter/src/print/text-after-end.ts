// Formats values after their program has ended. The program is not charged for this work, and no
// clock can end it. So there is a separate limit: if formatting a value takes too long, only the
// kind of the value is shown.

import { isObject } from "../guest-value.ts";
import { Breach, Meter } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { type InspectOptions, inspect } from "./inspect.ts";

/**
 * Creates a meter for work after the end of a program. Its limits are the same in every session.
 */
export function meterAfterEnd(operations: number, memoryBytes: number = 64 * 2 ** 20): Meter {
  const meter = new Meter();
  meter.start({ operations: Math.max(0, operations), memoryBytes, hasNoClock: true });
  return meter;
}

/**
 * Returns the text of a value, or only its kind if formatting it takes more operations than this.
 */
export function textAfterEnd(realm: Realm, value: unknown, operations: number, options: InspectOptions): string {
  return (
    withinLimit(() => inspect(realm, value, { ...options, meter: meterAfterEnd(operations) })) ?? kindOf(realm, value)
  );
}

/** Returns the text from `make`; null if creating it took too long. */
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

/** Returns a text that shows the kind of a value, but not its contents. */
export function kindOf(realm: Realm, value: unknown): string {
  if (!isObject(value)) return `[${typeof value}]`;
  const text = withinLimit(() => inspect(realm, value, { depth: -1, meter: meterAfterEnd(operationsOfKind) }));
  return text ?? `[${Array.isArray(value) ? "Array" : "Object"}]`;
}
