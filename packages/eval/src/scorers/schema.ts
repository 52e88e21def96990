import { Validator } from "@cfworker/json-schema";
import { invalidOption, type JsonSchema } from "@smolts/protocol";
import type { Scorer } from "../scorer.ts";

/** A schema of a library that supports Standard Schema, such as zod. */
export interface StandardSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>;
  };
}

/** The result of a validation. */
export interface SchemaResult {
  readonly issues?: readonly { readonly message: string }[] | undefined;
}

/**
 * Scores 1 if the answer matches a schema: a JSON Schema (draft 2020-12), or a schema of a library
 * such as zod.
 *
 * If the answer is a text that contains JSON, it is parsed first.
 *
 * @example
 * ```ts
 * import { evaluate, schema } from "@smolts/eval";
 *
 * const scorers = [schema({ type: "object", required: ["city"] })];
 * const { summary } = await evaluate({ cases: [{ input: "Where?" }], agent: () => ({ city: "Oslo" }), scorers });
 * console.log(summary.scores["schema"]?.mean); // 1
 * ```
 */
export function schema(given: JsonSchema | StandardSchema): Scorer {
  const problemOf = isStandard(given) ? standardProblem(given) : jsonSchemaProblem(given);
  return {
    name: "schema",
    async score({ answer }) {
      const reason = await problemOf(parsedIfJson(answer));
      return reason === null ? 1 : { value: 0, reason };
    },
  };
}

const isStandard = (given: JsonSchema | StandardSchema): given is StandardSchema =>
  typeof given === "object" && given !== null && "~standard" in given;

const standardProblem =
  ({ "~standard": { validate } }: StandardSchema) =>
  async (value: unknown): Promise<string | null> => {
    const { issues } = await validate(value);
    return issues === undefined ? null : (issues[0]?.message ?? "the schema refused it");
  };

function jsonSchemaProblem(given: JsonSchema): (value: unknown) => string | null {
  if (typeof given !== "object" && typeof given !== "boolean") {
    throw invalidOption(
      `schema() got a value of type ${typeof given}; expected a JSON Schema`,
      'write schema({ type: "object", required: ["city"] })',
    );
  }
  // The cast is safe: any JSON object is a schema.
  const validator = new Validator(given as ConstructorParameters<typeof Validator>[0], "2020-12");
  return (value) => {
    const { valid, errors } = validator.validate(value);
    // The last error is the most specific. Earlier ones only say that a part is invalid.
    const deepest = errors.at(-1);
    return valid ? null : deepest === undefined ? "it does not fit" : `${deepest.instanceLocation}: ${deepest.error}`;
  };
}

function parsedIfJson(answer: unknown): unknown {
  if (typeof answer !== "string") return answer;
  try {
    return JSON.parse(answer);
  } catch {
    // A text that is not JSON is validated as text.
    return answer;
  }
}
