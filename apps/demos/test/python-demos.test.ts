import { pyodide } from "@smolts/executor-pyodide";
import { expect, test } from "vitest";
import { openDemoModel } from "../src/demo-model.ts";
import { pythonCodeAgent, script } from "../src/python-code-agent.ts";

test("a task of smolagents' documentation is solved in its own Python", async () => {
  await using executor = pyodide();
  await using demo = await openDemoModel(script);
  expect(await pythonCodeAgent({ model: demo.model, executor, level: "off" })).toBe(9.62);
});

test.each(["155", "58", "9.62"])("the script does not know %s", (fact) =>
  expect(script.join("\n")).not.toContain(fact),
);
