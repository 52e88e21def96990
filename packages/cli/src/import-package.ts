import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentError } from "@smolts/protocol";

/**
 * Imports a package of the user's project.
 *
 * @param directory - the folder whose installed packages are searched
 * @param install - the command that installs it
 * @throws AgentError `invalid-option` with that command when the package is missing
 */
export async function importPackage(
  name: string,
  directory: string,
  install: string = `npm install ${name}`,
): Promise<Readonly<Record<string, unknown>>> {
  let path: string;
  try {
    path = createRequire(join(directory, "package.json")).resolve(name);
  } catch (cause) {
    const hint = `install it: ${install}`;
    throw new AgentError("invalid-option", `the package ${name} is not installed where you are`, { cause, hint });
  }
  return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
}
