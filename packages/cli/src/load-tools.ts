import { invalidOption, isTool, nearestName, type Tool } from "@smolts/protocol";
import { isFileReference } from "./file-reference.ts";
import type { ModuleExports } from "./import-module.ts";
import { type HubTools, isHubReference, loadHubTool } from "./load-from-hub.ts";
import { loadModule, type ModuleReference } from "./load-module.ts";
import type { Person } from "./terminal/person.ts";
import { loadToolboxTool, toolboxNames } from "./toolbox-tools.ts";

/** The tools that the user named: a module, and the part after the `#`. */
interface ToolReference extends ModuleReference {
  /** The export to load. If absent, every export that is a tool is loaded. */
  readonly exportName: string | undefined;
}

/**
 * Loads the tools that `--tools` names. Each name is one of these:
 *
 * - a tool of the toolbox, such as `webSearch`
 * - `./file.ts`, for all exports of the file that are tools
 * - `./file.ts#name` or `package#name`, for one export
 * - `user/space`, for a tool of the Hugging Face Hub
 *
 * Files ending in `.ts` need no build. Loading a file runs it, with all rights of this process.
 *
 * @param directory - the folder from which relative paths and packages are searched
 * @param person - the person at the terminal, who answers questions of tools from the toolbox;
 *   absent if nobody is there
 * @param hub - whether code from the Hub is trusted; not trusted if absent
 * @throws AgentError `invalid-option` that names the available exports
 */
export async function loadTools(
  references: readonly string[],
  directory: string,
  person?: Person,
  hub: HubTools = { trustCode: false, environment: {} },
): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  // Load one after the other, because tools from the Hub share a lock file.
  for (const given of references) tools.push(...(await loadGiven(given, directory, person, hub)));
  return tools;
}

async function loadGiven(
  given: string,
  directory: string,
  person: Person | undefined,
  hub: HubTools,
): Promise<readonly Tool[]> {
  const known = await loadToolboxTool(given, person);
  if (known) return [known];
  if (isHubReference(given)) return [await loadHubTool(given, directory, hub)];
  return loadOne(parseReference(given), directory);
}

function parseReference(given: string): ToolReference {
  const hash = given.indexOf("#", 1);
  const module = hash < 0 ? given : given.slice(0, hash);
  const exportName = hash < 0 ? undefined : given.slice(hash + 1);
  const isFile = isFileReference(module);
  if (/\s/.test(module) && !isFile) {
    throw invalidOption(
      `--tools got "${given}", which does not name a tool`,
      'write the task first: smolts run "..." --tools ./tools.ts',
    );
  }
  if (!isFile && /\.[cm]?[jt]s$/.test(module)) {
    throw invalidOption(`--tools got "${given}", which is not a path`, `write "./${given}" for a file`);
  }
  if (!isFile && !exportName) {
    const nearest = nearestName(given, toolboxNames);
    throw invalidOption(
      `--tools got "${given}", which is not a tool of the toolbox`,
      `${nearest ? `did you mean "${nearest}"? ` : ""}the toolbox has ${toolboxNames.join(", ")}; else name a file ("./tools.ts") or an export ("package#name")`,
    );
  }
  return { given, module, exportName, isFile };
}

async function loadOne(reference: ToolReference, directory: string): Promise<readonly Tool[]> {
  const exports = await loadModule(reference, directory);
  const { given, module, exportName } = reference;
  if (exportName !== undefined) return [pickTool(exports, exportName, module)];
  const tools = Object.values(exports).filter(isTool);
  if (tools.length === 0) throw invalidOption(`no export of "${given}" is a tool`, exportsHint(exports));
  // A module may export the same tool twice, by its name and as the default.
  return [...new Set(tools)];
}

function pickTool(exports: ModuleExports, exportName: string, module: string): Tool {
  const found = Object.hasOwn(exports, exportName) ? exports[exportName] : undefined;
  if (isTool(found)) return found;
  if (found !== undefined)
    throw invalidOption(`the export "${exportName}" of "${module}" is not a tool`, kindHint(exportName, found));
  const nearest = nearestName(exportName, Object.keys(exports));
  const hint = nearest === undefined ? exportsHint(exports) : `did you mean "${module}#${nearest}"?`;
  throw invalidOption(`"${module}" has no export "${exportName}"`, hint);
}

/**
 * Loads an agent, a function that makes one, or a tool. `./agent.ts#name` loads one export.
 * `./agent.ts` loads the default export. If the default export is not suitable, it loads the only
 * suitable export.
 */
export async function loadServed(given: string, directory: string): Promise<unknown> {
  const hash = given.indexOf("#", 1);
  const module = hash < 0 ? given : given.slice(0, hash);
  const exports = await loadModule({ given, module, isFile: true }, directory);
  const isServed = (value: unknown): boolean => typeof value === "function" || isTool(value) || isAgent(value);
  if (hash >= 0) {
    const found = exports[given.slice(hash + 1)];
    if (isServed(found)) return found;
    throw invalidOption(`"${module}" has no agent "${given.slice(hash + 1)}"`, whatExports(exports));
  }
  if (isServed(exports["default"])) return exports["default"];
  const agents = [...new Set(Object.values(exports).filter((value) => isAgent(value) || isTool(value)))];
  const served = agents.length > 0 ? agents : Object.values(exports).filter(isServed);
  if (served.length === 1) return served[0];
  throw invalidOption(
    served.length === 0
      ? `no export of "${given}" is an agent`
      : `"${given}" has ${served.length} exports to choose from`,
    served.length === 0
      ? `${whatExports(exports)}; write: export default new CodeAgent({ ... })`
      : `name one: ${given}#${Object.keys(exports)[0]}`,
  );
}

export function isAgent(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  // The cast is safe: the next line checks both fields.
  const { run, session } = value as { readonly run?: unknown; readonly session?: unknown };
  return typeof run === "function" && typeof session === "function";
}

function exportsHint(exports: ModuleExports): string {
  const wanted =
    Object.keys(exports).length === 0
      ? "write: export const getWeather = tool({ ... })"
      : "a tool is what tool({ ... }) returns";
  return `${whatExports(exports)}; ${wanted}`;
}

function whatExports(exports: ModuleExports): string {
  const names = Object.keys(exports).sort();
  const found = names.map((name) => `${name} (${kindOf(exports[name])})`);
  return found.length === 0 ? "it exports nothing" : `it exports ${found.join(", ")}`;
}

const kindHint = (name: string, value: unknown): string =>
  typeof value === "function"
    ? `it is a function; export what it returns: export const my${name[0]?.toUpperCase()}${name.slice(1)} = ${name}()`
    : `it is of type "${kindOf(value)}"; a tool is what tool({ ... }) returns`;

const kindOf = (value: unknown): string =>
  isTool(value) ? "tool" : Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
