// Tools that ask a person or the model while they work. Everything that they ask is in the log
// before the outcome of their call, and nothing after it.

import { CodeAgent } from "@smolts/core";
import { interpreter } from "@smolts/interpreter";
import { memoryLog } from "@smolts/memory";
import type { DurableEvent, Executor, ExecutorFactory, RunLog, Tool, ToolContext } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const plain = (execute: (context: ToolContext) => unknown, more: object = {}): Tool =>
  tool({
    name: "act",
    description: "Acts.",
    effects: "none",
    execute: (_input, context) => execute(context),
    ...more,
  }) as Tool;

const code = (text: string): string => `<code>${text}</code>`;

async function typesIn(log: RunLog): Promise<DurableEvent["type"][]> {
  const types: DurableEvent["type"][] = [];
  for await (const { type } of log.read()) types.push(type);
  return types;
}

const aTask = { messages: [{ role: "user", content: [{ type: "text", text: "Say yes." }] }] } as const;

/** A promise that is settled from outside. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const asks: [what: string, ask: (context: ToolContext) => Promise<unknown> | undefined][] = [
  ["a person", ({ ask }) => ask?.({ name: "sure?", input: null })],
  ["the model", ({ generate }) => generate?.(aTask)],
];

describe.each(asks)("a tool that asks %s", (_who, ask) => {
  test("after its time limit is refused, and the log ends with the run", async () => {
    const end = gate();
    const refused: Promise<unknown>[] = [];
    const late = plain(
      (context) => {
        refused.push(end.opened.then(() => ask(context)));
        return new Promise(() => {});
      },
      { timeoutMs: 1 },
    );
    const model = scriptedModel([code("await act()"), code("finalAnswer(1)"), "too late"]);
    const { log } = await new CodeAgent({ model, tools: [late], approve: () => true }).run("Act.").result;
    end.open();
    await expect(refused[0]).rejects.toThrow(/took longer than 1 ms/);
    expect((await typesIn(log)).at(-1)).toBe("run-end");
    expect(model.requests).toHaveLength(2);
  });

  test("and returns before the answer gets none, and the log ends with the run", async () => {
    const answer = gate();
    const refused: Promise<unknown>[] = [];
    const hasty = plain((context) => {
      refused.push(ask(context)?.catch((error: unknown) => error) ?? Promise.reject());
      return "done";
    });
    const replies = [code("finalAnswer(await act())"), () => answer.opened.then(() => "too late")];
    const approve = () => answer.opened.then(() => true);
    const { output, log } = await new CodeAgent({ model: scriptedModel(replies), tools: [hasty], approve }).run("Act.")
      .result;
    answer.open();
    expect(output).toBe("done");
    expect(await refused[0]).toMatchObject({ code: "interrupted" });
    expect((await typesIn(log)).at(-1)).toBe("run-end");
  });
});

test("a run whose tool got an approval can be resumed", async () => {
  const replies = [code("const answer = await act()"), { error: "no network" }, code("finalAnswer(answer)")];
  const asking = plain(async ({ ask }) => (await ask?.({ name: "sure?", input: null }))?.type);
  const agent = new CodeAgent({ model: scriptedModel(replies), tools: [asking], approve: () => true });
  const { status, log } = await agent.run("Act.").result;
  expect(status).toBe("failed");
  expect(await agent.resume(log)).toBe("approve");
});

test("a person is not asked about a call whose block has ended", async () => {
  const written = gate();
  const log = memoryLog();
  const slowLog: RunLog = Object.assign(Object.create(log), { flush: () => written.opened.then(() => log.flush()) });
  const requests: unknown[] = [];
  const agent = new CodeAgent({
    model: scriptedModel([code("pay(); finalAnswer(1)")]),
    tools: [plain(() => "paid", { name: "pay", needsApproval: true })],
    executor: thenCall(interpreter(), written.open),
    approvalTimeoutMs: 60_000,
    approve: (request) => {
      requests.push(request);
      return new Promise(() => {});
    },
  });
  expect(await agent.session({ log: slowLog }).run("Pay.")).toBe(1);
  expect(requests).toEqual([]);
});

/** An executor that calls `then` when a block has ended and the agent knows about the end. */
function thenCall(inner: ExecutorFactory, then: () => void): ExecutorFactory {
  return {
    ...inner,
    open: async (options) => {
      const sandbox = await inner.open(options);
      const execute: Executor["execute"] = (...given) => sandbox.execute(...given).finally(() => setTimeout(then));
      return new Proxy(sandbox, {
        get: (target, name) => {
          const value: unknown = name === "execute" ? execute : Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
}
