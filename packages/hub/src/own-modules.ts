// What code of a repository may be made of: its own files, which a lock file holds, and packages of
// the project that loads it, which that project's own lock file holds. Nothing else of the disk.
//
// An import whose address is made while the program runs cannot be seen here: it is code that was
// trusted.

import { isBuiltin } from "node:module";
import { AgentError, visible } from "@smolts/protocol";

/** The files of a repository, by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Refuses a module that a definition names: `./file` must be among the files, anything else must be
 * the name of a package.
 *
 * @param within - the folder of the definition, with a slash at its end; empty for the root
 * @throws AgentError `invalid-option`
 */
export function mustBeOwnModule(module: string, tool: string, { repo, files, within }: OwnFiles): void {
  const path = module.startsWith("./") ? `${within}${module.slice(2)}` : null;
  const isAllowed = path === null ? packageName.test(module) && !isBuiltin(module) : files.has(path);
  if (isAllowed) return;
  const text = JSON.stringify(visible(module)).slice(0, 200);
  throw new AgentError(
    "invalid-option",
    path === null
      ? `${repo}: the tool "${tool}" is said to be in ${text}, which is neither a file of the repository nor a package`
      : `${repo}: the tool "${tool}" is said to be in ${text}, and the repository does not have that file`,
    { hint: `tell its owner, or give a tool of yours: load(repo, { tools: { ${tool} } })` },
  );
}

/** The files that a definition may name. */
export interface OwnFiles {
  /** Its name, for errors. */
  readonly repo: string;
  readonly files: Files;
  readonly within: string;
}

/** `name`, `@scope/name`, and paths below them, without a way up. */
const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/i;

/**
 * Refuses modules whose imports lead out of their repository.
 *
 * @throws AgentError `invalid-option` that names the file and the import
 */
export function mustImportOwnFiles(files: Files, repo: string): void {
  for (const [path, bytes] of files) {
    const found = importsOf(path, bytes).find((specifier) => leadsOut(specifier, path));
    if (found === undefined) continue;
    const text = JSON.stringify(visible(found)).slice(0, 200);
    throw new AgentError("invalid-option", `${repo}: "${path}" imports ${text}, which is outside of the repository`, {
      hint: "a repository brings all its files; what it shares with others is a package",
    });
  }
}

const code = /\.[cm]?[jt]sx?$/;
const gap = String.raw`(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*`;
/** Also in comments and texts: an honest file has no such import there either. */
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

/** The file that stands for a folder. */
function mainOf(text: string): readonly string[] {
  try {
    const { main } = JSON.parse(text) as { readonly main?: unknown };
    return typeof main === "string" ? [/^[./]/.test(main) ? main : `./${main}`] : [];
  } catch {
    // Node refuses it, too.
    return [];
  }
}

/** No path can name it, so that a way up and down again does not lead back into it. */
const root = `file:///${crypto.randomUUID()}/`;

/** Node imports files, packages and `data:`, which is text of the module itself. */
function leadsOut(given: string, path: string): boolean {
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
