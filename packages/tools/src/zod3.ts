import { invalidOption } from "@smolts/protocol";
import { zodToJsonSchema } from "zod-to-json-schema";
import type { SchemaResult, StandardJsonSchema } from "./input/standard-schema.ts";

/** A schema of zod 3, from version 3.24. */
export interface Zod3Schema<Input, Output> {
  readonly _input: Input;
  readonly _output: Output;
  readonly "~standard": {
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

/**
 * Wraps a schema of zod 3 so that it can be used as any schema. Schemas of zod 4 need no wrapper.
 *
 * This needs the package `zod-to-json-schema`. The schema does its own validation, with its
 * defaults and transforms.
 *
 * @throws AgentError `invalid-option` if it is not a schema of zod 3, from version 3.24
 * @example
 * ```ts
 * import { tool } from "@smolts/tools";
 * import { zod3 } from "@smolts/tools/zod3";
 * import { z } from "zod/v3";
 *
 * const getWeather = tool({
 *   name: "getWeather",
 *   description: "The weather in a city.",
 *   input: zod3(z.object({ city: z.string(), days: z.number().default(3) })),
 *   effects: "none",
 *   execute: ({ city, days }) => `${days} days of rain in ${city}`,
 * });
 * console.log(await getWeather.parseInput({ city: "Paris" })); // { city: 'Paris', days: 3 }
 * ```
 */
export function zod3<Input, Output>(schema: Zod3Schema<Input, Output>): StandardJsonSchema<Input, Output> {
  if (typeof schema?.["~standard"]?.validate !== "function" || "_zod" in schema) {
    throw invalidOption(
      "zod3() got something that is not a schema of zod 3.24 or later",
      "a schema of zod 4 needs no zod3(): pass it directly",
    );
  }
  const convert = (side: "input" | "output"): { readonly [key: string]: unknown } => {
    const sides = { pipeStrategy: side, effectStrategy: side === "input" ? "input" : "any" } as const;
    // The cast is safe: the converter reads the members that were checked above, and others that
    // every schema of zod 3 has.
    return { ...zodToJsonSchema(schema as never, { $refStrategy: "root", ...sides }) };
  };
  return {
    "~standard": {
      version: 1,
      vendor: "zod",
      validate: (value) => schema["~standard"].validate(value),
      jsonSchema: { input: () => convert("input"), output: () => convert("output") },
    },
  };
}
