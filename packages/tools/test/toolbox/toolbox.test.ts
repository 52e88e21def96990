import type { Tool } from "@smolts/protocol";
import { toolContract } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { baseTools } from "@smolts/tools/base-tools";
import { finalAnswer } from "@smolts/tools/final-answer";
import { imageGeneration } from "@smolts/tools/image-generation";
import { javascriptInterpreter } from "@smolts/tools/javascript-interpreter";
import { retriever } from "@smolts/tools/retriever";
import { speechToText } from "@smolts/tools/speech-to-text";
import { sql } from "@smolts/tools/sql";
import { toolbox } from "@smolts/tools/toolbox";
import { userInput } from "@smolts/tools/user-input";
import { visitWebpage } from "@smolts/tools/visit-webpage";
import { webSearch } from "@smolts/tools/web-search";
import { describe, expect, test } from "vitest";
import { call } from "./tool-call.ts";

const rivers = retriever({
  description: "About rivers.",
  maxResults: 2,
  documents: [
    {
      title: "Loire",
      source: "loire.md",
      text: "The Loire is the longest river of France.\n\nSalmon swim up to Vichy.",
    },
    { title: "Rhine", text: "The Rhine ends in the North Sea." },
    { text: `${"Water is wet. ".repeat(200)}The very last sentence speaks of otters.` },
  ],
});

const page = async () => new Response("<p>hello</p>", { headers: { "content-type": "text/html" } });
const results = async () =>
  new Response(JSON.stringify({ results: [{ title: "a", url: "https://a.example", content: "b" }] }));
const endpoint = "http://127.0.0.1:8888";
const stating = { output: "string", effects: "none", execute: () => "noon" } as const;
const contracts: readonly (readonly [tool: Tool, input: unknown])[] = [
  [visitWebpage({ fetch: page }), { url: "https://example.org" }],
  [webSearch({ engine: "searxng", endpoint, fetch: results, requestsPerMinute: 0 }), { query: "x" }],
  [javascriptInterpreter(), { code: "1 + 1" }],
  [javascriptInterpreter({ state: "keep" }), { code: "1 + 1" }],
  [rivers, { query: "longest" }],
  [sql({ driver: { dialect: "SQLite", readOnly: true, query: () => [{ a: 1 }] }, schema: "" }), { query: "SELECT 1" }],
  [userInput({ ask: () => "yes" }), { question: "Really?" }],
  [finalAnswer(), { answer: 42 }],
  [tool({ ...stating, name: "withoutArguments", description: "The time of day.", input: {} }), {}],
  [tool({ ...stating, name: "withoutRequired", description: "The time of day.", input: { zone: "string?" } }), {}],
];
describe.each(contracts.map(([tool, input]) => ({ tool, input, name: tool.name })))("$name", ({ tool, input }) => {
  for (const { title, run } of toolContract(tool, { input })) test(title, run);
});

describe("retriever", () => {
  test("finds the passage, with its source", async () => {
    const [best] = await call(rivers, { query: "longest river in France" });
    expect(best).toMatchObject({ title: "Loire", source: "loire.md", text: expect.stringContaining("longest river") });
  });

  test("splits long documents, so that its results are short", async () => {
    const [best] = await call(rivers, { query: "otters" });
    expect(best?.text).toContain("otters");
    expect(best?.text.length).toBeLessThanOrEqual(1_000);
  });

  test("finds nothing for words that no document has", async () => {
    expect(await call(rivers, { query: "zebra" })).toEqual([]);
  });
});

describe("javascriptInterpreter", () => {
  test("returns the printed text and the last value", async () => {
    const text = await call(javascriptInterpreter(), { code: "console.log('a'); const x = 6 * 7; x" });
    expect(text).toBe("Printed:\na\n\nValue: 42");
  });

  test("reports errors, and has no access to the network or to files", async () => {
    expect(await call(javascriptInterpreter(), { code: "nope()" })).toMatch(/^Error: .*nope/s);
    expect(await call(javascriptInterpreter(), { code: "typeof fetch + typeof process + typeof require" })).toMatch(
      /undefined.*undefined.*undefined/,
    );
  });

  test("starts without variables each time, or keeps the variables of a run", async () => {
    const fresh = javascriptInterpreter();
    await call(fresh, { code: "const a = 1" });
    expect(await call(fresh, { code: "typeof a" })).toContain("undefined");
    const keeping = javascriptInterpreter({ state: "keep" });
    await call(keeping, { code: "let a = 1" });
    expect(await call(keeping, { code: "a + 1" })).toBe("Value: 2");
    expect(await call(keeping, { code: "typeof a" }, { runId: "another" })).toContain("undefined");
  });

  test("stops an endless program", async () => {
    const text = await call(javascriptInterpreter({ limits: { operations: 10_000 } }), { code: "for (;;);" });
    expect(text).toMatch(/^Error: /);
  });
});

test("baseTools are search and pages, and an interpreter for agents that write no code", () => {
  expect(baseTools().map(({ name }) => name)).toEqual(["webSearch", "visitWebpage"]);
  expect(baseTools({ for: "tool-calling" }).map(({ name }) => name)).toContain("javascriptInterpreter");
});

test("finalAnswer validates the answer", async () => {
  const inWords = finalAnswer({ answer: { type: "string" } });
  expect(await call(inWords, { answer: "yes" })).toBe("yes");
  expect(() => inWords.parseInput({ answer: 1 })).toThrow(/answer/);
});

test("speechToText sends the recording and returns the text; a key of the environment is sent only to its service", async () => {
  const asked: RequestInit[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    asked.push(init);
    return new Response(JSON.stringify({ text: " hello " }));
  };
  const transcribe = speechToText({ baseUrl: "http://127.0.0.1:9/v1", fetch });
  expect(await call(transcribe, { audio: "data:audio/wav;base64,UklGRg==" })).toBe("hello");
  expect(asked[0]?.headers).toEqual({});
  await expect(call(transcribe, { audio: "http://127.0.0.1/a.wav" })).rejects.toThrow(/not public/);
});

test("imageGeneration returns the bytes of the image", async () => {
  const fetch = async () => new Response(JSON.stringify({ data: [{ b64_json: "iVBORw0KGgo=" }] }));
  const picture = await call(imageGeneration({ apiKey: "k", fetch }), { prompt: "a smolt" });
  expect(picture).toMatchObject({ type: "image", source: { mediaType: "image/png", bytes: expect.any(Uint8Array) } });
  const none = imageGeneration({ apiKey: "k", fetch: async () => new Response("{}") });
  await expect(call(none, { prompt: "x" })).rejects.toThrow(/without an image/);
});

test("every tool of the toolbox declares its effects", () => {
  expect(imageGeneration().effects).toBe("once");
  for (const [tool] of contracts) expect(["none", "idempotent", "once"]).toContain(tool.effects);
});

test("a saved agent can find each tool of the toolbox by its reference", async () => {
  const made = Object.entries(toolbox).map(async ([name, make]) => [name, await make({})] as const);
  for (const [name, { reference }] of await Promise.all(made))
    expect(`${reference?.module}#${reference?.export}`).toBe(name);
});
