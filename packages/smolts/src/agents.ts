// The agents of `core`, with options that `core` cannot have: a model by its name, printing, base
// tools. They need packages that `core` does not import.

import type { PrintLevel } from "@smolts/cli/terminal";
import * as core from "@smolts/core";
import { type ModelName, presets, resolveModel } from "@smolts/models";
import { AgentError, type Model, readOptions, type Tool } from "@smolts/protocol";
import { baseTools } from "@smolts/tools/base-tools";
import { type AiSdkTool, fromAiSdk } from "@smolts/tools/from-ai-sdk";

/** Options of this package's agents besides those of `@smolts/core`. */
export interface DoorOptions {
  /**
   * A model, a function of the messages, or `"preset:model-id"` such as `"openai:gpt-5-mini"`. For
   * a name that is only known at run time write `resolveModel(name)`.
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
   * A list, or a record whose keys are the names; in a record, tools that were written for the AI
   * SDK may stand as they are.
   */
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
 * An agent whose actions are programs: the model writes JavaScript that calls the tools, and sees
 * what it printed and gave.
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

  /** @throws AgentError `invalid-option` that says what to change */
  constructor(options: CodeAgentOptions<Output>) {
    super(optionsOfCore(options, "code"));
  }

  /** A changed copy; this agent stays as it is. */
  override with(changes: Partial<CodeAgentOptions<Output>>): this {
    return super.with(changesOfCore(changes, this));
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

  /** @throws AgentError `invalid-option` that says what to change */
  constructor(options: AgentOptions<Output>) {
    super(optionsOfCore(options, "tool-calling"));
  }

  /** A changed copy; this agent stays as it is. */
  override with(changes: Partial<AgentOptions<Output>>): this {
    return super.with(changesOfCore(changes, this));
  }
}

const doorOptions = { model: true, verbosityLevel: true, addBaseTools: true, tools: true } as const;

const tables = {
  code: { ...core.codeAgentOptions, ...doorOptions },
  "tool-calling": { ...core.toolCallingAgentOptions, ...doorOptions },
};

type Kind = keyof typeof tables;

/** The options of an agent as `core` takes them; what is missing is left for `core` to refuse. */
const optionsOfCore = <Options extends DoorOptions>(options: Options, kind: Kind): OfCore<Options> =>
  ofCore((options as unknown) === undefined ? {} : options, kind) as OfCore<Options>; // all that there are

/** Changes of an agent as `core` takes them. Base tools are added to those that it has. */
function changesOfCore<Options extends DoorOptions>(
  changes: Partial<Options>,
  { type, options }: { readonly type: Kind; readonly options: { readonly tools?: core.ToolsOption } },
): Partial<OfCore<Options>> {
  return ofCore(changes, type, options.tools) as Partial<OfCore<Options>>; // of those that were given
}

type OfCore<Options> = Omit<Options, keyof DoorOptions> & {
  readonly model: Model | core.ModelFunction;
  readonly tools: core.ToolsOption;
};

/** The ones that are looked at here. */
type GivenOptions = Partial<DoorOptions> & Pick<core.AgentOptions, "reader">;

/** Some options of an agent, under our names and as `core` takes them. */
function ofCore(given: object, kind: Kind, toolsBefore: core.ToolsOption = []): object {
  const read = readOptions<GivenOptions>(given, "an agent", tables[kind]);
  const { model, verbosityLevel, addBaseTools = false, tools, ...rest } = read;
  mustBeCalled(model);
  const own = tools === undefined ? toolsBefore : withOurForm(tools);
  return {
    ...rest,
    ...readerOf(verbosityLevel, rest.reader),
    ...("tools" in read && { tools: own }),
    ...(addBaseTools && { tools: withBaseTools(own, kind) }),
    ...("model" in read && { model: typeof model === "string" ? resolveModel(model) : model }),
  };
}

/** Printing is a reader of runs; so is `"off"`, which takes the place of one that prints. */
function readerOf(
  level: PrintLevel | undefined,
  reader: core.RunReader | undefined,
): { readonly reader?: core.RunReader | undefined } {
  if (level === undefined) return {};
  checkLevel(level);
  if (reader && level !== "off") {
    throw new AgentError("invalid-option", "an agent got both verbosityLevel and reader; expected one of them", {
      hint: "leave verbosityLevel out, or pass one run to printRun() of smolts/terminal",
    });
  }
  return { reader: reader ?? printer(level) };
}

/**
 * A tool of the AI SDK has a schema and no name; what is neither that nor one of ours is left for
 * `core` to refuse.
 */
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
function withBaseTools(tools: core.ToolsOption, kind: Kind): core.ToolsOption {
  if (typeof tools !== "object" || tools === null) return tools; // for core to refuse
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

function printer(level: PrintLevel): core.RunReader | undefined {
  if (level === "off") return undefined;
  return async (events) => {
    const { printRun } = await import("@smolts/cli/terminal");
    const ended = Promise.resolve();
    await printRun({ events: () => events, then: ended.then.bind(ended) }, { level });
  };
}
