import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { foldSteps, memoryLog, memoryStore, renderRun } from "@smolts/memory";
import { fileStore } from "@smolts/memory/files";
import type { DurableEvent, RunLog, RunStore, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let folder = "";
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-reset-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const code = (text: string): string => `<code>\n${text}\n</code>`;
const send = tool({
  name: "send",
  description: "Sends a mail.",
  effects: "once",
  needsApproval: true,
  execute: () => "sent",
}) as Tool;

const agentWith = (store: RunStore, ...replies: readonly string[]) =>
  new CodeAgent({ model: scriptedModel(replies), tools: [send], store });

async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}
const eventsIn = async (store: RunStore): Promise<readonly DurableEvent[]> =>
  eventsOf(await store.open("chat", { readonly: true }));

describe.each<[string, () => RunStore]>([
  ["a store in memory", () => memoryStore()],
  ["a store of files", () => fileStore(join(folder, String(++count)))],
])("a session in %s that was reset", (_kind, newStore) => {
  test("keeps later runs in the store, and knows nothing of earlier ones, in any process", async () => {
    const store = newStore();
    const first = agentWith(store, code("let n = 1; finalAnswer(n)"), code("let m = typeof n; finalAnswer(m)"));
    {
      await using session = first.session({ id: "chat" });
      await session.run("One.", { runId: "r1" });
      await session.reset();
      expect([session.steps, await session.variables()]).toEqual([[], []]);
      expect(await session.run("Two.", { runId: "r2" })).toBe("undefined");
    }
    expect((await store.list()).map(({ runId, status }) => [runId, status])).toEqual([["r2", "success"]]);
    await using again = agentWith(store, code("finalAnswer([typeof n, m])")).session({ id: "chat" });
    const { output, steps } = await again.run("Three.", { runId: "r3" }).result;
    expect(output).toEqual(["undefined", "undefined"]);
    expect(steps.flatMap((step) => (step.type === "task" ? [step.runId] : []))).toEqual(["r2", "r3"]);
    expect((await eventsIn(store)).filter(({ type }) => type === "run-start")).toHaveLength(3);
  });

  test("is empty for the next process, also before another run", async () => {
    const store = newStore();
    {
      await using session = agentWith(store, code("let n = 1; finalAnswer(n)")).session({ id: "chat" });
      await session.run("One.");
      await session.reset();
      await session.reset();
    }
    expect((await eventsIn(store)).filter(({ type }) => type === "reset")).toHaveLength(1);
    await using again = agentWith(store, code("finalAnswer(typeof n)")).session({ id: "chat" });
    const nothing = await again.resume().result;
    expect(nothing.error).toMatchObject({ code: "log", message: expect.stringContaining("no run of the agent") });
    expect(await again.run("Two.")).toBe("undefined");
  });

  test("abandons the run that waited for people, which has ended and can be forked", async () => {
    const store = newStore();
    const asking = code("const before = 1; finalAnswer(await send())");
    const agent = agentWith(store, asking, code("finalAnswer(2)"), code("finalAnswer(typeof before)"));
    await using session = agent.session({ id: "chat" });
    const { pending = [] } = await session.run("One.", { runId: "r1" }).result;
    expect((await session.run("Two.").result).error?.code).toBe("busy");
    await session.reset();
    expect((await store.list()).map(({ status }) => status)).toEqual(["aborted"]);
    const decisions = pending.map(({ id, digest }) => ({ id, digest, type: "approve" }) as const);
    await expect(store.decide("r1", decisions[0]!)).rejects.toMatchObject({ code: "stale-decision" });
    expect(await session.run("Two.", { runId: "r2" })).toBe(2);
    expect((await session.run("Three.", { runId: "r1" }).result).error?.code).toBe("invalid-option");
    await session[Symbol.asyncDispose]();
    expect((await agent.resume("r1").result).error).toMatchObject({
      code: "invalid-option",
      message: expect.stringContaining("was reset after it"),
    });
    expect(await agent.fork("r1", { atStep: 1, code: "finalAnswer('forked')" })).toBe("forked");
  });

  test("is forked without the runs before the reset", async () => {
    const store = newStore();
    const agent = agentWith(store, code("let n = 1; finalAnswer(n)"), code("let m = 2; finalAnswer(m)"));
    await using session = agent.session({ id: "chat" });
    await session.run("One.", { runId: "r1" });
    await session.reset();
    await session.run("Two.", { runId: "r2" });
    const fork = agent.fork("r2", { atStep: 2, runId: "f", code: "finalAnswer([typeof n, m])" });
    expect(await fork).toEqual(["undefined", 2]);
    const [first, ...copied] = await eventsOf((await fork.result).log);
    const whole = await eventsIn(store);
    expect(first).toMatchObject({ type: "fork", parent: { runId: "r2", seq: whole.length - 1 } });
    expect(copied.map(({ type }) => type)).not.toContain("reset");
    expect(await agent.resume("f")).toEqual(["undefined", 2]);
  });

  test("is not reset while another holder has the log, and keeps its memory", async () => {
    const store = newStore();
    const agent = agentWith(store, code("let n = 1; finalAnswer(await send())"));
    await using session = agent.session({ id: "chat" });
    await session.run("One.").result;
    {
      await using _held = await store.open("chat");
      await expect(session.reset()).rejects.toMatchObject({ code: "lease" });
    }
    expect(session.steps).not.toEqual([]);
    expect((await session.resume().result).status).toBe("suspended");
  });
});

test("a reset that cannot be recorded is an error, and the session does not change", async () => {
  const model = scriptedModel([code("let n = 1; finalAnswer(n)"), code("finalAnswer(typeof n)")]);
  const store = memoryStore();
  let isFull = false;
  const open: RunStore["open"] = async (id, options) => {
    const held = await store.open(id, options);
    const append: typeof held.append = (body, at) => {
      if (isFull) throw new Error("the disk is full");
      return held.append(body, at);
    };
    return { ...held, append };
  };
  await using session = new CodeAgent({ model, store: { ...store, open } }).session({ id: "chat" });
  await session.run("One.");
  isFull = true;
  await expect(session.reset()).rejects.toMatchObject({ code: "log", message: expect.stringContaining("full") });
  isFull = false;
  expect(await session.run("Two.")).toBe("number");
  await session.reset();
  expect(session.steps).toEqual([]);
});

test("a reset is recorded in the session's log, and other sessions on that log respect it", async () => {
  const log = memoryLog();
  const model = scriptedModel([code("let n = 1; finalAnswer(n)"), code("finalAnswer(typeof n)")]);
  const agent = new CodeAgent({ model });
  await using session = agent.session({ log });
  await using other = agent.session({ log });
  await session.run("One.", { runId: "r1" });
  await other.reset();
  expect(await session.run("Two.", { runId: "r2" })).toBe("undefined");
  expect(session.log).toBe(log);
  const tasks = foldSteps(log.events).flatMap((step) => (step.type === "task" ? [step.runId] : []));
  expect(tasks).toEqual(["r2"]);
  const shown = await renderRun(log);
  expect(shown.match(/^agent on .*: success, 1 step/gm)).toHaveLength(2);
});

test("a session that was closed is not reset", async () => {
  const session = new CodeAgent({ model: scriptedModel([]) }).session();
  await session[Symbol.asyncDispose]();
  await expect(session.reset()).rejects.toMatchObject({ code: "interrupted" });
});
