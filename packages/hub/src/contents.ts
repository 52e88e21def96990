import { AgentError, invalidOption, type OptionTable, readOptions, visible } from "@smolts/protocol";
import { parseRepo, repoText } from "./repo.ts";
import {
  filesIn,
  type Snapshot,
  type SnapshotFile,
  type SnapshotOptions,
  snapshotOptions,
  takeSnapshot,
} from "./snapshot.ts";

/** The kind of definition that a repository contains. */
export type HubFormat = "agent" | "tool" | "tiny-agent" | "smolagents-agent" | "smolagents-tool" | "unknown";

/** The description of a repository. It is created without running any code of the repository. */
export interface HubContents {
  readonly repo: string;
  /** The id of the commit, in hex. */
  readonly revision: string;
  readonly format: HubFormat;
  /** The downloaded files. */
  readonly files: readonly SnapshotFile[];
  /** The paths of the files that were not downloaded. */
  readonly otherFiles: readonly string[];
  /**
   * The parsed JSON of `agent.json` or `tool.json`, unchanged; null if the repository has neither.
   */
  readonly definition: unknown;
  /** The unchanged text of `README.md`; null if the repository has none. */
  readonly readme: string | null;
}

/** Names the folder of a repository that contains the agent. */
export interface PathOption {
  /** The path of the folder in the repository. Default: the root. */
  readonly path?: string;
}

/** The files that describe an agent or a tool. They contain data and no code. */
const descriptions = ["agent.json", "tool.json", "PROMPT.md", "AGENTS.md", "README.md"];

/**
 * Describes a repository of the Hub: its commit, its files, and the agent or tool that it defines.
 * Downloads only the descriptions, and runs nothing.
 *
 * @throws AgentError `tool-execution` when the Hub cannot be reached; `invalid-option` when the
 *   repository differs from the lock file
 * @example
 * ```ts
 * import { inspectRepo, renderContents } from "@smolts/hub";
 *
 * async function show(repo: string): Promise<void> {
 *   console.log(renderContents(await inspectRepo(repo)));
 * }
 * console.log(typeof show); // function
 * ```
 */
export async function inspectRepo(repo: string, given: SnapshotOptions & PathOption = {}): Promise<HubContents> {
  const options = readOptions(given, "inspectRepo()", inspectOptions);
  const within = prefixOf(options);
  const isDescription = (path: string): boolean => descriptions.some((name) => path === `${within}${name}`);
  return contentsOf(await takeSnapshot(parseRepo(repo), options, isDescription), options);
}

const inspectOptions: OptionTable<SnapshotOptions & PathOption> = { ...snapshotOptions, path: "text" };

/**
 * Returns the path of the folder in the repository, with a slash at its end; empty for the root.
 */
export function prefixOf({ path = "" }: PathOption): string {
  const trimmed = path.replace(/^\.?\/|\/$/g, "");
  if (!trimmed.split("/").includes("..")) return trimmed === "" ? "" : `${trimmed}/`;
  throw invalidOption(`path is ${JSON.stringify(path)}; expected a folder of the repository`);
}

/** Describes a snapshot. */
export function contentsOf(snapshot: Snapshot, options: PathOption): HubContents {
  const { repo, revision, listed, contents } = snapshot;
  const within = prefixOf(options);
  const agent = definitionIn(snapshot, `${within}agent.json`);
  const tool = definitionIn(snapshot, `${within}tool.json`);
  const isPythonTool = listed.some(({ path }) => path === `${within}tool.py` || path === `${within}tool_config.json`);
  const format = agent === undefined ? (tool === undefined ? null : "tool") : formatOf(agent);
  return {
    repo: repoText(repo),
    revision,
    format: format ?? (isPythonTool ? "smolagents-tool" : "unknown"),
    files: filesIn(snapshot),
    otherFiles: listed.map(({ path }) => path).filter((path) => !contents.has(path)),
    definition: agent ?? tool ?? null,
    readme: textIn(snapshot, `${within}README.md`),
  };
}

/** Returns the text of a file; null if it was not downloaded. */
export function textIn({ contents }: Snapshot, path: string): string | null {
  const bytes = contents.get(path);
  return bytes === undefined ? null : new TextDecoder().decode(bytes);
}

/** Returns the parsed JSON of a file; undefined if it was not downloaded. */
export function definitionIn(snapshot: Snapshot, path: string): unknown {
  const text = textIn(snapshot, path);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AgentError("invalid-option", `${repoText(snapshot.repo)}: "${path}" is not JSON`, { cause });
  }
}

function formatOf(agent: unknown): HubFormat {
  if (typeof agent !== "object" || agent === null) return "unknown";
  if ("version" in agent && "type" in agent) return "agent";
  if ("servers" in agent || ("model" in agent && typeof agent.model === "string")) return "tiny-agent";
  return "model" in agent && "tools" in agent ? "smolagents-agent" : "unknown";
}

/**
 * Renders the contents of a repository as text for people. Control characters are made visible, so
 * that a stranger's text cannot control the terminal.
 *
 * @example
 * ```ts
 * import { renderContents } from "@smolts/hub";
 *
 * const contents = { repo: "ada/agent", revision: "abc", format: "unknown", files: [], otherFiles: ["a.bin"], definition: null, readme: null } as const;
 * console.log(renderContents(contents).split("\n")[0]); // ada/agent at abc: unknown
 * ```
 */
export function renderContents({ repo, revision, format, files, otherFiles, definition }: HubContents): string {
  const lines = [
    `${repo} at ${revision.slice(0, 12)}: ${format}`,
    ...files.map(({ path, size, sha256 }) => `  ${path}  ${size} bytes  sha256 ${sha256.slice(0, 12)}`),
    ...otherFiles.map((path) => `  ${path}  not downloaded`),
    ...(definition === null ? [] : JSON.stringify(definition, null, 2).slice(0, 10_000).split("\n")),
  ];
  return lines.map((line) => visible(line)).join("\n");
}
