// Runs tests in one process for each CPU, and decides which of them passed.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { GuestProcess, type TestEnd } from "./guest-process.ts";
import type { Plan } from "./plan.ts";
import type { TestFile } from "./test-file.ts";

/** The result of one test. */
export interface Result {
  readonly group: string;
  readonly path: string;
  /** The reason of the failure; null if the test passed. */
  readonly failure: string | null;
  readonly hasCrashed: boolean;
}

/** Runs all tests of a plan. The results are sorted by path. */
export async function runTests(dir: string, { tests }: Plan, timeoutMs: number): Promise<readonly Result[]> {
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

/**
 * Rewrites a harness file that creates subclasses from code in a string. The interpreter refuses
 * such code.
 */
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
