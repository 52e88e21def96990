import { AgentError, type ModelEvent, type ModelRequest } from "@smolts/protocol";
import { defaultUsage, type ScriptedReply, scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const readBlob = async (): Promise<Uint8Array> => new Uint8Array();

async function collect(stream: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function eventsFor(
  reply: ScriptedReply,
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  return collect(scriptedModel([reply]).stream({ messages: [], ...request }, { signal, readBlob }));
}

const textOfEvents = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

test("streams its text in pieces and ends with usage and a reason", async () => {
  const events = await eventsFor("six times seven is 42");
  expect(events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(2);
  expect(textOfEvents(events)).toBe("six times seven is 42");
  expect(events.slice(-2)).toEqual([
    { type: "usage", usage: defaultUsage },
    { type: "end", finishReason: "stop" },
  ]);
});

test("returns reasoning, text and tool calls in this order, each call with its own id", async () => {
  const events = await eventsFor({
    reasoning: "hm",
    text: "look",
    toolCalls: [{ name: "first", input: { city: "Paris" } }, { name: "second" }],
    usage: null,
  });
  expect([...new Set(events.map(({ type }) => type))]).toEqual([
    "reasoning-delta",
    "text-delta",
    "tool-call-delta",
    "end",
  ]);
  const calls = events.filter((event) => event.type === "tool-call-delta");
  expect(calls.filter(({ id }) => id !== undefined).map(({ id, name }) => [id, name])).toEqual([
    ["call_1_1", "first"],
    ["call_1_2", "second"],
  ]);
  expect(calls.map(({ index, inputText }) => (index === 0 ? inputText : "")).join("")).toBe('{"city":"Paris"}');
  expect(events.at(-1)).toEqual({ type: "end", finishReason: "tool-calls" });
});

test("ends before the first stop sequence, and calls nothing after it", async () => {
  const reply = { text: "a</code>b Observation:", toolCalls: [{ name: "never" }] };
  const events = await eventsFor(reply, { stop: ["Observation:", "</code>"] });
  expect(textOfEvents(events)).toBe("a");
  expect(events.some(({ type }) => type === "tool-call-delta")).toBe(false);
  expect(events.at(-1)).toEqual({ type: "end", finishReason: "stop" });
});

test("computes a reply from the request and the number of the call", async () => {
  const model = scriptedModel((request, callNumber) => `${callNumber}: ${request.messages.length}`);
  const ask = async (count: number): Promise<string> => {
    const messages = Array.from({ length: count }, () => ({ role: "user" as const, content: [] }));
    const { signal } = new AbortController();
    return textOfEvents(await collect(model.stream({ messages }, { signal, readBlob })));
  };
  expect([await ask(3), await ask(5)]).toEqual(["1: 3", "2: 5"]);
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([3, 5]);
});

test("says how often it was called when no reply is left", async () => {
  const model = scriptedModel(["only one"], { id: "scripted/short" });
  const ask = (): Promise<readonly ModelEvent[]> =>
    collect(model.stream({ messages: [] }, { signal: new AbortController().signal, readBlob }));
  await ask();
  const error = await ask().catch((reason: unknown) => reason);
  expect(AgentError.is(error) && error.code).toBe("generation");
  expect(String(error)).toContain('model "scripted/short" was asked 2 times and its script has 1 replies');
});

const failures: [what: string, reply: ScriptedReply, message: string, textBefore: string][] = [
  ["an error given as text", { error: "the server is tired" }, "the server is tired", ""],
  ["an error after some text", { text: "so far", error: new TypeError("odd") }, "odd", "so far"],
  [
    "a stream that breaks off",
    { text: "1234567890", cutAfter: 1 },
    'the answer of model "scripted/model" broke off',
    "12345",
  ],
];
test.each(failures)("throws %s", async (_what, reply, message, textBefore) => {
  const events: ModelEvent[] = [];
  const run = async (): Promise<void> => {
    const { signal } = new AbortController();
    for await (const event of scriptedModel([reply]).stream({ messages: [] }, { signal, readBlob })) events.push(event);
  };
  await expect(run()).rejects.toThrow(message);
  expect(textOfEvents(events)).toBe(textBefore);
  expect(events.some(({ type }) => type === "end")).toBe(false);
});

test("returns events exactly as they are written", async () => {
  const events: ModelEvent[] = [{ type: "text-delta", text: "x" }];
  expect(await eventsFor({ events })).toEqual(events);
});

test("stops with the signal's reason, also while it waits", async () => {
  const controller = new AbortController();
  const waiting = eventsFor({ text: "late", delayMs: 60_000 }, {}, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
});

test("stops between two events when the signal aborts", async () => {
  const controller = new AbortController();
  const stream = scriptedModel(["a long enough text"]).stream(
    { messages: [] },
    { signal: controller.signal, readBlob },
  );
  const read = async (): Promise<void> => {
    for await (const _event of stream) controller.abort(new Error("enough"));
  };
  await expect(read()).rejects.toThrow("enough");
});
