// Formats values and property keys for error messages. Never calls guest code.

import { functionSlots } from "../function-object.ts";
import { promiseSlots } from "./promise.ts";
import type { PropertyKeyValue } from "./property.ts";

const maxQuoteLength = 40;

/** Formats a property key for an error message. */
export function keyText(key: PropertyKeyValue): string {
  if (typeof key === "symbol") return `[${String(key)}]`;
  const text = String(key);
  return `"${text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}...` : text}"`;
}

/**
 * Formats a value for an error message. Shows the content of a primitive value, but only the kind
 * of an object.
 */
export function valueText(value: unknown): string {
  if (typeof value === "string") return keyText(value);
  if (typeof value === "bigint") return "a bigint";
  if (typeof value !== "object" || value === null) return String(value);
  if (functionSlots(value)) return "a function";
  if (promiseSlots(value)) return "a promise";
  return Array.isArray(value) ? "an array" : "an object";
}
