// Compiles every snippet of TypeScript that the papers show: the ```ts blocks of the guides and READMEs, and of the
// comments in the packages' sources. What is shown to readers then always fits the interface of the day.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** A block of code in a paper. */
interface Snippet {
  /** Relative to the root. */
  readonly path: string;
  /** 1-based line of its first line of code. */
  readonly line: number;
  readonly code: string;
}

const appFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(appFolder));
// Inside this app, so that the snippets see the packages it depends on.
const snippetFolder = join(appFolder, ".snippets");

function main(): void {
  const snippets = papers().flatMap(snippetsIn);
  const byFile = writeSnippets(snippets);
  const problems = compile([...byFile.keys()]).map((diagnostic) => problemAt(diagnostic, byFile));
  rmSync(snippetFolder, { recursive: true, force: true });
  for (const problem of problems) console.error(problem);
  console.log(`snippets: ${snippets.length} compiled, ${problems.length} problems`);
  process.exitCode = problems.length === 0 && snippets.length > 0 ? 0 : 1;
}

function papers(): readonly string[] {
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
  // In sources a block stands in a comment: each of its lines begins with a star.
  const margin = path.endsWith(".ts") ? /^\s*\* ?/ : /^/;
  let open: { readonly line: number; readonly code: string[] } | undefined;
  for (const [index, raw] of readFileSync(join(root, path), "utf8").split("\n").entries()) {
    const line = raw.replace(margin, "");
    if (!open && line.trimEnd() === "```ts" && raw.match(margin)) open = { line: index + 2, code: [] };
    else if (open && line.trimEnd() === "```") {
      snippets.push({ path, line: open.line, code: open.code.join("\n") });
      open = undefined;
    } else open?.code.push(line);
  }
  return snippets;
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
  // Only what is wrong with the snippets themselves: the packages have their own checks.
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

main();
