import { worker } from "@smolts/executor-worker";
import { executorContract } from "@smolts/testing";
import { afterAll, describe, test } from "vitest";
import { bundledGuest } from "./bundled-guest.ts";

const threads = worker({ pool: 2, entry: await bundledGuest("guest.node") });
afterAll(() => threads[Symbol.dispose]());

describe("the interpreter in a thread fulfils the contract of an executor", () => {
  for (const { title, run } of executorContract(threads)) test(title, run);
});
