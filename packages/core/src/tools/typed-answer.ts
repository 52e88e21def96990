// Answers of a given form. `finalAnswer` then takes a value of that form, in JSON and in code;
// another value goes back to the model with what is wrong.

import { AgentError, type JsonSchema, type Tool } from "@smolts/protocol";
import { typeText } from "../languages/languages.ts";
import { finalAnswerName } from "./final-answer.ts";

/**
 * The form of an answer: a schema of any library that validates by Standard Schema and can say its
 * JSON Schema, such as zod from 4.2 or the result of `jsonSchema()` of `@smolts/tools` gives.
 */
export interface AnswerSchema<Output = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => AnswerCheck<Output> | Promise<AnswerCheck<Output>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => JsonSchema;
    };
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** The type of the answers that a schema lets pass: what Standard Schema calls its output. */
export type AnswerOf<Schema extends AnswerSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** The result of a schema for an answer: the parsed answer, or its issues. */
export type AnswerCheck<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly AnswerIssue[] };

/** One thing that is wrong with an answer. */
export interface AnswerIssue {
  readonly message: string;
  /**
   * The keys that lead from the answer to the wrong part. Some libraries wrap each key in an
   * object.
   */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The `finalAnswer` of an agent whose answers have a form. */
export interface TypedAnswerTool extends Tool {
  /** The schema of the answer itself. */
  readonly answerSchema: JsonSchema;
  /** Gives the answer as the schema has parsed it. Throws `tool-input` when it does not fit. */
  readonly parseAnswer: (value: unknown) => Promise<unknown>;
}

/**
 * Makes the `finalAnswer` for a form of answers. @throws AgentError `invalid-option` when `output`
 * is no such schema
 */
export function typedFinalAnswer(output: unknown): TypedAnswerTool {
  if (!isAnswerSchema(output)) throw noSchema();
  const { validate } = output["~standard"];
  const { $schema: _, ...answerSchema } = jsonSchemaOf(output);
  const parseAnswer = async (value: unknown): Promise<unknown> => {
    const checked = await validate(value);
    if (checked.issues) throw misfit(value, checked.issues, answerSchema);
    return checked.value;
  };
  return {
    name: finalAnswerName,
    description: "Ends the task with this answer.",
    inputSchema: {
      type: "object",
      properties: { answer: rebased(answerSchema) },
      required: ["answer"],
      additionalProperties: false,
    },
    effects: "none",
    answerSchema,
    parseAnswer,
    parseInput: async (input) => ({ answer: await parseAnswer(answerIn(input)) }),
    // Its own `parseInput` has made the input.
    execute: (input) => (input as { readonly answer: unknown }).answer,
  };
}

/** @throws AgentError `invalid-option` when it has types that JSON lacks, such as a date */
function jsonSchemaOf(output: AnswerSchema): JsonSchema {
  try {
    return output["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AgentError("invalid-option", `output has no JSON Schema: ${reason}`, {
      cause: error,
      hint: "use types that JSON has; a date is a text, such as z.iso.datetime()",
    });
  }
}

/** Whether a tool is the `finalAnswer` of an agent whose answers have a form. */
export const isTypedAnswer = (tool: object | undefined): tool is TypedAnswerTool =>
  tool !== undefined && "answerSchema" in tool;

/**
 * The answer in what a model wrote at the end, when it was asked for one: a text, or a value that
 * it passed to `finalAnswer`.
 *
 * @throws AgentError `output-invalid` when the text holds none that fits
 */
export async function answerInText(
  { parseAnswer }: TypedAnswerTool,
  given: { readonly value: unknown },
): Promise<unknown> {
  const { value: text } = given;
  const written = typeof text === "string" ? jsonIn(text) : text;
  try {
    return await parseAnswer(answerIn(written));
  } catch (error) {
    // The form asked for may itself be an object with an "answer" and nothing else.
    const whole = await parseAnswer(written).catch(() => noAnswer);
    if (whole !== noAnswer) return whole;
    // An answer of text need not be written as JSON.
    const plain = await parseAnswer(text).catch(() => null);
    if (typeof plain === "string") return plain;
    const why = error instanceof Error ? error.message : String(error);
    throw new AgentError(
      "output-invalid",
      `the run reached its limit, and the last answer has not the form asked for: ${why}`,
      {
        cause: error,
        hint: "allow more steps, or read result.steps for what was found",
      },
    );
  }
}

/** Any value may be an answer. */
const noAnswer = Symbol("no answer");

/** The text itself when it is not JSON; a fence around it is left out. */
function jsonIn(text: string): unknown {
  const [, fenced] = /^```\w*\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return text;
  }
}

/** Models forget the wrapping now and then. */
const answerIn = (input: unknown): unknown =>
  typeof input === "object" && input !== null && Object.keys(input).join() === "answer" && "answer" in input
    ? input.answer
    : input;

const maxIssues = 10;

function misfit(value: unknown, issues: readonly AnswerIssue[], schema: JsonSchema): AgentError {
  const lines = issues.slice(0, maxIssues).map(({ message, path = [] }) => {
    const keys = path.map((part) => (typeof part === "object" ? part.key : part));
    const place = keys.length === 0 ? "the answer" : `"${keys.map(String).join(".")}"`;
    return `${place} is ${shown(valueAt(value, keys))}: ${message}`;
  });
  return new AgentError("tool-input", `the answer does not have the form asked for: ${lines.join("; ")}`, {
    hint: `give ${finalAnswerName} a value of this type: ${typeText(schema)}`,
  });
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>(
    // The cast: of an object any key may be asked for.
    (at, key) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );
}

const maxShownLength = 80;

const shown = (value: unknown): string => {
  const text = typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? "missing");
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`;
};

/** The schema one level deeper: its references still begin at the root. */
function rebased(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rebased);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, item]) => {
      const isLocal = key === "$ref" && typeof item === "string" && item.startsWith("#");
      return [key, isLocal ? `#/properties/answer${item.slice(1)}` : rebased(item)];
    }),
  );
}

function isAnswerSchema(value: unknown): value is AnswerSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || !("~standard" in value))
    return false;
  const standard = value["~standard"];
  return typeof standard === "object" && standard !== null && "validate" in standard && "jsonSchema" in standard;
}

const noSchema = (): AgentError =>
  new AgentError("invalid-option", "output is not a schema that can say its JSON Schema", {
    hint: "write output: z.object({ ... }) with zod from 4.2, or output: jsonSchema({ type: ... }) of smolts",
  });
