// The agents with what only the door can give them: a model by its name, and printing. Both need packages that `core` does not know.

import type { PrintLevel } from "@smolts/cli/terminal";
import * as core from "@smolts/core";
import { type ModelName, presets, resolveModel } from "@smolts/models";
import { AgentError, type Model, type RunLog, readOptions, type Tool } from "@smolts/protocol";
import { baseTools } from "@smolts/tools/base-tools";
import { type AiSdkTool, fromAiSdk } from "@smolts/tools/from-ai-sdk";
import { printSession, printWhileRunning } from "./print-while-running.ts";

/** Options of this package's agents besides those of `@smolts/core`. */
export interface DoorOptions {
  /**
   * A model, a function of the messages, or `"preset:model-id"` such as `"openai:gpt-5-mini"`. For a name that is only
   * known at run time write `resolveModel(name)`.
   */
  readonly model: ModelName | Model | core.ModelFunction;
  /**
   * How much of every run is printed: `"off"`, `"error"`, `"info"` or `"debug"`. If standard output is piped, the run is
   * printed to standard error.
   *
   * @defaultValue "off"
   */
  readonly verbosityLevel?: PrintLevel;
  /**
   * Adds `webSearch` and `visitWebpage`, and to a {@link ToolCallingAgent} `javascriptInterpreter`, unless the agent has tools of these names.
   *
   * @defaultValue false
   */
  readonly addBaseTools?: boolean;
  /** A list, or a record whose keys are the names; in a record, tools that were written for the AI SDK may stand as they are. */
  readonly tools?: ToolsOption;
}

/** Tools as a list, or as a record whose keys are their names; see {@link DoorOptions.tools}. */
export type ToolsOption = readonly Tool[] | { readonly [name: string]: Tool | AiSdkTool };

/** Options of a {@link ToolCallingAgent}. */
export interface AgentOptions<Output = unknown>
  extends Omit<core.ToolCallingAgentOptions<Output>, "model" | "tools">,
    DoorOptions {}

/** Options of a {@link CodeAgent}. */
export interface CodeAgentOptions<Output = unknown>
  extends Omit<core.CodeAgentOptions<Output>, "model" | "tools">,
    DoorOptions {}

/**
 * An agent whose actions are programs: the model writes JavaScript that calls the tools, and sees what it printed and gave.
 *
 * @example
 * ```ts
 * import { CodeAgent } from "smolts";
 *
 * const agent = new CodeAgent({ model: "ollama:qwen3" });
 * const answer = agent.with({ model: () => "<code>finalAnswer(6 * 7)</code>" }).run("What is 6 times 7?");
 * console.log(await answer); // 42
 * ```
 */
export class CodeAgent<Output = unknown> extends core.CodeAgent<Output> {
  /** The same in every bundle: bundlers rename classes. */
  static override readonly name: string = "CodeAgent";
  readonly #door: DoorOptions;

  /** @throws AgentError `invalid-option` that says what to change */
  constructor(options: CodeAgentOptions<Output>) {
    const read = readDoor(options, "code");
    super(withoutDoor(read, "code"));
    this.#door = read;
  }

