import { expect, test } from "vitest";
import { openDemoModel } from "../src/demo-model.ts";
import { sandboxE2b, script } from "../src/sandbox-e2b.ts";

test("the sandbox finds the longest words with a shell, and writing the report is approved", async () => {
  await using demo = await openDemoModel(script);
  expect(await sandboxE2b({ model: demo.model, level: "off" })).toEqual(["algebraic", "dangerous"]);
});

test.each(["algebraic", "dangerous"])("the script does not know %s", (fact) =>
  expect(script.join("\n")).not.toContain(fact),
);
