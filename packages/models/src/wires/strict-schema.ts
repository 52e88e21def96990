// With `strict: true`, a server holds the model to the schema, word for word. It then takes fewer
// schemas: every object must be closed, every property required, and only some keywords are known.
// A schema is closed here where that takes nothing from it; any other goes out without the mark, as
// advice.

import type { JsonSchema } from "@smolts/protocol";
import { isObject, type LooseObject, listIn, objectIn } from "./loose-json.ts";

/** Returns the schema in the strict form; null when it has none that means the same. */
export function strictSchema(schema: JsonSchema): JsonSchema | null {
  const strict = closed(schema, 0);
  // The whole must be one object. It came from a JSON Schema, and every keyword was kept.
  return strict !== null && strict["type"] === "object" ? (strict as JsonSchema) : null;
}

/** The deepest nesting that servers accept in a strict schema. */
const deepest = 5;

const plainKeywords: ReadonlySet<string> = new Set("type description title enum const".split(" "));

function closed(schema: unknown, depth: number): LooseObject | null {
  if (!isObject(schema) || depth > deepest) return null;
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
  // Without a type or alternatives anything fits, and there is nothing to hold the model to.
  return "type" in strict || "anyOf" in strict || "enum" in strict || "const" in strict ? strict : null;
}

/** Undefined for what the strict form has no place for. */
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
 * A property that may be absent has no strict form: `null` would be another value. An object with
 * no properties at all may hold anything.
 */
function hasAllRequired({ properties, required }: LooseObject): boolean {
  const names = Object.keys(objectIn(properties));
  return names.length > 0 && names.every((name) => listIn(required).includes(name));
}
