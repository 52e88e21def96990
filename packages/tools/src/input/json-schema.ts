import type { SchemaDraft, ValidationResult } from "@cfworker/json-schema";
import { AgentError, type JsonSchema, thrownText } from "@smolts/protocol";
import { checkJsonSchema } from "./check-json-schema.ts";
import { type CountedValidator, countedValidator } from "./counted-validator.ts";
import { hasSlowPatterns, undecided, withMatchedPatterns } from "./matched-patterns.ts";
import { jsonCopies } from "./plain-input.ts";
import { schemaIssues } from "./schema-issues.ts";
import type { SchemaResult, StandardJsonSchema } from "./standard-schema.ts";

interface JsonTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

/**
 * The type of the values that a JSON Schema describes, derived from a literal schema: types,
 * `enum`, `const`, `properties` with `required`, `items`, `anyOf`, `oneOf`. Schemas of TypeBox
 * carry their own type. Anything else is `unknown`.
 */
export type ReadJsonSchema<Schema> = Schema extends { readonly static: infer Value }
  ? Value
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly anyOf: readonly (infer Choice)[] } | { readonly oneOf: readonly (infer Choice)[] }
        ? ReadJsonSchema<Choice>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? Type extends string
            ? ReadType<Type, Schema>
            : unknown
          : Schema extends { readonly type: infer Type extends string }
            ? ReadType<Type, Schema>
            : unknown;

type ReadType<Type extends string, Schema> = Type extends keyof JsonTypes
  ? JsonTypes[Type]
  : Type extends "array"
    ? Schema extends { readonly items: infer Item }
      ? ReadJsonSchema<Item>[]
      : unknown[]
    : Type extends "object"
      ? ReadObject<Schema>
      : unknown;

type ReadObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? string extends keyof Properties
    ? { [name: string]: unknown }
    : ReadProperties<Properties, Schema extends { readonly required: readonly (infer Name)[] } ? Name : never>
  : { [name: string]: unknown };

type ReadProperties<Properties, Required> = {
  -readonly [Name in keyof Properties as Name extends Required ? Name : never]: ReadJsonSchema<Properties[Name]>;
} & {
  -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ReadJsonSchema<Properties[Name]>;
} extends infer Both
  ? { [Name in keyof Both]: Both[Name] }
  : never;

/**
 * Wraps a JSON Schema so that it can be used as any schema, such as a tool's `input` or `output`.
 * Adds a validator that needs no `eval`.
 *
 * If the schema is a literal, TypeScript derives the type of its values. Otherwise pass the type:
 * `jsonSchema<Order>(schema)`. The model sees the schema's defaults, but they are not filled in.
 *
 * @throws AgentError `invalid-option` for an unknown type, an invalid pattern, or a reference
 *   without a target
 * @example
 * ```ts
 * import { jsonSchema, tool } from "@smolts/tools";
 *
 * const setLight = tool({
 *   name: "setLight",
 *   description: "Sets a lamp's colour.",
 *   input: jsonSchema({
 *     type: "object",
 *     properties: { colour: { enum: ["red", "green"] }, level: { type: "integer", minimum: 0, maximum: 100 } },
 *     required: ["colour"],
 *   }),
 *   effects: "idempotent",
 *   execute: ({ colour, level = 100 }) => `${colour} at ${level} %`,
 * });
 *
 * console.log(await setLight.parseInput({ colour: "red" })); // { colour: 'red' }
 * ```
 */
export function jsonSchema<const Schema extends JsonSchema>(schema: Schema): StandardJsonSchema<ReadJsonSchema<Schema>>;
export function jsonSchema<Value>(schema: JsonSchema): StandardJsonSchema<Value>;
export function jsonSchema(schema: JsonSchema): StandardJsonSchema {
  const checked = checkJsonSchema(schema, "jsonSchema()");
  const convert = (): JsonSchema => checked;
  return {
    "~standard": {
      version: 1,
      vendor: "smolts",
      validate: jsonSchemaValidator(checked),
      jsonSchema: { input: convert, output: convert },
    },
  };
}

/**
 * Returns a function that validates values against a checked schema. The function returns a promise
 * if the schema has patterns that may be slow. Otherwise it returns its result directly.
 *
 * @throws AgentError `invalid-option` if the schema contradicts itself, for example if two parts
 *   have the same `$id`
 * @internal
 */
export function jsonSchemaValidator(
  schema: JsonSchema,
): (value: unknown) => SchemaResult<unknown> | Promise<SchemaResult<unknown>> {
  // The validator is usually created lazily, for the first value, because an agent with a thousand
  // tools calls only a few of them. But a schema with ids or references may contradict itself. To
  // report that immediately, the validator of such a schema is created now.
  let validator = hasNamedParts(schema) ? createValidator(schema) : undefined;
  let isSlow: boolean | undefined;
  return (value) => {
    isSlow ??= hasSlowPatterns(schema);
    if (isSlow) return validateSlowly(schema, value);
    validator ??= createValidator(schema);
    for (const copy of jsonCopies(value)) {
      const { valid, errors } = validator.validate(copy);
      if (!valid) return { issues: schemaIssues(errors, schema, value) };
    }
    return { value };
  };
}

function resultOf(schema: JsonSchema, copy: unknown): ValidationResult {
  const validator = createValidator(schema);
  try {
    return validator.validate(copy);
  } catch (error) {
    // A SyntaxError means that the host's engine cannot compile a pattern. In `schema`, each slow
    // pattern was replaced by a pattern that lists the matching texts. One of these patterns is too
    // long for the engine.
    if (error instanceof SyntaxError) throw undecided();
    throw error;
  }
}

/**
 * Validates a value against a schema with patterns that may be slow.
 *
 * @throws AgentError `tool-input` if the result depends on a text that is too long for a pattern
 */
async function validateSlowly(schema: JsonSchema, value: unknown): Promise<SchemaResult<unknown>> {
  for (const copy of jsonCopies(value)) {
    const [first, other] = (await withMatchedPatterns(schema, copy)).map((part) => resultOf(part, copy));
    if (!first || (other && other.valid !== first.valid)) throw undecided();
    if (!first.valid) return { issues: schemaIssues(first.errors, schema, value) };
  }
  return { value };
}

const hasNamedParts = (schema: JsonSchema): boolean =>
  /"(?:\$?id|\$anchor|\$ref|\$recursiveRef)":"/.test(JSON.stringify(schema));

function createValidator(schema: JsonSchema): CountedValidator {
  try {
    return countedValidator(schema, draftOf(schema));
  } catch (error) {
    const reason = thrownText(error);
    throw new AgentError("invalid-option", `a schema cannot be used for validation: ${reason}`, {
      cause: error,
      hint: "look for $id and $ref: each $id must be unique, and each $ref must point into the schema",
    });
  }
}

function draftOf({ $schema }: JsonSchema): SchemaDraft {
  const drafts: readonly SchemaDraft[] = ["4", "7", "2019-09"];
  return drafts.find((draft) => new RegExp(`draft[-/]0?${draft}\\b`).test(String($schema))) ?? "2020-12";
}
