// Saves agents into folders and loads them. Loading reads data, and imports the tools and the model
// that the data names. The folder may be from a stranger. So there are limits without `trustCode`:
//
// - No code from the folder runs.
// - Only known tools of the toolbox are created.
// - No option of a tool or a model may contain an address or a path, unless `trustAddresses` is
//   set.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  AgentError,
  explainMembers,
  invalidOption,
  isTool,
  type JsonValue,
  type Model,
  type ModelReference,
  type OptionTable,
  readOptions,
  type Tool,
  thrownText,
  wrongArgument,
} from "@smolts/protocol";
import type { AgentOptions, CodeAgentOptions } from "./agent/agent-options.ts";
import { codeAgentOptions, toolCallingAgentOptions } from "./agent/option-tables.ts";
import { parseSavedAgent, type SavedAgent, type SavedTool } from "./agent/saved-agent.ts";
import { CodeAgent } from "./code-agent.ts";
import { languageTitles } from "./languages/language-titles.ts";
import type { MultiStepAgent } from "./multi-step-agent.ts";
import type { ModelFunction } from "./step/model-from-function.ts";
import { ToolCallingAgent } from "./tool-calling-agent.ts";

/**
 * Options of {@link load}. They also include every option of an agent, which then replaces the
 * saved one.
 */
export interface LoadOptions extends Partial<Omit<CodeAgentOptions, "model" | "tools">> {
  /**
   * Whether modules named in the folder may be imported. Importing a module runs its code with all
   * the rights of this process.
   *
   * @defaultValue false
   */
  readonly trustCode?: boolean;
  /**
   * Whether options of saved tools and models may contain addresses and paths. Whoever owns an
   * address gets the conversation and the API key.
   *
   * @defaultValue `trustCode`
   */
  readonly trustAddresses?: boolean;
  /** Tools that replace saved tools of the same names. Tools with other names are added. */
  readonly tools?: AgentOptions["tools"];
  /** A model that replaces every saved model, including those of managed agents. */
  readonly model?: Model | ModelFunction;
}

/** The sources from which saved agents are created again. */
export interface AgentSources<Agent> {
  readonly kinds: {
    readonly code: new (options: CodeAgentOptions) => Agent;
    readonly "tool-calling": new (options: AgentOptions) => Agent;
  };
  /** Returns the model for a name such as `hf:Qwen/Qwen3-8B`. */
  readonly resolveModel?: (name: string, options: { readonly [name: string]: JsonValue }) => Model;
  /**
   * Functions that create known tools. Each key has the form `module#export`. These tools do not
   * need `trustCode`.
   */
  readonly toolbox?: {
    readonly [reference: string]: (options: { readonly [name: string]: JsonValue }) => Promise<Tool>;
  };
  /** Imports a package that cannot be resolved from the folder. */
  readonly importModule?: (specifier: string) => Promise<object>;
  /**
   * Throws if a module must not be imported even though code is trusted. The arguments are the
   * names of the module and of the tool, as they are in `agent.json`.
   */
  readonly checkModule?: (module: string, tool: string) => void;
}

const fileName = "agent.json";

/**
 * Saves an agent as data in a folder. It writes one file, `agent.json`, which contains the managed
 * agents too. The folder is created if it does not exist.
 *
 * A tool is saved as the names of its module and its export, and a model as its name. `save` writes
 * no functions, no keys, no `metadata`, and no options of the model that may contain a secret.
 *
 * @throws AgentError `invalid-option` that names the tool, model or option that cannot be saved as
 * data, and says what to do
 * @example
 * ```ts
 * import { CodeAgent } from "@smolts/core";
 * import { load, save } from "@smolts/core/save";
 * import type { Model } from "@smolts/protocol";
 *
 * async function copy(agent: CodeAgent, folder: string, model: Model) {
 *   await save(agent, folder);
 *   return load(folder, { model });
 * }
 * ```
 */
export async function save(agent: MultiStepAgent, folder: string): Promise<void> {
  mustBeFolder(folder, "save");
  if (typeof agent?.asTool !== "function") {
    throw wrongArgument("save()", agent, "an agent", 'write await save(agent, "./my-agent")');
  }
  const saved = fromFolder(agent.toJSON(), resolve(folder));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, fileName), `${JSON.stringify(saved, null, 2)}\n`);
}

/**
 * Loads the agent that was saved in a folder.
 *
 * @throws AgentError `invalid-option` when the folder has no saved agent, when a tool or model
 * cannot be found, or when something needs `trustCode`
 * @example
 * ```ts
 * import { load } from "@smolts/core/save";
 *
 * // There is no such folder.
 * const agent = await load("./my-agent", { model: () => "<code>finalAnswer(1)</code>" }).catch(() => null);
 * console.log(agent); // null
 * ```
 */
