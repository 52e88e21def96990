import { isRecord, type JsonSchema } from "@smolts/protocol";

/**
 * The keywords that contain other schemas. Their values are one schema, a list of schemas, or an
 * object of named schemas. Everything else in a schema is data, even if it looks like a schema.
 */
const schemaPlaces: ReadonlyMap<string, "one" | "some" | "named"> = new Map([
  ...["additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"].map(
    (key) => [key, "one"] as const,
  ),
  ...["propertyNames", "contains", "not", "if", "then", "else"].map((key) => [key, "one"] as const),
  // Before draft 2020-12, `items` may be one schema or a list.
  ...["anyOf", "allOf", "oneOf", "prefixItems", "items"].map((key) => [key, "some"] as const),
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].map(
    (key) => [key, "named"] as const,
  ),
]);

/** Says whether `value` is an object that can be read as a schema or as a part of one. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return isRecord(value);
}

/**
 * Yields a schema and all schemas inside it, each with its place, such as `properties.city.items`.
 * References are not followed.
 */
export function* walkSchema(schema: JsonSchema, place = ""): Generator<readonly [schema: JsonSchema, place: string]> {
  yield [schema, place];
  for (const [child, childPlace] of childSchemas(schema, place)) yield* walkSchema(child, childPlace);
}

/**
 * Returns a copy of the schema in which each direct subschema is replaced by the result of
 * `change`.
 */
export function mapSchema(schema: JsonSchema, change: (part: JsonSchema) => unknown): JsonSchema {
  const changed = (part: unknown): unknown => (isSchemaObject(part) ? change(part) : part);
  const entries = Object.entries(schema).map(([key, value]): readonly [string, unknown] => {
    const place = schemaPlaces.get(key);
    if (place === undefined) return [key, value];
    if (Array.isArray(value)) return [key, place === "some" ? value.map(changed) : value];
    if (place !== "named" || !isSchemaObject(value)) return [key, changed(value)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part)]))];
  });
  return Object.fromEntries(entries);
}

/** Returns the schema that a reference within `root` names, or undefined. */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === "#") return root;
  if (reference.startsWith("#/")) return atPointer(root, reference.slice(2));
  for (const [schema] of walkSchema(root)) {
    if (schema["$id"] === reference || (schema["$anchor"] && `#${schema["$anchor"]}` === reference)) return schema;
  }
  return undefined;
}

/** Returns the keys of a JSON pointer. The pointer is given without its leading `#/`. */
export function pointerKeys(pointer: string): string[] {
  return pointer.split("/").map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function* childSchemas(schema: JsonSchema, place: string): Generator<readonly [schema: JsonSchema, place: string]> {
  for (const key of Object.keys(schema)) {
    const kind = schemaPlaces.get(key);
    if (kind === undefined) continue;
    const value = schema[key];
    const at = place === "" ? key : `${place}.${key}`;
    if (isSchemaObject(value) && kind !== "named") {
      yield [value, at];
    } else if (typeof value === "object" && value !== null && kind !== "one") {
      // For an array, the entries are its indices and items. So lists and objects are read in the
      // same way.
      for (const [name, child] of Object.entries(value)) if (isSchemaObject(child)) yield [child, `${at}.${name}`];
    }
  }
}

function atPointer(root: JsonSchema, pointer: string): JsonSchema | undefined {
  let node: unknown = root;
  for (const key of pointerKeys(pointer)) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    // The cast is safe: the object has this key. The value is checked below.
    node = (node as { readonly [key: string]: unknown })[key];
  }
  return isSchemaObject(node) ? node : undefined;
}
