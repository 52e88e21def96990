// The agents of `@smolts/core` with more options: `model` may be a name, `verbosityLevel` prints
// runs, and `addBaseTools` adds tools. These options need packages that `core` does not import.

import type { PrintLevel } from "@smolts/cli/terminal";
import type * as core from "@smolts/core";
import {
  CodeAgent as CoreCodeAgent,
  ToolCallingAgent as CoreToolCallingAgent,
  codeAgentOptions,
  explainAgents,
  toolCallingAgentOptions,
} from "@smolts/core";
import { type ModelName, presets, resolveModel } from "@smolts/models";
import { invalidOption, type Model, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { baseTools } from "@smolts/tools/base-tools";
import { type AiSdkTool, fromAiSdk } from "@smolts/tools/from-ai-sdk";
import { visitWebpage } from "@smolts/tools/visit-webpage";
import { webSearch } from "@smolts/tools/web-search";

import { otherMembers } from "./other-members.ts";

/** Options of this package's agents, in addition to those of `@smolts/core`. */
export interface BaseAgentOptions {
  /**
   * The model: a model object, a function of the messages, or a name such as `"openai:gpt-5-mini"`
   * in the form `"preset:model-id"`. If a name is known only at run time, write
   * `resolveModel(name)`.
   */
  readonly model: ModelName | Model | core.ModelFunction;
  /**
   * How much of every run is printed: `"off"`, `"error"`, `"info"` or `"debug"`. If standard output
   * is piped, the run is printed to standard error.
   *
   * @defaultValue "off"
   */
  readonly verbosityLevel?: PrintLevel;
  /**
   * Adds `webSearch` and `visitWebpage`, and to a {@link ToolCallingAgent} `javascriptInterpreter`,
   * unless the agent has tools of these names.
   *
   * @defaultValue false
   */
  readonly addBaseTools?: boolean;
  /**
   * The agent's tools, as a list or as a record. In a record, the keys are the names of the tools,
   * and the values may also be tools that were written for the AI SDK.
   */
  readonly tools?: ToolsOption;
}

/** Tools as a list, or as a record with their names; see {@link BaseAgentOptions.tools}. */
export type ToolsOption = readonly Tool[] | { readonly [name: string]: Tool | AiSdkTool };

/** Options of a {@link ToolCallingAgent}. */
export interface AgentOptions<Output = unknown>
  extends Omit<core.ToolCallingAgentOptions<Output>, "model" | "tools">,
    BaseAgentOptions {}

/** Options of a {@link CodeAgent}. */
export interface CodeAgentOptions<Output = unknown>
  extends Omit<core.CodeAgentOptions<Output>, "model" | "tools">,
    BaseAgentOptions {}

/**
 * An agent that acts by running programs. The model writes JavaScript that calls the tools, and is
 * shown the printed text and the result.
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
export class CodeAgent<Output = unknown> extends CoreCodeAgent<Output> {
  /** The name is fixed here, because bundlers rename classes. */
  static override readonly name: string = "CodeAgent";

  /**
   * Creates an agent whose actions are programs. Only `model` is required.
   *
   * @throws AgentError `invalid-option` that says what to change
   */
  constructor(options: CodeAgentOptions<Output>) {
    super(coreOptions(options, code));
  }

  /** Returns a copy of this agent with changed options. This agent does not change. */
  override with(changes: Partial<CodeAgentOptions<Output>>): this {
    return super.with(coreChanges(changes, this.options, code));
  }
}

/**
 * An agent that acts by JSON tool calls, in the model's own format for them.
 *
 * @example
 * ```ts
 * import { ToolCallingAgent } from "smolts";
 *
 * const agent = new ToolCallingAgent({ model: "ollama:qwen3", verbosityLevel: "info" });
 * console.log(agent.name); // agent
 * ```
 */
export class ToolCallingAgent<Output = unknown> extends CoreToolCallingAgent<Output> {
  /** The name is fixed here, because bundlers rename classes. */
  static override readonly name: string = "ToolCallingAgent";

  /**
   * Creates an agent whose actions are JSON tool calls. Only `model` is required.
   *
   * @throws AgentError `invalid-option` that says what to change
   */
  constructor(options: AgentOptions<Output>) {
    super(coreOptions(options, toolCalling));
  }

  /** Returns a copy of this agent with changed options. This agent does not change. */
  override with(changes: Partial<AgentOptions<Output>>): this {
    return super.with(coreChanges(changes, this.options, toolCalling));
  }
}

/**
 * The parts that differ between the kinds of agents. Each class passes its own, so a bundle with
 * only code agents has no tool that runs code.
 */
interface Kind {
  /** The name of the class in error messages. */
  readonly owner: string;
  options(): OptionTable<ConvertedOptions>;
  baseTools(): readonly Tool[];
}

const doorOptions = { model: true, verbosityLevel: true, addBaseTools: true, tools: true } as const;

const code: Kind = {
  owner: "a CodeAgent",
  options: () => ({ ...codeAgentOptions, ...doorOptions }),
  baseTools: () => [webSearch(), visitWebpage()],
};

const toolCalling: Kind = {
  owner: "a ToolCallingAgent",
  options: () => ({ ...toolCallingAgentOptions, ...doorOptions }),
  baseTools: () => baseTools({ for: "tool-calling" }),
};

/**
 * Converts the options of an agent to those of `core`. If an option is missing, `core` reports the
 * error.
 */
