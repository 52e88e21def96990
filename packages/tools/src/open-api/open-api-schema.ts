// Converts schemas of an OpenAPI document to JSON Schemas that do not need the document.
//
// - An input's schema keeps its references, and their targets are added under $defs. So a schema
//   that refers to itself stays small.
// - An output's schema is only shown to the model. So references are replaced by their targets,
//   down to a few levels, without descriptions.

import { type AgentError, invalidOption, type JsonSchema } from "@smolts/protocol";
import { isSchemaObject, mapSchema, resolveReference } from "../input/walk-schema.ts";

/** Reads the schemas of one document. */
export interface OpenApiSchemas {
  /** Returns the schema of a tool's arguments. Each argument has a schema of the document. */
  inputOf(properties: Readonly<Record<string, unknown>>, required: readonly string[]): JsonSchema;
  /** Returns the schema of an answer. */
  outputOf(schema: unknown): JsonSchema;
  /**
   * Returns a part of the document. If the part is a reference, returns the target.
   *
   * @throws AgentError `invalid-option` for a reference without a target
   */
  resolved(value: unknown): JsonSchema;
}

/**
 * The depths to which an output's schema is shown to the model. They are tried in this order, until
 * the schema is short enough.
 */
const outputDepths = [3, 2, 1];
/** The greatest length of an output's schema, in characters of JSON. */
const maxOutputLength = 3_000;
/** The most properties that are shown of one object in an output. */
const maxOutputProperties = 30;

/**
 * Creates a reader of a document's schemas. It caches the schemas that it has read, because a
 * document refers to the same few schemas many times.
 */
export function readSchemas(document: JsonSchema): OpenApiSchemas {
  const definitions = new Map<string, Definition>();
  const outlines = new Map<object, JsonSchema[]>();

  const resolved = (value: unknown): JsonSchema => {
    if (!isSchemaObject(value)) return {};
    const reference = value["$ref"];
    return typeof reference === "string" ? targetOf(document, reference) : value;
  };

  const definitionOf = (reference: string): Definition => {
    const known = definitions.get(reference);
    if (known) return known;
    const found: Definition = { name: definitionName(reference, definitions), references: new Set(), schema: {} };
    definitions.set(reference, found);
    found.schema = convert(targetOf(document, reference), found.references);
    return found;
  };

  const convert = (schema: JsonSchema, references: Set<string>): JsonSchema => {
    const reference = schema["$ref"];
    if (typeof reference === "string") {
      references.add(reference);
      return { $ref: `#/$defs/${definitionOf(reference).name}` };
    }
    return toJsonSchema(mapSchema(writable(schema), (part) => convert(part, references)));
  };

  const outline = (value: unknown, depth: number): JsonSchema => {
    const schema = resolved(value);
    const seen = outlines.get(schema) ?? [];
    outlines.set(schema, seen);
    seen[depth] ??=
      depth === 0 ? shallow(schema) : shape(mapSchema(shortened(schema), (part) => outline(part, depth - 1)));
    return seen[depth];
  };

  return {
    resolved,
    outputOf: (schema) => {
      const depth = outputDepths.find((levels) => JSON.stringify(outline(schema, levels)).length <= maxOutputLength);
      return outline(schema, depth ?? 0);
    },
    inputOf: (properties, required) => {
      const references = new Set<string>();
      const converted = Object.entries(properties).map(
        ([name, schema]) => [name, isSchemaObject(schema) ? convert(schema, references) : {}] as const,
      );
      const reached = reachedFrom(references, definitionOf).map(({ name, schema }) => [name, schema] as const);
      return {
        type: "object",
        properties: Object.fromEntries(converted),
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
        ...(reached.length === 0 ? {} : { $defs: Object.fromEntries(reached) }),
      };
    },
  };
}

/** The converted schema that a reference names. */
interface Definition {
  readonly name: string;
  /** The references inside the schema, whose targets must be added, too. */
  readonly references: Set<string>;
  schema: JsonSchema;
}

function targetOf(document: JsonSchema, reference: string): JsonSchema {
  const seen = new Set<string>();
  let next = reference;
  for (;;) {
    const target = next.startsWith("#") ? resolveReference(document, next) : undefined;
    if (!target || seen.has(next)) throw danglingReference(next);
    const further = target["$ref"];
    if (typeof further !== "string") return target;
    seen.add(next);
    next = further;
  }
}

