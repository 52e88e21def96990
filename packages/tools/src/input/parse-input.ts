import { AgentError, type JsonSchema } from "@smolts/protocol";
import type { ReadInput } from "./input-form.ts";
import { previewValue } from "./preview-value.ts";
import type { SchemaResult } from "./standard-schema.ts";
import { callHint, toolInputError } from "./tool-input-error.ts";
import { isSchemaObject } from "./walk-schema.ts";

/**
 * Validates the model's input. Returns a promise only if `validate` returns a promise.
 *
 * @param name - the name of the tool, for errors
 * @throws AgentError `tool-input` with every problem
 */
export function parseInput(name: string, { schema, vendor, validate }: ReadInput, value: unknown): unknown {
  const input = readGiven(name, value, schema);
  const finish = (result: SchemaResult<unknown>): unknown => {
    if (!result.issues) return result.value;
    throw toolInputError({ name, inputSchema: schema, input, issues: result.issues, vendor });
  };
  const result = validate(input);
  return result instanceof Promise ? result.then(finish) : finish(result);
}

/**
 * Returns the arguments as an object. Sometimes models send it as JSON text. If there are no
 * arguments, they may send nothing, "" or null, which counts as an empty object.
 */
function readGiven(name: string, input: unknown, schema: JsonSchema): object {
  const value = typeof input === "string" ? parsedText(input) : (input ?? {});
  if (isSchemaObject(value)) return value;
  const message = `the tool "${name}" takes one object of named arguments, and got ${previewValue(input)}`;
  throw new AgentError("tool-input", message, { hint: callHint(name, schema) });
}

function parsedText(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    // The text is not JSON. It is returned as a string, and the caller refuses it because it is not
    // an object.
    return text;
  }
}
