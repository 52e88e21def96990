import { readFile } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { AgentError } from "@smolts/protocol";
import { importFile, importFrom, type ModuleExports } from "./import-module.ts";
import { packageOf } from "./import-package.ts";

/** A module that a command line names. */
export interface ModuleReference {
  /** The argument as the user typed it, for error messages. */
  readonly given: string;
  /** The path of a file, or the name of a package. */
  readonly module: string;
  readonly isFile: boolean;
}

/**
 * Imports a module of the user.
 *
 * @param directory - the folder from which the path or the package is found
 * @throws AgentError `invalid-option` if the module cannot be read or loaded. If a package is
 *   missing, the error says how to install it.
 */
export async function loadModule(
  { given, module, isFile }: ModuleReference,
  directory: string,
): Promise<ModuleExports> {
  try {
    return isFile
      ? await importReadable(isAbsolute(module) ? module : resolve(directory, module))
      : await importFrom(module, directory);
  } catch (error) {
    if (AgentError.is(error) && error.code !== "parsing") throw error;
    throw new AgentError("invalid-option", `could not load "${given}": ${messageOf(error)}`, {
      cause: error,
      hint: AgentError.is(error) ? error.hint : missingHint(error),
    });
  }
}

async function importReadable(path: string): Promise<ModuleExports> {
  await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new AgentError("invalid-option", `there is no file "${path}" that can be read (${error.code})`, {
      hint: "check the path; it is relative to the current folder",
    });
  });
  return importFile(path);
}

/** Says how to install the package that a module could not import. */
function missingHint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND") return undefined;
  const name = /^Cannot find (?:package|module) '([^'./\\:][^'\\:]*)'/.exec(error.message)?.[1];
  return name === undefined
    ? "check the path of the import; it is relative to the file that imports it"
    : `install it next to the file, or in the current folder: npm install ${packageOf(name)}`;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
