// Stores that other programs and people change while a run is active. They move, delete, link or
// copy the folder, or they fork, list and follow the run at the same time. Also tests runs that
// continue with different tools, models or languages.

import { cp, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent, type CodeAgentOptions, ToolCallingAgent } from "@smolts/core";
import { memoryStore } from "@smolts/memory";
import { fileStore } from "@smolts/memory/files";
import type { DurableEvent, RunStore, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let folder = "";
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-broken-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const newRoot = (): string => join(folder, String(++count));
const code = (text: string): string => `<code>\n${text}\n</code>`;

/**
 * A model whose reply depends only on how many replies the conversation already contains, so that
 * any process continues the run in the same way.
 */
const scripted = (...replies: readonly string[]) =>
  scriptedModel(({ messages }) => replies[messages.filter(({ role }) => role === "assistant").length] ?? "over");

async function eventsOf(store: RunStore, sessionId: string): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of (await store.open(sessionId, { readonly: true })).read()) events.push(event);
  return events;
}

/** A tool whose first call changes the store after the call had its effect. */
function disturbing(disturb: () => Promise<unknown>, name = "act") {
  const ledger: string[] = [];
  const made = tool({
    name,
    description: "Has an effect.",
    input: { what: "string" },
    effects: "once",
    execute: async ({ what }) => {
      ledger.push(what);
      if (ledger.length === 1) await disturb();
      return `did ${what}`;
    },
  }) as Tool;
  return { tool: made, ledger };
}

const threeEffects = [
  code('const a = await act({ what: "a" })'),
  code('const b = await act({ what: "b" })'),
  code('finalAnswer([a, b, await act({ what: "c" })])'),
];
const answer = ["did a", "did b", "did c"];

const agentWith = (tools: readonly Tool[], store: RunStore, more: Partial<CodeAgentOptions> = {}) =>
  new CodeAgent({ model: scripted(...threeEffects), tools, store, ...more });

describe("a store whose folder", () => {
  test("is moved in the middle of a run stops the run before its next effect, and the run can continue in the new folder", async () => {
    const root = newRoot();
    const act = disturbing(() => rename(root, `${root}-moved`));
    const { status, error } = await agentWith([act.tool], fileStore(root)).run("Go.", { runId: "r" }).result;
    expect([status, error?.code, act.ledger]).toEqual(["failed", expect.stringMatching(/^log|^lease/), ["a"]]);
    // The run stopped after it had written the second `tool-start` event to the moved file, and
    // before it called the tool. The file does not show whether the call happened, so a person must
    // decide.
    const moved = fileStore(`${root}-moved`, { host: "elsewhere", leaseMs: 50 });
    const { pending = [] } = await agentWith([act.tool], moved).resume("r").result;
    expect(pending).toMatchObject([{ kind: "doubt", input: { what: "b" } }]);
    const decisions = pending.map(({ id, digest }) => ({ id, digest, type: "again" }) as const);
    expect(await agentWith([act.tool], moved).resume("r", { decisions })).toEqual(answer);
    expect(act.ledger).toEqual(["a", "b", "c"]);
  });

  test("is deleted in the middle of a run stops the run before its next effect", async () => {
    const root = newRoot();
    const act = disturbing(() => rm(root, { recursive: true }));
    const { status, error } = await agentWith([act.tool], fileStore(root)).run("Go.", { runId: "r" }).result;
    expect([status, error?.code, act.ledger]).toEqual(["failed", expect.stringMatching(/^log|^lease/), ["a"]]);
    const again = await agentWith([act.tool], fileStore(root)).resume("r").result;
    expect([again.status, again.error?.code]).toEqual(["failed", "log"]);
  });

  test("is a link is the same store as its target", async () => {
    const root = newRoot();
    const act = disturbing(async () => {});
    await fileStore(root).list();
    const first = agentWith([act.tool], fileStore(root));
    expect(await first.run("Go.", { runId: "r0" })).toEqual(answer);
    await symlink(root, `${root}-link`);
    const linked = fileStore(`${root}-link`);
    await using held = await fileStore(root).open("busy");
    expect(held.id).toBe("busy");
    await expect(linked.open("busy")).rejects.toMatchObject({ code: "lease" });
    expect((await linked.list()).map(({ runId }) => runId)).toContain("r0");
    expect(await agentWith([act.tool], linked).run("Go.", { runId: "r1" })).toEqual(answer);
    expect(await fileStore(root).find("r1")).toBe("r1");
  });

  test("is copied during a run contains a prefix of the run", async () => {
    const root = newRoot();
    const act = disturbing(() => cp(root, `${root}-copy`, { recursive: true }));
    const store = fileStore(root);
    expect(await agentWith([act.tool], store).run("Go.", { runId: "r" })).toEqual(answer);
    const whole = await eventsOf(store, "r");
    const copied = await eventsOf(fileStore(`${root}-copy`), "r");
    expect(copied.length).toBeGreaterThan(3);
    expect(copied).toEqual(whole.slice(0, copied.length));
    expect(copied.at(-1)?.type).toBe("tool-start");
  });
});

