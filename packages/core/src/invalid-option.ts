export { invalidOption } from "@smolts/protocol";

const maxShownLength = 100;

/** A wrong value, as such an error tells it. An object is not shown: it may refuse to be a text. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, maxShownLength));
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise";
  if (typeof value === "function") return `the function ${value.name || "without a name"}`;
  return isRecord(value) ? "an object" : String(value);
}

/** Whether a value has fields to look at. */
export const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null;
