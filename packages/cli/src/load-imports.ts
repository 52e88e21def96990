// Reads the modules that the agent's code may import. They run only in the sandbox, so they get no
// rights on this machine.

import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type { CodeAgentOptions } from "@smolts/core";
import { guestModule } from "@smolts/interpreter";
import { readGuestModule } from "@smolts/interpreter/read-module";
import { type AgentError, type GuestModule, invalidOption } from "@smolts/protocol";
import { isFileReference } from "./file-reference.ts";

/** The options of an agent that contain the modules. */
export type LoadedImports = Required<Pick<CodeAgentOptions, "modules" | "additionalAuthorizedImports">>;

/**
 * Reads the modules that `--imports` names. Each name is one of these:
 *
 * - an installed package: `lodash-es`, or `date-fns.*` for all modules below it
 * - a file of JavaScript or TypeScript: `./stats.js`, which is imported as `stats`
 * - a folder with a `package.json`
 *
 * The dependencies of a package are read too, but the agent's code itself may not import them.
 *
 * @param directory - the folder from which relative paths and packages are searched
 * @throws AgentError `invalid-option` that says what is missing
 */
export async function loadImports(references: readonly string[], directory: string): Promise<LoadedImports> {
  const modules = new Map<string, GuestModule>();
  const authorized: string[] = [];
  const [files, packages] = [references.filter(isFileReference), references.filter((given) => !isFileReference(given))];
  // Read packages first, so that a file cannot take the name of a package or of a dependency.
  for (const given of packages) authorized.push(await addPackage(modules, given, directory));
  for (const given of files) authorized.push(await addFile(modules, given, directory));
  return { modules: Object.fromEntries(modules), additionalAuthorizedImports: authorized };
}

async function addFile(modules: Map<string, GuestModule>, given: string, directory: string): Promise<string> {
  const path = resolve(directory, given);
  const name = basename(path).replace(moduleEnding, "");
  if (modules.has(name)) {
    throw invalidOption(
      `--imports got "${given}", but there is another module "${name}"`,
      "give the file another name",
    );
  }
  if (existsSync(join(path, "package.json"))) await addFolder(modules, name, path);
  else
    modules.set(name, guestModule({ [basename(path)]: await readModuleFile(given, path) }, { entry: basename(path) }));
  return name;
}

const moduleEnding = /\.m?[jt]s$/;

async function readModuleFile(given: string, path: string): Promise<string> {
  if (!moduleEnding.test(path)) {
    throw invalidOption(
      `--imports got "${given}", which is not a module in JavaScript or TypeScript`,
      "give a .js, .mjs or .ts file, or a folder with a package.json",
    );
  }
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw invalidOption(
      `there is no module "${path}" that can be read (${error.code})`,
      "check the path; it is relative to the current folder",
    );
  });
}

async function addPackage(modules: Map<string, GuestModule>, given: string, directory: string): Promise<string> {
  const name = packageNameOf(given);
  const folder = folderOf(name, directory);
  if (folder === undefined) throw notInstalled(given, name);
  if (!modules.has(name)) await addFolder(modules, name, folder);
  return given;
}

/** Returns the name of the package in a pattern such as `date-fns.*` or `lodash-es/chunk`. */
function packageNameOf(given: string): string {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(given.replace(/[./]\*$/, ""))?.[0];
  if (name !== undefined && name !== "*") return name;
  throw invalidOption(
    `--imports got "${given}", which does not name a module`,
    "name each package that the code may import",
  );
}

function notInstalled(given: string, name: string): AgentError {
  if (builtinModules.includes(name) || name.startsWith("node:")) {
    return invalidOption(
      `--imports got "${given}": the sandbox has no modules of Node`,
      "give the agent a tool that does it: --tools ./file.ts",
    );
  }
  if (/\.[cm]?[jt]s$/.test(given))
    return invalidOption(`--imports got "${given}", which is not a path`, `write "./${given}" for a file`);
  return invalidOption(
    `--imports got "${given}", but no package "${name}" is installed here`,
    `install it: npm install ${name}; or name a file: ./${name}.js`,
  );
}

/** Adds a package and its dependencies, because its files may import them. */
async function addFolder(modules: Map<string, GuestModule>, name: string, folder: string): Promise<void> {
  modules.set(name, await readGuestModule(folder));
  for (const dependency of await dependenciesOf(folder)) {
    const found = modules.has(dependency) ? undefined : folderOf(dependency, folder);
    if (found === undefined) continue;
    // Ignore a dependency that cannot run in the sandbox, because the agent's code might not need
    // it. If the code imports it, the import fails with a clear error.
    await addFolder(modules, dependency, found).catch(() => {});
  }
}

async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return typeof dependencies === "object" && dependencies !== null ? Object.keys(dependencies) : [];
}

/** Returns the folder in which Node would find a package, starting from `directory`. */
function folderOf(name: string, directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
    if (at === dirname(at)) return undefined;
  }
}
