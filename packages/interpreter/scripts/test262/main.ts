// `pnpm test262 --dir <checkout>`: runs the interpreter over tc39/test262 and says how much of what it promises (scope.ts) it keeps.
//
//   --every N --offset K   every Nth file of each group, from the Kth on; all by default
//   --groups a,b           folders below `test`; `all` for every folder of built-ins
//   --filter TEXT          only files whose path contains it
//   --timeout-ms N         for each file; one that takes longer has failed
//   --failures             a line for each failure, on standard error
//   --json                 the summary as one line
//
// Standard output holds the JSON summary and nothing else (`pnpm -s test262 ...`).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { GuestProcess, type TestEnd } from "./guest-process.ts";
import { outOfScope } from "./scope.ts";
import { readTestFile, type TestFile } from "./test-file.ts";

interface Result {
  readonly group: string;
  readonly path: string;
  /** Null when the test passed. */
  readonly failure: string | null;
  readonly hasCrashed: boolean;
}

interface Plan {
  readonly tests: readonly { readonly group: string; readonly file: TestFile }[];
  /** Files that are not counted, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

const usualGroups = [
  "language",
  ...[
    "Array",
    "Object",
    "String",
    "Promise",
    "Map",
    "Set",
    "JSON",
    "RegExp",
    "Function",
    "GeneratorFunction",
    "GeneratorPrototype",
    "AsyncFunction",
    "AsyncGeneratorFunction",
    "AsyncGeneratorPrototype",
    "AsyncFromSyncIteratorPrototype",
    "AsyncIteratorPrototype",
  ].map((name) => `built-ins/${name}`),
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    options: {
      dir: { type: "string" },
      every: { type: "string", default: "1" },
      offset: { type: "string", default: "0" },
      groups: { type: "string" },
      filter: { type: "string", default: "" },
      "timeout-ms": { type: "string", default: "20000" },
      failures: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { dir } = values;
  if (dir === undefined || !existsSync(join(dir, "harness", "assert.js"))) {
    throw new Error("say where a checkout of tc39/test262 is: --dir <checkout>");
  }
  const plan = planOf(dir, {
    groups: groupsOf(dir, values.groups),
    every: Number(values.every),
    offset: Number(values.offset),
    filter: values.filter,
  });
  const results = await runAll(dir, plan, Number(values["timeout-ms"]));
  if (values.failures) {
    for (const { path, failure } of results) if (failure !== null) console.error(`${path}: ${failure}`);
  }
  console.log(JSON.stringify(summaryOf(plan, results), null, values.json ? 0 : 2));
}

function groupsOf(dir: string, groups: string | undefined): readonly string[] {
  if (groups === undefined) return usualGroups;
  if (groups !== "all") return groups.split(",");
  return ["language", ...readdirSync(join(dir, "test", "built-ins")).map((name) => `built-ins/${name}`)];
}

interface Choice {
  readonly groups: readonly string[];
  readonly every: number;
  readonly offset: number;
  readonly filter: string;
}

function planOf(dir: string, { groups, every, offset, filter }: Choice): Plan {
  const tests: { group: string; file: TestFile }[] = [];
  const skipped: Record<string, number> = {};
  for (const group of groups) {
    const paths = pathsOf(join(dir, "test"), group).filter((_path, index) => index % every === offset % every);
    for (const path of paths.filter((path) => path.includes(filter))) {
      const file = readTestFile(join(dir, "test"), path);
      const reason = outOfScope(file);
      if (reason === null) tests.push({ group, file });
      else skipped[reason] = (skipped[reason] ?? 0) + 1;
    }
  }
  return { tests, skipped };
}

/** The tests below a folder, sorted. */
function pathsOf(testFolder: string, path: string): readonly string[] {
  if (path.endsWith(".js")) return path.includes("_FIXTURE") ? [] : [path];
  const folder = join(testFolder, path);
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() || entry.name.endsWith(".js"),
  );
  return entries.flatMap(({ name }) => pathsOf(testFolder, `${path}/${name}`)).sort();
}

async function runAll(dir: string, { tests }: Plan, timeoutMs: number): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const guest = new GuestProcess(timeoutMs);
    for (let test = tests[next++]; test !== undefined; test = tests[next++]) {
      const end = await guest.run({ id: next, sources: sourcesOf(dir, test.file) });
      results.push({ group: test.group, path: test.file.path, ...judge(test.file, end) });
      if (results.length % 1000 === 0) console.error(`${results.length} of ${tests.length}`);
    }
    guest.stop();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results.sort((left, right) => (left.path < right.path ? -1 : 1));
}

const harnessTexts = new Map<string, string>();

function sourcesOf(dir: string, { text, flags, includes }: TestFile): readonly string[] {
  if (flags.includes("raw")) return [text];
  const asynchronous = flags.includes("async") ? ["doneprintHandle.js"] : [];
  const harness = ["assert.js", "sta.js", ...asynchronous, ...includes].map((name) => {
    const known = harnessTexts.get(name) ?? withoutCodeInText(readFileSync(join(dir, "harness", name), "utf8"));
    harnessTexts.set(name, known);
    return known;
  });
  return [harness.join("\n"), `"use strict";\n${text}`];
}

/** One harness file makes its subclasses from code in a string, which the interpreter refuses: they are written out. */
function withoutCodeInText(harness: string): string {
  return harness.replace(/\bsubClass\('(\w+)'\)/g, "class My$1 extends $1 {}");
}

function judge(test: TestFile, end: TestEnd): Pick<Result, "failure" | "hasCrashed"> {
  if (end.type !== "reply") return { failure: `the process ${end.type}`, hasCrashed: true };
  const { error, hasCrashed, printed } = end.reply;
  const thrown = error ? `${error.type}: ${error.message}` : null;
  if (hasCrashed) return { failure: thrown, hasCrashed };
  if (test.negative) {
    const { type } = test.negative;
    return { failure: error?.type === type ? null : `expected ${type}, got ${thrown ?? "no error"}`, hasCrashed };
  }
  if (thrown !== null) return { failure: thrown, hasCrashed };
  if (!test.flags.includes("async")) return { failure: null, hasCrashed };
  const report = printed.find((text) => text.startsWith("Test262:Async")) ?? "it never ended";
  return { failure: report === "Test262:AsyncTestComplete" ? null : report, hasCrashed };
}

function summaryOf({ skipped }: Plan, results: readonly Result[]): unknown {
  const groups = grouped(results);
  const isLanguage = ({ group }: Result): boolean => group.startsWith("language");
  return {
    language: percent(results.filter(isLanguage)),
    builtins: percent(results.filter((result) => !isLanguage(result))),
    crashes: results.filter(({ hasCrashed }) => hasCrashed).length,
    scenarios: results.length,
    groups: Object.fromEntries(
      [...groups].map(([group, list]) => [group, { passed: passed(list), run: list.length, percent: percent(list) }]),
    ),
    outOfScope: skipped,
  };
}

function grouped(results: readonly Result[]): ReadonlyMap<string, readonly Result[]> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const list = groups.get(result.group);
    if (list) list.push(result);
    else groups.set(result.group, [result]);
  }
  return groups;
}

function passed(results: readonly Result[]): number {
  return results.filter(({ failure }) => failure === null).length;
}

function percent(results: readonly Result[]): number | null {
  return results.length === 0 ? null : Number(((100 * passed(results)) / results.length).toFixed(2));
}

await main();
