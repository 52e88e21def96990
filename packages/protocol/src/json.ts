/** Any value that JSON can represent. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema document, draft 2020-12 or earlier. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Says whether a value is an object with fields: not a list, and not null. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
