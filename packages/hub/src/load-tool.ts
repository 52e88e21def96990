import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  AgentError,
  invalidOption,
  isTool,
  type OptionTable,
  readOptions,
  type Tool,
  thrownText,
} from "@smolts/protocol";
import { type ToolCollection, toolCollection } from "@smolts/tools";
import { contentsOf, type HubContents, type PathOption, prefixOf, renderContents } from "./contents.ts";
import { type HubErrorDetails, refusalOf } from "./hub-error-details.ts";
import type { HubAccess } from "./hub-fetch.ts";
import { mustBeOwnModule, mustImportOwnFiles } from "./own-modules.ts";
import { itemsOf, parseRepo } from "./repo.ts";
import { type SnapshotOptions, snapshotOptions, takeSnapshot, writeSnapshot } from "./snapshot.ts";

/** Settings of {@link loadTool}. */
export interface LoadToolOptions extends SnapshotOptions, PathOption {
  /**
   * Whether the tool's code may be imported. The code gets all rights of this process, so read it
   * first, and set `lock`.
   *
   * @defaultValue false
   */
  readonly trustCode?: boolean;
}

/** The content of `tool.json`, which says where the code of a pushed tool is. */
interface SavedHubTool {
  readonly version: 1;
  readonly type: "tool";
  readonly name: string;
  /** A path from `tool.json`, such as `./weather.ts`. */
  readonly module: string;
  readonly export: string;
  readonly options?: object;
}

/**
 * Loads a tool that `push` uploaded.
 *
 * @throws AgentError `invalid-option` without `trustCode` (the error's `details` are
 * {@link HubErrorDetails}), if the repository contains no tool of smolts, or if it differs from the
 * lock file
 * @example
 * ```ts
 * import { loadTool } from "@smolts/hub";
 *
 * async function weatherTool() {
 *   return await loadTool("ada/weather", { trustCode: true, lock: "hub.lock.json" });
 * }
 * console.log(typeof weatherTool); // function
 * ```
 */
export async function loadTool(repo: string, given: LoadToolOptions = {}): Promise<Tool> {
  const options = readOptions(given, "loadTool()", loadToolOptions);
  const within = prefixOf(options);
  const isWanted = (path: string): boolean =>
    options.trustCode === true ? path.startsWith(within) : [`${within}tool.json`, `${within}agent.json`].includes(path);
  const snapshot = await takeSnapshot(parseRepo(repo), options, isWanted);
  const contents = contentsOf(snapshot, options);
  const saved = savedTool(contents);
  if (options.trustCode !== true) {
    throw new AgentError(
      "invalid-option",
      `${contents.repo}: the tool "${saved.name}" is code of "${saved.module}", which is not run unless you trust it`,
      {
        hint: "read it, then pass { trustCode: true } and a { lock }",
        details: { missing: "trust", contents: renderContents(contents) } satisfies HubErrorDetails,
      },
    );
  }
  mustBeOwnModule(saved.module, saved.name, { repo: contents.repo, files: snapshot.contents, within });
  mustImportOwnFiles(snapshot.contents, contents.repo);
  const folder = join(await writeSnapshot(snapshot, options.folder), within);
  return importTool(join(folder, saved.module), saved, contents);
}

const loadToolOptions: OptionTable<LoadToolOptions> = { ...snapshotOptions, path: "text", trustCode: "flag" };

async function importTool(path: string, saved: SavedHubTool, { repo }: HubContents): Promise<Tool> {
  const exports = (await import(pathToFileURL(path).href).catch((cause: unknown) => {
    const why = thrownText(cause);
    throw new AgentError("invalid-option", `${repo}: the tool "${saved.name}" could not be loaded: ${why}`, {
      cause,
      hint: "install the packages that it imports; a .ts file needs Node 22.18 or newer",
    });
  })) as Readonly<Record<string, unknown>>;
  const found = exports[saved.export];
  const tool: unknown = saved.options !== undefined && typeof found === "function" ? await found(saved.options) : found;
  if (isTool(tool)) return tool;
  throw invalidOption(`${repo}: the export "${saved.export}" of "${saved.module}" is not a tool`);
}

const noTool = { missing: "tool" } as const satisfies HubErrorDetails;

function savedTool({ repo, format, definition }: HubContents): SavedHubTool {
  if (format === "smolagents-tool") {
    throw new AgentError("invalid-option", `${repo} contains a tool in Python`, {
      hint: `call its Space instead: fromSpace("${repo}") of @smolts/tools/from-space`,
      details: noTool,
    });
  }
  // The cast is safe: the condition below checks the fields.
  const { version, type, name, module, export: exported } = (definition ?? {}) as Partial<SavedHubTool>;
  const texts = [name, module, exported].every((value) => typeof value === "string" && value !== "");
  if (format === "tool" && version === 1 && type === "tool" && texts && /^\.\//.test(module ?? "")) {
    return definition as SavedHubTool; // safe cast: the condition above checks its fields
  }
  throw new AgentError("invalid-option", `${repo} contains no tool of smolts: it is "${format}"`, {
    hint: format === "agent" ? `use load("${repo}")` : "its owner writes one with push(tool, repo)",
    details: noTool,
  });
}

/** The tools of a collection. */
export interface HubCollection {
  readonly tools: ToolCollection;
  /** Items that are not tools of smolts, each with the reason. */
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Loads the tools of a collection of the Hub. It reads every Space of the collection. The slug is
 * the end of the collection's address.
 *
 * @throws AgentError `invalid-option` without `trustCode`, or when two tools have the same name;
 *   `tool-execution` when the Hub cannot be reached
 * @example
 * ```ts
 * import { loadCollection } from "@smolts/hub";
 *
 * async function tools() {
 *   const { tools, leftOut } = await loadCollection("ada/my-tools-64f9a55bb3115b4f513ec026", { trustCode: true });
 *   for (const { id, reason } of leftOut) console.warn(id, reason);
 *   return [...tools];
 * }
 * console.log(typeof tools); // function
 * ```
 */
export async function loadCollection(slug: string, given: LoadToolOptions = {}): Promise<HubCollection> {
  const options = readOptions(given, "loadCollection()", loadToolOptions);
  if (options.trustCode !== true) {
    throw new AgentError(
      "invalid-option",
      `the tools of the collection ${slug} are code, which is not run unless you trust it`,
      {
        hint: "look at each of its Spaces, then pass { trustCode: true } and a { lock }",
        details: { missing: "trust" } satisfies HubErrorDetails,
      },
    );
  }
  const tools: Tool[] = [];
  const leftOut: { readonly id: string; readonly reason: string }[] = [];
  // Load the tools one after the other, because they share one lock file.
  for (const { type, id } of await itemsOf(slug, options satisfies HubAccess)) {
    if (type !== "space") {
      leftOut.push({ id, reason: `it is a ${type}, not a Space` });
      continue;
    }
    const reason = await loadTool(id, options).then(
      (tool) => void tools.push(tool),
      (error: unknown) => reasonOf(error),
    );
    if (typeof reason === "string") leftOut.push({ id, reason });
  }
  return { tools: toolCollection(tools), leftOut };
}

/**
 * Returns the reason why an item contains no tool. Rethrows all other errors, such as a difference
 * from the lock file.
 */
function reasonOf(error: unknown): string {
  if (AgentError.is(error) && refusalOf(error.details).missing === "tool") return error.message;
  throw error;
}
