// Faults between two processes that share a file store: crashes at any record, people who decide
// late or twice, tools and agents that have changed, missing files, and two processes that want the
// same run.

import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent, type CodeAgentOptions, image, ToolCallingAgent } from "@smolts/core";
import { fileStore } from "@smolts/memory/files";
import type { DecisionInput, DurableEvent, RunStore, Tool, ToolEffects } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

let folder = "";
let stores = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-faults-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const key = "a key of sixteen characters and more";
function newStore(options: object = {}): { readonly store: RunStore; readonly root: string } {
  const root = join(folder, String(++stores));
  return { store: fileStore(root, { key, ...options }), root };
}

const code = (text: string): string => `<code>\n${text}\n</code>`;

async function eventsOf(store: RunStore, sessionId: string): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of (await store.open(sessionId, { readonly: true })).read()) events.push(event);
  return events;
}

/** A store with the first events of a log, as a killed process would leave it. */
async function crashedAfter(events: readonly DurableEvent[], count: number, sessionId = "r1"): Promise<RunStore> {
  const { store } = newStore();
  await using log = await store.open(sessionId);
  for (const { runId, path, seq: _seq, time: _time, ...body } of events.slice(0, count)) {
    log.append(body as never, { runId, path });
  }
  await log.flush();
  return store;
}

interface Effect {
  readonly input: { readonly [name: string]: unknown };
  readonly key: string;
}

/** A tool with an effect, and a list of the effects it had. */
function effectTool(name: string, effects: ToolEffects, more: Partial<Tool> = {}) {
  const ledger: Effect[] = [];
  const made = {
    ...tool({
      name,
      description: "Has an effect.",
      input: { what: "string" },
      effects,
      execute: async (input, { idempotencyKey }) => {
        ledger.push({ input, key: idempotencyKey });
        return `did ${input.what}`;
      },
    }),
    ...more,
  } as Tool;
  return { tool: made, ledger };
}

/**
 * A model whose reply depends only on how many replies the conversation already contains, so that
 * any process continues the run in the same way.
 */
const scripted = (...replies: readonly string[]) =>
  scriptedModel(({ messages }) => replies[messages.filter(({ role }) => role === "assistant").length] ?? "over");

const agentWith = (
  replies: readonly string[],
  tools: readonly Tool[],
  store: RunStore,
  more: Partial<CodeAgentOptions> = {},
) => new CodeAgent({ model: scripted(...replies), tools, store, ...more });

