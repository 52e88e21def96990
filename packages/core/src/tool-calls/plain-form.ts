// What tools give besides plain data, in the form that a model can be shown.

const maxDepth = 64;

/**
 * The value with its parts in plain forms: what has a `toJSON` as that says (a `URL` as its text, a decimal as its digits), an error as `{ name, message }`, a
 * typed array as a list of numbers. What has no such form stays as it is.
 */
export function plainForm(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (value instanceof Date || value instanceof Uint8Array || value instanceof Map || value instanceof Set)
    return value;
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as unknown as ArrayLike<unknown>);
  if ("toJSON" in value && typeof value.toJSON === "function") return plainForm(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map((item) => plainForm(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainForm(item, depth + 1)]));
}
