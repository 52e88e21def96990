import { CodeAgent } from "@smolts/core";
import { memoryStore } from "@smolts/memory";
import { callTool, scriptedModel } from "@smolts/testing";
import { memoryTools } from "@smolts/tools/memory";
import { expect, test } from "vitest";

const run = (tools: ReturnType<typeof memoryTools>, code: string): Promise<unknown> =>
  new CodeAgent({ model: scriptedModel([`<code>\n${code}\n</code>`]), tools: [tools.remember, tools.recall] }).run(
    "Go.",
  ) as never;

test("a later session of the same user recalls a memory, and no other user does", async () => {
  const store = memoryStore();
  const ada = memoryTools({ store, user: "ada" });
  const code =
    'finalAnswer([await remember({ text: "Ada drinks green tea." }), await remember({ text: "The cat is called Turing." })])';
  expect(await run(ada, code)).toEqual(["remembered", "remembered"]);
  const recalled = await run(memoryTools({ store, user: "ada" }), 'finalAnswer(await recall({ query: "which tea?" }))');
  expect(recalled).toEqual([{ memory: "Ada drinks green tea.", savedAt: expect.stringMatching(/^\d{4}-/) }]);
  expect(await run(memoryTools({ store, user: "bob" }), 'finalAnswer(await recall({ query: "tea" }))')).toEqual([]);
  expect(await store.list()).toEqual([]);
});

test("the same fact is stored once, and the facts of parallel calls are all stored", async () => {
  const store = memoryStore();
  const ada = memoryTools({ store, user: "ada", maxResults: 20 });
  await run(ada, 'await Promise.all([1, 2, 3, 4].map((n) => remember({ text: "fact number " + n }))); finalAnswer(1)');
  expect(await run(ada, 'finalAnswer(await remember({ text: "fact number 3" }))')).toBe("remembered before");
  const all = (await run(ada, 'finalAnswer(await recall({ query: "fact" }))')) as readonly unknown[];
  expect(all).toHaveLength(4);
});

test("an embedding finds a memory that shares no word with the query", async () => {
  const store = memoryStore();
  const embed = async (texts: readonly string[]) => texts.map((text) => (/tea|beverage/.test(text) ? [1, 0] : [0, 1]));
  const ada = memoryTools({ store, user: "ada", embed });
  await run(
    ada,
    'await remember({ text: "Ada likes tea." }); await remember({ text: "Rome is old." }); finalAnswer(1)',
  );
  const found = (await run(ada, 'finalAnswer(await recall({ query: "beverage" }))')) as readonly { memory: string }[];
  expect(found.map(({ memory }) => memory)).toEqual(["Ada likes tea."]);
});

test("a user is required", () => {
  expect(() => memoryTools({ store: memoryStore(), user: " " })).toThrow(/got no user/);
});

test("vectors of another model are not compared with the query", async () => {
  const store = memoryStore();
  const withVectors = (vector: readonly number[]) => memoryTools({ store, user: "ada", embed: async () => [vector] });
  await callTool(withVectors([1, 0, 0]).remember, { text: "Ada likes tea." });
  expect(await callTool(withVectors([1, 0]).recall, { query: "beverage" })).toEqual([]);
  expect(await callTool(withVectors([1, 0, 0]).recall, { query: "beverage" })).toHaveLength(1);
});

test.each([
  ["null", null],
  ["one vector instead of a list", [1, 0]],
  ["an empty list", []],
  ["words", [["a"]]],
  ["not-a-number", [[Number.NaN]]],
  ["the answer of an API", { data: [{ embedding: [1] }] }],
])("an embedding that is %s is an error that says so, and nothing is remembered", async (_what, vectors) => {
  const store = memoryStore();
  const { remember } = memoryTools({ store, user: "ada", embed: async () => vectors as never });
  await expect(callTool(remember, { text: "Ada likes tea." })).rejects.toThrow(
    "embed of memoryTools() returned no list",
  );
  expect(await callTool(memoryTools({ store, user: "ada" }).recall, { query: "tea" })).toEqual([]);
});

test.each([
  ["embed", "openai"],
  ["maxResults", "5"],
])("the option %s has a kind", (option, value) => {
  expect(() => memoryTools({ store: memoryStore(), user: "ada", [option]: value } as never)).toThrow(option);
});
