import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const script = fileURLToPath(new URL("../count-tests.mjs", import.meta.url));
const packages = readdirSync(fileURLToPath(new URL("../../packages", import.meta.url)));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "count-tests-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface TestFile {
  readonly name: string;
  readonly message?: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

const passing = (name: string): TestFile => ({
  name: `/a/packages/${name}/test/a.test.ts`,
  assertionResults: [{ status: "passed" }],
});

/** Returns a report in which every package has one passing test. `files` are added to it. */
function report(files: readonly TestFile[], numbers: object = {}): string {
  const testResults = [...packages.map(passing), ...files];
  const path = join(folder, "report.json");
  const counts = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, ...numbers };
  writeFileSync(path, JSON.stringify({ testResults, ...counts }));
  return path;
}

function count(...parameters: readonly string[]): {
  readonly lastLine: string | undefined;
  readonly status: number | null;
} {
  const { stdout, status } = spawnSync(process.execPath, [script, ...parameters], { encoding: "utf8" });
  return { lastLine: stdout.trimEnd().split("\n").at(-1), status };
}

test("adds up reports", () => {
  const path = report([]);
  expect(count(path, path)).toEqual({ lastLine: "14 passed, 0 failed", status: 0 });
});

test("names skipped tests", () => {
  expect(count(report([], { numPendingTests: 2 }))).toEqual({ lastLine: "7 passed, 0 failed, 2 skipped", status: 0 });
});

test("fails on a failed test", () => {
  expect(count(report([], { numFailedTests: 2 }))).toEqual({ lastLine: "7 passed, 2 failed", status: 1 });
});

test("fails on a test file that could not be loaded", () => {
  const broken = { name: "/a/packages/core/test/b.test.ts", message: "cannot import", assertionResults: [] };
  expect(count(report([broken]))).toEqual({ lastLine: "7 passed, 1 failed", status: 1 });
});

test("fails when a report is missing", () => {
  expect(count(report([]), join(folder, "absent.json"))).toEqual({ lastLine: "7 passed, 1 failed", status: 1 });
});

test("fails when no test ran at all", () => {
  const path = join(folder, "empty.json");
  writeFileSync(
    path,
    JSON.stringify({ testResults: [], numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }),
  );
  expect(count(path).status).toBe(1);
});

test("fails when another stage failed although all tests passed", () => {
  expect(count("--failed-stages", "1", report([]))).toEqual({ lastLine: "7 passed, 1 failed", status: 1 });
});
