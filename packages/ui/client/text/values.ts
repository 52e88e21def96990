// Decodes values of a run, and writes them as text.

import { decodeValue, type EncodedValue, type MediaPart } from "@smolts/protocol";

/** Decodes a value. If that is not possible, returns it as the log contains it. */
export function decoded(encoded: EncodedValue): unknown {
  try {
    return decodeValue(encoded);
  } catch {
    return encoded;
  }
}

/** Rows that a table can show, with the names of their columns. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly [column: string]: unknown }[];
}

const maxColumns = 24;

/** Converts a list of plain objects with similar keys to a table. Returns null for other values. */
export function rowsOf(value: unknown): Rows | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFlatRecord)) return null;
  const columns = new Set<string>();
  for (const row of value.slice(0, 200)) for (const key of Object.keys(row)) columns.add(key);
  const widest = Math.max(...value.slice(0, 200).map((row) => Object.keys(row).length));
  const isTable = columns.size > 0 && columns.size <= maxColumns && columns.size <= widest * 2;
  return isTable ? { columns: [...columns], rows: value } : null;
}

function isFlatRecord(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !isPlain(value)) return false;
  return Object.values(value).every((cell) => typeof cell !== "object" || cell === null || cell instanceof Date);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns a cell of a table; undefined if its row lacks the column. */
export const cellOf = (row: Rows["rows"][number], column: string): unknown =>
  Object.hasOwn(row, column) ? row[column] : undefined;

/** Returns a value that is an image, a sound or a file; else null. */
export const mediaOf = (value: unknown): MediaPart | null => (isMediaPart(value) ? value : null);

/** Says whether a value of any origin is an image, a sound or a file. */
export function isMediaPart(value: unknown): value is MediaPart {
  if (typeof value !== "object" || value === null || !("type" in value) || !("source" in value)) return false;
  const { type, source } = value;
  if (type !== "image" && type !== "audio" && type !== "file") return false;
  if ("name" in value && value.name !== undefined && typeof value.name !== "string") return false;
  if (typeof source !== "object" || source === null) return false;
  if ("url" in source) return typeof source.url === "string";
  return (
    "digest" in source &&
    typeof source.digest === "string" &&
    "mediaType" in source &&
    typeof source.mediaType === "string"
  );
}

/** Returns a value on one line in JavaScript notation. Long values are cut. */
export function inline(value: unknown, maxLength = 400): string {
  const text = typeof value === "string" ? value : write(value, "", maxLength * 2);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Returns a value on several lines in JavaScript notation. */
export function pretty(value: unknown): string {
  return write(value, "\n", Number.POSITIVE_INFINITY);
}

/**
 * Writes a value in JavaScript notation, because JSON cannot express many values. The depth and the
 * length are limited.
 */
function write(value: unknown, newline: string, budget: number): string {
  const open = new Set<object>();
  let left = budget;
  const spent = (text: string): string => {
    left -= text.length;
    return text;
  };
  const list = (brackets: string, parts: Iterable<() => string>, margin: string): string => {
    const inner = newline ? `${margin}  ` : "";
    const texts: string[] = [];
    for (const part of parts) {
      if (left <= 0) {
        texts.push("…");
        break;
      }
      texts.push(part());
    }
    const [first, last] = [brackets[0], brackets[1]];
    if (texts.length === 0) return spent(`${first}${last}`);
    const line = `${first} ${texts.join(", ")} ${last}`;
    if (!newline || (line.length <= 72 && !line.includes("\n"))) return spent(line);
    return `${first}\n${texts.map((text) => inner + text).join(",\n")}\n${margin}${last}`;
  };
  const of = (item: unknown, margin: string, depth: number): string => {
    if (typeof item === "string") return spent(JSON.stringify(item));
    if (typeof item === "bigint") return spent(`${item}n`);
    if (typeof item !== "object" || item === null) return spent(Object.is(item, -0) ? "-0" : String(item));
    if (item instanceof Date) return spent(Number.isNaN(item.getTime()) ? "Invalid Date" : item.toISOString());
    if (item instanceof Uint8Array) return spent(`Uint8Array(${item.byteLength})`);
    if (open.has(item)) return "[Circular]";
    if (depth > 40) return "…";
    open.add(item);
    const deeper = newline ? `${margin}  ` : "";
    const next = (child: unknown) => of(child, deeper, depth + 1);
    const text =
      item instanceof Map
        ? `Map ${list(
            "{}",
            mapped(item, ([key, entry]) => `${next(key)} => ${next(entry)}`),
            margin,
          )}`
        : item instanceof Set
          ? `Set ${list("{}", mapped(item, next), margin)}`
          : Array.isArray(item)
            ? list("[]", mapped(item, next), margin)
            : list(
                "{}",
                mapped(Object.entries(item), ([key, entry]) => `${keyText(key)}: ${next(entry)}`),
                margin,
              );
    open.delete(item);
    return text;
  };
  return of(value, "", 0);
}

function* mapped<Item>(items: Iterable<Item>, toText: (item: Item) => string): Iterable<() => string> {
  for (const item of items) yield () => toText(item);
}

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

/**
 * Returns a table as comma-separated values. A cell that a spreadsheet would treat as a formula
 * gets an apostrophe at its start.
 */
export function toCsv({ columns, rows }: Rows): string {
  const cell = (value: unknown): string => {
    const text = value === undefined || value === null ? "" : typeof value === "string" ? value : inline(value, 10_000);
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(cellOf(row, column))))]
    .map((cells) => cells.join(","))
    .join("\r\n");
}