const coreOptions = <Options extends BaseAgentOptions>(options: Options, kind: Kind): CoreOptions<Options> =>
  // The cast is safe: `toCoreOptions` returns all options.
  toCoreOptions((options as unknown) === undefined ? {} : options, kind) as CoreOptions<Options>;

/**
 * Converts changes of an agent to options of `core`. Base tools are added to the tools that the
 * agent already has.
 */
function coreChanges<Options extends BaseAgentOptions>(
  changes: Partial<Options>,
  { tools }: { readonly tools?: core.ToolsOption },
  kind: Kind,
): Partial<CoreOptions<Options>> {
  // The cast is safe: `toCoreOptions` returns only the given options.
  return toCoreOptions(changes, kind, tools) as Partial<CoreOptions<Options>>;
}

type CoreOptions<Options> = Omit<Options, keyof BaseAgentOptions> & {
  readonly model: Model | core.ModelFunction;
  readonly tools: core.ToolsOption;
};

/** The options that are converted here. */
type ConvertedOptions = Partial<BaseAgentOptions> & Pick<core.AgentOptions, "reader">;

/**
 * Converts the options of an agent to those of `core`. Replaces other spellings of option names.
 */
function toCoreOptions(options: object, kind: Kind, toolsBefore: core.ToolsOption = []): object {
  explainAgents(otherMembers);
  const read = readOptions<ConvertedOptions>(options, kind.owner, kind.options());
  const { model, verbosityLevel, addBaseTools = false, tools, ...rest } = read;
  refusePresetFunction(model);
  const own = tools === undefined ? toolsBefore : toOurTools(tools);
  return {
    ...rest,
    ...readerOf(verbosityLevel, rest.reader),
    ...("tools" in read && { tools: own }),
    ...(addBaseTools && { tools: withBaseTools(own, kind) }),
    ...("model" in read && { model: typeof model === "string" ? resolveModel(model) : model }),
  };
}

/**
 * Returns the option `reader` with a reader that prints. For `"off"`, the reader is undefined, so
 * that a copy of an agent that prints does not print.
 */
function readerOf(
  level: PrintLevel | undefined,
  reader: core.RunReader | undefined,
): { readonly reader?: core.RunReader | undefined } {
  if (level === undefined) return {};
  checkLevel(level);
  if (reader && level !== "off") {
    throw invalidOption(
      "an agent got both verbosityLevel and reader; expected one of them",
      "leave verbosityLevel out, or pass one run to printRun() of smolts/terminal",
    );
  }
  return { reader: reader ?? printer(level) };
}

/**
 * Converts tools that were written for the AI SDK, which have no name of their own. If a value is
 * not a tool at all, `core` reports the error.
 */
function toOurTools(tools: ToolsOption): core.ToolsOption {
  if (typeof tools !== "object" || tools === null || isList(tools)) return tools;
  const entries = Object.entries(tools);
  const foreign = entries.filter((entry): entry is [string, AiSdkTool] => isAiSdkTool(entry[1]));
  if (foreign.length === 0) return tools as core.ToolsOption; // no tool is of the AI SDK
  const ours = entries.filter((entry): entry is [string, Tool] => !isAiSdkTool(entry[1]));
  const adapted = [...fromAiSdk(Object.fromEntries(foreign))].map((tool) => [tool.name, tool] as const);
  return Object.fromEntries([...ours, ...adapted]);
}

const isAiSdkTool = (value: Tool | AiSdkTool): value is AiSdkTool =>
  typeof value === "object" && value !== null && "inputSchema" in value && !("parseInput" in value);

/** Adds the base tools. If the program has a tool with the same name, that tool is kept. */
function withBaseTools(tools: core.ToolsOption, kind: Kind): core.ToolsOption {
  if (typeof tools !== "object" || tools === null) return tools; // core reports the error
  if (Symbol.iterator in tools && !isList(tools)) return tools; // core reports a map or a set
  const own = toolsByName(tools);
  const added = kind.baseTools().filter(({ name }) => !Object.hasOwn(own, name));
  if (isList(tools)) return [...tools, ...added];
  return { ...tools, ...Object.fromEntries(added.map((tool) => [tool.name, tool])) };
}

const toolsByName = (tools: core.ToolsOption): Readonly<Record<string, Tool>> =>
  isList(tools) ? Object.fromEntries(tools.map((tool) => [tool.name, tool])) : tools;

const isList = (tools: ToolsOption): tools is readonly Tool[] => Array.isArray(tools);

/**
 * Throws if the model is a preset function such as `openai` itself. A model may also be a function,
 * but a preset must be called with a model id first.
 */
function refusePresetFunction(model: unknown): void {
  const preset = presets.find(({ create }) => create === model);
  if (preset === undefined) return;
  const { name, exampleModel = "model-id" } = preset.provider;
  throw invalidOption(
    `model is the function ${name}(); expected a model`,
    `call it: model: ${name}("${exampleModel}")`,
  );
}

function checkLevel(level: unknown): void {
  if (["off", "error", "info", "debug"].includes(String(level))) return;
  throw invalidOption(
    `verbosityLevel is ${JSON.stringify(level)}; expected "off", "error", "info" or "debug"`,
    'write verbosityLevel: "info" to see what a run does',
  );
}

function printer(level: PrintLevel): core.RunReader | undefined {
  if (level === "off") return undefined;
  return async (events) => {
    const { printRun } = await import("@smolts/cli/terminal");
    const ended = Promise.resolve();
    await printRun({ events: () => events, then: ended.then.bind(ended) }, { level });
  };
}