describe.each<[string, () => RunStore]>([
  ["files", () => fileStore(newRoot())],
  ["memory", () => memoryStore()],
])("while a run is driven on a store of %s", (_kind, newStore) => {
  test("it can be listed, read, forked and followed, but not resumed, decided on or deleted", async () => {
    const store = newStore();
    const seen: unknown[] = [];
    const act = disturbing(async () => {
      const fork = new CodeAgent({ model: scripted("", code("finalAnswer('forked')")), tools: [act.tool], store });
      seen.push((await store.list()).map(({ status }) => status));
      seen.push((await eventsOf(store, "r")).at(-1)?.type);
      seen.push((await agentWith([act.tool], store).resume("r").result).error?.code);
      seen.push(await store.delete("r").catch((error: { code: string }) => error.code));
      const decision = { type: "approve", id: "agent/1.1", digest: "x" } as const;
      seen.push(await store.decide("r", decision).catch((error: { code: string }) => error.code));
      const forked = await fork.fork("r", { atStep: 1, runId: "f", code: "finalAnswer('forked')", repeatEffects: true })
        .result;
      seen.push(forked.error?.message ?? forked.output);
    });
    expect(await agentWith([act.tool], store).run("Go.", { runId: "r" })).toEqual(answer);
    expect(seen).toEqual([["open"], "tool-start", "lease", "lease", "lease", "forked"]);
    expect(act.ledger).toEqual(["a", "b", "c"]);
  });
});

describe("a run continues", () => {
  async function abortedRun(store: RunStore) {
    const stop = new AbortController();
    const act = disturbing(async () => {});
    const model = scriptedModel(({ messages }) => {
      const step = messages.filter(({ role }) => role === "assistant").length;
      if (step === 1) stop.abort();
      return threeEffects[step] ?? "over";
    });
    const agent = new CodeAgent({ model, tools: [act.tool], store });
    expect((await agent.run("Go.", { runId: "r", signal: stop.signal }).result).status).toBe("aborted");
    return act;
  }

  test("in one of two processes that resume it at once, and no effect happens twice", async () => {
    for (const store of [memoryStore(), fileStore(newRoot())]) {
      const act = await abortedRun(store);
      const results = await Promise.all([1, 2].map(() => agentWith([act.tool], store).resume("r").result));
      const ends = results.map(({ status, error }) => error?.code ?? status);
      // The other resume either failed because the log was still held, or found the recorded
      // answer.
      expect(ends).toContain("success");
      expect(ends.filter((end) => end !== "success" && end !== "lease")).toEqual([]);
      expect(act.ledger).toEqual(["a", "b", "c"]);
    }
  });

  test("with another model, and records the change", async () => {
    const store = memoryStore();
    const act = await abortedRun(store);
    const other = { ...scripted(...threeEffects), id: "other/model" };
    expect(await agentWith([act.tool], store, { model: other }).resume("r")).toEqual(answer);
    const resumed = (await eventsOf(store, "r")).find(({ type }) => type === "run-resume");
    expect(resumed).toMatchObject({ changed: expect.arrayContaining(["model"]) });
    expect(act.ledger).toEqual(["a", "b", "c"]);
  });

  test("with a tool whose input has changed, without validating recorded calls again", async () => {
    const store = memoryStore();
    const act = await abortedRun(store);
    const stricter = tool({
      name: "act",
      description: "Has an effect.",
      input: { what: "string", why: "string?" },
      effects: "once",
      execute: ({ what }) => `again ${what}`,
    }) as Tool;
    expect(await agentWith([stricter], store).resume("r")).toEqual(["did a", "again b", "again c"]);
    expect(act.ledger).toEqual(["a"]);
  });

  test("without its tool, using the recorded results, and refuses later calls", async () => {
    const store = memoryStore();
    const act = await abortedRun(store);
    const renamed = { ...act.tool, name: "perform" };
    const replies = ["", code('try { await act({ what: "b" }) } catch (error) { finalAnswer([a, error.message]) }')];
    const agent = new CodeAgent({ model: scripted(...replies), tools: [renamed], store });
    const { output, error } = await agent.resume("r").result;
    expect([error, output]).toEqual([undefined, ["did a", expect.stringMatching(/act/)]]);
    expect(act.ledger).toEqual(["a"]);
  });

  test("not with code of another language, and the log stays as it was", async () => {
    const store = memoryStore();
    const act = await abortedRun(store);
    const before = await eventsOf(store, "r");
    const python = { language: "python", replay: "never", open: async () => ({}) } as never;
    const { status, error } = await agentWith([act.tool], store, { executor: python }).resume("r").result;
    expect([status, typeof error?.code]).toEqual(["failed", "string"]);
    expect(await eventsOf(store, "r")).toEqual(before);
  });
});

