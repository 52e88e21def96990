// Writes JSON Schemas as Python types: as annotations for signatures, and with dictionary keys for
// docstrings.

import { isRecord, type JsonSchema } from "@smolts/protocol";
import { schemaType, type TypeWords } from "../schema-type.ts";

/** Returns a schema as an annotation, such as `list[dict]`, `Literal["a", "b"]` or `str | None`. */
export const annotation = (schema: JsonSchema): string =>
  schemaType(
    schema,
    wordsFor(() => "dict"),
    { root: schema, depth: 0 },
  );

/** Returns a schema with the keys of its dictionaries, such as `{"name": str, "age"?: int}`. */
export const shapeOfSchema = (schema: JsonSchema): string =>
  schemaType(schema, wordsFor(keysText), { root: schema, depth: 0 });

/** Writes the type of a dictionary. `schema` lists its keys. */
type WriteKeys = (schema: JsonSchema, textOf: (part: unknown) => string) => string;

function wordsFor(writeKeys: WriteKeys): TypeWords {
  const words: TypeWords = {
    unknown: "Any",
    never: "Any",
    null: "None",
    union,
    intersection: (types) => (types.length === 1 && types[0] !== undefined ? types[0] : "dict"),
    literals,
    named: (schema, place) => namedText(schema, (part) => schemaType(part, words, place), writeKeys),
  };
  return words;
}

function namedText(schema: JsonSchema, textOf: (part: unknown) => string, writeKeys: WriteKeys): string {
  switch (schema["type"]) {
    case "string":
      return "str";
    case "number":
      return "float";
    case "integer":
      return "int";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    case "array":
      return listText(schema, textOf);
    case "object":
      return dictText(schema, textOf, writeKeys);
    default:
      return isRecord(schema["properties"]) ? dictText(schema, textOf, writeKeys) : "Any";
  }
}

function listText({ items, prefixItems }: JsonSchema, textOf: (part: unknown) => string): string {
  if (Array.isArray(prefixItems)) return `tuple[${prefixItems.map(textOf).join(", ")}]`;
  const item = textOf(items);
  return item === "Any" ? "list" : `list[${item}]`;
}

function dictText(schema: JsonSchema, textOf: (part: unknown) => string, writeKeys: WriteKeys): string {
  const { properties, additionalProperties } = schema;
  if (isRecord(properties) && Object.keys(properties).length > 0) return writeKeys(schema, textOf);
  const value = textOf(additionalProperties);
  return value === "Any" ? "dict" : `dict[str, ${value}]`;
}

function keysText({ properties = {}, required }: JsonSchema, textOf: (part: unknown) => string): string {
  const names = Array.isArray(required) ? required : [];
  const texts = Object.entries(properties as JsonSchema).map(([key, schema]) => {
    return `${literal(key)}${names.includes(key) ? "" : "?"}: ${textOf(schema)}`;
  });
  return `{${texts.join(", ")}}`;
}

const maxLiterals = 20;

function literals(values: readonly unknown[]): string {
  const simple = values.every((value) => value === null || ["string", "number", "boolean"].includes(typeof value));
  if (!simple || values.length === 0) return "Any";
  const shown = values.slice(0, maxLiterals).map(literal);
  return `Literal[${[...shown, ...(values.length > maxLiterals ? ["..."] : [])].join(", ")}]`;
}

function union(types: readonly string[]): string {
  const unique = [...new Set(types)];
  return unique.length === 0 || unique.includes("Any") ? "Any" : unique.join(" | ");
}

const maxTextLength = 80;

/** Returns a JSON value as a Python program writes it. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${literal(item)}`)
    .join(", ")}}`;
}

/**
 * Returns a text as a Python string literal. JSON strings are valid Python, and hidden characters
 * are escaped.
 */
export const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

/**
 * Returns a text on one line, without hidden characters and without anything that ends a docstring.
 */
export function harmless(text: string, maxLength: number = maxTextLength): string {
  const line = text
    .replaceAll(/[\s\u0085\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .replaceAll('"""', "'''")
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trim()}…`;
}
