import { interpreter } from "@smolts/interpreter";
import { executorContract } from "@smolts/testing";
import { describe, test } from "vitest";

describe("the interpreter fulfils the contract of an executor", () => {
  for (const { title, run } of executorContract(interpreter())) test(title, run);
});
