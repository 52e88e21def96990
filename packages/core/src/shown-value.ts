const maxShownLength = 100;

/**
 * Formats a wrong value for an error message. Objects are not shown, because converting one to text
 * may fail.
 */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, maxShownLength));
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise";
  if (typeof value === "function") return `the function ${value.name || "without a name"}`;
  return isObject(value) ? "an object" : String(value);
}

/** Says whether a value is an object. A list is one, too. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null;
