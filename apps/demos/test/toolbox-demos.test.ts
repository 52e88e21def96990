import type { Model } from "smolts";
import { expect, test } from "vitest";
import { counts, dataAnalysis, script as dataAnalysisScript } from "../src/data-analysis.ts";
import { openDemoModel, type Script } from "../src/demo-model.ts";
import { openapi, script as openapiScript } from "../src/openapi.ts";
import { handbook, rag, script as ragScript } from "../src/rag.ts";
import { pages, webResearch, script as webResearchScript } from "../src/web-research.ts";

async function play<Answer>(script: Script, demo: (model: Model) => Promise<Answer>): Promise<Answer> {
  await using opened = await openDemoModel(script);
  return await demo(opened.model);
}

test("rag answers from the handbook, whatever it says", async () => {
  const ask = (documents = handbook) => play(ragScript, (model) => rag({ model, documents, level: "off" }));
  expect(await ask()).toBe("Smolts are released in the second week of May (release.md)");
  const other = handbook.map((page) => ({ ...page, text: page.text.replace("the second week of May", "June") }));
  expect(await ask(other)).toBe("Smolts are released in June (release.md)");
});

test("data-analysis adds up the files that exist", async () => {
  const ask = (files = counts) => play(dataAnalysisScript, (model) => dataAnalysis({ model, files, level: "off" }));
  expect(await ask()).toBe("may, with 2390 fish");
  expect(await ask({ ...counts, "july.csv": "day,fish\n1,5000\n" })).toBe("july, with 5000 fish");
});

test("web-research computes from what the pages say", async () => {
  const ask = (web = pages) => play(webResearchScript, (model) => webResearch({ model, web, level: "off" }));
  expect(await ask()).toBe(193);
  const longer = { ...pages, "/loire": { title: "The Loire", html: "<p>1013 km</p>" } };
  expect(await ask(longer)).toBe(200);
});

test("openapi labels the issue that the service reports as the oldest", async () => {
  const ask = (answers = {}) => play(openapiScript, (model) => openapi({ model, answers, level: "off" }));
  expect(await ask()).toBe("#1347 (Found a bug) now has bug");
  const older = { number: 7, title: "It is slow", created_at: "2001-01-01T00:00:00Z" };
  const newer = { ...older, number: 8, created_at: "2002-01-01T00:00:00Z" };
  expect(await ask({ "issues/list-for-repo": [newer, older] })).toBe("#7 (It is slow) now has bug");
});
