// Tests the hover texts of the public types. As in an editor, they come from TypeScript's language
// service.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { readManifest } from "../workspace.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A name that a package exports, and its kind. */
interface Export {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

/** A program as it is written in an editor. Comments with a name mark the tested positions. */
const edited = `
import { CodeAgent, ollama, ToolCallingAgent, tool } from "smolts";

const agent = new /*CodeAgent*/CodeAgent({
  /*model*/model: "ollama:qwen3",
  /*maxSteps*/maxSteps: 3,
  /*executor*/executor: undefined as never,
  /*verbosityLevel*/verbosityLevel: "info",
});
new ToolCallingAgent({ model: ollama("qwen3", { /*timeouts*/timeouts: {} }), /*answerByText*/answerByText: true });
agent./*run*/run("What is 6 times 7?", { /*signal*/signal: AbortSignal.abort() });
tool({ name: "x", description: "", /*input*/input: {}, execute: () => 1 });
`;

const editedFile = join(root, "packages/smolts/test/edited.ts");
const entries = readdirSync(join(root, "packages")).flatMap((name) => entriesOf(join(root, "packages", name)));
const service = languageService();
// The cast is safe: a service with files has a program.
const program = service.getProgram() as ts.Program;
const checker = program.getTypeChecker();

function entriesOf(folder: string): readonly string[] {
  const conditions = Object.values(readManifest(join(folder, "package.json")).exports ?? {});
  const sources = conditions.map((one) => (one as { readonly "@smolts/source"?: string })["@smolts/source"]);
  return sources.flatMap((path) => (path?.endsWith(".ts") && !path.includes("*") ? [join(folder, path)] : []));
}

function languageService(): ts.LanguageService {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const options = ts.getParsedCommandLineOfConfigFile(join(root, "tsconfig.json"), {}, host)?.options ?? {};
  const textOf = (path: string): string | undefined =>
    path === editedFile ? edited : ts.sys.fileExists(path) ? readFileSync(path, "utf8") : undefined;
  return ts.createLanguageService({
    getScriptFileNames: () => [...entries, editedFile],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === editedFile || ts.sys.fileExists(path),
    readFile: textOf,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
}

function exportsOf(path: string): readonly Export[] {
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) return [];
  return checker.getExportsOfModule(module).map((symbol) => ({
    name: symbol.name,
    symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
}

/** Types that most programs use. Types of options are tested separately. */
const objectTypes = ["AgentRun", "RunLog", "RunResult", "Session", "Tool", "ToolContext"];

const describedTypes = [
  ...new Map(entries.flatMap(exportsOf).map(({ name, symbol }) => [symbol, name] as const)).entries(),
].filter(
  ([{ flags }, name]) =>
    (/(?:Options|Settings)$/.test(name) || objectTypes.includes(name)) &&
    flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias),
);

test("every property of options and of the main objects has a text in the editor and on its reference page", () => {
  expect(describedTypes.length).toBeGreaterThan(100);
  const silent = describedTypes.flatMap(([symbol, name]) =>
    checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
      // Skip well-known symbols, such as the one that `await using` calls, because nobody hovers
      // over them.
      .filter((property) => !property.name.startsWith("__@"))
      .filter(
        (property) => property.getDocumentationComment(checker).length + property.getJsDocTags(checker).length === 0,
      )
      .map((property) => `${name}.${property.name}`),
  );
  expect(silent).toEqual([]);
});

test("none of these types is shown as a combination of other types", () => {
  const sums = describedTypes.filter(([{ declarations = [] }]) =>
    declarations.some((one) => ts.isTypeAliasDeclaration(one) && /\b(?:Omit|Pick|Partial)<|&/.test(one.type.getText())),
  );
  expect(sums.map(([, name]) => name)).toEqual([]);
});

const hovers: readonly (readonly [place: string, shown: RegExp, text: RegExp])[] = [
  [
    "CodeAgent",
    /new CodeAgent<unknown>\(options: CodeAgentOptions<unknown>\): CodeAgent<unknown>/,
    /actions are programs/,
  ],
  ["model", /^\(property\) BaseAgentOptions\.model: /, /"preset:model-id"/],
  ["maxSteps", /maxSteps\?: number/, /20 if absent/],
  ["executor", /executor\?: ExecutorFactory/, /interpreter in this process if absent/],
  ["verbosityLevel", /verbosityLevel\?: PrintLevel/, /How much of every run is printed/],
  ["timeouts", /timeouts\?: Timeouts/, /in ms/],
  ["answerByText", /answerByText\?: boolean/, /false if absent/],
  [
    "run",
    /^\(method\) MultiStepAgent<.*>\.run<.*>\(task: Task, options\?: RunOptions<.*\): AgentRun<unknown>$/,
    /Runs the agent on a task/,
  ],
  ["signal", /signal\?: AbortSignal/, /Ends the run when it aborts/],
  ["input", /input\?: /, /./],
];

test.each(hovers)("the hover over %s shows its type and its text", (place, shown, text) => {
  const at = edited.indexOf(`/*${place}*/`) + place.length + 4;
  const info = service.getQuickInfoAtPosition(editedFile, at);
  const display = ts.displayPartsToString(info?.displayParts).replace(/\s+/g, " ");
  expect(display).toMatch(shown);
  expect(display).not.toMatch(/\b(?:Omit|Pick)</);
  const tags = info?.tags?.map((tag) => ts.displayPartsToString(tag.text)).join(" ") ?? "";
  const written = `${ts.displayPartsToString(info?.documentation)} ${tags}`.replace(/\s+/g, " ");
  expect(written).toMatch(text);
});
