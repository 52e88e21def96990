import type { JsonSchema } from "@smolts/protocol";

/**
 * Where the schemas within a schema stand, and how many; everything else in it is data, which may
 * look like a schema.
 */
const schemaPlaces: ReadonlyMap<string, "one" | "some" | "named"> = new Map([
  ...["additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"].map(
    (key) => [key, "one"] as const,
  ),
  ...["propertyNames", "contains", "not", "if", "then", "else"].map((key) => [key, "one"] as const),
  // Before draft 2020-12 items may be one schema or a list.
  ...["anyOf", "allOf", "oneOf", "prefixItems", "items"].map((key) => [key, "some"] as const),
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].map(
    (key) => [key, "named"] as const,
  ),
]);

/** Whether `value` is an object that may be read as a schema or a part of one. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A schema and every schema within it, each with its place, such as `properties.city.items`;
 * references are not followed.
 */
export function* walkSchema(schema: JsonSchema, place = ""): Generator<readonly [schema: JsonSchema, place: string]> {
  yield [schema, place];
  for (const [child, childPlace] of childSchemas(schema, place)) yield* walkSchema(child, childPlace);
}

/**
 * The same schema with every schema that stands directly within it replaced by what `change` gives
 * for it.
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

/** The schema that a reference within `root` names, if there is one. */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === "#") return root;
  if (reference.startsWith("#/")) return atPointer(root, reference.slice(2));
  for (const [schema] of walkSchema(root)) {
    if (schema["$id"] === reference || (schema["$anchor"] && `#${schema["$anchor"]}` === reference)) return schema;
  }
  return undefined;
}

/** The keys of a JSON pointer, which stands after `#/`. */
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
      // Entries of an array are its indices and items: lists and names read alike.
      for (const [name, child] of Object.entries(value)) if (isSchemaObject(child)) yield [child, `${at}.${name}`];
    }
  }
}

function atPointer(root: JsonSchema, pointer: string): JsonSchema | undefined {
  let node: unknown = root;
  for (const key of pointerKeys(pointer)) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    // A key that is there may be read; what it holds is checked below.
    node = (node as { readonly [key: string]: unknown })[key];
  }
  return isSchemaObject(node) ? node : undefined;
}
