import {
  AgentError,
  type JsonSchema,
  type JsonValue,
  type Tool,
  type ToolContext,
  type ToolEffects,
} from "@smolts/protocol";
import {
  type GivenInputOf,
  type InputForm,
  type InputOf,
  type NoInput,
  type OutputForm,
  type OutputOf,
  type ReadInput,
  readInputForm,
  readOutputForm,
} from "./input-form.ts";
import { jsonSchemaValidator } from "./json-schema.ts";
import { previewValue } from "./preview-value.ts";
import { callHint, toolInputError } from "./tool-input-error.ts";
import { checkToolName } from "./tool-name.ts";
import { isSchemaObject } from "./walk-schema.ts";

/** What {@link tool} takes. */
export interface ToolOptions<Input extends InputForm, Output extends OutputForm | undefined> {
  /** A JavaScript identifier of letters, digits and `_`, unique in its agent; camelCase reads best in the model's code. */
  readonly name: string;
  /** For the model: what the tool does, and when to use it. */
  readonly description: string;
  /**
   * The arguments: short form, Standard JSON Schema, or JSON Schema.
   *
   * @defaultValue none: the tool takes no arguments
   */
  readonly input?: Input;
  /** Another word for `input`. */
  readonly inputSchema?: Input;
  /** Another word for `input`. */
  readonly parameters?: Input;
  /** What the tool gives back: a short type, a schema, or JSON Schema. It is told to the model and not enforced. */
  readonly output?: Output;
  /** Inputs to show the model. Each must fit `input`. */
  readonly examples?: readonly NoInfer<GivenInputOf<Input>>[];
  /**
   * What a call does to the world: `none` (it only reads), `idempotent` (the same call twice is as good as once), `once`.
   *
   * @defaultValue "once": after a crash, a call whose outcome is unknown is not repeated without a person's word
   */
  readonly effects?: ToolEffects;
  /** Whether a person must agree before a call runs; `"each"` forbids a standing consent. */
  readonly needsApproval?:
    | boolean
    | "each"
    | ((input: NoInfer<InputOf<Input>>, context: ToolContext) => boolean | "each" | Promise<boolean | "each">);
  /** The names of the arguments of a positional call in code, in order. A tool with one required argument needs none. */
  readonly positional?: readonly string[];
  /** How long a call may take, in ms; 0 or Infinity for ever. The agent's default holds when absent. */
  readonly timeoutMs?: number;
  /** With `export`: the module in which a saved agent finds this tool again. */
  readonly module?: string;
  /** With `module`: the name under which that module exports it. */
  readonly export?: string;
  /** Does it. Gets the validated arguments; returns plain data; what it throws is shown to the model. */
  readonly execute: (
    input: NoInfer<InputOf<Input>>,
    context: ToolContext,
  ) => NoInfer<OutputOf<Output>> | Promise<NoInfer<OutputOf<Output>>>;
}

/**
 * Makes a function of yours something an agent can call.
 *
 * The type of `execute`'s argument follows from `input`. What the model sends is validated before `execute` sees it; nothing is converted in
 * silence ("3" is no number), but a whole input that is the text of a JSON object is read as that object. In the short form, null for an
 * optional argument means that it is absent. A schema of another library validates by itself, with its defaults and transforms.
 *
 * @throws AgentError `invalid-option` for a name that code cannot call, a missing description or `execute`, a type that is none, an example
 * that does not fit, a schema that cannot say its JSON Schema; each with what to write instead
 * @example
 * ```ts
 * import { tool } from "@smolts/tools";
 *
 * const getWeather = tool({
 *   name: "getWeather",
 *   description: "Weather of the next days at a location.",
 *   input: { location: "string — a city", celsius: "boolean?" },
 *   output: "string",
 *   effects: "none",
 *   execute: ({ location }) => `Torrential rain in ${location}`,
 * });
 *
 * console.log(await getWeather.parseInput({ location: "Paris" })); // { location: 'Paris' }
 * ```
 */
