import {
  AgentError,
  invalidOption,
  isClass,
  type JsonSchema,
  type JsonValue,
  type OptionTable,
  readOptions,
} from "@smolts/protocol";
import { jsonSchemaValidator } from "./input/json-schema.ts";
import { previewValue } from "./input/preview-value.ts";
import { toolInputError } from "./input/tool-input-error.ts";
import { isSchemaObject } from "./input/walk-schema.ts";
import type { ToolOptions } from "./tool.ts";
import { checkToolName } from "./tool-name.ts";

/** The options of a tool before they are checked. JavaScript callers may pass anything. */
export type UncheckedToolOptions = { readonly [Name in keyof ToolOptions<never, undefined>]?: unknown } & {
  readonly name: string;
};

/**
 * Checks all options of a tool that do not depend on its input. Returns the options under their
 * usual names, even if they were spelt differently.
 *
 * @throws AgentError `invalid-option` that says what to write instead
 */
export function readToolOptions<Options extends UncheckedToolOptions>(options: Options): Options {
  mustBeOptions(options);
  if (options.name !== undefined) checkToolName(options.name);
  const owner = options.name === undefined ? "a tool" : `tool "${options.name}"`;
  // The cast is safe: at most the names of options were changed.
  const settings = readOptions<UncheckedToolOptions>(options, owner, toolOptions) as Options;
  const { name, description, execute } = settings;
  checkToolName(name);
  if (typeof description !== "string" || description.trim() === "") {
    const hint = "say in a sentence or two what it does: the model knows nothing else about it";
    throw invalidOption(`tool "${name}" has no description`, hint);
  }
  if (typeof execute !== "function") {
    throw invalidOption(`tool "${name}" has no execute function`, "write execute: ({ query }) => ...");
  }
  checkBehaviour(settings);
  if ((settings.module === undefined) !== (settings.export === undefined)) {
    const found = `tool "${name}" has only ${settings.module === undefined ? "export" : "module"}`;
    throw invalidOption(found, "pass both module and export, or neither");
  }
  return settings;
}

/**
 * Returns the examples as plain JSON.
 *
 * @throws AgentError `invalid-option` that names the first example which does not fit the input's
 *   schema
 */
export function readExamples(name: string, examples: readonly unknown[], schema: JsonSchema): readonly JsonValue[] {
  const validate = jsonSchemaValidator(schema);
  return examples.map((example, index) => {
    const copy = jsonCopy(example, index, name);
    const result = validate(copy);
    if (result instanceof Promise) {
      // A schema with slow patterns validates asynchronously. Do not wait for its result: an
      // invalid example does no harm, because the model's own input is validated later.
      result.catch(() => {});
      return copy;
    }
    const { issues } = result;
    if (!issues) return copy;
    const { message } = toolInputError({ name, inputSchema: schema, input: copy, issues, vendor: "smolts" });
    throw invalidOption(`example ${index + 1} does not fit: ${message}`, "correct the example or the input");
  });
}

/**
 * Checks that calls with positional arguments can be mapped to names: each name is known and occurs
 * once, all required arguments are listed, and they come first.
 *
 * @throws AgentError `invalid-option` that names the wrong argument
 */
export function checkPositional(name: string, positional: readonly string[], schema: JsonSchema): void {
  const known = isSchemaObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const refuse = (what: string, hint: string): AgentError => invalidOption(`tool "${name}": positional ${what}`, hint);

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
    const message = `example ${index + 1} of tool "${name}" is not JSON`;
    throw new AgentError("invalid-option", message, { cause: error, hint: "write it as the model would" });
  }
}

function checkBehaviour(options: UncheckedToolOptions): void {
  const { name, effects = "once", needsApproval = false, timeoutMs = 0, examples = [], positional = [] } = options;
  const { setup } = options;
  const refuse = (option: string, value: unknown, hint: string): AgentError =>
    invalidOption(`tool "${name}" has ${option} ${previewValue(value)}`, hint);
  if (effects !== "none" && effects !== "idempotent" && effects !== "once") {
    throw refuse("effects", effects, 'write "none" for a tool that only reads, "idempotent", or "once"');
  }
  if (typeof needsApproval !== "boolean" && typeof needsApproval !== "function" && needsApproval !== "each") {
    throw refuse("needsApproval", needsApproval, 'write true, "each", or a function of the input');
  }
  if (typeof timeoutMs !== "number" || !(timeoutMs >= 0)) {
    throw refuse("timeoutMs", timeoutMs, "give milliseconds, or 0 or Infinity for no limit");
  }
  if (setup !== undefined && typeof setup !== "function") {
    throw refuse("setup", setup, "give a function; it runs before the first call");
  }
  if (!Array.isArray(examples)) throw refuse("examples", examples, "give a list of inputs");
  if (!Array.isArray(positional)) throw refuse("positional", positional, "give a list of names");
}

const toolOptions: OptionTable<UncheckedToolOptions> = {
  name: true,
  description: true,
  input: true,
  inputSchema: true,
  parameters: true,
  output: true,
  examples: true,
  effects: true,
  needsApproval: true,
  positional: true,
  timeoutMs: true,
  module: true,
  export: true,
  factoryOptions: true,
  setup: true,
  execute: true,
};

/**
 * @throws AgentError `invalid-option` for a function, a class or a string instead of the options
 */
function mustBeOptions(options: unknown): void {
  if (typeof options === "object" && options !== null) return;
  if (typeof options === "function") {
    const [found, hint] = isClass(options)
      ? [`the class "${options.name}"`, `make an instance of it: tool(new ${options.name}())`]
      : ["a function", 'write tool({ name: "getWeather", description: "...", input: { ... }, execute: ... })'];
    throw invalidOption(`tool() got ${found}`, hint);
  }
  const found = options === undefined ? "no options" : `a ${options === null ? "null" : typeof options}`;
  throw invalidOption(`tool() got ${found}`, 'write tool({ name: "getWeather", description: "...", execute: ... })');
}