function danglingReference(reference: string): AgentError {
  return invalidOption(
    `the document refers to ${JSON.stringify(reference)}, which is not in it`,
    "nothing is fetched for a reference: bundle the document into one file first",
  );
}

function definitionName(reference: string, taken: ReadonlyMap<string, Definition>): string {
  const last = reference.split("/").at(-1)?.replaceAll(/\W/g, "_") || "schema";
  const names = new Set([...taken.values()].map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? last : `${last}${count}`;
    if (!names.has(name)) return name;
  }
}

function reachedFrom(references: ReadonlySet<string>, definitionOf: (reference: string) => Definition): Definition[] {
  const reached = new Set(references);
  // This loop also visits items that are added to the set while it runs.
  for (const reference of reached) for (const next of definitionOf(reference).references) reached.add(next);
  return [...reached].map(definitionOf);
}

/** Removes the properties that occur only in answers. */
function writable(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema;
  if (!isSchemaObject(properties)) return schema;
  const readOnly = Object.entries(properties).flatMap(([name, property]) =>
    isSchemaObject(property) && property["readOnly"] === true ? [name] : [],
  );
  if (readOnly.length === 0) return schema;
  const isKept = (name: unknown): boolean => !readOnly.includes(String(name));
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    ...(Array.isArray(required) ? { required: required.filter(isKept) } : {}),
  };
}

/**
 * The keywords that a validator or a model can use. Keywords such as `example`, `xml` and
 * `discriminator` are dropped.
 */
const keywords: ReadonlySet<string> = new Set(
  (
    "type properties patternProperties additionalProperties propertyNames required minProperties maxProperties items prefixItems contains " +
    "minItems maxItems uniqueItems enum const anyOf oneOf allOf not if then else title description default format pattern minLength " +
    "maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"
  ).split(" "),
);

/**
 * Converts a schema of OpenAPI 3.0, whose parts are already converted, to JSON Schema. A schema of
 * a later version stays the same.
 */
function toJsonSchema(schema: JsonSchema): JsonSchema {
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => keywords.has(key) && !(key === "pattern" && !compiles(value))),
  );
  return nullable(withNumericBounds(kept), schema["nullable"] === true);
}

/**
 * Says whether a pattern is valid in JavaScript. The caller drops a pattern in the dialect of
 * another language. This is safe because the service itself checks the value.
 */
function compiles(pattern: unknown): boolean {
  try {
    return new RegExp(String(pattern), "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Converts exclusive bounds. In OpenAPI 3.0, an exclusive bound is a flag next to the ordinary
 * bound.
 */
function withNumericBounds({ exclusiveMinimum, exclusiveMaximum, ...schema }: JsonSchema): JsonSchema {
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : minimum === undefined ? {} : { minimum }),
    ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : maximum === undefined ? {} : { maximum }),
    ...(typeof exclusiveMinimum === "number" ? { exclusiveMinimum } : {}),
    ...(typeof exclusiveMaximum === "number" ? { exclusiveMaximum } : {}),
  };
}

function nullable(schema: JsonSchema, isNullable: boolean): JsonSchema {
  if (!isNullable) return schema;
  const { type, enum: values } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  const withNull = Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
  return { ...schema, ...withNull, type: [type, "null"] };
}

/**
 * Keeps the first properties of a large object. `additionalProperties` then says that there are
 * more.
 */
function shortened(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isSchemaObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (entries.length <= maxOutputProperties) return schema;
  return { ...schema, properties: Object.fromEntries(entries.slice(0, maxOutputProperties)), additionalProperties: {} };
}

const shapeKeywords: ReadonlySet<string> = new Set(
  "type properties additionalProperties required items prefixItems enum const anyOf oneOf allOf".split(" "),
);

/** Returns a converted schema without its descriptions and limits. It keeps the types and names. */
function shape(schema: JsonSchema): JsonSchema {
  const { required, ...kept } = Object.fromEntries(Object.entries(schema).filter(([key]) => shapeKeywords.has(key)));
  const { properties } = kept;
  const present =
    isSchemaObject(properties) && Array.isArray(required) ? required.filter((name) => name in properties) : [];
  return nullable(present.length === 0 ? kept : { ...kept, required: present }, schema["nullable"] === true);
}

/** Shortens a schema at the deepest level that is shown. */
const shallow = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema;
  if (type === undefined) return isSchemaObject(schema["properties"]) ? { type: "object" } : {};
  return nullable({ type, ...(Array.isArray(values) ? { enum: values } : {}) }, schema["nullable"] === true);
};
