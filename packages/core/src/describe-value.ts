// A value by type and size. What a run is given as a variable may be large, so the model is told what it is and reads it by code or hands it on.

const shownLength = 100;
const shownKeys = 8;
const looks = 20;

/** What a value is, such as `{ id: number }[] (100 elements)`; a small one is shown too. */
export function describeValue(value: unknown): string {
  const size = sizeOf(value);
  const shown = previewOf(value);
  return [typeName(value, 2), ...(size === null ? [] : [`(${size})`]), ...(shown === null ? [] : [`= ${shown}`])].join(
    " ",
  );
}

/** The type in TypeScript's words; `depth` says how far to look into objects. */
function typeName(value: unknown, depth: number): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return listType(value, depth);
  if (value instanceof Date) return "Date";
  if (value instanceof Uint8Array) return "Uint8Array";
  if (value instanceof Map) return `Map<${oneOf([...value.keys()], depth)}, ${oneOf([...value.values()], depth)}>`;
  if (value instanceof Set) return `Set<${oneOf([...value], depth)}>`;
  return typeof value === "object" ? objectType(value, depth) : typeof value;
}

function listType(items: readonly unknown[], depth: number): string {
  const type = oneOf(items, depth);
  return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}

/** Told from the first values; a type that is neither one nor two is `unknown`. */
function oneOf(values: readonly unknown[], depth: number): string {
  const types = new Set(values.slice(0, looks).map((value) => typeName(value, depth)));
  return types.size === 0 || types.size > 2 ? "unknown" : [...types].join(" | ");
}

function objectType(value: object, depth: number): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return "{}";
  if (depth === 0) return "object";
  // The cast: the keys are the object's own.
  const entries = Object.entries(value as { readonly [key: string]: unknown }).slice(0, shownKeys);
  const members = entries.map(([key, member]) => `${keyText(key)}: ${typeName(member, depth - 1)}`);
  return `{ ${[...members, ...(keys.length > shownKeys ? ["..."] : [])].join(", ")} }`;
}

const keyText = (key: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]{0,39}$/u.test(key) ? key : JSON.stringify(key.slice(0, 40));

function sizeOf(value: unknown): string | null {
  if (typeof value === "string") return counted(value.length, "character");
  if (Array.isArray(value)) return counted(value.length, "element");
  if (value instanceof Uint8Array) return counted(value.length, "byte");
  if (value instanceof Map || value instanceof Set) return counted(value.size, "entry", "entries");
  return null;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Only of what is small for certain, without writing out what is large. */
function previewOf(value: unknown): string | null {
  if (typeof value === "string") return value.length <= shownLength ? JSON.stringify(value) : null;
  if (typeof value === "bigint") return value < 10n ** 40n && value > -(10n ** 40n) ? `${value}n` : null;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
}
