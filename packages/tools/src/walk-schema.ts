import type { JsonSchema } from "@smolts/protocol";

/** Where the schemas within a schema stand. Everything else in it is data, which may look like a schema. */
const schemasByName = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const schemaLists = ["anyOf", "allOf", "oneOf", "prefixItems", "items"];
const singleSchemas = [
  "items",
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
];

/** Whether `value` is an object that may be read as a schema or a part of one. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema and every schema within it, each with its place, such as `properties.city.items`; references are not followed. */
export function* walkSchema(schema: JsonSchema, place = ""): Generator<readonly [schema: JsonSchema, place: string]> {
  yield [schema, place];
  for (const [child, childPlace] of childSchemas(schema, place)) yield* walkSchema(child, childPlace);
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
  const under = (key: string): string => (place === "" ? key : `${place}.${key}`);
  for (const key of singleSchemas) {
    const child = schema[key];
    if (isSchemaObject(child)) yield [child, under(key)];
  }
  for (const key of [...schemasByName, ...schemaLists]) {
    const group = schema[key];
    if (!Array.isArray(group) && (schemaLists.includes(key) || !isSchemaObject(group))) continue;
    // Entries of an array are its indices and items: both kinds of group read alike.
    for (const [name, child] of Object.entries(group as object)) {
      if (isSchemaObject(child)) yield [child, under(`${key}.${name}`)];
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
