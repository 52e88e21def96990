// Loads agents from the Hub. It always reads the data that describes an agent. It imports code only
// if the caller allows that.

import { join } from "node:path";
import {
  CodeAgent,
  type CodeAgentOptions,
  codeAgentOptions,
  ToolCallingAgent,
  toolCallingAgentOptions,
} from "@smolts/core";
import { createLoad, type LoadOptions } from "@smolts/core/save";
import { resolveModel } from "@smolts/models";
import { AgentError, explainPromise, invalidOption, type OptionTable, readOptions } from "@smolts/protocol";
import { toolbox } from "@smolts/tools/toolbox";
import {
  contentsOf,
  definitionIn,
  type HubContents,
  type PathOption,
  prefixOf,
  renderContents,
  textIn,
} from "./contents.ts";
import { fromSmolagents } from "./from-smolagents.ts";
import { refusalOf } from "./hub-error-details.ts";
import { mustBeOwnModule, mustImportOwnFiles } from "./own-modules.ts";
import { parseRepo } from "./repo.ts";
import { type Snapshot, type SnapshotOptions, snapshotOptions, takeSnapshot, writeSnapshot } from "./snapshot.ts";
import { fromTinyAgent, type McpTools } from "./tiny-agent.ts";

/**
 * Settings of {@link load}. Every option of the agent is also allowed, and replaces the saved
 * option.
 */
export interface HubLoadOptions extends SnapshotOptions, PathOption, Omit<LoadOptions, "signal"> {
  /**
   * Whether the agent may import the repository's code, start its MCP servers and use its
   * addresses. All of these get the rights of this process, so read them first, and set `lock`.
   *
   * @defaultValue false
   */
  readonly trustCode?: boolean;
  /**
   * `mcpTools` of `@smolts/mcp`, for agents that name MCP servers. Without it or without
   * `trustCode`, the servers are left out.
   */
  readonly mcpTools?: McpTools;
}

/** An agent that was loaded from the Hub. */
export interface HubAgent extends AsyncDisposable {
  readonly agent: CodeAgent | ToolCallingAgent;
  /** Describes the repository. */
  readonly contents: HubContents;
  /**
   * Human-readable sentences that name the parts of the repository that this agent does not have.
   */
  readonly leftOut: readonly string[];
}

/**
 * Loads an agent from the Hub: one that `push` uploaded, an `agent.json` of tiny-agents, or a
 * folder of Python smolagents without its Python code.
 *
 * Without `trustCode` only data is read. If the agent needs code, the call fails, and the error
 * describes the repository.
 *
 * @throws AgentError `invalid-option` if something needs `trustCode`, if the repository differs
 *   from the lock file, or if it contains no agent; `tool-execution` if the Hub cannot be reached
 *   or its response is refused
 * @example
 * ```ts
 * import { load } from "@smolts/hub";
 *
 * async function ask(repo: string, task: string): Promise<unknown> {
 *   await using loaded = await load(repo, { trustCode: true, lock: "hub.lock.json" });
 *   for (const line of loaded.leftOut) console.warn(line);
 *   return await loaded.agent.run(task);
 * }
 * console.log(typeof ask); // function
 * ```
 */
export function load(repo: string, given: HubLoadOptions = {}): Promise<HubAgent> {
  return explainPromise(loaded(repo, given), "load()");
}

