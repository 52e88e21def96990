// Chooses which files of a checkout to run. Skips those that need something the interpreter does
// not promise (scope.ts).

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { outOfScope } from "./scope.ts";
import { readTestFile, type TestFile } from "./test-file.ts";

/** The part of a checkout to run. */
export interface Choice {
  /** The folders below `test`. */
  readonly groups: readonly string[];
  /** Every Nth file of a group is run, beginning with the file at `offset`. */
  readonly every: number;
  readonly offset: number;
  /** Only files whose path contains this text. */
  readonly filter: string;
}

/** The tests, in the order in which they start. */
export interface Plan {
  readonly tests: readonly { readonly group: string; readonly file: TestFile }[];
  /** How many files are not counted, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * Returns the groups for an argument: the default groups if there is none, every folder for `all`.
 */
export function groupsOf(dir: string, argument: string | undefined): readonly string[] {
  if (argument === undefined) return usualGroups;
  if (argument !== "all") return argument.split(",");
  return ["language", ...readdirSync(join(dir, "test", "built-ins")).map((name) => `built-ins/${name}`)];
}

/** Reads the files and leaves out those that are not counted. */
export function planOf(dir: string, { groups, every, offset, filter }: Choice): Plan {
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

/** Returns the paths of the tests below a folder, sorted. */
function pathsOf(testFolder: string, path: string): readonly string[] {
  if (path.endsWith(".js")) return path.includes("_FIXTURE") ? [] : [path];
  const folder = join(testFolder, path);
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() || entry.name.endsWith(".js"),
  );
  return entries.flatMap(({ name }) => pathsOf(testFolder, `${path}/${name}`)).sort();
}
