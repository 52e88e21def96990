import { executorContract } from "@smolts/testing";
import { describe, test } from "vitest";
import { childProcess } from "./child-process.ts";

describe("the Node runner keeps the promises of an executor", () => {
  for (const { title, run } of executorContract(childProcess({ pool: 1 }))) test(title, run);
});
