import {
  AgentError,
  type ExplainedMembers,
  explainMembers,
  invalidOption,
  type JsonSchema,
  type JsonValue,
  type Tool,
  type ToolContext,
  type ToolEffects,
} from "@smolts/protocol";
import { checkPositional, readExamples, readToolOptions, type UncheckedToolOptions } from "./check-tool-options.ts";
import { inputExplainer } from "./input/explain-input.ts";
import {
  type InputForm,
  type InputOf,
  type NoInput,
  type OutputForm,
  type OutputOf,
  type RawInputOf,
  type ReadInput,
  type ReturnOf,
  readInputForm,
  readOutputForm,
} from "./input/input-form.ts";
import { parseInput } from "./input/parse-input.ts";

/** Options of {@link tool}. */
export interface ToolOptions<Input extends InputForm, Output extends OutputForm | undefined> {
  /**
   * The name of the tool: a JavaScript identifier of letters, digits and `_` that is unique in its
   * agent. Use camelCase, which reads best in the model's code.
   */
  readonly name: string;
  /** Tells the model what the tool does, and when to use it. */
  readonly description: string;
  /**
   * The arguments, in short form, as a Standard JSON Schema, or as a JSON Schema.
   *
   * @defaultValue none: the tool takes no arguments
   */
  readonly input?: Input;
  /** The same as `input`, under another name. */
  readonly inputSchema?: Input;
  /** The same as `input`, under another name. */
  readonly parameters?: Input;
  /**
   * The result, as a short type, a schema, or a JSON Schema. The model sees this type, but results
   * are not validated.
   */
  readonly output?: Output;
  /** Examples of inputs that the model is shown. Each must fit `input`. */
  readonly examples?: readonly NoInfer<RawInputOf<Input>>[];
  /**
   * The effects of a call: `none` (it only reads), `idempotent` (a second identical call changes
   * nothing more), or `once`.
   *
   * @defaultValue "once": if a crash leaves the outcome of a call unknown, the call is repeated
   *   only with approval
   */
  readonly effects?: ToolEffects;
  /**
   * Whether a person must approve a call before it runs. With `"each"`, an approval is never valid
   * for later calls.
   */
  readonly needsApproval?:
    | boolean
    | "each"
    | ((input: NoInfer<InputOf<Input>>, context: ToolContext) => boolean | "each" | Promise<boolean | "each">);
  /**
   * The names of the arguments in order, for calls in code that pass arguments by position. A tool
   * with one required argument does not need this option.
   */
  readonly positional?: readonly string[];
  /** The time limit of a call, in ms. 0 or Infinity means no limit. Default: the agent's limit. */
  readonly timeoutMs?: number;
  /** Together with `export`: the module from which a loaded agent imports this tool. */
  readonly module?: string;
  /** Together with `module`: the name of this tool among the module's exports. */
  readonly export?: string;
  /**
   * Prepares something that every call needs, such as a connection, a model or an index. Runs
   * before the first call, and never again after a success. Calls that arrive during the set-up
   * wait. If the set-up fails, the waiting calls fail, and the next call tries again. `setup`
   * receives no signal, because it does not belong to a single call.
   */
  readonly setup?: () => void | Promise<void>;
  /**
   * Together with `module` and `export`: the export is then a function that creates this tool from
   * these options.
   */
  readonly factoryOptions?: { readonly [name: string]: JsonValue };
  /**
   * Does the work of the tool. Receives the validated arguments and returns plain data. If it
   * throws, the model is shown the error.
   */
  readonly execute: (
    input: NoInfer<InputOf<Input>>,
    context: ToolContext,
  ) => NoInfer<ReturnOf<Output>> | Promise<NoInfer<ReturnOf<Output>>>;
}

/**
 * Creates a tool, which agents can call, from a function.
 *
 * The type of `execute`'s argument is derived from `input`. The model's input is validated before
 * `execute` receives it. Values are never converted silently ("3" is not a number). But if the
 * whole input is the text of a JSON object, the text is parsed. In the short form, null for an
 * optional argument means that it is absent. A schema of another library does its own validation,
 * with its defaults and transforms.
 *
 * A tool with state can be an instance of a class that has these options as its members. `setup`,
 * `execute` and `needsApproval` are then called on the instance.
 *
 * @throws AgentError `invalid-option` for a name that code cannot call, a missing description or
 *   `execute`, an invalid type, an example that does not fit, or a schema that cannot be converted
 *   to JSON Schema; the hint says what to write instead
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
  const settings = readToolOptions(options);
  const { name, description, output, examples, effects = "once", positional, timeoutMs } = settings;
  const input = readInput(settings);
  if (positional) checkPositional(name, positional, input.schema);
  return explainMembers(
    {
      name,
      description,
      inputSchema: input.schema,
      ...(output === undefined ? {} : { outputSchema: readOutputForm(output, `tool "${name}": output`) }),
      effects,
      ...(examples === undefined ? {} : { examples: readExamples(name, examples, input.schema) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(positional === undefined ? {} : { positional: [...positional] }),
      ...referenceOf(settings),
      ...approvalOf(settings, input.schema),
      // A collection or an agent may have renamed the tool, so errors use the name of `this`. The
      // cast is safe: the validation ensures the type of the result.
      parseInput(value) {
        return parseInput(this?.name ?? name, input, value) as InputOf<Input> | Promise<InputOf<Input>>;
      },
      execute: executeOf(settings, input.schema),
    },
    "a tool",
    ofTool,
  );
}

const ofTool: ExplainedMembers = {
  methods: [
    [
      "invoke ainvoke call forward run func handler",
      "an agent calls its tools; to try one alone, write await tool.execute(await tool.parseInput(input), context)",
    ],
    ["pushToHub", "use push() of @smolts/hub"],
    ["bind withConfig pipe", "write tool({ ...tool, name, description }) for a changed copy"],
  ],
  values: [
    ["schema parameters inputs", "write tool.inputSchema"],
    ["outputType", "write tool.outputSchema"],
    ["toolName", "write tool.name"],
  ],
};

/**
 * Returns a function that calls `execute` on the options themselves, because they may be an
 * instance of a class.
 */