export const load: (folder: string, options?: LoadOptions) => Promise<CodeAgent | ToolCallingAgent> = createLoad<
  CodeAgent | ToolCallingAgent
>({
  kinds: { code: CodeAgent, "tool-calling": ToolCallingAgent },
});

/**
 * Creates a {@link load} function that also knows names of models, tools of a toolbox, or agents of
 * other classes.
 *
 * @example
 * ```ts
 * import { CodeAgent, ToolCallingAgent } from "@smolts/core";
 * import { createLoad } from "@smolts/core/save";
 *
 * const load = createLoad<CodeAgent | ToolCallingAgent>({ kinds: { code: CodeAgent, "tool-calling": ToolCallingAgent } });
 * console.log(typeof load); // function
 * ```
 */
export function createLoad<Agent>(
  sources: AgentSources<Agent>,
): (folder: string, options?: LoadOptions) => Promise<Agent> {
  const read = async (folder: string, options: LoadOptions): Promise<Agent> => {
    const settings = readOptions(options, "load()", loadOptions);
    mustBeFolder(folder, "load");
    const saved = parseSavedAgent(await readSaved(folder), fileName);
    return new Loading(sources, resolve(folder), settings).agent(saved, settings);
  };
  const hint = "write const agent = await load(folder)";
  return (folder, given = {}) =>
    explainMembers(read(folder, given), "the promise of load()", { methods: [["run with session asTool", hint]] });
}

function mustBeFolder(folder: unknown, called: "load" | "save"): void {
  if (typeof folder === "string" && folder !== "") return;
  const hint = called === "load" ? 'write load("./my-agent")' : 'write save(agent, "./my-agent")';
  throw invalidOption(`${called}() got ${typeof folder}; expected the path of a folder`, hint);
}

const loadOptions: OptionTable<LoadOptions> = {
  ...codeAgentOptions,
  ...toolCallingAgentOptions,
  trustCode: true,
  trustAddresses: true,
};

async function readSaved(folder: string): Promise<unknown> {
  const path = join(folder, fileName);
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new AgentError("invalid-option", `there is no readable saved agent at "${path}" (${cause.code})`, {
      cause,
      hint: "pass the folder that save(agent, folder) wrote",
    });
  });
  try {
    // Some editors write a byte order mark at the beginning of a file.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new AgentError("invalid-option", `"${path}" is not JSON`, { cause, hint: "save the agent again" });
  }
}

/**
 * Returns the option `executor` for a managed agent. Executors are not data, so they are not saved.
 * The executor that is passed to `load` also runs the code of managed agents that write code in the
 * same language.
 */
const executorFor = ({ language }: SavedAgent, { executor }: LoadOptions): LoadOptions =>
  executor && language === executor.language ? { executor } : {};

function mustHaveExecutor({ language }: SavedAgent, { executor }: LoadOptions): void {
  if (language === undefined || executor?.language === language) return;
  const name = languageTitles[language];
  throw invalidOption(
    `the saved agent writes ${name}, but no executor for it was passed`,
    `pass an executor for ${name} to load({ executor })`,
  );
}

/** One call of {@link load}. */
class Loading<Agent> {
  readonly #sources: AgentSources<Agent>;
  readonly #folder: string;
  readonly #trustCode: boolean;
  readonly #trustAddresses: boolean;
  readonly #model: LoadOptions["model"];

  constructor(sources: AgentSources<Agent>, folder: string, options: LoadOptions) {
    const { trustCode = false, trustAddresses = trustCode, model } = options;
    this.#sources = sources;
    this.#folder = folder;
    this.#trustCode = trustCode;
    this.#trustAddresses = trustAddresses;
    this.#model = model;
  }

