// Handles typed answers. `finalAnswer` takes a value that matches the given schema, in JSON and in
// code. If a value does not fit, the model is shown what is wrong.

import { AgentError, invalidOption, type JsonSchema, type Tool, thrownText } from "@smolts/protocol";
import { typeText } from "../languages/languages.ts";
import { finalAnswerName } from "./final-answer.ts";

/**
 * The type of an answer, given as a schema of any library that supports Standard Schema and can
 * produce a JSON Schema. Examples are zod from version 4.2 on, and the result of `jsonSchema()` of
 * `@smolts/tools`.
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

/** The type of the answers that a schema accepts. Standard Schema calls it the output type. */
export type AnswerOf<Schema extends AnswerSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** A schema's result for an answer: the parsed answer, or the issues. */
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

/** The `finalAnswer` tool of an agent with typed answers. */
export interface TypedAnswerTool extends Tool {
  /** The schema of the answer itself. */
  readonly answerSchema: JsonSchema;
  /** Parses an answer with the schema. Throws `tool-input` when it does not fit. */
  readonly parseAnswer: (value: unknown) => Promise<unknown>;
}

/**
 * Creates the `finalAnswer` tool for answers that match a schema.
 *
 * @throws AgentError `invalid-option` when `output` is not such a schema
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
    // The cast is safe: the tool's own `parseInput` returned the input.
    execute: (input) => (input as { readonly answer: unknown }).answer,
  };
}

/**
 * Returns the schema as JSON Schema.
 *
 * @throws AgentError `invalid-option` when the schema has types that JSON lacks, such as a date
 */
function jsonSchemaOf(output: AnswerSchema): JsonSchema {
  try {
    const schema: unknown = output["~standard"].jsonSchema.input({ target: "draft-2020-12" });
    // `JSON.stringify` throws if the schema has a cycle. Such a schema could not be sent to a
    // model.
    if (JSON.stringify(schema)?.startsWith("{")) return schema as JsonSchema; // it is an object
    throw new TypeError("it returned no object");
  } catch (error) {
    const reason = thrownText(error);
    throw new AgentError("invalid-option", `output has no JSON Schema: ${reason}`, {
      cause: error,
      hint: "use types that JSON has; a date is a string, such as z.iso.datetime()",
    });
  }
}

/** Says whether a tool is the `finalAnswer` of an agent with typed answers. */
export const isTypedAnswer = (tool: object | undefined): tool is TypedAnswerTool =>
  tool !== undefined && "answerSchema" in tool;

/**
 * Parses the answer that a model gave when a limit was reached: a text, or a value that it passed
 * to `finalAnswer`.
 *
 * @throws AgentError `output-invalid` when it contains no answer that fits
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
    // The schema may itself require an object with only the key "answer", so try the whole value.
    const whole = await parseAnswer(written).catch(() => noAnswer);
    if (whole !== noAnswer) return whole;
    // An answer that is a string need not be written as JSON.
    const plain = await parseAnswer(text).catch(() => null);
    if (typeof plain === "string") return plain;
    const why = thrownText(error);
    throw new AgentError(
      "output-invalid",
      `the run reached its limit, and the last answer does not have the requested form: ${why}`,
      {
        cause: error,
        hint: "allow more steps, or read result.steps for what was found",
      },
    );
  }
}

/** Stands for "no answer", because any value may be an answer. */
const noAnswer = Symbol("no answer");

/**
 * Returns the JSON value in a text, with or without a fence around it. Returns the text itself when
 * it is not JSON.
 */
function jsonIn(text: string): unknown {
  const [, fenced] = /^```\w*\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return text;
  }
}

/**
 * Returns the answer in the input of `finalAnswer`, which is `{ answer: value }`. Models sometimes
 * pass only the value. So any input other than an object with the single field `answer` is the
 * answer itself.
 */
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
  return new AgentError("tool-input", `the answer does not have the requested form: ${lines.join("; ")}`, {
    hint: `pass ${finalAnswerName} a value of this type: ${typeText(schema)}`,
  });
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>(
    // The cast is safe: reading a missing key of an object returns undefined.
    (at, key) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );
}

const maxShownLength = 80;

const shown = (value: unknown): string => {
  const text = typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? "missing");
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`;
};

/**
 * Rewrites the references inside a schema that moves one level deeper, because it becomes a part of
 * another schema. References start at the root, so they need a longer path.
 */
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
  invalidOption(
    "output is not a schema that can be converted to JSON Schema",
    "write output: z.object({ ... }) with zod from 4.2, or output: jsonSchema({ type: ... }) of smolts",
  );
