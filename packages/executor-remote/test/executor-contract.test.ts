import { spawnSync } from "node:child_process";
import { CodeAgent } from "@smolts/core";
import { executorContract, scriptedModel } from "@smolts/testing";
import { describe, expect, test } from "vitest";
import { childProcess } from "./child-process.ts";

describe("the Node runner fulfils the contract of an executor", () => {
  for (const { title, run } of executorContract(childProcess({ pool: 1 }))) test(title, run);

  test.each([
    ["const n = 4; return n * 2;", "8"],
    ["for (const n of [1, 2]) { if (n > 1) return Promise.resolve(`two`); }", "two"],
    ["const f = () => { return 1 }; f() + 1", "2"],
  ])("the value of %s is %s", async (code, value) => {
    const model = scriptedModel([`<code>\n${code}\n</code>`, "<code>\nfinalAnswer(0)\n</code>"]);
    const { steps } = await new CodeAgent({ model, executor: childProcess() }).run("go").result;
    expect(JSON.stringify(steps)).toContain(`Last value:\\n${value}\\n`);
  });
});

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

describe.skipIf(!hasPython)(
  "the Python runner fulfils the contract of an executor (skipped: there is no python3 >= 3.9)",
  () => {
    for (const { title, run } of executorContract(childProcess({ language: "python", pool: 1 }))) test(title, run);
  },
);
