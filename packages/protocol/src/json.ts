/** Any value that JSON can represent. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema document, draft 2020-12 or earlier. */
export type JsonSchema = { readonly [key: string]: unknown };
