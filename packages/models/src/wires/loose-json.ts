// Reading JSON from servers that only mostly keep to the format: what is not of the asked kind is
// as good as absent.

/** An object whose fields nobody vouches for. */
export interface LooseObject {
  readonly [key: string]: unknown;
}

/** The value if it is an object and no list, else an empty one. */
export function objectIn(value: unknown): LooseObject {
  return isObject(value) ? value : {};
}

/** Whether the value is an object and no list. */
export function isObject(value: unknown): value is LooseObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a list, else an empty one. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is text with something in it. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value if it is a whole number from 0 on. */
export function countIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Parses a text as JSON; undefined when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: that is the answer.
    return undefined;
  }
}
