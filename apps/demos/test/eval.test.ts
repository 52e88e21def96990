import { expect, test } from "vitest";
import { openDemoModel } from "../src/demo-model.ts";
import { evalDemo, script } from "../src/eval.ts";

test("code counts letters better than a guess, and the comparison says so", async () => {
  await using opened = await openDemoModel(script);
  const printed: string[] = [];
  const { scores } = await evalDemo({ model: opened.model, print: (text) => printed.push(text) });
  expect(scores["contains"]).toMatchObject({ count: 8, after: 1, verdict: "better", worse: [] });
  expect(printed.join("\n")).toMatch(/talking .*8 of 8 cases.*coding .*8 of 8 cases.*8 cases in common/s);
});
