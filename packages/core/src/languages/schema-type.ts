// Turns JSON Schemas into types of a programming language. The walk through a schema is the same
// for every language; only the notation differs.

import { isRecord, type JsonSchema } from "@smolts/protocol";

/** How one language writes types. */
export interface TypeWords {
  /** The type that fits any value. */
  readonly unknown: string;
  /** The type that fits no value, for the schema `false`. */
  readonly never: string;
  /** The type of `null`. */
  readonly null: string;
  union(types: readonly string[]): string;
  intersection(types: readonly string[]): string;
  /** Returns the type that fits exactly these values. */
  literals(values: readonly unknown[]): string;
  /**
   * Returns the type of a schema that has a `type` or `properties` and does not combine other
   * schemas.
   */
  named(schema: JsonSchema, place: SchemaPlace): string;
}

/** The current position while a schema is walked through. */
export interface SchemaPlace {
  /** The schema that local references refer to. */
  readonly root: JsonSchema;
  readonly depth: number;
}

/**
 * The deepest nesting that is written out. Deeper types are `unknown`, which also ends recursive
 * schemas.
 */
const maxDepth = 6;

/** Returns the type of a schema, on one line. */
export function schemaType(schema: unknown, words: TypeWords, place: SchemaPlace): string {
  if (schema === false) return words.never;
  if (!isRecord(schema) || place.depth > maxDepth) return words.unknown;
  const type = bareType(schema, words, { ...place, depth: place.depth + 1 });
  return schema["nullable"] === true ? words.union([type, words.null]) : type;
}

function bareType(schema: JsonSchema, words: TypeWords, place: SchemaPlace): string {
  const { $ref: reference, enum: values, anyOf, oneOf, allOf, type } = schema;
  const typeOf = (part: unknown): string => schemaType(part, words, place);
  if (typeof reference === "string") return typeOf(referenced(reference, place.root));
  if ("const" in schema) return words.literals([schema["const"]]);
  if (Array.isArray(values)) return words.literals(values);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return words.union(alternatives.map(typeOf));
  if (Array.isArray(allOf)) return words.intersection(allOf.map(typeOf));
  if (Array.isArray(type)) return words.union(type.map((name) => bareType({ ...schema, type: name }, words, place)));
  return words.named(schema, place);
}

/**
 * Returns the schema that a local reference such as `#/$defs/node` refers to. Other references are
 * not resolved.
 */
function referenced(reference: string, root: JsonSchema): unknown {
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
