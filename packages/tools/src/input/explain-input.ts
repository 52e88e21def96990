// Explains mistakes of people who know another framework. There `execute` gets its arguments by
// position, or inside another object. In smolts, `({ context }) => context.city` would fail with a
// native TypeError, and `(a, b) => a + b` would return "[object Object][object Object]". This file
// adds members to the input that throw an error in both cases. The error says what to write.

import { invalidOption, type JsonSchema, memberExplainer, type ToolContext } from "@smolts/protocol";
import { isSchemaObject } from "./walk-schema.ts";

/** The names under which other frameworks pass the arguments or data of the run to `execute`. */
const otherNames = ["context", "inputData", "runtimeContext", "requestContext", "toolCallId"];

/**
 * Methods of strings and numbers. An `execute` that expects a single text or number instead of the
 * input may call one of them.
 */
const textMethods = ["toLowerCase", "toUpperCase", "trim", "split", "startsWith", "replace", "toFixed"];

/**
 * Returns a function that adds explaining members to an input. They do not appear in iterations,
 * copies and comparisons.
 */
export function inputExplainer(
  name: string,
  { properties, additionalProperties }: JsonSchema,
): <Input>(input: Input, context: ToolContext | undefined) => Input {
  const known = isSchemaObject(properties) ? Object.keys(properties) : [];
  const words = new Set(known.map(wordOf));
  const unknown = (names: readonly string[]): string => names.filter((other) => !words.has(wordOf(other))).join(" ");
  const hint = `write execute: ({ ${known.join(", ")} }, context) => ...`;
  const explain = memberExplainer(`the input of tool "${name}"`, {
    values: [[unknown(otherNames), hint]],
    methods: [[unknown(textMethods), hint]],
  });
  // Zod removes unknown members of an object, although its schema does not say so. So a schema that
  // lists some members, and says nothing about others, also counts as closed.
  const isClosed = additionalProperties === false || (additionalProperties === undefined && known.length > 0);
  const byPosition = (): never => {
    throw invalidOption(`execute of tool "${name}" takes its arguments as one object`, hint);
  };
  return (input, context: unknown) => {
    if (context !== undefined && typeof context !== "object") byPosition();
    // An explanation must not replace a real member. So explanations are added only to plain
    // objects that can have no unknown members. Other inputs are returned unchanged.
    if (!isClosed || !isPlain(input) || !Object.isExtensible(input)) return input;
    explain(input);
    // This method runs if code calculates with the input or inserts it into a text.
    return Object.defineProperty(input, Symbol.toPrimitive, { value: byPosition, configurable: true });
  };
}

/** Returns the same text for `inputData` and `input_data`, because both are explained. */
const wordOf = (name: string): string => name.replaceAll("_", "").toLowerCase();

function isPlain(input: unknown): input is object {
  if (typeof input !== "object" || input === null) return false;
  const prototype: unknown = Object.getPrototypeOf(input);
  return prototype === Object.prototype || prototype === null;
}
