import { type AnswerSchema, CodeAgent } from "@smolts/core";
import { interpreter } from "@smolts/interpreter";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import type { Executor, ExecutorFactory, MemoryStep } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const counted = (steps: readonly MemoryStep[]): number =>
  steps.filter((step) => step.type !== "system-prompt" && step.type !== "final-answer").length;

const twoSteps = ["<code>let count = (globalThis.count ?? 0) + 1</code>", "<code>finalAnswer(1)</code>"];

test("each run has its own memory, and the runs of a session share one", async () => {
  const agent = new CodeAgent({
    model: scriptedModel((_request, callNumber) => twoSteps[(callNumber - 1) % 2] as string),
  });
  expect(counted((await agent.run("first").result).steps)).toBe(3);
  expect(counted((await agent.run("second").result).steps)).toBe(3);
  await using session = agent.session();
  await session.run("first");
  await session.run("second");
  expect(counted(session.steps)).toBe(6);
});

test("a session's second run sees the first one's variables and messages", async () => {
  const model = scriptedModel([
    "<code>const secret = 41; finalAnswer('noted')</code>",
    "<code>finalAnswer(secret + 1)</code>",
  ]);
  await using session = new CodeAgent({ model }).session();
  expect(await session.run("Remember 41.")).toBe("noted");
  expect(await session.run("What is one more?")).toBe(42);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("Remember 41.");
  expect((await session.variables()).map(({ name }) => name)).toContain("secret");
});

test("the system prompt is in a session's memory only once", async () => {
  const model = scriptedModel(["<code>finalAnswer(1)</code>", "<code>finalAnswer(2)</code>"]);
  await using session = new CodeAgent({ model }).session();
  await session.run("one");
  await session.run("two");
  expect(session.steps.filter((step) => step.type === "system-prompt")).toHaveLength(1);
  expect(model.requests[1]?.messages.filter((message) => message.role === "system")).toHaveLength(1);
});

test("a second run while one is active rejects with busy and leaves no trace", async () => {
  const model = scriptedModel([{ text: "<code>finalAnswer(1)</code>", delayMs: 20 }]);
  await using session = new CodeAgent({ model }).session();
  const first = session.run("one");
  await expect(session.run("two")).rejects.toMatchObject({ code: "busy", hint: expect.stringContaining("queue") });
  expect(await first).toBe(1);
  expect(counted(session.steps)).toBe(2);
});

test("a run that is refused for its output does not keep the session busy", async () => {
  await using session = new CodeAgent({ model: scriptedModel(["<code>finalAnswer(1)</code>"]) }).session();
  const noSchema = { type: "number" } as unknown as AnswerSchema<number>; // what a program without types may give
  expect(() => session.run("one", { output: noSchema })).toThrow("output is not a schema");
  expect(await session.run("two")).toBe(1);
});

test("with queue a second run waits for the first", async () => {
  const model = scriptedModel([
    { text: "<code>let n = 1; finalAnswer(n)</code>", delayMs: 20 },
    "<code>finalAnswer(n + 1)</code>",
  ]);
  await using session = new CodeAgent({ model }).session();
  const runs = [session.run("one"), session.run("two", { queue: true })];
  expect(await Promise.all(runs)).toEqual([1, 2]);
});

test("reset forgets memory and state", async () => {
  const model = scriptedModel(["<code>let n = 1; finalAnswer(n)</code>", "<code>finalAnswer(typeof n)</code>"]);
  await using session = new CodeAgent({ model }).session();
  await session.run("one");
  await session.reset();
  expect(session.steps).toEqual([]);
  expect(await session.run("two")).toBe("undefined");
});

test("closing a session aborts its active run", async () => {
  const model = scriptedModel([{ text: "never", delayMs: 60_000 }]);
  const session = new CodeAgent({ model }).session();
  const run = session.run("one");
  await session[Symbol.asyncDispose]();
  await expect(run).rejects.toMatchObject({ code: "interrupted" });
});

test("a run that starts right after the previous result is not refused as busy", async () => {
  const model = scriptedModel(["<code>finalAnswer(1)</code>", "<code>finalAnswer(2)</code>"]);
  await using session = new CodeAgent({ model }).session();
  await session.run("one").result;
  expect((await session.run("two").result).output).toBe(2);
});

test("a run aborted while it waits for its turn ends immediately and leaves no trace", async () => {
  let answer = (_text: string): void => {};
  const reply = new Promise<string>((resolve) => {
    answer = resolve;
  });
  await using session = new CodeAgent({ model: scriptedModel([() => reply]) }).session();
  const first = session.run("one");
  const second = session.run("two", { queue: true });
  second.abort("not needed any more");
  expect((await second.result).status).toBe("aborted");
  expect(first.status).toBe("running");
  answer("<code>finalAnswer(1)</code>");
  expect(await first).toBe(1);
  expect(counted(session.steps)).toBe(2);
});