  /** Runs the agent on a task; printed when `verbosityLevel` says so. See `MultiStepAgent.run` of `@smolts/core`. */
  override run<Schema extends core.AnswerSchema = core.AnswerSchema<Output>>(
    task: core.Task,
    options?: core.RunOptions<Schema>,
  ): core.AgentRun<core.AnswerOf<Schema>> {
    return printWhileRunning(super.run(task, options), levelOf(this.#door));
  }

  /** Goes on with a recorded run; printed when `verbosityLevel` says so. */
  override resume<Schema extends core.AnswerSchema = core.AnswerSchema<Output>>(
    run: string | RunLog,
    options?: core.ResumeOptions<Schema>,
  ): core.AgentRun<core.AnswerOf<Schema>> {
    return printWhileRunning(super.resume(run, options), levelOf(this.#door));
  }

  /** Opens a session: runs that share memory and state, one at a time. */
  override session(options?: core.SessionOptions): core.Session<Output> {
    return printSession(super.session(options), levelOf(this.#door));
  }

  /** A changed copy; this agent stays as it is. */
  override with(changes: Partial<CodeAgentOptions>): this {
    return copyWith(this, { ...this.options, ...pickDoor(this.#door) }, readSomeOptions(changes, "code"));
  }
}

/**
 * An agent whose actions are JSON tool calls, by the model's own protocol for them.
 *
 * @example
 * ```ts
 * import { ToolCallingAgent } from "smolts";
 *
 * const agent = new ToolCallingAgent({ model: "ollama:qwen3", verbosityLevel: "info" });
 * console.log(agent.name); // agent
 * ```
 */
export class ToolCallingAgent<Output = unknown> extends core.ToolCallingAgent<Output> {
  /** The same in every bundle: bundlers rename classes. */
  static override readonly name: string = "ToolCallingAgent";
  readonly #door: DoorOptions;

  /** @throws AgentError `invalid-option` that says what to change */
  constructor(options: AgentOptions<Output>) {
    const read = readDoor(options, "tool-calling");
    super(withoutDoor(read, "tool-calling"));
    this.#door = read;
  }

  /** Runs the agent on a task; printed when `verbosityLevel` says so. See `MultiStepAgent.run` of `@smolts/core`. */
  override run<Schema extends core.AnswerSchema = core.AnswerSchema<Output>>(
    task: core.Task,
    options?: core.RunOptions<Schema>,
  ): core.AgentRun<core.AnswerOf<Schema>> {
    return printWhileRunning(super.run(task, options), levelOf(this.#door));
  }

  /** Goes on with a recorded run; printed when `verbosityLevel` says so. */
  override resume<Schema extends core.AnswerSchema = core.AnswerSchema<Output>>(
    run: string | RunLog,
    options?: core.ResumeOptions<Schema>,
  ): core.AgentRun<core.AnswerOf<Schema>> {
    return printWhileRunning(super.resume(run, options), levelOf(this.#door));
  }

  /** Opens a session: runs that share memory and state, one at a time. */
  override session(options?: core.SessionOptions): core.Session<Output> {
    return printSession(super.session(options), levelOf(this.#door));
  }

  /** A changed copy; this agent stays as it is. */
  override with(changes: Partial<AgentOptions>): this {
    return copyWith(this, { ...this.options, ...pickDoor(this.#door) }, readSomeOptions(changes, "tool-calling"));
  }
}

const doorOptions = { model: true, verbosityLevel: true, addBaseTools: true, tools: true } as const;

const tables = {
  code: { ...core.codeAgentOptions, ...doorOptions },
  "tool-calling": { ...core.toolCallingAgentOptions, ...doorOptions },
};

/** Options under our names; nothing at all is left for `core` to refuse. */
const readDoor = <Options extends DoorOptions>(options: Options, kind: keyof typeof tables): Options =>
  (options as unknown) === undefined ? ({} as Options) : (readSomeOptions(options, kind) as Options); // all that there are

/** Some options under our names. */
function readSomeOptions<Options extends object>(options: Options, kind: keyof typeof tables): Options {
  return readOptions<object>(options, "an agent", tables[kind]) as Options; // the same options under our names
}

/** The options as `core` takes them. */
function withoutDoor<Options extends DoorOptions>(
  { model, verbosityLevel = "off", addBaseTools = false, tools = [], ...rest }: Options,
  kind: "code" | "tool-calling",
): Omit<Options, keyof DoorOptions> & {
  readonly model: Model | core.ModelFunction;
  readonly tools: core.ToolsOption;
} {
  checkLevel(verbosityLevel);
  mustBeCalled(model);
  const own = withOurForm(tools);
  const allTools = addBaseTools ? withBaseTools(own, kind) : own;
  return { ...rest, tools: allTools, model: typeof model === "string" ? resolveModel(model) : model };
}

/** A tool of the AI SDK has a schema and no name; what is neither that nor one of ours is left for `core` to refuse. */
function withOurForm(tools: ToolsOption): core.ToolsOption {
  if (typeof tools !== "object" || tools === null || isList(tools)) return tools;
  const entries = Object.entries(tools);
  const foreign = entries.filter((entry): entry is [string, AiSdkTool] => isAiSdkTool(entry[1]));
  if (foreign.length === 0) return tools as core.ToolsOption; // none of them is of the AI SDK
  const ours = entries.filter((entry): entry is [string, Tool] => !isAiSdkTool(entry[1]));
  const adapted = [...fromAiSdk(Object.fromEntries(foreign))].map((tool) => [tool.name, tool] as const);
  return Object.fromEntries([...ours, ...adapted]);
}

const isAiSdkTool = (given: Tool | AiSdkTool): given is AiSdkTool =>
  typeof given === "object" && given !== null && "inputSchema" in given && !("parseInput" in given);

/** A tool of the program's own goes before one of the toolbox with its name. */
function withBaseTools(tools: core.ToolsOption, kind: "code" | "tool-calling"): core.ToolsOption {
  const own = toolsByName(tools);
  const added = baseTools({ for: kind }).filter(({ name }) => !Object.hasOwn(own, name));
  if (isList(tools)) return [...tools, ...added];
  return { ...tools, ...Object.fromEntries(added.map((tool) => [tool.name, tool])) };
}

const toolsByName = (tools: core.ToolsOption): Readonly<Record<string, Tool>> =>
  isList(tools) ? Object.fromEntries(tools.map((tool) => [tool.name, tool])) : tools;

const isList = (tools: ToolsOption): tools is readonly Tool[] => Array.isArray(tools);

/** A preset is a function, too; as a model it would be called with messages. */
function mustBeCalled(model: unknown): void {
  const preset = presets.find(({ create }) => create === model);
  if (preset === undefined) return;
  const { name, exampleModel = "model-id" } = preset.provider;
  throw new AgentError("invalid-option", `model is the function ${name}(); expected a model`, {
    hint: `call it: model: ${name}("${exampleModel}")`,
  });
}

function checkLevel(level: unknown): void {
  if (["off", "error", "info", "debug"].includes(String(level))) return;
  throw new AgentError(
    "invalid-option",
    `verbosityLevel is ${JSON.stringify(level)}; expected "off", "error", "info" or "debug"`,
    {
      hint: 'write verbosityLevel: "info" to see what a run does',
    },
  );
}

const levelOf = ({ verbosityLevel = "off" }: DoorOptions): PrintLevel => verbosityLevel;

const pickDoor = ({ verbosityLevel }: DoorOptions): Partial<DoorOptions> =>
  verbosityLevel === undefined ? {} : { verbosityLevel };

function copyWith<Agent extends object, Options extends object>(
  agent: Agent,
  options: object,
  changes: Options,
): Agent {
  // Both kinds, and whoever extends them, are made of their options alone.
  const Kind = agent.constructor as new (options: object) => Agent;
  return new Kind({ ...options, ...changes });
}
