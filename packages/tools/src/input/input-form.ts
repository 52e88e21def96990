import { type AgentError, invalidOption, type JsonSchema } from "@smolts/protocol";
import { checkJsonSchema } from "./check-json-schema.ts";
import { jsonSchemaValidator, type ReadJsonSchema } from "./json-schema.ts";
import { jsonCopies } from "./plain-input.ts";
import {
  parseShortType,
  type ReadShortForm,
  type ReadShortType,
  type ShortForm,
  type ShortType,
  shortFormSchema,
} from "./short-form.ts";
import { convertSchema, isStandardSchema, type SchemaResult, type StandardJsonSchema } from "./standard-schema.ts";
import { isSchemaObject, resolveReference } from "./walk-schema.ts";

/**
 * The JSON Schema of an object. Its `type: "object"` distinguishes it from a short form. TypeBox'
 * `Type.Object()` returns such a schema.
 */
export interface ObjectJsonSchema {
  readonly type: "object";
  readonly [key: string]: unknown;
}

/**
 * How a tool's arguments may be described: by a schema of another library, by a JSON Schema, or in
 * short form. The forms are tried in this order.
 */
export type InputForm = StandardJsonSchema | ObjectJsonSchema | ShortForm;

/**
 * How a tool's result may be described: by a schema of another library, by a short type, or by a
 * JSON Schema.
 */
export type OutputForm = StandardJsonSchema | ShortType | JsonSchema;

/** The input form of a tool without arguments. */
export type NoInput = Record<string, never>;

/** The type of the arguments that `execute` receives, after validation. */
export type InputOf<Form> = Form extends {
  readonly "~standard": { readonly types?: { readonly output: infer Value } | undefined };
}
  ? Value
  : Form extends { readonly type: "object" }
    ? ReadJsonSchema<Form>
    : Form extends NoInput
      ? NoInput
      : ReadShortForm<Form>;

/** The type of the model's arguments before validation, without defaults and transforms. */
export type RawInputOf<Form> = Form extends {
  readonly "~standard": { readonly types?: { readonly input: infer Value } | undefined };
}
  ? Value
  : InputOf<Form>;

/** The return type of `execute`. It is `unknown` if the tool has no output form. */
export type OutputOf<Form> = Form extends {
  readonly "~standard": { readonly types?: { readonly output: infer Value } | undefined };
}
  ? Value
  : Form extends ShortType
    ? ReadShortType<Form> | (Form extends `${string}?` | `${string}? ${string}` ? null | undefined : never)
    : Form extends JsonSchema
      ? ReadJsonSchema<Form>
      : unknown;

/**
 * The type that `execute` may return. For the short type `"object"` it is TypeScript's `object`,
 * which accepts values of interface types. The type of an input `"object"` does not accept them: it
 * requires an index signature, which interfaces lack.
 */
export type ReturnOf<Form> = Form extends "object" | `object ${string}`
  ? object
  : Form extends "object[]" | `object[] ${string}`
    ? readonly object[]
    : OutputOf<Form>;

/** The result of reading an input form: its JSON Schema, and a function that validates. */
export interface ReadInput {
  readonly schema: JsonSchema;
  /** The library that writes the texts of the issues. */
  readonly vendor: string;
  readonly validate: (value: unknown) => SchemaResult<unknown> | Promise<SchemaResult<unknown>>;
}

/**
 * Reads the description of a tool's input, in any of the allowed forms.
 *
 * @throws AgentError `invalid-option` if it is not a valid form, or does not describe an object
 */
export function readInputForm(form: unknown, where: string): ReadInput {
  if (isStandardSchema(form)) return readStandard(form, where);
  if (isSchemaObject(form) && form["type"] === "object") return readJson(checkJsonSchema(form, where));
  if (!isSchemaObject(form)) throw noInputForm(where, form);
  return readShort(form, where);
}

/**
 * Returns the JSON Schema of a tool's output.
 *
 * @throws AgentError `invalid-option` if the form is not valid
 */