async function loaded(repo: string, given: HubLoadOptions): Promise<HubAgent> {
  const options = readOptions(given, "load()", hubLoadOptions);
  const within = prefixOf(options);
  const isWanted = (path: string): boolean =>
    path.startsWith(within) && (options.trustCode === true || isDescription(path.slice(within.length)));
  const snapshot = await takeSnapshot(parseRepo(repo), options, isWanted);
  const contents = contentsOf(snapshot, options);
  const tooLarge = snapshot.tooLarge.map(({ path, size }) => `the file "${path}" of ${size} bytes is too large`);
  const mcpTools = options.trustCode === true ? options.mcpTools : undefined;
  switch (contents.format) {
    case "agent":
      return { agent: await loadSaved(snapshot, contents, options), contents, leftOut: tooLarge, ...closed };
    case "tiny-agent": {
      const prompt = textIn(snapshot, `${within}PROMPT.md`) ?? textIn(snapshot, `${within}AGENTS.md`);
      const read = () => fromTinyAgent(contents.definition, prompt, agentOptions(options), mcpTools);
      const made = await readingDefinition(contents, read);
      return { ...made, contents, leftOut: [...made.leftOut, ...tooLarge] };
    }
    case "smolagents-agent": {
      const read = (path: string): unknown => definitionIn(snapshot, `${within}${path}`);
      const made = await readingDefinition(contents, () =>
        fromSmolagents(contents.definition, agentOptions(options), read),
      );
      return { ...made, contents, leftOut: [...made.leftOut, ...tooLarge], ...closed };
    }
    case "tool":
    case "smolagents-tool":
      throw notAnAgent(contents, "it contains a tool", `use loadTool("${contents.repo}")`);
    case "unknown":
      throw notAnAgent(contents, "it has no agent.json", "see what it is: renderContents(await inspectRepo(...))");
    default:
      return contents.format satisfies never;
  }
}

/**
 * Reads a definition, and turns native errors into errors about the definition. The definition's
 * JSON can be anything, such as lists that are nested so deep that the stack overflows.
 */
async function readingDefinition<Made>({ repo }: HubContents, read: () => Promise<Made>): Promise<Made> {
  try {
    return await read();
  } catch (cause) {
    // Only reading throws native errors. Errors of servers and options are AgentErrors.
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    throw new AgentError("invalid-option", `${repo}: its agent.json does not describe an agent: ${cause.message}`, {
      cause,
      hint: "tell its owner",
    });
  }
}

/** Says whether a file describes an agent. Python smolagents saves managed agents in subfolders. */
const isDescription = (path: string): boolean =>
  /^(?:managed_agents\/[^/]+\/)*agent\.json$/.test(path) || ["tool.json", "PROMPT.md", "AGENTS.md"].includes(path);

const hubLoadOptions: OptionTable<HubLoadOptions> = {
  ...codeAgentOptions,
  ...toolCallingAgentOptions,
  ...snapshotOptions,
  path: "text",
  trustCode: "flag",
  trustAddresses: "flag",
  mcpTools: "function",
};

/** Does nothing on disposal, for agents that have opened nothing. */
const closed = { [Symbol.asyncDispose]: async (): Promise<void> => {} };

const notAnAgent = ({ repo }: HubContents, why: string, hint: string): AgentError =>
  invalidOption(`${repo} is not an agent: ${why}`, hint);

/** Returns only the options that agents accept. */
function agentOptions(options: HubLoadOptions): LoadOptions {
  const {
    token: _,
    hubUrl: _url,
    signal: _signal,
    revision: _revision,
    lock: _lock,
    updateLock: _update,
    ...rest
  } = options;
  const { folder: _folder, path: _path, mcpTools: _tools, ...agent } = rest;
  return agent;
}

async function loadSaved(
  snapshot: Snapshot,
  contents: HubContents,
  options: HubLoadOptions,
): Promise<CodeAgent | ToolCallingAgent> {
  const own = { repo: contents.repo, files: snapshot.contents, within: prefixOf(options) };
  mustImportOwnFiles(own.files, own.repo);
  const folder = join(await writeSnapshot(snapshot, options.folder), own.within);
  const loadFolder = createLoad<CodeAgent | ToolCallingAgent>({
    kinds: {
      code: CodeAgent as new (options: CodeAgentOptions) => CodeAgent,
      "tool-calling": ToolCallingAgent,
    },
    resolveModel,
    toolbox,
    checkModule: (module, tool) => mustBeOwnModule(module, tool, own),
  });
  try {
    return await loadFolder(folder, agentOptions(options));
  } catch (error) {
    if (!AgentError.is(error) || options.trustCode === true) throw error;
    const { code, message, hint, details } = error;
    // The error describes the repository, because the user has to decide whether to trust its code.
    throw new AgentError(code, `${contents.repo}: ${message}`, {
      cause: error,
      hint,
      details: { ...refusalOf(details), contents: renderContents(contents) },
    });
  }
}
