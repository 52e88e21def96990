import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentError } from "@smolts/protocol";

/**
 * Imports a package of the user's project.
 *
 * @param directory - the folder whose installed packages are searched
 * @param install - the command that installs the package
 * @throws AgentError `invalid-option` with that command if the package is missing or cannot be
 *   loaded
 */
export async function importPackage(
  name: string,
  directory: string,
  install: string = `npm install ${name}`,
): Promise<Readonly<Record<string, unknown>>> {
  const hint = `install it: ${install}`;
  let path: string;
  try {
    path = resolvePackage(name, directory);
  } catch (cause) {
    throw new AgentError("invalid-option", `the package ${name} is not installed where you are`, { cause, hint });
  }
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const [why = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new AgentError("invalid-option", `the package ${name} could not be loaded: ${why}`, { cause, hint });
  }
}

/**
 * Returns the version of a package of the user's project; null if its package.json contains none.
 */
export async function versionOfPackage(name: string, directory: string): Promise<string | null> {
  let folder = dirname(resolvePackage(name, directory));
  // Go up to the package's main package.json. Folders inside a package may have one too, without a
  // name.
  while (dirname(folder) !== folder) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
    const manifest = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown };
    if (manifest.name === name) return typeof manifest.version === "string" ? manifest.version : null;
    folder = dirname(folder);
  }
  return null;
}

const resolvePackage = (name: string, directory: string): string =>
  createRequire(join(directory, "package.json")).resolve(name);
