// Reads a module from an installed package. Only for Node, because it reads files.

import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentError, type GuestModule, invalidOption, type OptionTable, readOptions } from "@smolts/protocol";
import { type GuestModuleOptions, guestModule } from "./define-module.ts";
import { findFile, isModulePath, isTypeScriptPath } from "./module-files.ts";
import { entryPath, type PackageDescription, subpathFiles } from "./package-exports.ts";

/**
 * Reads a package of ECMAScript modules, such as `node_modules/lodash-es`, to run it in the
 * sandbox.
 *
 * The module includes all `.js` and `.mjs` files, but not those of nested packages. If
 * `package.json` names `.ts` files, the module also includes all `.ts` files. Programs may import
 * them by their paths and by their names in `exports`. Without `entry`, `package.json` decides
 * which file is loaded for the bare name.
 *
 * @throws AgentError `invalid-option` if the folder contains no package, or if the entry is a
 *   CommonJS module or is not one of the files
 * @example
 * ```ts
 * import { interpreter } from "@smolts/interpreter";
 * import { readGuestModule } from "@smolts/interpreter/read-module";
 *
 * const lodash = await readGuestModule("node_modules/lodash-es");
 * export const executor = interpreter({ modules: { lodash } });
 * ```
 */
export async function readGuestModule(
  folder: string | URL,
  options: Pick<GuestModuleOptions, "entry"> = {},
): Promise<GuestModule> {
  const { entry } = readOptions(options, "readGuestModule()", readGuestModuleOptions);
  const root = folder instanceof URL ? fileURLToPath(folder) : folder;
  const description = await readDescription(root, entry === undefined);
  const paths = await modulePaths(root);
  const subpaths = subpathFiles(description, paths);
  const main = entry ?? entryPath(description);
  const isTyped = [main, ...Object.values(subpaths)].some(isTypeScriptPath);
  const files: Record<string, string> = {};
  for (const path of paths)
    if (isTyped || !isTypeScriptPath(path)) files[path] = await readFile(join(root, path), "utf8");
  if (isCommonJs(main, files[main] ?? "")) throw noModule(root, main);
  const found = findFile(files, main);
  if (found === undefined) throw noFile(root, main);
  return guestModule(files, { entry: found, subpaths });
}

const readGuestModuleOptions: OptionTable<Pick<GuestModuleOptions, "entry">> = { entry: "text" };

async function modulePaths(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((file) => file.isFile() && isModulePath(file.name))
    .map((file) => relative(root, join(file.parentPath, file.name)).split(sep).join("/"))
    .filter((path) => !path.includes("node_modules/"))
    .sort();
}

/** Reads the `package.json`. A folder does not need one if the entry is given. */
async function readDescription(root: string, isNeeded: boolean): Promise<PackageDescription> {
  try {
    return { ...JSON.parse(await readFile(join(root, "package.json"), "utf8")) };
  } catch (cause) {
    if (!isNeeded) return {};
    throw new AgentError("invalid-option", `"${root}" has no package.json that can be read`, {
      cause,
      hint: "pass the folder of an installed package, or name its main file: { entry }",
    });
  }
}

/**
 * Says whether a file is CommonJS, judged by its content. Ignores what `package.json` declares,
 * because packages declare it in many ways, and some declare it wrongly.
 */
function isCommonJs(path: string, source: string): boolean {
  if (path.endsWith(".cjs")) return true;
  const hasExports = /(?:^|[;}\s])(?:export|import)\b\s*[\w$*{"']/.test(source);
  return !hasExports && /\bmodule\.exports\b|\bexports\.[\w$]+\s*=|\brequire\(/.test(source);
}

const noModule = (root: string, entry: string): AgentError =>
  invalidOption(
    `"${root}" is a CommonJS package: "${entry}" exports nothing that can be imported`,
    "use a package of ES modules, such as lodash-es instead of lodash",
  );

const noFile = (root: string, entry: string): AgentError =>
  invalidOption(
    `"${root}" has no module "${entry}"`,
    'its package.json must name its main file, as in "exports": "./main.js"',
  );
