// The text of values and keys in error messages. Never calls guest code.

import { functionSlots } from "../function-object.ts";
import { promiseSlots } from "./promise.ts";
import type { PropertyKeyValue } from "./property.ts";

const maxQuoteLength = 40;

/** Returns the text of a property key in a message. */
export function keyText(key: PropertyKeyValue): string {
  if (typeof key === "symbol") return `[${String(key)}]`;
  const text = String(key);
  return `"${text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}...` : text}"`;
}

/**
 * Returns the text of a value in a message. Shows the value of a primitive, but only the kind of an
 * object.
 */
export function valueText(value: unknown): string {
  if (typeof value === "string") return keyText(value);
  if (typeof value === "bigint") return "a bigint";
  if (typeof value !== "object" || value === null) return String(value);
  if (functionSlots(value)) return "a function";
  if (promiseSlots(value)) return "a promise";
  return Array.isArray(value) ? "an array" : "an object";
}
