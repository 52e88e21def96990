/**
 * Returns the text of a value for an error message: JSON if possible, cut to `maxLength`
 * characters.
 */
export function previewValue(value: unknown, maxLength = 80): string {
  const text = written(value);
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

function written(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 200));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value) && value.length > 20) return `an array of ${value.length}`;
  if (value instanceof Date) return `the date ${Number.isNaN(value.getTime()) ? "NaN" : value.toISOString()}`;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== "Object" && tag !== "Array") return `a ${tag}`;
  try {
    return JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? `${item}n` : item));
  } catch {
    // The value contains itself. Another check reports that, but the preview must not fail.
    return `an ${tag.toLowerCase()}`;
  }
}
