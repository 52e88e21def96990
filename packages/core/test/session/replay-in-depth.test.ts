// Tests crashes at every event of a log, with agents three levels deep, calls that run in parallel,
// and a block whose worker was killed.

import { CodeAgent } from "@smolts/core";
import { worker } from "@smolts/executor-worker";
import { memoryLog } from "@smolts/memory";
import type { DurableEvent, ModelRequest, RunLog, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `<code>\n${text}\n</code>`;

async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

/**
 * The top agent calls the middle agent twice, each middle agent calls the lowest agent twice, and
 * each of those makes two effects in parallel.
 */
function team(done: string[]) {
  const pay = tool({
    name: "pay",
    description: "Pays once for each key.",
    input: { to: "string" },
    effects: "idempotent",
    execute: async ({ to }, { idempotencyKey }) => {
      done.push(`${to} ${idempotencyKey}`);
      await new Promise((resolve) => setTimeout(resolve, to.length % 3));
      return to;
    },
  }) as Tool;
  const taskIn = ({ messages }: ModelRequest): string => /<([a-z]*)>/.exec(JSON.stringify(messages.at(-1)))?.[1] ?? "";
  const model = (write: (name: string) => string) => scriptedModel((request) => code(write(taskIn(request))));
  const inner = new CodeAgent({
    name: "inner",
    description: "Pays.",
    tools: [pay],
    model: model(
      (name) => `finalAnswer((await Promise.all([pay({ to: "${name}x" }), pay({ to: "${name}yy" })])).join())`,
    ),
  });
  const ask = (agent: string) => (name: string) =>
    `finalAnswer((await Promise.all([${agent}({ task: "<${name}a>" }), ${agent}({ task: "<${name}b>" })])).join("; "))`;
  const middle = new CodeAgent({
    name: "middle",
    description: "Has it paid.",
    managedAgents: [inner],
    model: model(ask("inner")),
  });
  return new CodeAgent({ managedAgents: [middle], model: model(ask("middle")) });
}

test("after a crash anywhere, agents three levels deep with parallel calls repeat no finished effect and give the same answer", async () => {
  const first: string[] = [];
  const { log, output } = await team(first).run("<t>").result;
  const events = await eventsOf(log);
  expect(first).toHaveLength(8);
  for (let cut = 1; cut < events.length; cut += 8) {
    const again: string[] = [];
    const kept = events.slice(0, cut);
    const started = kept.filter((event) => event.type === "tool-start");
    const finished = new Set(kept.flatMap((event) => (event.type === "tool-result" ? [event.callId] : [])));
    const done = started.filter(({ callId }) => finished.has(callId)).map(({ idempotencyKey }) => idempotencyKey);
    expect(await team(again).resume(memoryLog({ events: kept }))).toEqual(output);
    expect(again.filter((call) => done.some((key) => call.endsWith(key)))).toEqual([]);
    // Each call that is made again has the same key as in the first run.
    expect(again.filter((call) => !first.includes(call))).toEqual([]);
    expect(again).toHaveLength(8 - done.length);
  }
});

/** A manager that delegates three times to a clerk. Each block of the clerk changes a variable. */
function managerOf(memory: "fresh" | "keep", blocks: readonly string[]) {
  const reply = ({ messages }: ModelRequest): string =>
    code(blocks[messages.filter(({ role }) => role === "assistant").length] ?? 'throw new Error("no block is left")');
  const clerk = new CodeAgent({ name: "clerk", description: "Counts.", model: scriptedModel(reply) });
  const model = scriptedModel(() =>
    code(
      "const all = []; for (const task of ['1', '2', '3']) all.push(await clerk({ task })); finalAnswer(all.join())",
    ),
  );
  return new CodeAgent({ model, tools: [clerk.asTool({ memory }) as Tool] });
}

test.each([
  ["fresh", ["globalThis.n = (globalThis.n ?? 0) + 1", "n += 1", "finalAnswer(n)"], "2,2,2"],
  ["keep", ["var n = 1; finalAnswer(n)", "n += 1; n", "finalAnswer(n)", "n += 10; finalAnswer(n)"], "1,2,12"],
] as const)(
  "after a crash anywhere, each block of a managed agent with %s memory counts once",
  async (memory, blocks, right) => {
    const { log, output } = await managerOf(memory, blocks).run("Go.").result;
    expect(output).toBe(right);
    const events = await eventsOf(log);
    for (let length = 1; length < events.length; length++) {
      const cut = memoryLog({ events: events.slice(0, length) });
      expect(await managerOf(memory, blocks).resume(cut), `a crash after event ${length}`).toBe(right);
    }
  },
);

test("a killed block has no effect on the state: a resume finds the state before it", async () => {
  const executor = worker({ heapMb: 32, limits: { memoryBytes: 0, guestTimeMs: 0, operations: 0, microtasks: 0 } });
  const script = [
    code("let kept = given"),
    code('kept = 0; print("one"); const all = []; for (;;) all.push(new Array(100_000).fill(0));'),
    code("let m = kept + 1"),
    code("finalAnswer(m)"),
  ];
  const agent = (some: readonly string[]) => new CodeAgent({ executor, model: scriptedModel(some) });
  const { log, status } = await agent(script.slice(0, 3)).run("Go.", { additionalArgs: { given: 5 } }).result;
  expect(status).toBe("failed");
  const killed = (await eventsOf(log)).findLast(
    (event) => event.type === "code-end" && event.result.type === "stopped",
  );
  expect(killed).toMatchObject({ result: { type: "stopped", reason: "memory", operations: 0 } });
  expect(await agent(script.slice(3)).resume(log)).toBe(6);
});
