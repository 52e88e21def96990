import { AgentError, invalidOption, type JsonSchema, thrownText } from "@smolts/protocol";

/** One problem that a schema found. */
export interface SchemaIssue {
  readonly message: string;
  /**
   * The keys from the root of the value to the invalid part. Some libraries wrap each key in an
   * object.
   */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The result of a validation: the parsed value, or the issues. */
export type SchemaResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * A schema of any library that supports Standard Schema and can be converted to JSON Schema: zod
 * from 4.2, arktype from 2.1.28, valibot wrapped by `toStandardJsonSchema` of
 * `@valibot/to-json-schema`, and the results of {@link jsonSchema}.
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

/**
 * Says whether `value` supports Standard Schema. It may be a function, because schemas of arktype
 * are functions.
 */
export function isStandardSchema(value: unknown): value is StandardJsonSchema {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;
}

/**
 * Returns the JSON Schema of the input or the output of a schema.
 *
 * @param where - the use of the schema, for errors, such as `tool "search": input`
 * @throws AgentError `invalid-option` if the library cannot convert it; the hint shows what to
 *   write
 */
export function convertSchema(schema: StandardJsonSchema, side: "input" | "output", where: string): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (!jsonSchema) {
    throw invalidOption(`${where} is a ${vendor} schema that cannot return its JSON Schema`, conversionHint(vendor));
  }
  try {
    return jsonSchema[side]({ target: "draft-2020-12" });
  } catch (error) {
    const reason = thrownText(error);
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