describe("a crash after any record", () => {
  test("calls are numbered in the order in which they were made, however long their validation takes", async () => {
    const delays: { readonly [what: string]: number } = { a: 9, b: 6, c: 1 };
    const slow = effectTool("act", "idempotent");
    const { parseInput } = slow.tool;
    const act: Tool = {
      ...slow.tool,
      parseInput: async (input) => {
        await new Promise((resolve) => setTimeout(resolve, delays[(input as { what: string }).what]));
        return parseInput(input);
      },
    };
    const replies = [code('finalAnswer(await Promise.all(["a", "b", "c"].map((what) => act({ what }))))')];
    const { store } = newStore();
    expect(await agentWith(replies, [act], store).run("Go.", { runId: "r1" })).toEqual(["did a", "did b", "did c"]);
    const events = await eventsOf(store, "r1");
    for (let cut = 1; cut < events.length; cut++) {
      const crashed = await crashedAfter(events, cut);
      expect(await agentWith(replies, [act], crashed).resume("r1")).toEqual(["did a", "did b", "did c"]);
      const asked = (await eventsOf(crashed, "r1")).flatMap((event) =>
        event.type === "tool-call" && event.name === "act" ? [(event.args[0] as { what: string }).what] : [],
      );
      expect(asked).toEqual(["a", "b", "c"]);
    }
    expect(new Set(slow.ledger.map((effect) => effect.key)).size).toBe(3);
  });

  test("an idempotent call keeps its key and its input, even if the process dies five times during it", async () => {
    const { tool: act, ledger } = effectTool("act", "idempotent");
    const replies = [code('finalAnswer(await act({ what: "a" }))')];
    const { store } = newStore();
    await agentWith(replies, [act], store).run("Go.", { runId: "r1" });
    for (let crash = 0; crash < 5; crash++) {
      const events = await eventsOf(store, "r1");
      const crashed = await crashedAfter(events, events.findIndex(({ type }) => type === "tool-start") + 1);
      expect(await agentWith(replies, [act], crashed).resume("r1")).toBe("did a");
    }
    expect(ledger).toHaveLength(6);
    expect(new Set(ledger.map((effect) => JSON.stringify(effect))).size).toBe(1);
  });

  test("answers of agents that run in parallel are never swapped", async () => {
    const researcher = (store?: RunStore) =>
      new CodeAgent({
        name: "researcher",
        description: "Looks something up.",
        model: scriptedModel(async ({ messages }) => {
          const name = /<(slow|fast)>/.exec(JSON.stringify(messages))?.[1] ?? "";
          await new Promise((resolve) => setTimeout(resolve, name === "slow" ? 8 : 1));
          return code(`finalAnswer("about ${name}")`);
        }),
        ...(store && { store }),
      });
    const replies = [
      code('finalAnswer(await Promise.all([researcher({ task: "<slow>" }), researcher({ task: "<fast>" })]))'),
    ];
    const manager = (store: RunStore) => agentWith(replies, [], store, { managedAgents: [researcher()] });
    const isRight = (answer: unknown): void => {
      const [slow, fast] = answer as [string, string];
      expect([slow.includes("about slow"), fast.includes("about fast")]).toEqual([true, true]);
    };
    const { store } = newStore();
    isRight(await manager(store).run("Go.", { runId: "r1" }));
    const events = await eventsOf(store, "r1");
    for (let cut = 1; cut < events.length; cut += 2) {
      isRight(await manager(await crashedAfter(events, cut)).resume("r1"));
    }
  });

  test("values of all kinds are the same for the code that runs again", async () => {
    const shared = { deep: [1] };
    const values = tool({
      name: "values",
      description: "Returns values of all kinds.",
      input: {},
      effects: "none",
      execute: () => ({
        date: new Date(5),
        map: new Map([["a", -0]]),
        nothing: undefined,
        number: Number.NaN,
        bytes: new Uint8Array([1, 255]),
        big: 10n ** 30n,
        twice: [shared, shared],
      }),
    }) as Tool;
    const replies = [
      code("const v = await values(); v.twice[0].deep.push(2); print(v)"),
      code(
        'finalAnswer([v.date.getTime(), Object.is(v.map.get("a"), -0), "nothing" in v, v.number, [...v.bytes], String(v.big), v.twice[1].deep])',
      ),
    ];
    const whole = [5, true, true, Number.NaN, [1, 255], `1${"0".repeat(30)}`, [1, 2]];
    const { store } = newStore();
    expect(await agentWith(replies, [values], store).run("Go.", { runId: "r1" })).toEqual(whole);
    const events = await eventsOf(store, "r1");
    for (let cut = 2; cut < events.length; cut++) {
      expect(await agentWith(replies, [values], await crashedAfter(events, cut)).resume("r1")).toEqual(whole);
    }
  });

  test("a block that a limit stopped is replayed to the same point", async () => {
    const { interpreter } = await import("@smolts/interpreter");
    const executor = interpreter({ limits: { operations: 20_000 } });
    const replies = [code("const all = []; while (true) all.push(all.length)"), code("finalAnswer(all.length)")];
    const { store } = newStore();
    const live = await agentWith(replies, [], store, { executor }).run("Go.", { runId: "r1" });
    expect(live).toBeGreaterThan(100);
    const events = await eventsOf(store, "r1");
    const end = events.findIndex(({ type }) => type === "code-end") + 1;
    // A different limit does not change what was recorded.
    const generous = interpreter({ limits: { operations: 50_000 } });
    const crashed = await crashedAfter(events, end);
    expect(await agentWith(replies, [], crashed, { executor: generous }).resume("r1")).toBe(live);
  });
});

