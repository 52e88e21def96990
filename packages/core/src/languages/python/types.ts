// JSON Schemas as types of Python: annotations for signatures, and shapes for docstrings, where a dictionary says its keys.

import type { JsonSchema } from "@smolts/protocol";

/** A schema as an annotation, such as `list[dict]`, `Literal["a", "b"]` or `str | None`. */
export const annotation = (schema: JsonSchema): string => textOf(schema, { root: schema, depth: 0, hasKeys: false });

/** A schema with the keys of its dictionaries, such as `{"name": str, "age"?: int}`. */
export const shapeOfSchema = (schema: JsonSchema): string => textOf(schema, { root: schema, depth: 0, hasKeys: true });

interface Place {
  /** Where local references point into. */
  readonly root: JsonSchema;
  readonly depth: number;
  readonly hasKeys: boolean;
}

const maxDepth = 6;

function textOf(schema: unknown, place: Place): string {
  if (!isRecord(schema) || place.depth > maxDepth) return "Any";
  const text = bareText(schema, { ...place, depth: place.depth + 1 });
  return schema["nullable"] === true ? union([text, "None"]) : text;
}

function bareText(schema: JsonSchema, place: Place): string {
  const { $ref: reference, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof reference === "string") return textOf(resolved(reference, place.root), place);
  if ("const" in schema) return literals([schema["const"]]);
  if (Array.isArray(values)) return literals(values);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return union(alternatives.map((part) => textOf(part, place)));
  if (Array.isArray(allOf)) return allOf.length === 1 ? textOf(allOf[0], place) : "dict";
  if (Array.isArray(type)) return union(type.map((name) => bareText({ ...schema, type: name }, place)));
  return namedText(schema, place);
}

function namedText(schema: JsonSchema, place: Place): string {
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
      return listText(schema, place);
    case "object":
      return dictText(schema, place);
    default:
      return isRecord(schema["properties"]) ? dictText(schema, place) : "Any";
  }
}

function listText({ items, prefixItems }: JsonSchema, place: Place): string {
  if (Array.isArray(prefixItems)) return `tuple[${prefixItems.map((item) => textOf(item, place)).join(", ")}]`;
  const item = textOf(items, place);
  return item === "Any" ? "list" : `list[${item}]`;
}

function dictText({ properties, required, additionalProperties }: JsonSchema, place: Place): string {
  const entries = isRecord(properties) ? Object.entries(properties) : [];
  if (entries.length === 0) {
    const value = textOf(additionalProperties, place);
    return value === "Any" ? "dict" : `dict[str, ${value}]`;
  }
  if (!place.hasKeys) return "dict";
  const names = Array.isArray(required) ? required : [];
  const texts = entries.map(([key, schema]) => {
    return `${literal(key)}${names.includes(key) ? "" : "?"}: ${textOf(schema, place)}`;
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

/** A value of JSON as a program writes it. */
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

/** JSON's texts are Python's as well, but for surrogates; hidden characters are shown. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

/** On one line, without hidden characters, and without the end of a docstring. */
export function harmless(text: string, maxLength: number = maxTextLength): string {
  const line = text
    .replaceAll(/[\s\u0085\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .replaceAll('"""', "'''")
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trim()}…`;
}

/** A local reference, such as `#/$defs/node`; others are unknown. */
function resolved(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference
    .slice(1)
    .split("/")
    .filter((step) => step !== "");
  return steps.reduce<unknown>((schema, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return isRecord(schema) && Object.hasOwn(schema, key) ? schema[key] : undefined;
  }, root);
}

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
