import { CodeAgent } from "@smolts/core";
import { worker } from "@smolts/executor-worker";
import { guestModule, hostModule, interpreter } from "@smolts/interpreter";
import { memoryLog } from "@smolts/memory";
import type { DurableEvent, ExecutorFactory } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const greet = guestModule("export const greet = (name) => `hello ${name}`; export const twice = (f) => [f(), f()];");

/** A host module that counts its calls. */
function counting() {
  const seen: number[] = [];
  const next = (by: number): number => {
    seen.push(by);
    return seen.length * 10;
  };
  return { seen, tally: hostModule({ next }, { effects: "none" }) };
}

const systemPromptOf = (events: readonly DurableEvent[]): string =>
  events.flatMap((event) => (event.type === "run-start" ? [event.systemPrompt] : [])).join("");

async function eventsOf(log: { read(): AsyncIterable<DurableEvent> }): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

test("code imports the agent's modules, and later steps can use the imports", async () => {
  const { tally } = counting();
  const model = scriptedModel([
    '<code>import { greet, twice } from "greet"; import { next } from "tally"; const first = await next(1);</code>',
    '<code>finalAnswer([greet("you"), twice(() => first), await next(2)])</code>',
  ]);
  const agent = new CodeAgent({ model, modules: { greet, tally } });
  expect(await agent.run("Greet.")).toEqual(["hello you", [10, 10], 20]);
});

test("the prompt lists the modules, and which of their functions are calls", async () => {
  const { tally } = counting();
  const model = scriptedModel(["<code>finalAnswer(1)</code>"]);
  const { log } = await new CodeAgent({ model, modules: { tally, greet } }).run("Go.").result;
  expect(systemPromptOf(await eventsOf(log))).toContain(
    'You can import these modules and no others: "greet", "tally" (await its next()).',
  );
});

test("modules of the executor count as the agent's own", async () => {
  const { tally, seen } = counting();
  const executor = interpreter({ modules: { tally, greet }, additionalAuthorizedImports: ["tally"] });
  const model = scriptedModel(['<code>import tally from "tally"; finalAnswer(await tally.next(5))</code>']);
  const { output, log } = await new CodeAgent({ model, executor }).run("Go.").result;
  expect(output).toBe(10);
  expect(seen).toEqual([5]);
  expect(systemPromptOf(await eventsOf(log))).toContain('"tally" (await its next()).');
});

test("modules work in a thread in the same way as in this process", async () => {
  const { tally } = counting();
  using executor = worker();
  const code =
    '<code>import { next } from "tally"; import { greet } from "greet"; finalAnswer([await next(1), greet("you")])</code>';
  const agent = new CodeAgent({ model: scriptedModel([code]), executor, modules: { tally, greet } });
  expect(await agent.run("Go.")).toEqual([10, "hello you"]);
});

test("a refused import lists the allowed modules, and the model can continue", async () => {
  const model = scriptedModel(['<code>import fs from "fs"; 1</code>', "<code>finalAnswer(2)</code>"]);
  const agent = new CodeAgent({ model, modules: { greet } });
  const { output, steps } = await agent.run("Go.").result;
  expect(output).toBe(2);
  const [failed] = steps.filter((step) => step.type === "action");
  expect(failed?.error).toMatchObject({ code: "import-refused" });
  expect(failed?.error?.message).toContain('import of "fs" is not allowed; authorised imports are: "greet"');
});

test("an authorised module that was not passed is refused at construction", () => {
  const model = scriptedModel([]);
  expect(() => new CodeAgent({ model, additionalAuthorizedImports: ["numpy"] })).toThrow(
    'authorised imports without a module: "numpy"',
  );
  const executor: ExecutorFactory = { ...interpreter(), language: "python" };
  expect(() => new CodeAgent({ model, executor, modules: { greet } })).toThrow("an executor for Python");
});

test("code can catch a host module's error, and an instance that a function returns is refused by its name", async () => {
  const shaky = hostModule({
    fail: () => {
      throw new Error("no luck");
    },
    give: () => new (class Row {})(),
  });
  const code = `<code>import { fail, give } from "shaky";
const texts = [];
for (const call of [fail, give]) try { await call() } catch (error) { texts.push(error.message) }
finalAnswer(texts)</code>`;
  const agent = new CodeAgent({ model: scriptedModel([code]), modules: { shaky } });
  expect(await agent.run("Go.")).toEqual([
    "no luck",
    expect.stringContaining('"shaky.give" returned a value that cannot be passed on'),
  ]);
});

test("after a resume from any event, modules have the same state and no recorded call is repeated", async () => {
  const source = guestModule("export let total = 0; export const add = (n) => { total += n; return Math.random(); };");
  const blocks = [
    '<code>import { add, total } from "sums"; import { next } from "tally"; add(await next(1)); print(total, Math.random());</code>',
    '<code>const later = await import("sums"); const both = await Promise.all([next(2), next(3)]); both.map(later.add); print(total)</code>',
    "<code>finalAnswer([total, add(1)])</code>",
  ];
  const agentWith = (tally: ReturnType<typeof counting>["tally"]) =>
    new CodeAgent({
      model: scriptedModel((_request, callNumber) => blocks[callNumber - 1] ?? ""),
      modules: { sums: source, tally },
    });
  const recorded = await agentWith(counting().tally).run("Add.").result;
  expect(recorded.error).toBeUndefined();
  const events = await eventsOf(recorded.log);
  for (let length = 2; length < events.length; length++) {
    const head = JSON.parse(JSON.stringify(events.slice(0, length))) as DurableEvent[];
    const answered = head.filter(({ type }) => type === "tool-result").length;
    const asked = head.filter(({ type }) => type === "model-response").length;
    const { tally, seen } = counting();
    for (let done = 0; done < answered; done++) seen.push(0);
    const model = scriptedModel((_request, callNumber) => blocks[asked + callNumber - 1] ?? "");
    const agent = new CodeAgent({ model, modules: { sums: source, tally } });
    const { output, error } = await agent.resume(memoryLog({ events: head })).result;
    expect({ length, error, calls: seen.length }).toEqual({ length, error: undefined, calls: 3 });
    expect((output as number[])[0]).toBe((recorded.output as number[])[0]);
  }
});

test.each([
  ["approve", { type: "approve" }, 1],
  ["edit", { type: "edit", input: [7] }, 7],
] as const)(
  "a function of a host module waits for a person, who may %s it while the run is suspended",
  async (_how, decision, by) => {
    const { seen, tally } = counting();
    const agent = (replies: readonly string[]) =>
      new CodeAgent({ model: scriptedModel(replies), modules: { tally }, approval: () => true });
    const code = '<code>import { next } from "tally"; finalAnswer(await next(1))</code>';
    const { log, pending = [] } = await agent([code]).run("Go.").result;
    expect([pending.map(({ name, input }) => [name, input]), seen]).toEqual([[["tally.next", [1]]], []]);
    const decisions = pending.map(({ id, digest }) => ({ id, digest, ...decision }));
    expect(await agent([]).resume(log, { decisions })).toBe(10);
    expect(seen).toEqual([by]);
  },
);
