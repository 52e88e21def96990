import { quickjs } from "@smolts/executor-quickjs";
import { executorContract } from "@smolts/testing";
import { describe, test } from "vitest";

describe("QuickJS fulfils the contract of an executor", () => {
  for (const { title, run } of executorContract(quickjs({ pool: 1 }))) test(title, run);
});
