import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentError, thrownText } from "@smolts/protocol";

/**
 * Imports a package of the user's project, or another entry point of such a package.
 *
 * @param specifier - such as `@smolts/mcp` or `@smolts/executor-worker/process`
 * @param directory - the folder whose installed packages are searched
 * @param install - the command that installs the package
 * @throws AgentError `invalid-option` with that command if the package is missing or cannot be
 *   loaded
 */
export async function importPackage(
  specifier: string,
  directory: string,
  install: string = `npm install ${packageOf(specifier)}`,
): Promise<Readonly<Record<string, unknown>>> {
  const name = packageOf(specifier);
  const hint = `install it: ${install}`;
  let path: string;
  try {
    path = resolvePackage(specifier, directory);
  } catch (cause) {
    if (lacksEntry(cause)) throw tooOld(specifier, cause);
    throw new AgentError("invalid-option", `the package ${name} is not installed here`, { cause, hint });
  }
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const [why = ""] = thrownText(cause).split("\n");
    throw new AgentError("invalid-option", `the package ${name} could not be loaded: ${why}`, { cause, hint });
  }
}

/** Returns the name of the package, without the entry point that may follow it. */
export const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** Says whether the package is installed, but does not export the requested entry point. */
const lacksEntry = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";

function tooOld(specifier: string, cause: unknown): AgentError {
  const name = packageOf(specifier);
  return new AgentError("invalid-option", `the installed version of ${name} has no "${specifier}"`, {
    cause,
    hint: `update it: npm install ${name}@latest`,
  });
}

/**
 * Returns the version of a package of the user's project; null if its package.json contains none.
 */
export async function versionOfPackage(name: string, directory: string): Promise<string | null> {
  let folder = dirname(resolvePackage(name, directory));
  // Go up to the package's main package.json. Folders inside a package may also contain a
  // package.json, but one without a name.
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
