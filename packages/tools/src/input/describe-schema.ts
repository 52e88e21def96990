import type { JsonSchema } from "@smolts/protocol";
import { isSchemaObject, resolveReference } from "./walk-schema.ts";

/**
 * The deepest nesting that is described. Deeper levels are shortened to `object` or `array`,
 * because readers look only at the first levels.
 */
const maxDepth = 3;
const maxNames = 12;

/**
 * Describes a schema in a few words for models and people: `string`, `integer >= 1`, `"a" | "b"`,
 * `{ query: string, limit?: integer }`.
 *
 * @param root - the schema in which references are looked up
 */
export function describeSchema(schema: unknown, root: JsonSchema, depth = 0): string {
  if (!isSchemaObject(schema)) return schema === false ? "nothing" : "anything";
  if (typeof schema["$ref"] === "string") return describeReference(schema["$ref"], root, depth);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return listed(schema["enum"].map((value) => JSON.stringify(value)));
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return listed([...new Set(choices.map((choice) => describeSchema(choice, root, depth)))]);
  const type = schema["type"];
  if (Array.isArray(type)) return listed(type.map((name) => describeType(String(name), schema, root, depth)));
  return typeof type === "string" ? describeType(type, schema, root, depth) : "anything";
}

function describeReference(reference: string, root: JsonSchema, depth: number): string {
  const target = resolveReference(root, reference);
  return target && depth <= maxDepth ? describeSchema(target, root, depth + 1) : "object";
}

function describeType(type: string, schema: JsonSchema, root: JsonSchema, depth: number): string {
  switch (type) {
    case "string":
      return ["string", ...stringBounds(schema)].join(" ");
    case "number":
    case "integer":
      return [type, ...numberBounds(schema)].join(" ");
    case "array":
      return [describeArray(schema, root, depth), ...lengthBounds(schema)].join(" ");
    case "object":
      return describeObject(schema, root, depth);
    default:
      return type;
  }
}

function stringBounds({ minLength, maxLength, format, pattern }: JsonSchema): string[] {
  return [
    ...(format === undefined ? [] : [`(${String(format)})`]),
    ...(minLength === undefined || minLength === 0 ? [] : [`of at least ${String(minLength)} characters`]),
    ...(maxLength === undefined ? [] : [`of at most ${String(maxLength)} characters`]),
    ...(pattern === undefined ? [] : [`like /${String(pattern)}/`]),
  ];
}

const boundSigns = {
  minimum: ">=",
  exclusiveMinimum: ">",
  maximum: "<=",
  exclusiveMaximum: "<",
  multipleOf: "a multiple of",
} as const;

function numberBounds(schema: JsonSchema): string[] {
  return Object.entries(boundSigns)
    .filter(([key]) => typeof schema[key] === "number" && Math.abs(schema[key]) < Number.MAX_SAFE_INTEGER)
    .map(([key, sign]) => `${sign} ${String(schema[key])}`);
}

function lengthBounds({ minItems, maxItems, uniqueItems }: JsonSchema): string[] {
  return [
    ...(minItems === undefined || minItems === 0 ? [] : [`of at least ${String(minItems)}`]),
    ...(maxItems === undefined ? [] : [`of at most ${String(maxItems)}`]),
    ...(uniqueItems === true ? ["without repeats"] : []),
  ];
}

function describeArray(schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (schema["items"] === undefined || depth > maxDepth) return "array";
  const item = describeSchema(schema["items"], root, depth + 1);
  return item === "anything" ? "array" : /^[a-z]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function describeObject(schema: JsonSchema, root: JsonSchema, depth: number): string {
  // Models know what an image or a sound is, so the fields of such a part are not listed.
  if (typeof schema["title"] === "string" && /^(image|audio)$/.test(schema["title"])) return schema["title"];
  const properties = isSchemaObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  if (depth > maxDepth || properties.length === 0) return depth === 0 && schema["properties"] ? "{}" : "object";
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const shown = properties.slice(0, maxNames).map(([name, property]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? "" : "?"}: ${describeSchema(property, root, depth + 1)}`;
  });
  return `{ ${[...shown, ...(properties.length > maxNames ? ["..."] : [])].join(", ")} }`;
}

function listed(words: readonly string[]): string {
  return [...words.slice(0, maxNames), ...(words.length > maxNames ? ["..."] : [])].join(" | ");
}