  async agent(
    saved: SavedAgent,
    { trustCode: _, trustAddresses: __, model: ___, tools: given = [], ...overrides }: LoadOptions,
  ): Promise<Agent> {
    const own = namedTools(given);
    const tools = new Map<string, Tool>();
    for (const tool of saved.tools) tools.set(tool.name, own.get(tool.name) ?? (await this.#tool(tool)));
    const managedAgents = await Promise.all(
      saved.managedAgents.map((managed) => this.agent(managed, executorFor(managed, overrides))),
    );
    mustHaveExecutor(saved, overrides);
    const options = {
      ...saved.options,
      ...(managedAgents.length === 0 ? {} : { managedAgents }),
      ...overrides,
      tools: Object.fromEntries([...tools, ...own]),
      model: this.#model ?? this.#modelOf(saved.model),
    };
    // The cast is safe because the agent itself checks each option of the file.
    const Kind = this.#sources.kinds[saved.type] as new (options: object) => Agent;
    return new Kind(options);
  }

  #modelOf({ name, options = {} }: ModelReference): Model {
    if (!this.#sources.resolveModel) {
      throw invalidOption(
        `"${name}" is only the name of a model, and load() cannot create the model`,
        'pass the model to load({ model }), or use load of "smolts/save", which knows the presets',
      );
    }
    this.#refuseAddresses(options, `the model "${name}"`);
    return this.#sources.resolveModel(name, options);
  }

  async #tool({ name, module, export: exported, options }: SavedTool): Promise<Tool> {
    const make = this.#sources.toolbox?.[`${module}#${exported}`];
    if (make) {
      this.#refuseAddresses(options ?? {}, `the tool "${name}"`);
      return make(options ?? {});
    }
    if (!this.#trustCode) {
      throw untrusted(
        `the tool "${name}" is code of "${module}", which does not run without your permission`,
        `read it and pass { trustCode: true }, or pass your own tool: load(folder, { tools: { ${name} } })`,
      );
    }
    this.#sources.checkModule?.(module, name);
    const found = (await this.#import(module, name))[exported];
    const tool = options === undefined || typeof found !== "function" ? found : await found(options);
    if (isTool(tool)) return tool;
    throw invalidOption(
      `"${exported}" of "${module}" is not a tool`,
      `it was saved as the tool "${name}"; was it renamed?`,
    );
  }

  async #import(module: string, tool: string): Promise<{ readonly [name: string]: unknown }> {
    try {
      return await this.#importFrom(module);
    } catch (cause) {
      const why = thrownText(cause);
      throw new AgentError("invalid-option", `the tool "${tool}" could not be loaded from "${module}": ${why}`, {
        cause,
        hint: `install the missing package next to the folder (a .ts file needs Node 22.18 or tsx), or pass load({ tools: { ${tool} } })`,
      });
    }
  }

  async #importFrom(module: string): Promise<{ readonly [name: string]: unknown }> {
    if (/^\.{0,2}\//.test(module)) return import(pathToFileURL(resolve(this.#folder, module)).href);
    if (module.startsWith("file:")) return import(module);
    const path = resolvedFrom(this.#folder, module);
    if (path !== null) return import(path);
    const imported = await (this.#sources.importModule?.(module) ?? import(module));
    return { ...imported };
  }

  /**
   * Refuses addresses and paths in options. Whoever owns an address gets the key and the
   * conversation, and a path decides which file a model may read.
   */
  #refuseAddresses(options: { readonly [name: string]: JsonValue }, owner: string): void {
    const found = this.#trustAddresses
      ? undefined
      : Object.entries(options).find(([, value]) => hasAddressOrPath(value));
    if (found === undefined) return;
    throw untrusted(
      `${owner} has "${found[0]}" ${JSON.stringify(found[1])} in the saved agent; such an address may point to anything`,
      "check it, then pass { trustAddresses: true }",
    );
  }
}

/**
 * Creates the error for code or an address that is not trusted. Programs recognise this error by
 * its details.
 */
const untrusted = (message: string, hint: string): AgentError =>
  new AgentError("invalid-option", message, { hint, details: { missing: "trust" } });

/** Says whether a value contains a string that may be an address or a path. */
function hasAddressOrPath(value: JsonValue): boolean {
  if (typeof value === "string") return /[/\\:]|^\.+$/.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasAddressOrPath);
}

function namedTools(tools: NonNullable<LoadOptions["tools"]>): ReadonlyMap<string, Tool> {
  const isList = Array.isArray as (value: unknown) => value is readonly Tool[];
  return new Map(isList(tools) ? tools.map((tool) => [tool.name, tool]) : Object.entries(tools));
}

/** Resolves a module from the folder. Returns the path of its file; null if there is none. */
function resolvedFrom(folder: string, specifier: string): string | null {
  try {
    return pathToFileURL(createRequire(join(folder, fileName)).resolve(specifier)).href;
  } catch {
    // The option `importModule` may still find the package.
    return null;
  }
}

/**
 * Makes paths of files relative to the folder, so that the folder and the files can be moved
 * together.
 */
function fromFolder(saved: SavedAgent, folder: string): SavedAgent {
  const moved = (tool: SavedTool): SavedTool =>
    tool.module.startsWith("file:") ? { ...tool, module: pathFrom(folder, fileURLToPath(tool.module)) } : tool;
  return {
    ...saved,
    tools: saved.tools.map(moved),
    managedAgents: saved.managedAgents.map((managed) => fromFolder(managed, folder)),
  };
}

function pathFrom(folder: string, path: string): string {
  const relativePath = relative(folder, path).split(sep).join("/");
  return /^\.{1,2}\//.test(relativePath) ? relativePath : `./${relativePath}`;
}
