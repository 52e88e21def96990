import type { Model } from "smolts";
import { expect, test } from "vitest";
import { openDemoModel } from "../src/demo-model.ts";
import { hatchery, hatcheryTools, manyTools, script } from "../src/many-tools.ts";

async function play(demo: (model: Model) => Promise<unknown>): Promise<unknown> {
  await using opened = await openDemoModel(script);
  return await demo(opened.model);
}

test("there are five hundred tools with different names", () => {
  const names = hatcheryTools().map(({ name }) => name);
  expect(names).toHaveLength(500);
  expect(new Set(names).size).toBe(500);
});

test("the agent finds the two tools it needs, and answers from their results", async () => {
  expect(await play((model) => manyTools({ model, level: "off" }))).toBe("T-2 with 11.2 degrees and 2 salmon");
  const warmer = { ...hatchery, tank: [...(hatchery["tank"] ?? []), { id: "T-4", litres: 100, celsius: 19 }] };
  expect(await play((model) => manyTools({ model, tables: warmer, level: "off" }))).toBe(
    "T-4 with 19 degrees and 0 salmon",
  );
});