test("a run that begins while reset is closing the sandbox belongs to the new memory", async () => {
  const model = scriptedModel(["<code>finalAnswer(1)</code>", "<code>finalAnswer(2)</code>"]);
  await using session = new CodeAgent({ model }).session();
  await session.run("one");
  const reset = session.reset();
  const second = session.run("two");
  await reset;
  await second;
  expect(counted(session.steps)).toBe(2);
  expect((await second.result).log).toBe(session.log);
});

test("a run in a closed session is aborted and leaves no trace", async () => {
  const session = new CodeAgent({ model: scriptedModel([]) }).session();
  await session[Symbol.asyncDispose]();
  await session[Symbol.asyncDispose]();
  await expect(session.run("one")).rejects.toMatchObject({ code: "interrupted" });
  expect(session.steps).toEqual([]);
});

test("a second run with the same id in a session is refused", async () => {
  const model = scriptedModel(() => "<code>finalAnswer(1)</code>");
  await using session = new CodeAgent({ model }).session();
  await session.run("one", { runId: "mine" });
  await expect(session.run("two", { runId: "mine" })).rejects.toMatchObject({ code: "invalid-option" });
  expect(counted(session.steps)).toBe(2);
});

test("a session opened with an earlier log has its memory and its variables", async () => {
  const first = new CodeAgent({ model: scriptedModel(["<code>const kept = 41; finalAnswer('noted')</code>"]) });
  const { log } = await first.run("Remember 41.").result;
  const events = JSON.parse(JSON.stringify((log as MemoryLog).events));
  const model = scriptedModel(["<code>finalAnswer(kept + 1)</code>"]);
  await using session = new CodeAgent({ model }).session({ log: memoryLog({ events }) });
  expect(await session.run("One more?")).toBe(42);
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("Remember 41.");
  expect(counted(session.steps)).toBe(4);
});

test("state that could not be restored for the first run is restored for the next one", async () => {
  const first = new CodeAgent({ model: scriptedModel(["<code>const kept = 41; finalAnswer('noted')</code>"]) });
  const { log } = await first.run("Remember 41.").result;
  let opened = 0;
  const real = interpreter();
  const executor: ExecutorFactory = {
    ...real,
    open: (options) => (++opened === 1 ? Promise.reject(new Error("the daemon is down")) : real.open(options)),
  };
  const model = scriptedModel(["<code>finalAnswer(kept + 1)</code>"]);
  await using session = new CodeAgent({ model, executor }).session({ log });
  expect((await session.run("One more?").result).error?.message).toContain("the daemon is down");
  expect(await session.run("One more?")).toBe(42);
  expect(counted(session.steps)).toBe(4);
});

test("a sandbox that could not be opened is tried again by the next run", async () => {
  let opened = 0;
  const real = interpreter();
  const executor: ExecutorFactory = {
    ...real,
    open: (options) => (++opened === 1 ? Promise.reject(new Error("the daemon is down")) : real.open(options)),
  };
  const model = scriptedModel(() => "<code>finalAnswer(1)</code>");
  await using session = new CodeAgent({ model, executor }).session();
  expect((await session.run("one").result).error?.message).toContain("the daemon is down");
  expect(await session.run("two")).toBe(1);
});

test("a sandbox is prepared before the model is asked, unless the session already has one", async () => {
  const order: string[] = [];
  const real = interpreter();
  const executor: ExecutorFactory = {
    ...real,
    warm: () => order.push("warm"),
    open: (options) => {
      order.push("open");
      return real.open(options);
    },
  };
  const model = scriptedModel(() => {
    order.push("ask");
    return "<code>finalAnswer(1)</code>";
  });
  await using session = new CodeAgent({ model, executor }).session();
  await session.run("one");
  await session.run("two");
  expect(order).toEqual(["warm", "ask", "open", "ask"]);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("no room");
    },
  ],
  [
    "rejects",
    async () => {
      throw new Error("no room");
    },
  ],
])("a run continues when preparing its sandbox %s", async (_how, warm) => {
  const executor: ExecutorFactory = { ...interpreter(), warm };
  expect(await new CodeAgent({ model: () => "<code>finalAnswer(1)</code>", executor }).run("one")).toBe(1);
});

test("a sandbox that failed in the middle of a block is restored from the log for the next run", async () => {
  const inner = interpreter();
  let blocks = 0;
  const executor: ExecutorFactory = {
    ...inner,
    open: async (options) => {
      const sandbox = await inner.open(options);
      const execute: Executor["execute"] = async (...given) => {
        const result = await sandbox.execute(...given);
        if (++blocks === 2) throw new Error("the connection is gone");
        return result;
      };
      return new Proxy(sandbox, {
        get: (target, name) => {
          const value: unknown = name === "execute" ? execute : Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
  const script = ["<code>let n = 1</code>", "<code>n += 10</code>", ...Array(2).fill("<code>finalAnswer(n)</code>")];
  const agent = new CodeAgent({ model: scriptedModel(script), executor });
  await using session = agent.session();
  expect((await session.run("One.").result).error?.message).toMatch(/the connection is gone/);
  expect(await session.run("Two.")).toBe(1);
  // The log contains the same state: another session on this log has the same variables.
  await using other = agent.session({ log: session.log });
  expect(await other.run("Three.")).toBe(1);
});