describe("a decision", () => {
  const replies = [code('finalAnswer(await act({ what: "a" }))')];
  async function suspended(more: Partial<Tool> = { needsApproval: () => true }) {
    const { store, root } = newStore();
    const { tool: act, ledger } = effectTool("act", "once", more);
    const { pending } = await agentWith(replies, [act], store).run("Go.", { runId: "r1" }).result;
    const { id = "", digest = "" } = pending?.[0] ?? {};
    const decide = (decision: object): Promise<void> =>
      store.decide("r1", { id, digest, ...decision } as DecisionInput);
    return { store, root, act, ledger, decide, id, digest };
  }

  test("is needed before an idempotent tool is called, however often the run is resumed", async () => {
    const { store } = newStore();
    const { tool: act, ledger } = effectTool("act", "idempotent", { needsApproval: () => true });
    const agent = agentWith(replies, [act], store);
    expect((await agent.run("Go.", { runId: "r1" }).result).status).toBe("suspended");
    for (let time = 0; time < 5; time++) expect((await agent.resume("r1").result).status).toBe("suspended");
    expect(ledger).toEqual([]);
  });

  test("that edits the input runs the call once with the edited input, even if the process dies after it", async () => {
    const { store, act, ledger, decide } = await suspended();
    await decide({ type: "edit", input: { what: "b" } });
    const crashed = await crashedAfter(await eventsOf(store, "r1"), Number.POSITIVE_INFINITY);
    expect(await agentWith(replies, [act], crashed).resume("r1")).toBe("did b");
    expect(ledger.map(({ input }) => input)).toEqual([{ what: "b" }]);
  });

  test("can be repeated, and a different one after it is stale, also if eight arrive at once", async () => {
    const { store, act, ledger, decide } = await suspended();
    await decide({ type: "approve" });
    await decide({ type: "approve" });
    await expect(decide({ type: "deny" })).rejects.toMatchObject({ code: "stale-decision" });
    const late = await Promise.allSettled(
      Array.from({ length: 8 }, (_, nth) => decide({ type: nth % 2 ? "approve" : "deny" })),
    );
    const codes = late.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(codes.every((one) => one === "stale-decision" || one === "lease")).toBe(true);
    expect(await agentWith(replies, [act], store).resume("r1")).toBe("did a");
    expect(ledger).toHaveLength(1);
    await expect(decide({ type: "approve" })).rejects.toMatchObject({ code: "stale-decision" });
  });

  test("is not made by a handler that throws: the request stays, with its id", async () => {
    const { store } = newStore();
    const { tool: act, ledger } = effectTool("act", "once", { needsApproval: () => true });
    const approve = () => {
      throw new Error("the window was closed");
    };
    const first = await agentWith(replies, [act], store, { approve }).run("Go.", { runId: "r1" }).result;
    const second = await agentWith(replies, [act], store).resume("r1").result;
    expect(second.pending?.map(({ id, digest }) => [id, digest])).toEqual(
      first.pending?.map(({ id, digest }) => [id, digest]),
    );
    expect([ledger, first.pending?.[0]?.problem]).toEqual([[], "the window was closed"]);
  });

  test("about a call that the model makes ten times applies to all of them", async () => {
    const { store } = newStore();
    const { tool: act, ledger } = effectTool("act", "once", { needsApproval: () => true });
    const ten = [
      code('let no = 0; for (let n = 0; n < 10; n++) await act({ what: "a" }).catch(() => no++); finalAnswer(no)'),
    ];
    const { pending } = await agentWith(ten, [act], store).run("Go.", { runId: "r1" }).result;
    const { id = "", digest = "" } = pending?.[0] ?? {};
    await store.decide("r1", { id, digest, type: "deny", reason: "no" });
    expect(await agentWith(ten, [act], store).resume("r1")).toBe(10);
    const requests = (await eventsOf(store, "r1")).filter(({ type }) => type === "approval-request");
    expect([requests.length, ledger]).toEqual([1, []]);
  });

  test("is refused while a process drives the run, and for a deleted run", async () => {
    const { store, act, decide } = await suspended();
    let resume: () => void = () => {};
    const held = new Promise<void>((resolve) => (resume = resolve));
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const waiting = agentWith(replies, [act], store, {
      approve: async () => {
        begin();
        await held;
        return true;
      },
    }).resume("r1");
    await Promise.race([begun, waiting]);
    await expect(decide({ type: "deny" })).rejects.toMatchObject({ code: "lease" });
    await expect(store.delete("r1")).rejects.toMatchObject({ code: "lease" });
    resume();
    expect(await waiting).toBe("did a");
    expect(await store.delete("r1")).toBe(true);
    await expect(decide({ type: "approve" })).rejects.toMatchObject({ code: "log" });
    await expect(agentWith(replies, [act], store).resume("r1")).rejects.toMatchObject({ code: "log" });
  });

  test("survives clocks that jump: the log's time never goes back", async () => {
    const { store, act, decide } = await suspended();
    const earlier = Date.now() - 86_400_000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => earlier);
    try {
      await decide({ type: "approve" });
      expect(await agentWith(replies, [act], store).resume("r1")).toBe("did a");
    } finally {
      clock.mockRestore();
    }
    const times = (await eventsOf(store, "r1")).map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe("a process that resumes a run", () => {
  const replies = [code('const first = await act({ what: "a" })'), code('finalAnswer(await act({ what: "b" }))')];
  async function halfDone() {
    const { store } = newStore();
    const { tool: act, ledger } = effectTool("act", "once");
    await agentWith(replies, [act], store).run("Go.", { runId: "r1" });
    const events = await eventsOf(store, "r1");
    ledger.length = 0;
    return { events, act, ledger, half: events.findIndex(({ type }) => type === "step-end") + 1 };
  }

  test("is the only one of ten that try at once", async () => {
    const { events, act, ledger, half } = await halfDone();
    const store = await crashedAfter(events, half);
    const all = await Promise.all(
      Array.from({ length: 10 }, () => agentWith(replies, [act], store).resume("r1").result),
    );
    const codes = all.map(({ status, error }) => error?.code ?? status);
    expect(codes.filter((one) => one !== "lease" && one !== "success")).toEqual([]);
    expect(codes).toContain("success");
    expect(ledger.map(({ input }) => input["what"])).toEqual(["b"]);
  });

  test("may lack the tool: completed calls do not need it, and other calls are in doubt or refused", async () => {
    const { events, ledger, half } = await halfDone();
    const settled = await crashedAfter(events, events.length - 1);
    expect(await agentWith(replies, [], settled).resume("r1")).toBe("did b");
    const without = await agentWith(replies, [], await crashedAfter(events, half)).resume("r1").result;
    // The model gets an error, because there is no such tool.
    expect([without.status, ledger]).toEqual(["max-steps", []]);
    const started = events.findLastIndex(({ type }) => type === "tool-start") + 1;
    const inDoubt = await agentWith(replies, [], await crashedAfter(events, started)).resume("r1").result;
    expect([inDoubt.status, inDoubt.error?.code]).toEqual(["suspended", "in-doubt"]);
  });

  test("is refused with another kind of agent, and the log does not change", async () => {
    const { events, act, half } = await halfDone();
    const store = await crashedAfter(events, half);
    const other = new ToolCallingAgent({ model: scriptedModel([]), tools: [act], store });
    const { error } = await other.resume("r1").result;
    expect(error?.code).toBe("executor");
    const named = new CodeAgent({ model: scriptedModel([]), tools: [act], store, name: "somebody" });
    expect((await named.resume("r1").result).error).toMatchObject({
      code: "log",
      message: expect.stringContaining("somebody"),
    });
    expect(await eventsOf(store, "r1")).toHaveLength(half);
  });

  test("with another key can read the run, but can neither continue it nor decide", async () => {
    const { root, store } = newStore();
    const { tool: act, ledger } = effectTool("act", "once", { needsApproval: () => true });
    const { pending } = await agentWith(replies, [act], store).run("Go.", { runId: "r1" }).result;
    const stranger = fileStore(root, { key: "another key of sixteen characters" });
    expect((await eventsOf(stranger, "r1")).length).toBeGreaterThan(3);
    await expect(agentWith(replies, [act], stranger).resume("r1")).rejects.toMatchObject({ code: "log" });
    const { id = "", digest = "" } = pending?.[0] ?? {};
    await expect(stranger.decide("r1", { id, digest, type: "approve" })).rejects.toMatchObject({ code: "log" });
    expect(ledger).toEqual([]);
  });

  test("takes over a lost lease, and the process that lost it starts nothing more", async () => {
    const { root, store } = newStore({ host: "one", leaseMs: 60_000 });
    const { tool: act, ledger } = effectTool("act", "idempotent");
    const other = fileStore(root, { key, host: "two", leaseMs: 30 });
    const take: Tool = {
      ...effectTool("take", "none").tool,
      // Another machine gets no heartbeat and takes over the run.
      execute: async () => {
        await (await other.open("r1"))[Symbol.asyncDispose]();
        return "taken";
      },
    };
    const script = [
      code('await act({ what: "a" }); await take({ what: "" }); await act({ what: "b" }); finalAnswer(1)'),
    ];
    const { error } = await agentWith(script, [act, take], store).run("Go.", { runId: "r1" }).result;
    expect(error?.code).toBe("lease");
    expect(ledger.map(({ input }) => input["what"])).toEqual(["a"]);
    const free: Tool = { ...take, execute: async () => "free" };
    expect(await agentWith(script, [act, free], other).resume("r1")).toBe(1);
    expect(ledger.map(({ input }) => input["what"])).toEqual(["a", "b"]);
  });
});

describe("files", () => {
  const replies = [code("let n = 1"), code("finalAnswer(n)")];

  test("missing bytes of an image are a typed error", async () => {
    const { root, store } = newStore();
    const png = image(
      new Uint8Array(
        Buffer.from(
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
          "base64",
        ),
      ),
    );
    await agentWith(replies, [], store).run("Look.", { runId: "r1", images: [png] });
    const events = await eventsOf(store, "r1");
    const blobs = join(root, "sessions", "r1", "blobs");
    for (const name of await readdir(blobs)) await rm(join(blobs, name));
    const log = await store.open("r1", { readonly: true });
    const [, digest = ""] = /"digest":"([^"]+)"/.exec(JSON.stringify(events[0])) ?? [];
    await expect(log.readBlob(digest)).rejects.toMatchObject({ code: expect.stringMatching(/^log/) });
  });

  test.each([
    ["a segment that is gone", (session: string) => rm(join(session, "000001.jsonl"))],
    ["a segment that is empty", (session: string) => truncate(join(session, "000001.jsonl"), 0)],
    ["a segment of something else", (session: string) => writeFile(join(session, "000001.jsonl"), "hello\n")],
    ["a segment too many", (session: string) => writeFile(join(session, "000004.jsonl"), "{}\n")],
  ])("%s is refused with a typed error, and nothing runs", async (_what, damage) => {
    const { root, store } = newStore();
    const { tool: act, ledger } = effectTool("act", "once", { needsApproval: () => true });
    const script = [code('finalAnswer(await act({ what: "a" }))')];
    await agentWith(script, [act], store).run("Go.", { runId: "r1" }).result;
    await agentWith(script, [act], store).resume("r1").result;
    await damage(join(root, "sessions", "r1"));
    const { error } = await agentWith(script, [act], store).resume("r1").result;
    expect([error?.code, ledger]).toEqual([expect.stringMatching(/^log-(corrupt|truncated)$/), []]);
  });

  test("a store whose folder is a file reports that", async () => {
    const path = join(folder, "a-file");
    await writeFile(path, "hello");
    const { error } = await agentWith(replies, [], fileStore(path)).run("Go.").result;
    expect(error).toMatchObject({ code: "log", message: expect.stringContaining("a-file"), hint: expect.any(String) });
  });

  test("run ids may have any characters, and never name a file outside of the store", async () => {
    const { root, store } = newStore();
    for (const runId of ["../../escape", "CON", "a/b\\c", "ünï¢ödé 🦊", ".", "x".repeat(500)]) {
      expect(await agentWith(replies, [], store).run("Go.", { runId })).toBe(1);
      expect(await agentWith(replies, [], store).resume(runId)).toBe(1);
    }
    expect((await readdir(root)).toSorted()).toEqual([".smolts-store", "index", "runs", "sessions"]);
    expect(await store.list()).toHaveLength(6);
  });
});
