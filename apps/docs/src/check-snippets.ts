// Compiles every TypeScript snippet in the documents: the ```ts blocks of the guides and READMEs,
// and of the comments in the packages' sources. If a ```text block follows a snippet, the snippet
// is also run and must print that text. A snippet with a comment after `console.log(...)` is run
// too: the call must print the text of the comment. This keeps all snippets in line with the
// current API. A document that says what to install has to name every package that its snippets
// import.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
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
  const problems = compile([...byFile.keys()]).map((diagnostic) => problemAt(diagnostic, byFile));
  const shown = [...byFile].filter(([, { prints, logs }]) => prints !== undefined || logs.length > 0);
  problems.push(...documentPaths().flatMap((path) => installProblems(path, snippets)));
  if (problems.length === 0) problems.push(...wrongOutputs(shown));
  rmSync(snippetFolder, { recursive: true, force: true });
  for (const problem of problems) console.error(problem);
  console.log(`snippets: ${snippets.length} compiled, ${shown.length} run, ${problems.length} problems`);
  process.exitCode = problems.length === 0 && snippets.length > 0 ? 0 : 1;
}

function documentPaths(): readonly string[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith(".md"));
  return [...atRoot, ...below("docs", /\.md$/), ...below("packages", /^[^/]+\/(README\.md|src\/.*\.ts)$/)];
}

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

function compile(files: readonly string[]): readonly ts.Diagnostic[] {
  const configPath = join(root, "tsconfig.json");
  const { config } = ts.readConfigFile(configPath, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, root);
  const program = ts.createProgram(files, options);
  // Returns only the errors in the snippets. The packages have their own type check.
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return source ? [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)] : [];
  });
}

function problemAt({ file, start = 0, messageText }: ts.Diagnostic, byFile: ReadonlyMap<string, Snippet>): string {
  const snippet = file && byFile.get(file.fileName);
  const text = ts.flattenDiagnosticMessageText(messageText, "\n");
  if (!file || !snippet) return text;
  return `${snippet.path}:${snippet.line + file.getLineAndCharacterOfPosition(start).line}: ${text}`;
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

const runLimitMs = 300_000;

main();
