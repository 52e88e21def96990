// Converts a JSON Schema to the strict form. With `strict: true`, a server forces the model to keep
// exactly to the schema. But it accepts fewer schemas: objects must forbid additional properties,
// every property must be required, and only some keywords are allowed. A schema is converted if the
// strict form can keep the meaning. Any other schema is sent without `strict`, and the model may
// deviate from it.

import { isRecord, type JsonSchema } from "@smolts/protocol";
import { type LooseObject, listIn, objectIn } from "./loose-json.ts";

/** Returns the schema in the strict form, or null if no strict schema has the same meaning. */
export function strictSchema(schema: JsonSchema): JsonSchema | null {
  const strict = closed(schema, 0);
  // The schema as a whole must describe an object. The cast is safe: the input was a JSON Schema,
  // and all keywords were kept.
  return strict !== null && strict["type"] === "object" ? (strict as JsonSchema) : null;
}

/** The greatest depth of nesting that servers accept in a strict schema. */
const maxDepth = 5;

const plainKeywords: ReadonlySet<string> = new Set("type description title enum const".split(" "));

function closed(schema: unknown, depth: number): LooseObject | null {
  if (!isRecord(schema) || depth > maxDepth) return null;
  const strict: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const kept = closedKeyword(schema, keyword, value, depth);
    if (kept === undefined) return null;
    strict[keyword] = kept;
  }
  if (isKind(schema, "object")) {
    if (!hasAllRequired(schema)) return null;
    strict["additionalProperties"] = false;
  }
  // A schema without a type or alternatives allows any value, and servers refuse such schemas in
  // strict mode.
  return "type" in strict || "anyOf" in strict || "enum" in strict || "const" in strict ? strict : null;
}

/**
 * Returns the value of a keyword in the strict form, or undefined if the strict form does not allow
 * it.
 */
function closedKeyword(schema: LooseObject, keyword: string, value: unknown, depth: number): unknown {
  if (plainKeywords.has(keyword)) return value;
  switch (keyword) {
    case "properties":
      return closedMap(objectIn(value), depth);
    case "items":
      return closed(value, depth + 1) ?? undefined;
    case "anyOf": {
      const choices = listIn(value).map((choice) => closed(choice, depth));
      return choices.length === 0 || choices.includes(null) ? undefined : choices;
    }
    case "required":
      return value;
    case "additionalProperties":
      return value === false && isKind(schema, "object") ? false : undefined;
    default:
      return undefined;
  }
}

function closedMap(properties: LooseObject, depth: number): object | undefined {
  const entries = Object.entries(properties).map(([name, property]) => [name, closed(property, depth + 1)] as const);
  return entries.some(([, property]) => property === null) ? undefined : Object.fromEntries(entries);
}

const isKind = ({ type }: LooseObject, kind: string): boolean =>
  listIn(Array.isArray(type) ? type : [type]).includes(kind);

/**
 * Says whether all properties are required. A schema with an optional property has no strict form:
 * the property would have to be required and allow `null`, and `null` is not the same as an absent
 * property. An object without properties may contain anything, so it has no strict form either.
 */
function hasAllRequired({ properties, required }: LooseObject): boolean {
  const names = Object.keys(objectIn(properties));
  return names.length > 0 && names.every((name) => listIn(required).includes(name));
}
