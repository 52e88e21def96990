import { AgentError, type JsonSchema, type JsonValue } from "@smolts/protocol";
import { jsonSchemaValidator } from "./json-schema.ts";
import { previewValue } from "./preview-value.ts";
import type { ToolOptions } from "./tool.ts";
import { toolInputError } from "./tool-input-error.ts";
import { checkToolName } from "./tool-name.ts";
import { isSchemaObject } from "./walk-schema.ts";

/** Options of a tool before anything of them is known: callers without types may give anything. */
export type GivenToolOptions = { readonly [Name in keyof ToolOptions<never, undefined>]?: unknown } & {
  readonly name: string;
};

/**
 * Checks all of a tool's options that do not depend on its input.
 *
 * @throws AgentError `invalid-option` that says what to write instead
 */
export function checkToolOptions(options: GivenToolOptions): void {
  const { name, description, execute, effects = "once", timeoutMs = 0 } = options;
  checkToolName(name);
  if (typeof description !== "string" || description.trim() === "") {
    throw invalid(
      `tool "${name}" has no description`,
      "say in a sentence or two what it does: it is all that the model knows of it",
    );
  }
  if (typeof execute !== "function") throw withoutExecute(options);
  if (effects !== "none" && effects !== "idempotent" && effects !== "once") {
    const found = `tool "${name}" has effects ${previewValue(effects)}`;
    throw invalid(found, 'write "none" for a tool that only reads, "idempotent", or "once"');
  }
  if (typeof timeoutMs !== "number" || !(timeoutMs >= 0)) {
    const found = `tool "${name}" has timeoutMs ${previewValue(timeoutMs)}`;
    throw invalid(found, "give milliseconds, or 0 or Infinity for no limit");
  }
  if ((options.module === undefined) !== (options.export === undefined)) {
    const found = `tool "${name}" has only ${options.module === undefined ? "export" : "module"}`;
    throw invalid(found, "give both module and export, or neither");
  }
}

/**
 * The examples as plain JSON, each of which fits the input's JSON Schema.
 *
 * @throws AgentError `invalid-option` that names the first which does not
 */
export function readExamples(name: string, examples: readonly unknown[], schema: JsonSchema): readonly JsonValue[] {
  const validate = jsonSchemaValidator(schema);
  return examples.map((example, index) => {
    const copy = jsonCopy(example, index, name);
    const { issues } = validate(copy);
    if (!issues) return copy;
    const { message } = toolInputError({ name, inputSchema: schema, input: copy, issues, vendor: "smolts" });
    throw invalid(`example ${index + 1} does not fit: ${message}`, "mend the example or the input");
  });
}

/**
 * Checks that positional calls can be mapped: known names, each once, all that are required, and those first.
 *
 * @throws AgentError `invalid-option` that names the argument in the way
 */
export function checkPositional(name: string, positional: readonly string[], schema: JsonSchema): void {
  const known = isSchemaObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const refuse = (what: string, hint: string): AgentError => invalid(`tool "${name}": positional ${what}`, hint);

  const unknown = positional.find((argument) => !known.includes(argument));
  if (unknown !== undefined)
    throw refuse(`names "${unknown}", which input does not have`, `it has ${known.join(", ")}`);
  const repeated = positional.find((argument, index) => positional.indexOf(argument) !== index);
  if (repeated !== undefined) throw refuse(`names "${repeated}" twice`, "name each argument once");
  const left = required.find((argument) => !positional.includes(String(argument)));
  if (left !== undefined)
    throw refuse(`leaves out "${String(left)}", which is required`, "name every required argument");
  const late = positional.slice(required.length).find((argument) => required.includes(argument));
  if (late !== undefined)
    throw refuse(`has an optional argument before the required "${late}"`, "put the required ones first");
}

function jsonCopy(example: unknown, index: number, name: string): JsonValue {
  try {
    return JSON.parse(JSON.stringify(example));
  } catch (error) {
    const message = `example ${index + 1} of tool "${name}" is no JSON`;
    throw new AgentError("invalid-option", message, { cause: error, hint: "write it as the model would" });
  }
}

// What the function is called in other frameworks.
const otherWords = ["forward", "run", "call", "func", "handler", "invoke"];

function withoutExecute(options: GivenToolOptions): AgentError {
  const other = otherWords.find((word) => word in options);
  const hint = `${other ? `"${other}" is called execute here; ` : ""}write execute: ({ query }) => ...`;
  return invalid(`tool "${options.name}" has no execute function`, hint);
}

function invalid(message: string, hint: string): AgentError {
  return new AgentError("invalid-option", message, { hint });
}
