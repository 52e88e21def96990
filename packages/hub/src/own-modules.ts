// Checks what the code of a repository imports. The code may import the repository's own files,
// because the lock file contains their hashes. It may also import packages of the project that
// loads it, because the project's package manager locks them. It may not import any other file on
// the disk.
//
// Imports whose address is computed at run time cannot be checked here. The user has trusted the
// code that contains them.

import { isBuiltin } from "node:module";
import { invalidOption, visible } from "@smolts/protocol";

/** The files of a repository, by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Refuses a module that a definition must not name. `./file` must be one of the repository's files;
 * everything else must be the name of a package.
 *
 * @param within - the folder of the definition, with a slash at its end; empty for the root
 * @throws AgentError `invalid-option`
 */
export function mustBeOwnModule(module: string, tool: string, { repo, files, within }: OwnFiles): void {
  const path = module.startsWith("./") ? `${within}${module.slice(2)}` : null;
  const isAllowed = path === null ? packageName.test(module) && !isBuiltin(module) : files.has(path);
  if (isAllowed) return;
  const text = JSON.stringify(visible(module)).slice(0, 200);
  throw invalidOption(
    path === null
      ? `${repo}: the tool "${tool}" names the module ${text}, which is neither a file of the repository nor a package`
      : `${repo}: the tool "${tool}" names the module ${text}, and the repository does not have that file`,
    `tell its owner, or pass your own tool: load(repo, { tools: { ${tool} } })`,
  );
}

/** The files of a repository that a definition may name. */
export interface OwnFiles {
  /** The name of the repository, for errors. */
  readonly repo: string;
  readonly files: Files;
  readonly within: string;
}

/** Matches `name`, `@scope/name` and paths below them, without `..`. */
const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/i;

/**
 * Refuses modules that import files outside of their repository.
 *
 * @throws AgentError `invalid-option`; the message names the file and the import
 */
export function mustImportOwnFiles(files: Files, repo: string): void {
  for (const [path, bytes] of files) {
    const found = importsOf(path, bytes).find((specifier) => leavesRepository(specifier, path));
    if (found === undefined) continue;
    const text = JSON.stringify(visible(found)).slice(0, 200);
    throw invalidOption(
      `${repo}: "${path}" imports ${text}, which is outside of the repository`,
      "a repository must contain all files that it imports; shared code must be in a package",
    );
  }
}

const code = /\.[cm]?[jt]sx?$/;
const gap = String.raw`(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*`;
/**
 * Finds imports, including those in comments and strings. This refuses no harmless code, because
 * such code does not mention forbidden imports there.
 */
const imports = new RegExp(
  String.raw`\b(?:from|import|require)${gap}(?:\(${gap})?(?:"([^"\n]*)"|'([^'\n]*)'|\`([^\`]*)\`)`,
  "g",
);

function importsOf(path: string, bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  if (/(?:^|\/)package\.json$/.test(path)) return mainOf(text);
  if (!code.test(path)) return [];
  return [...text.matchAll(imports)].map(([, double, single, template]) => double ?? single ?? template ?? "");
}

/** Returns the `main` file of a package.json. If code imports the folder, Node loads this file. */
function mainOf(text: string): readonly string[] {
  try {
    const { main } = JSON.parse(text) as { readonly main?: unknown };
    return typeof main === "string" ? [/^[./]/.test(main) ? main : `./${main}`] : [];
  } catch {
    // The package.json is not valid JSON. Node does not load its `main` file either.
    return [];
  }
}

/**
 * The base URL for relative imports. Its random part cannot be named in a path, so `../` cannot
 * leave the root and enter it again.
 */
const root = `file:///${crypto.randomUUID()}/`;

/**
 * Says whether an import leaves the repository. `file:` addresses leave it. Packages do not, and
 * neither do `data:` addresses, because they contain the module's text.
 */
function leavesRepository(given: string, path: string): boolean {
  const specifier = unescaped(given);
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return /^file:/i.test(specifier);
  if (!/^[./]/.test(specifier)) return specifier.split("/").includes("..");
  return !new URL(specifier, `${root}${path}`).href.startsWith(root);
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|(.))/gi, (_, short, long, braced, plain) =>
    plain === undefined
      ? String.fromCodePoint(Math.min(Number.parseInt(short ?? long ?? braced, 16), 0x10ffff))
      : plain,
  );
