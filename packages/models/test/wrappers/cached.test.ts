import { type AnswerStore, type CacheOptions, cached } from "@smolts/models";
import type { ModelEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";
import { eventsOf, request } from "./events-of.ts";

const counting = () => scriptedModel((_request, call) => `answer ${call}`);

test("returns the same answer again, without using tokens, and emits an event", async () => {
  const inner = counting();
  const model = cached(inner, { scope: "me" });
  const first = await eventsOf(model);
  const again = await eventsOf(model);
  expect([first.text, again.text, inner.requests.length]).toEqual(["answer 1", "answer 1", 1]);
  expect(again.events.slice(-2)).toEqual([
    { type: "usage", usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
    { type: "end", finishReason: "stop", details: { cached: true } },
  ]);
});

const different: [what: string, change: object][] = [
  ["another temperature", { temperature: 1 }],
  ["other messages", { messages: [] }],
  ["other tools", { tools: [{ name: "go", description: "", inputSchema: {} }] }],
];
test.each(different)("calls the model for %s", async (_what, change) => {
  const model = cached(counting(), { scope: "me" });
  await eventsOf(model);
  expect((await eventsOf(model, { ...request, ...change })).text).toBe("answer 2");
});

test("separates scopes", async () => {
  let user = "one";
  const model = cached(counting(), { scope: () => user });
  await eventsOf(model);
  user = "other";
  expect((await eventsOf(model)).text).toBe("answer 2");
  user = "one";
  expect((await eventsOf(model)).text).toBe("answer 1");
});

test("requires a scope", async () => {
  // The cast imitates a caller without types.
  expect(() => cached(counting(), {} as CacheOptions)).toThrow(/scope/);
  expect(() => cached(counting(), { scope: "" })).toThrow(/scope/);
  expect((await eventsOf(cached(counting(), { scope: () => "" }))).error).toMatchObject({ code: "invalid-option" });
});

const unkept: [what: string, reply: object][] = [
  ["was cut at a limit", { text: "half", finishReason: "length" }],
  ["was filtered", { text: "half", finishReason: "content-filter" }],
  ["broke off", { text: "half of it", cutAfter: 1 }],
];
test.each(unkept)("does not keep an answer that %s", async (_what, reply) => {
  const inner = scriptedModel(() => reply);
  const model = cached(inner, { scope: "me" });
  await eventsOf(model);
  await eventsOf(model);
  expect(inner.requests.length).toBe(2);
});

test("drops the least recently used answer", async () => {
  const inner = counting();
  const model = cached(inner, { scope: "me", maxEntries: 2 });
  const ask = (temperature: number) => eventsOf(model, { ...request, temperature });
  for (const temperature of [1, 2, 1, 3, 1]) await ask(temperature);
  expect(inner.requests.length).toBe(3);
  await ask(2);
  expect(inner.requests.length).toBe(4);
});

test("calls the model if a store has only a part of an answer", async () => {
  const part: ModelEvent[] = [{ type: "text-delta", text: "ans" }];
  const store: AnswerStore = { get: async () => part, set: async () => {} };
  expect((await eventsOf(cached(counting(), { scope: "me", store }))).text).toBe("answer 1");
});
