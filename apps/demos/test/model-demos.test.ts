import { startModelServer } from "@smolts/testing/server";
import type { Model } from "smolts";
import { expect, test } from "vitest";
import { openDemoModel, type Script } from "../src/demo-model.ts";
import { localModel, script as localModelScript } from "../src/local-model.ts";
import { manyModels, script as manyModelsScript } from "../src/many-models.ts";

async function play<Answer>(script: Script, demo: (model: Model) => Promise<Answer>): Promise<Answer> {
  await using opened = await openDemoModel(script);
  return await demo(opened.model);
}

test("many-models answers although two of its three servers fail", async () => {
  const answer = await play(manyModelsScript, (model) => manyModels({ model, level: "off" }));
  expect(answer).toEqual({ answer: 31_622_400, asked: { overloaded: 1, broken: 1 } });
});

test("local-model uses the model of a running server", async () => {
  await using server = await startModelServer(["<code>finalAnswer('from here')</code>"], { models: ["qwen3:8b"] });
  const origin = new URL(server.url).origin;
  const servers = [
    { preset: "llamacpp", origin: "http://127.0.0.1:9" },
    { preset: "ollama", origin },
  ];
  expect(await play([], (model) => localModel({ model, servers, level: "off" }))).toBe("from here");
  expect(server.requests[0]?.body.model).toBe("qwen3:8b");
});

test("local-model uses the demo's own model when no server is running", async () => {
  const servers = [{ preset: "ollama", origin: "http://127.0.0.1:9" }];
  const answer = await play(localModelScript, (model) => localModel({ model, servers, level: "off" }));
  expect(answer).toBe(10_460_353_203);
});