function executeOf<Input extends InputForm, Output extends OutputForm | undefined>(
  options: ToolOptions<Input, Output>,
  schema: JsonSchema,
): Tool<InputOf<Input>, OutputOf<Output>>["execute"] {
  const { name } = options;
  const explain = inputExplainer(name, schema);
  const check = returnCheck(options);
  // The cast is safe: it only changes the result type of tools with the output `"object"`. Their
  // `execute` may also return values of interface types.
  const execute = options.execute as Tool<InputOf<Input>, OutputOf<Output>>["execute"];
  const run: typeof execute = (input, context) => check(execute.call(options, explain(input, context), context));
  if (options.setup === undefined) return run;
  const ready = setUpOnce(() => options.setup?.());
  return async (input, context) => {
    await ready();
    return await run(input, context);
  };
}

/**
 * Returns a function that checks the result of `execute`. It throws if the result is undefined
 * although `output` is a short type that requires a value. In that case the author probably forgot
 * to write `return`.
 */
function returnCheck({
  name,
  output,
}: {
  readonly name: string;
  readonly output?: unknown;
}): <Result>(result: Result) => Result {
  if (typeof output !== "string" || output.includes("?") || output.startsWith("any")) return (result) => result;
  const check = <Result>(result: Result): Result => {
    if (result !== undefined) return result;
    throw new AgentError("tool-execution", `execute of tool "${name}" returned nothing; expected its output`, {
      hint: "write return before the result",
    });
  };
  // The cast is safe: `then` keeps the type of the result.
  return (result) => (result instanceof Promise ? (result.then(check) as typeof result) : check(result));
}

function readInput(options: UncheckedToolOptions): ReadInput {
  const { name, input, inputSchema, parameters } = options;
  const given = Object.entries({ input, inputSchema, parameters }).filter(([, form]) => form !== undefined);
  if (given.length > 1) {
    throw invalidOption(
      `tool "${name}" has ${given.map(([word]) => word).join(" and ")}`,
      "they mean the same; keep input",
    );
  }
  const [word, form] = given[0] ?? ["input", {}];
  return readInputForm(form, `tool "${name}": ${word}`);
}

function referenceOf({ module, export: exported, factoryOptions }: UncheckedToolOptions): Pick<Tool, "reference"> {
  if (typeof module !== "string" || typeof exported !== "string") return {};
  // The cast is safe: this option was checked together with the others.
  const options = factoryOptions as NonNullable<Tool["reference"]>["options"];
  return { reference: { module, export: exported, ...(options === undefined ? {} : { options }) } };
}

function approvalOf<Input extends InputForm>(
  options: ToolOptions<Input, OutputForm | undefined>,
  { properties = {} }: JsonSchema,
): Pick<Tool<InputOf<Input>>, "needsApproval"> {
  const { needsApproval = false } = options;
  if (needsApproval === false) return {};
  if (typeof needsApproval !== "function") return { needsApproval: () => needsApproval };
  // People who know the OpenAI Agents SDK may expect the input as the second argument, but in
  // smolts it is the context. If the function reads an argument of the tool from the context, an
  // error says what to write. Without the error, the value would silently be undefined.
  const names = Object.keys(properties as object).join(" ");
  const hint = `write needsApproval: ({ ${names.replaceAll(" ", ", ")} }, context) => ...`;
  const explained = <Context extends object>(context: Context): Context =>
    names === "" ? context : explainMembers(context, "the context", { values: [[names, hint]] });
  const explain = needsApproval.length > 1 ? explained : <Context>(context: Context): Context => context;
  return { needsApproval: (input, context) => needsApproval.call(options, input, explain(context)) };
}

/**
 * Returns a function that runs `setup` at its first call, and never again after a success. Calls
 * that arrive during the attempt share it. After a failure, the next call tries again, because the
 * cause may have been the network.
 */
function setUpOnce(setup: () => unknown): () => Promise<void> {
  let attempt: Promise<void> | undefined;
  const forget = (error: unknown): never => {
    attempt = undefined;
    throw error;
  };
  return () => {
    // `setup` starts in a microtask. So `attempt` is already set when `setup` fails.
    attempt ??= Promise.resolve()
      .then(setup)
      .then(() => {}, forget);
    return attempt;
  };
}
