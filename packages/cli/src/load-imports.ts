// Modules that the agent's code may import. They run in the sandbox, so that reading them gives
// them no rights; nothing of them runs here.

import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type { CodeAgentOptions } from "@smolts/core";
import { guestModule } from "@smolts/interpreter";
import { readGuestModule } from "@smolts/interpreter/read-module";
import { AgentError, type GuestModule } from "@smolts/protocol";
import { isFileReference } from "./file-reference.ts";

/** The part of it that an agent receives. */
export type LoadedImports = Required<Pick<CodeAgentOptions, "modules" | "additionalAuthorizedImports">>;

/**
 * Reads what `--imports` names: an installed package (`lodash-es`, `date-fns.*` with all below it),
 * a file of JavaScript or TypeScript (`./stats.js`, imported as `stats`), or a folder with a
 * `package.json`. Packages bring what they depend on, which the code itself may not import.
 *
 * @param directory - what relative paths and packages are found from
 * @throws AgentError `invalid-option` that says what is missing
 */
export async function loadImports(references: readonly string[], directory: string): Promise<LoadedImports> {
  const modules = new Map<string, GuestModule>();
  const authorized: string[] = [];
  const [files, packages] = [references.filter(isFileReference), references.filter((given) => !isFileReference(given))];
  // Packages first, so that a file takes the name of none, nor of what they depend on.
  for (const given of packages) authorized.push(await addPackage(modules, given, directory));
  for (const given of files) authorized.push(await addFile(modules, given, directory));
  return { modules: Object.fromEntries(modules), additionalAuthorizedImports: authorized };
}

async function addFile(modules: Map<string, GuestModule>, given: string, directory: string): Promise<string> {
  const path = resolve(directory, given);
  const name = basename(path).replace(moduleEnding, "");
  if (modules.has(name)) {
    throw invalid(`--imports got "${given}", but there is another module "${name}"`, "give the file another name");
  }
  if (existsSync(join(path, "package.json"))) await addFolder(modules, name, path);
  else
    modules.set(name, guestModule({ [basename(path)]: await readModuleFile(given, path) }, { entry: basename(path) }));
  return name;
}

const moduleEnding = /\.m?[jt]s$/;

async function readModuleFile(given: string, path: string): Promise<string> {
  if (!moduleEnding.test(path)) {
    throw invalid(
      `--imports got "${given}", which is not a module in JavaScript or TypeScript`,
      "give a .js, .mjs or .ts file, or a folder with a package.json",
    );
  }
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw invalid(
      `there is no module "${path}" that can be read (${error.code})`,
      "check the path; it is relative to where you are",
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

/** The package that a pattern such as `date-fns.*` or `lodash-es/chunk` is about. */
function packageNameOf(given: string): string {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(given.replace(/[./]\*$/, ""))?.[0];
  if (name !== undefined && name !== "*") return name;
  throw invalid(`--imports got "${given}", which names no module`, "name each package that the code may import");
}

function notInstalled(given: string, name: string): AgentError {
  if (builtinModules.includes(name) || name.startsWith("node:")) {
    return invalid(
      `--imports got "${given}": modules of Node are not in the sandbox`,
      "give the agent a tool that does it: --tools ./file.ts",
    );
  }
  if (/\.[cm]?[jt]s$/.test(given))
    return invalid(`--imports got "${given}", which is not a path`, `write "./${given}" for a file`);
  return invalid(
    `--imports got "${given}", but no package "${name}" is installed here`,
    `install it: npm install ${name}; or name a file: ./${name}.js`,
  );
}

/** Puts in a package and, since its files may import them, those it depends on. */
async function addFolder(modules: Map<string, GuestModule>, name: string, folder: string): Promise<void> {
  modules.set(name, await readGuestModule(folder));
  for (const dependency of await dependenciesOf(folder)) {
    const found = modules.has(dependency) ? undefined : folderOf(dependency, folder);
    if (found === undefined) continue;
    // What cannot run in the sandbox may never be imported there; if it is, that says so.
    await addFolder(modules, dependency, found).catch(() => {});
  }
}

async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return typeof dependencies === "object" && dependencies !== null ? Object.keys(dependencies) : [];
}

/** Where Node would find a package from there. */
function folderOf(name: string, directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return realpathSync(folder);
    if (at === dirname(at)) return undefined;
  }
}

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });
