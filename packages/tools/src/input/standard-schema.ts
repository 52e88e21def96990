import { AgentError, type JsonSchema } from "@smolts/protocol";

/** One thing a schema found wrong. */
export interface SchemaIssue {
  readonly message: string;
  /** Keys from the value's root inwards; a library may wrap each. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The result of a schema for a value: the parsed value, or its issues. */
export type SchemaResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * A schema of any library that validates by Standard Schema and can say its JSON Schema: zod from
 * 4.2, arktype from 2.1.28, valibot wrapped by `toStandardJsonSchema` of `@valibot/to-json-schema`,
 * and what {@link jsonSchema} gives.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => { readonly [key: string]: unknown };
      readonly output: (options: { readonly target: "draft-2020-12" }) => { readonly [key: string]: unknown };
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Whether `value` speaks Standard Schema; arktype's schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardJsonSchema {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;
}

/**
 * The JSON Schema of one side of a schema.
 *
 * @param where - what the schema is for, such as `tool "search": input`
 * @throws AgentError `invalid-option` when the library cannot convert it, with the line to write
 */
export function convertSchema(schema: StandardJsonSchema, side: "input" | "output", where: string): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (!jsonSchema) {
    throw new AgentError("invalid-option", `${where} is a ${vendor} schema that cannot say its JSON Schema`, {
      hint: conversionHint(vendor),
    });
  }
  try {
    return jsonSchema[side]({ target: "draft-2020-12" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AgentError("invalid-option", `${where} has no JSON Schema: ${reason}`, {
      cause: error,
      hint: "use types that JSON has (a date is a string), and convert them in execute",
    });
  }
}

function conversionHint(vendor: string): string {
  switch (vendor) {
    case "zod":
      return 'use zod 4.2 or later, or wrap it: zod3(schema), with import { zod3 } from "@smolts/tools/zod3"';
    case "valibot":
      return 'wrap it: toStandardJsonSchema(schema), with import { toStandardJsonSchema } from "@valibot/to-json-schema"';
    case "arktype":
      return "use arktype 2.1.28 or later";
    default:
      return 'give its JSON Schema: jsonSchema({ type: "object", properties: { ... } })';
  }
}
