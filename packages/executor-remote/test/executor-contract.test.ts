import { spawnSync } from "node:child_process";
import { executorContract } from "@smolts/testing";
import { describe, test } from "vitest";
import { childProcess } from "./child-process.ts";

describe("the Node runner keeps the promises of an executor", () => {
  for (const { title, run } of executorContract(childProcess({ pool: 1 }))) test(title, run);
});

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

describe.skipIf(!hasPython)(
  "the Python runner keeps the promises of an executor (skipped: there is no python3 >= 3.9)",
  () => {
    for (const { title, run } of executorContract(childProcess({ language: "python", pool: 1 }))) test(title, run);
  },
);