export function readOutputForm(form: unknown, where: string): JsonSchema {
  if (isStandardSchema(form)) return converted(form, "output", where);
  if (typeof form === "string") {
    const { schema, optional } = parseShortType(form, where);
    return optional ? { anyOf: [schema, { type: "null" }] } : schema;
  }
  const schema = checkJsonSchema(form, where);
  const keys = Object.keys(schema).filter((key) => key !== "$schema");
  if (keys.length === 0 || keys.some((key) => schemaKeys.has(key))) return schema;
  throw invalidOption(
    `${where} is not a JSON Schema: it says only ${keys.map((key) => `"${key}"`).join(", ")}`,
    'write a short type such as "string", or { type: "object", properties: { ... } }',
  );
}

const schemaKeys: ReadonlySet<string> = new Set(
  "type properties items prefixItems enum const anyOf oneOf allOf not $ref if description title additionalProperties".split(
    " ",
  ),
);

function readStandard(form: StandardJsonSchema, where: string): ReadInput {
  const schema = asObjectSchema(converted(form, "input", where), where);
  const { vendor, validate } = form["~standard"];
  return {
    schema,
    vendor,
    validate: (value) => {
      // The copies are not used. The call is needed because it throws for inputs that no tool may
      // get. For example, the library might accept a key "__proto__".
      jsonCopies(value);
      return validate(value);
    },
  };
}

const ownVendor = "smolts";

function readJson(schema: JsonSchema): ReadInput {
  return { schema, vendor: ownVendor, validate: jsonSchemaValidator(schema) };
}

function readShort(form: JsonSchema, where: string): ReadInput {
  const schema = shortFormSchema(form, where);
  const validate = jsonSchemaValidator(checkJsonSchema(schema, where));
  return { schema, vendor: ownVendor, validate: (value) => validate(withoutAbsent(value, schema)) };
}

/**
 * Removes optional arguments that are null. Models write null to leave an argument out. This is
 * safe because no type of the short form requires null.
 */
function withoutAbsent(value: unknown, schema: JsonSchema): unknown {
  if (!isSchemaObject(value)) return value;
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const isAbsent = (name: string, item: unknown): boolean =>
    item === undefined || (item === null && isKnown(name, schema) && !required.includes(name));
  return Object.fromEntries(Object.entries(value).filter(([name, item]) => !isAbsent(name, item)));
}

function isKnown(name: string, { properties }: JsonSchema): boolean {
  return isSchemaObject(properties) && Object.hasOwn(properties, name);
}

/**
 * Adds `type: "object"` to a schema that describes objects without saying so, such as a union of
 * objects. Providers refuse a tool without this type.
 */
function asObjectSchema(schema: JsonSchema, where: string): JsonSchema {
  if (schema["type"] === "object") return schema;
  if (describesObject(schema, schema)) return { type: "object", ...schema };
  throw invalidOption(
    `${where} does not describe an object, but a tool takes one object of named arguments`,
    "wrap it in an object schema, such as z.object({ query: z.string() })",
  );
}

function describesObject(schema: unknown, root: JsonSchema, depth = 0): boolean {
  if (!isSchemaObject(schema) || depth > 8) return false;
  if (schema["type"] === "object") return true;
  const { $ref, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === "string") return describesObject(resolveReference(root, $ref), root, depth + 1);
  const choices = anyOf ?? oneOf ?? allOf;
  return (
    Array.isArray(choices) && choices.length > 0 && choices.every((choice) => describesObject(choice, root, depth + 1))
  );
}

/**
 * Converts a library's schema to JSON Schema. Removes the `$schema` that the library adds, because
 * it only names the dialect that smolts asked the library for.
 */
function converted(form: StandardJsonSchema, side: "input" | "output", where: string): JsonSchema {
  const schema = checkJsonSchema(convertSchema(form, side, where), where);
  if (form["~standard"].vendor === ownVendor) return schema;
  const { $schema: _, ...others } = schema;
  return others;
}

function noInputForm(where: string, form: unknown): AgentError {
  const found = form === null ? "null" : Array.isArray(form) ? "an array" : `a ${typeof form}`;
  return invalidOption(
    `${where} is ${found}; expected an object with an entry for each argument`,
    'write { query: "string — what to look for" }, a schema, or leave it out for a tool without arguments',
  );
}
