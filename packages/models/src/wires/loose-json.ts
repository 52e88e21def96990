// Reads JSON from servers that do not always keep to the format. A value of the wrong type is
// treated as absent.

import { isRecord } from "@smolts/protocol";

/** An object from a server. Nothing is known about its fields. */
export interface LooseObject {
  readonly [key: string]: unknown;
}

/** Returns the value if it is an object and not a list, otherwise an empty object. */
export function objectIn(value: unknown): LooseObject {
  return isRecord(value) ? value : {};
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a string that is not empty. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the value if it is a whole number >= 0. */
export function countIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Parses a text as JSON; undefined when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Callers expect undefined for a text that is not JSON.
    return undefined;
  }
}
