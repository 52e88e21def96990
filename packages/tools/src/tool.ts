import {
  AgentError,
  type ExplainedMembers,
  explainMembers,
  type JsonValue,
  type Tool,
  type ToolContext,
  type ToolEffects,
} from "@smolts/protocol";
import { checkPositional, type GivenToolOptions, readExamples, readToolOptions } from "./check-tool-options.ts";
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
} from "./input/input-form.ts";
import { parseInput } from "./input/parse-input.ts";

/** What {@link tool} takes. */
export interface ToolOptions<Input extends InputForm, Output extends OutputForm | undefined> {
  /**
   * A JavaScript identifier of letters, digits and `_`, unique in its agent; camelCase reads best
   * in the model's code.
   */
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
  /**
   * The form of the result: a short type, a schema, or JSON Schema. The model sees it, and it is
   * not enforced.
   */
  readonly output?: Output;
  /** Inputs to show the model. Each must fit `input`. */
  readonly examples?: readonly NoInfer<GivenInputOf<Input>>[];
  /**
   * The effect of a call on the world: `none` (it only reads), `idempotent` (the same call twice is
   * as good as once), `once`.
   *
   * @defaultValue "once": after a crash, a call with an unknown outcome is not repeated without
   *   approval
   */
  readonly effects?: ToolEffects;
  /** Whether a person must agree before a call runs; `"each"` forbids a standing consent. */
  readonly needsApproval?:
    | boolean
    | "each"
    | ((input: NoInfer<InputOf<Input>>, context: ToolContext) => boolean | "each" | Promise<boolean | "each">);
  /**
   * The names of the arguments of a positional call in code, in order. A tool with one required
   * argument needs none.
   */
  readonly positional?: readonly string[];
  /**
   * How long a call may take, in ms; 0 or Infinity for ever. The agent's default holds when absent.
   */
  readonly timeoutMs?: number;
  /** With `export`: the module in which a saved agent finds this tool again. */
  readonly module?: string;
  /** With `module`: the name under which that module exports it. */
  readonly export?: string;
  /**
   * Prepares what every call needs: a connection, a model, an index. Runs before the first call and
   * never again once it has succeeded; calls that come meanwhile wait for it. When it fails, the
   * calls that waited fail with it, and the next one tries again. It belongs to no single call and
   * so gets no signal.
   */
  readonly setup?: () => void | Promise<void>;
  /**
   * With `module` and `export`: the export is then a function, and these are the options that it
   * makes this tool from.
   */
  readonly factoryOptions?: { readonly [name: string]: JsonValue };
  /**
   * Does it. Gets the validated arguments; returns plain data; what it throws is shown to the
   * model.
   */
  readonly execute: (
    input: NoInfer<InputOf<Input>>,
    context: ToolContext,
  ) => NoInfer<OutputOf<Output>> | Promise<NoInfer<OutputOf<Output>>>;
}

/**
 * Makes a function of yours something an agent can call.
 *
 * The type of `execute`'s argument follows from `input`. What the model sends is validated before
 * `execute` sees it; nothing is converted in silence ("3" is not a number), but a whole input that
 * is the text of a JSON object is read as that object. In the short form, null for an optional
 * argument means that it is absent. A schema of another library validates by itself, with its
 * defaults and transforms.
 *
 * A tool with a state of its own may be an instance of a class with these options as its members;
 * `setup`, `execute` and `needsApproval` are called on that instance.
 *
 * @throws AgentError `invalid-option` for a name that code cannot call, a missing description or
 * `execute`, a type that is none, an example that does not fit, a schema that cannot say its JSON
 * Schema; each with what to write instead
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
  given: ToolOptions<Input, Output>,
): Tool<InputOf<Input>, OutputOf<Output>> {
  const options = readToolOptions(given);
  const { name, description, output, examples, effects = "once", positional, timeoutMs } = options;
  const input = readInput(options);
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
      ...referenceOf(options),
      ...approvalOf(options),
      // A collection or an agent may have given the tool another name, which errors then use. What
      // passes the form's own validation has the form's type.
      parseInput(given) {
        return parseInput(this?.name ?? name, input, given) as InputOf<Input> | Promise<InputOf<Input>>;
      },
      execute: executeOf(options),
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
    ["bind withConfig pipe", "write tool({ ...tool, name, description }) for a changed copy"],
  ],
};

/** Called on the options themselves: they may be an instance of a class. */
function executeOf<Input extends InputForm, Output extends OutputForm | undefined>(
  options: ToolOptions<Input, Output>,
): Tool<InputOf<Input>, OutputOf<Output>>["execute"] {
  if (options.setup === undefined) return (input, context) => options.execute(input, context);
  const ready = setUpOnce(() => options.setup?.());
  return async (input, context) => {
    await ready();
    return await options.execute(input, context);
  };
}

function readInput(options: GivenToolOptions): ReadInput {
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

function referenceOf({ module, export: exported, factoryOptions }: GivenToolOptions): Pick<Tool, "reference"> {
  if (typeof module !== "string" || typeof exported !== "string") return {};
  const options = factoryOptions as NonNullable<Tool["reference"]>["options"]; // checked with the other options
  return { reference: { module, export: exported, ...(options === undefined ? {} : { options }) } };
}

function approvalOf<Input extends InputForm>(
  options: ToolOptions<Input, OutputForm | undefined>,
): Pick<Tool<InputOf<Input>>, "needsApproval"> {
  const { needsApproval = false } = options;
  if (needsApproval === false) return {};
  if (typeof needsApproval !== "function") return { needsApproval: () => needsApproval };
  return { needsApproval: (input, context) => needsApproval.call(options, input, context) };
}

/**
 * Makes a function that runs `setup` when it is first called and never again once that has
 * succeeded. Calls that come meanwhile share the one attempt; after a failure the next call makes
 * another, for what failed may have been the network.
 */
function setUpOnce(setup: () => unknown): () => Promise<void> {
  let attempt: Promise<void> | undefined;
  const forget = (error: unknown): never => {
    attempt = undefined;
    throw error;
  };
  return () => {
    // Begun a turn later, so that no failure can come before the attempt is known.
    attempt ??= Promise.resolve()
      .then(setup)
      .then(() => {}, forget);
    return attempt;
  };
}
