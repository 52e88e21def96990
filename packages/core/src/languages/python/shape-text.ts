// Describes the shape of a value as a Python type, with the keys of dictionaries. The type is shown
// for results of tools without an output schema.

import { harmless, quoted } from "./type-text.ts";

const maxDepth = 4;
const maxKeys = 16;
const maxItems = 20;
const maxMembers = 4;
const maxKeyLength = 40;

/**
 * Returns the shape of a plain value on one line, such as `list[{"id": int, "tags"?: list[str]}]`.
 */
export const shapeText = (value: unknown): string => textOf([value], 0);

/** Returns one shape that fits all these values. */
function textOf(values: readonly unknown[], depth: number): string {
  if (depth > maxDepth) return "Any";
  const dicts = values.filter(isDict);
  const lists = values.filter((value): value is readonly unknown[] => Array.isArray(value));
  const others = values.filter((value) => !isDict(value) && !Array.isArray(value));
  const members = new Set([
    ...(dicts.length === 0 ? [] : [dictText(dicts, depth)]),
    ...(lists.length === 0 ? [] : [collectionText("list", lists.flatMap(firstItems), depth)]),
    ...others.map((value) => nameOf(value, depth)),
  ]);
  return members.size === 0 || members.size > maxMembers ? "Any" : [...members].join(" | ");
}

const isDict = (value: unknown): value is { readonly [key: string]: unknown } => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const firstItems = (items: Iterable<unknown>): readonly unknown[] => [...items].slice(0, maxItems);

function collectionText(name: string, items: readonly unknown[], depth: number): string {
  return items.length === 0 ? name : `${name}[${textOf(items, depth + 1)}]`;
}

function nameOf(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "float";
  if (value instanceof Date) return "datetime";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Set) return collectionText("set", firstItems(value), depth);
  if (!(value instanceof Map) || value.size === 0) return "dict";
  return `dict[${textOf(firstItems(value.keys()), depth + 1)}, ${textOf(firstItems(value.values()), depth + 1)}]`;
}

function dictText(dicts: readonly { readonly [key: string]: unknown }[], depth: number): string {
  if (depth >= maxDepth) return "dict";
  const keys = [...new Set(dicts.flatMap((dict) => Object.keys(dict)))];
  if (keys.length === 0) return "dict";
  const texts = keys.slice(0, maxKeys).map((key) => {
    const holders = dicts.filter((dict) => Object.hasOwn(dict, key));
    const type = textOf(
      holders.map((dict) => dict[key]),
      depth + 1,
    );
    return `${quoted(harmless(key, maxKeyLength))}${holders.length === dicts.length ? "" : "?"}: ${type}`;
  });
  return `{${[...texts, ...(keys.length > maxKeys ? ["..."] : [])].join(", ")}}`;
}
