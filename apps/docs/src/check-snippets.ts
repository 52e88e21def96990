// Compiles every TypeScript snippet in the documents: the ```ts blocks of the guides and READMEs,
// and of the comments in the packages' sources. If a ```text block follows a snippet, the snippet
// is also run and must print that text. A snippet with a comment after `console.log(...)` is run
// too: the call must print the text of the comment. This keeps all snippets in line with the
// current API. A document that says what to install has to name every package that its snippets
// import.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { missingInstalls } from "./missing-installs.ts";
import { isPrinted, loggedOn, type Output, type Shown } from "./shown-output.ts";

/** A block of code in a document. */
interface Snippet extends Shown {
  /** The path of the document, relative to the root of the repository. */
  readonly path: string;
  /** The 1-based line of the first line of code. */
  readonly line: number;
  readonly code: string;
}

const appFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(appFolder));
// The folder is inside this app, so that the snippets can import the packages that the app depends
// on.
const snippetFolder = join(appFolder, ".snippets");

function main(): void {
  const snippets = documentPaths().flatMap(snippetsIn);
  const byFile = writeSnippets(snippets);
  const problems = [...compile(byFile)];
  const shown = [...byFile].filter(([, { prints, logs }]) => prints !== undefined || logs.length > 0);
  problems.push(...documentPaths().flatMap((path) => installProblems(path, snippets)));
  if (problems.length === 0) problems.push(...wrongOutputs(shown));
  rmSync(snippetFolder, { recursive: true, force: true });
  for (const problem of problems) console.error(problem);
  console.log(`snippets: ${snippets.length} compiled, ${shown.length} run, ${problems.length} problems`);
  process.exitCode = problems.length === 0 && snippets.length > 0 ? 0 : 1;
}

function documentPaths(): readonly string[] {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
  return [
    ...namesIn(".", /\.md$/),
    ...below("docs", /\.md$/),
    ...packages.flatMap((folder) => namesIn(folder, /^README\.md$/).map((name) => `${folder}/${name}`)),
    ...packages.flatMap((folder) => below(`${folder}/src`, /\.ts$/)),
  ];
}

const namesIn = (folder: string, wanted: RegExp): readonly string[] =>
  readdirSync(join(root, folder)).filter((name) => wanted.test(name));

function below(folder: string, wanted: RegExp): readonly string[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  const inside = paths.map((path) => path.replaceAll("\\", "/")).filter((path) => wanted.test(path));
  return inside.map((path) => `${folder}/${path}`).sort();
}

function snippetsIn(path: string): readonly Snippet[] {
  const snippets: Snippet[] = [];
  // In source files a block is inside a comment, so each of its lines begins with a star.
  const margin = path.endsWith(".ts") ? /^\s*\* ?/ : /^/;
  let open: { readonly line: number; readonly code: string[] } | undefined;
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  for (const [index, raw] of lines.entries()) {
    const line = raw.replace(margin, "");
    if (!open && line.trimEnd() === "```ts" && raw.match(margin)) open = { line: index + 2, code: [] };
    else if (open && line.trimEnd() === "```") {
      const { line, code } = open;
      snippets.push({ path, line, code: code.join("\n"), ...printedAfter(lines, index), logs: code.flatMap(loggedOn) });
      open = undefined;
    } else open?.code.push(line);
  }
  return snippets;
}

/** Returns the ```text block that follows the fence at `end` after one empty line. */
function printedAfter(lines: readonly string[], end: number): Pick<Snippet, "prints"> {
  if (lines[end + 2] !== "```text") return {};
  const from = end + 3;
  return { prints: lines.slice(from, lines.indexOf("```", from)).join("\n") };
}

function writeSnippets(snippets: readonly Snippet[]): ReadonlyMap<string, Snippet> {
  rmSync(snippetFolder, { recursive: true, force: true });
  mkdirSync(snippetFolder);
  const byFile = new Map<string, Snippet>();
  for (const snippet of snippets) {
    const file = join(snippetFolder, `${snippet.path.replaceAll("/", "-")}-${snippet.line}.ts`);
    writeFileSync(file, `${snippet.code}\nexport {};\n`);
    byFile.set(file, snippet);
  }
  return byFile;
}

/** Compiles the snippets, and returns the errors. */
function compile(byFile: ReadonlyMap<string, Snippet>): readonly string[] {
  const configuration = join(snippetFolder, "tsconfig.json");
  const include = [...byFile.keys()];
  writeFileSync(configuration, JSON.stringify({ extends: join(root, "tsconfig.json"), include }));
  const tsc = join(root, "scripts/tsc/node_modules/.bin/tsc");
  const { status, stdout, stderr } = spawnSync(tsc, ["-p", configuration, "--pretty", "false"], {
    cwd: snippetFolder,
    encoding: "utf8",
    timeout: runLimitMs,
  });
  if (status === 0) return [];
  const lines = `${stdout}${stderr}`.trimEnd().split("\n");
  return lines.map((line) => problemAt(line, byFile));
}

/**
 * Rewrites one line of the compiler's output: replaces the position in the snippet's file by the
 * position in the document.
 */
function problemAt(line: string, byFile: ReadonlyMap<string, Snippet>): string {
  const [, file = "", at = "", text = ""] = /^(\S+?)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
  const snippet = byFile.get(resolve(snippetFolder, file));
  return snippet ? `${snippet.path}:${snippet.line + Number(at) - 1}: ${text}` : line;
}

function installProblems(path: string, snippets: readonly Snippet[]): readonly string[] {
  if (!path.endsWith(".md")) return [];
  const programs = snippets.filter((snippet) => snippet.path === path).map(({ code }) => code);
  const missing = missingInstalls(readFileSync(join(root, path), "utf8"), programs);
  return missing.map((name) => `${path}: its snippets import "${name}", but no "npm install" names it`);
}

/**
 * Runs the snippets in one process, in order. The snippets of one document share a working folder.
 */
function wrongOutputs(shown: readonly (readonly [file: string, snippet: Snippet])[]): readonly string[] {
  if (shown.length === 0) return [];
  const runner = join(appFolder, "src/run-snippets.ts");
  const input = JSON.stringify(shown.map(([file, { path }]) => ({ file, document: path })));
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--conditions=@smolts/source", runner],
    { cwd: appFolder, input, encoding: "utf8", timeout: runLimitMs, killSignal: "SIGKILL" },
  );
  if (status !== 0) return [`the snippets do not run to their end (${signal ?? status})\n${stderr}`];
  // run-snippets.ts prints one output for each snippet
  const printed = JSON.parse(stdout) as readonly Output[];
  return shown.flatMap(([, snippet], index) => {
    const output = printed[index] ?? { text: "", logs: [] };
    if (isPrinted(snippet, output)) return [];
    const { path, line, prints = snippet.logs.join("\n") } = snippet;
    return [`${path}:${line}: shows\n${prints}\nbut prints\n${output.text}`];
  });
}

/** Against hangs only. */
const runLimitMs = 1_800_000;

main();