test("a result of 50 MB is an error for the program, and no event of the log", async () => {
  const root = newRoot();
  const store = fileStore(root);
  const huge = tool({
    name: "huge",
    description: "Returns much.",
    effects: "once",
    execute: () => "x".repeat(50_000_000),
  }) as Tool;
  const replies = [code("try { await huge() } catch (error) { finalAnswer(error.message) }")];
  const agent = () => new CodeAgent({ model: scripted(...replies), tools: [huge], store });
  const told = await agent().run("Go.", { runId: "r" });
  expect(told).toMatch(/larger than/);
  const lines = (await eventsOf(store, "r")).map((event) => JSON.stringify(event).length);
  expect(Math.max(...lines)).toBeLessThan(100_000);
  expect(await agent().resume("r")).toBe(told);
});

test("a run that was aborted while its history was being shortened shortens it again and ends", async () => {
  const store = memoryStore();
  const stop = new AbortController();
  let summaries = 0;
  const model = scriptedModel(({ messages }) => {
    if (JSON.stringify(messages[0]).includes("You shorten the history")) {
      if (++summaries === 1) stop.abort();
      return "Some numbers were printed.";
    }
    const printed = JSON.stringify(messages).includes("Some numbers");
    return code(printed ? "finalAnswer('short')" : "print('x'.repeat(3000) + Math.random())");
  });
  const agent = new CodeAgent({ model, store, context: { windowTokens: 6_000 } });
  const first = await agent.run("Go.", { runId: "r", signal: stop.signal }).result;
  expect([first.status, summaries]).toEqual(["aborted", 1]);
  const { output, usage } = await agent.resume("r").result;
  expect([output, summaries]).toEqual(["short", 2]);
  expect(usage?.lostAnswers).toBe(1);
});

test("a run whose steps were exhausted continues with more steps, three agents deep, and repeats no effect", async () => {
  const store = memoryStore();
  const act = disturbing(async () => {});
  const inner = new CodeAgent({
    model: scripted(code('const a = await act({ what: "a" })'), code('finalAnswer([a, await act({ what: "b" })])')),
    tools: [act.tool],
    name: "inner",
    description: "Works.",
  });
  const middle = new ToolCallingAgent({
    model: scriptedModel(({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { toolCalls: [{ name: "finalAnswer", input: { answer: "middle" } }] }
        : { toolCalls: [{ name: "inner", input: { task: "Go." } }] },
    ),
    managedAgents: [inner],
    name: "middle",
    description: "Manages.",
  });
  const replies = [code('const m = await middle({ task: "Go." })'), code("finalAnswer(m)")];
  const outer = new CodeAgent({ model: scripted(...replies), managedAgents: [middle], store });
  const stopped = await outer.run("Go.", { runId: "r", maxSteps: 1, forceAnswer: false }).result;
  expect([stopped.status, act.ledger]).toEqual(["max-steps", ["a", "b"]]);
  const { output } = await outer.resume("r", { moreSteps: 2 }).result;
  expect(String(output)).toContain("middle");
  expect(act.ledger).toEqual(["a", "b"]);
});

test("unknown files in the folder of sessions are ignored", async () => {
  const root = newRoot();
  const act = disturbing(async () => {});
  const store = fileStore(root);
  await agentWith([act.tool], store).run("Go.", { runId: "r" });
  const names = await readdir(join(root, "sessions"));
  await cp(join(root, "sessions", names[0] ?? "", "row.json"), join(root, "sessions", ".DS_Store"));
  await cp(join(root, "sessions", names[0] ?? "", "row.json"), join(root, "index", "Thumbs.db"));
  await cp(join(root, "sessions", names[0] ?? "", "row.json"), join(root, "sessions", names[0] ?? "", "000001.jsonl~"));
  expect((await store.list()).map(({ runId }) => runId)).toEqual(["r"]);
  expect(await agentWith([act.tool], store).resume("r")).toEqual(answer);
});