export function tool<const Input extends InputForm = NoInput, const Output extends OutputForm | undefined = undefined>(
  options: ToolOptions<Input, Output>,
): Tool<InputOf<Input>, OutputOf<Output>> {
  const { name, description, output, examples, effects = "once", positional, timeoutMs, execute } = options;
  checkToolName(name);
  checkTexts(options);
  checkRest(options);
  const input = readInput(options);
  if (examples) checkExamples(name, examples, input.schema);
  if (positional) checkPositional(name, positional, input.schema);
  return {
    name,
    description,
    inputSchema: input.schema,
    ...(output === undefined ? {} : { outputSchema: readOutputForm(output, `tool "${name}": output`) }),
    effects,
    // checkExamples() found that each is JSON.
    ...(examples === undefined ? {} : { examples: examples as readonly JsonValue[] }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(positional === undefined ? {} : { positional: [...positional] }),
    ...referenceOf(options),
    ...approvalOf(options),
    // What the form's own validation lets through has the form's type.
    parseInput: (given) => parseInput(name, input, given) as InputOf<Input> | Promise<InputOf<Input>>,
    execute: (parsed, context) => execute(parsed, context),
  };
}

function checkTexts({ name, description, execute, ...others }: ToolOptions<InputForm, OutputForm | undefined>): void {
  if (typeof description !== "string" || description.trim() === "") {
    throw new AgentError("invalid-option", `tool "${name}" has no description`, {
      hint: "say in a sentence or two what it does and when to use it: it is all that the model knows of it",
    });
  }
  if (typeof execute === "function") return;
  const other = ["forward", "run", "call", "func", "handler", "invoke"].find((word) => word in others);
  throw new AgentError("invalid-option", `tool "${name}" has no execute function`, {
    hint: `${other ? `"${other}" is called execute here; ` : ""}write execute: ({ query }) => ...`,
  });
}

function checkRest({
  name,
  effects = "once",
  timeoutMs = 0,
  module,
  export: exported,
}: ToolOptions<InputForm, OutputForm | undefined>): void {
  if (!["none", "idempotent", "once"].includes(effects)) {
    throw new AgentError("invalid-option", `tool "${name}" has effects ${previewValue(effects)}`, {
      hint: 'effects is "none" for a tool that only reads, "idempotent", or "once"',
    });
  }
  if (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw new AgentError("invalid-option", `tool "${name}" has timeoutMs ${previewValue(timeoutMs)}`, {
      hint: "give milliseconds, or 0 or Infinity for no limit",
    });
  }
  if ((module === undefined) !== (exported === undefined)) {
    throw new AgentError("invalid-option", `tool "${name}" has only ${module === undefined ? "export" : "module"}`, {
      hint: "give both module and export, or neither",
    });
  }
}

function readInput(options: ToolOptions<InputForm, OutputForm | undefined>): ReadInput {
  const { name, input, inputSchema, parameters } = options;
  const given = Object.entries({ input, inputSchema, parameters }).filter(([, form]) => form !== undefined);
  if (given.length > 1) {
    throw new AgentError("invalid-option", `tool "${name}" has ${given.map(([word]) => word).join(" and ")}`, {
      hint: "they are words for the same thing; keep input",
    });
  }
  const [word, form] = given[0] ?? ["input", {}];
  return readInputForm(form, `tool "${name}": ${word}`);
}

function checkExamples(name: string, examples: readonly unknown[], schema: JsonSchema): void {
  const validate = jsonSchemaValidator(schema);
  for (const [index, example] of examples.entries()) {
    const { issues } = validate(example);
    if (!issues) continue;
    const { message } = toolInputError({ name, inputSchema: schema, input: example, issues, vendor: "smolts" });
    throw new AgentError(
      "invalid-option",
      `example ${index + 1} of tool "${name}" does not fit its input; ${message}`,
      {
        hint: "mend the example or the input",
      },
    );
  }
}

function checkPositional(name: string, positional: readonly string[], schema: JsonSchema): void {
  const known = isSchemaObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const refuse = (what: string, hint: string): AgentError =>
    new AgentError("invalid-option", `tool "${name}": positional ${what}`, { hint });
  const unknown = positional.find((argument) => !known.includes(argument));
  if (unknown !== undefined)
    throw refuse(`names "${unknown}", which input does not have`, `it has ${known.join(", ") || "no arguments"}`);
  const repeated = positional.find((argument, index) => positional.indexOf(argument) !== index);
  if (repeated !== undefined) throw refuse(`names "${repeated}" twice`, "name each argument once");
  const left = required.find((argument) => !positional.includes(String(argument)));
  if (left !== undefined)
    throw refuse(`leaves out "${String(left)}", which is required`, "name every required argument");
  const firstOptional = positional.findIndex((argument) => !required.includes(argument));
  const late = positional.slice(firstOptional).find((argument) => required.includes(argument));
  if (firstOptional === -1 || late === undefined) return;
  throw refuse(
    `has the optional "${positional[firstOptional]}" before the required "${late}"`,
    "put the required ones first",
  );
}

function referenceOf({
  module,
  export: exported,
}: ToolOptions<InputForm, OutputForm | undefined>): Pick<Tool, "reference"> {
  return module === undefined || exported === undefined ? {} : { reference: { module, export: exported } };
}

function approvalOf<Input extends InputForm>({
  needsApproval = false,
}: ToolOptions<Input, OutputForm | undefined>): Pick<Tool<InputOf<Input>>, "needsApproval"> {
  if (needsApproval === false) return {};
  if (typeof needsApproval === "function") return { needsApproval: (input, context) => needsApproval(input, context) };
  return { needsApproval: () => needsApproval };
}

function parseInput(name: string, input: ReadInput, given: unknown): unknown {
  const value = readGiven(name, given, input.schema);
  const finish = (result: Awaited<ReturnType<ReadInput["validate"]>>): unknown => {
    if (!result.issues) return result.value;
    throw toolInputError({
      name,
      inputSchema: input.schema,
      input: value,
      issues: result.issues,
      vendor: input.vendor,
    });
  };
  const result = input.validate(value);
  return result instanceof Promise ? result.then(finish) : finish(result);
}

/** The one object of arguments. Models send nothing, "" or null for no arguments, and now and then the object's JSON text. */
function readGiven(name: string, given: unknown, schema: JsonSchema): object {
  const value = typeof given === "string" ? parsedText(given) : (given ?? {});
  if (isSchemaObject(value)) return value;
  throw new AgentError(
    "tool-input",
    `the tool "${name}" takes one object of named arguments, and got ${previewValue(given)}`,
    {
      hint: callHint(name, schema),
    },
  );
}

function parsedText(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: a plain string, which is no object and is told so by the caller.
    return text;
  }
}
