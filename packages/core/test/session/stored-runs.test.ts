import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { interpreter } from "@smolts/interpreter";
import { memoryLog, memoryStore } from "@smolts/memory";
import { fileStore } from "@smolts/memory/files";
import type { DecisionInput, DurableEvent, RunStore, StoredLog, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { listFiles, readFile } from "@smolts/tools/files";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-runs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
const stores: [kind: string, newStore: () => RunStore][] = [
  ["a store in memory", () => memoryStore()],
  ["a store of files", () => fileStore(join(folder, String(++count)), { key: "a key of sixteen characters and more" })],
];

/** Copies the members of a log. Spreading the object would lose its getters and methods. */
const bound = (log: StoredLog): Omit<StoredLog, "flush"> => ({
  id: log.id,
  epoch: log.epoch,
  isOwn: log.isOwn,
  lost: log.lost,
  append: (body, at) => log.append(body, at),
  confirm: () => log.confirm(),
  read: (fromSeq) => log.read(fromSeq),
  putBlob: (bytes, mediaType) => log.putBlob(bytes, mediaType),
  readBlob: (digest) => log.readBlob(digest),
  [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
});

const code = (text: string): string => `<code>\n${text}\n</code>`;

test.each(stores)("in %s, a run or a fork does not get the id of a run in another session", async (_kind, newStore) => {
  const agent = new CodeAgent({ model: scriptedModel(() => code("finalAnswer(1)")), store: newStore() });
  const session = agent.session({ id: "s" });
  await session.run("Go.", { runId: "r1" });
  await session[Symbol.asyncDispose]();
  const refused = { code: "invalid-option", message: expect.stringContaining('a run with the id "r1"') };
  await expect(agent.run("Go.", { runId: "r1" })).rejects.toMatchObject(refused);
  const { runId } = await agent.run("Go.").result;
  await expect(agent.fork(runId, { atStep: 1, runId: "r1" })).rejects.toMatchObject(refused);
  expect(await agent.resume("r1")).toBe(1);
});

/** A tool with an effect, and the inputs it was called with. */
function mailer(more: Pick<Partial<Tool>, "effects" | "needsApproval" | "description"> = {}) {
  const sent: unknown[] = [];
  const keys: string[] = [];
  const send = tool({
    name: "send",
    description: "Sends a mail.",
    input: { to: "string" },
    effects: "once",
    execute: (input, { idempotencyKey }) => {
      const { to } = input as { to: string };
      sent.push(input);
      keys.push(idempotencyKey);
      return `sent to ${to}`;
    },
    ...more,
  }) as Tool;
  return { send, sent, keys };
}

async function eventsIn(store: RunStore, runId: string): Promise<DurableEvent[]> {
  const log = await store.open((await store.find(runId)) ?? "", { readonly: true });
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

/**
 * Writes a store whose log stops right after the first event of a type, as if the process was
 * killed then.
 */
async function cutAfter(store: RunStore, from: readonly DurableEvent[], type: DurableEvent["type"]): Promise<void> {
  await using log = await store.open("cut");
  for (const { runId, path, seq: _seq, time: _time, ...body } of from) {
    log.append(body as never, { runId, path });
    if (body.type === type) break;
  }
  await log.flush();
}

describe.each(stores)("%s", (_kind, newStore) => {
  test("keeps a run after its end, and returns its recorded answer without repeating anything", async () => {
    const store = newStore();
    const { send, sent } = mailer();
    const model = scriptedModel([code('finalAnswer(await send({ to: "Ann" }))')]);
    const agent = new CodeAgent({ model, tools: [send], store });
    expect(await agent.run("Write to Ann.", { runId: "r1" })).toBe("sent to Ann");
    expect((await store.list()).map(({ runId, status, task }) => [runId, status, task])).toEqual([
      ["r1", "success", "Write to Ann."],
    ]);
    expect(await new CodeAgent({ model: scriptedModel([]), tools: [send], store }).resume("r1")).toBe("sent to Ann");
    expect(sent).toHaveLength(1);
  });

  test("lets a person decide without the agent, and another process resume", async () => {
    const store = newStore();
    const { send, sent } = mailer({ needsApproval: () => true });
    const script = [code('finalAnswer(await send({ to: "Ann" }))')];
    const first = await new CodeAgent({ model: scriptedModel(script), tools: [send], store }).run("Go.", {
      runId: "r1",
    }).result;
    expect([first.status, (await store.list({ status: "suspended" })).length, sent.length]).toEqual([
      "suspended",
      1,
      0,
    ]);
    const [request] = first.pending ?? [];
    await store.decide("r1", { id: request?.id ?? "", digest: request?.digest ?? "", type: "approve", by: "Ann" });
    expect(await new CodeAgent({ model: scriptedModel([]), tools: [send], store }).resume("r1")).toBe("sent to Ann");
    expect(sent).toEqual([{ to: "Ann" }]);
  });

  test.each([
    ["success", "approve", 1],
    ["failed", "deny", 0],
  ] as const)("refuses decisions on a run that has ended: %s", async (status, type, count) => {
    const store = newStore();
    const { send, sent } = mailer({ needsApproval: () => true });
    const agent = (script: string[]) => new CodeAgent({ model: scriptedModel(script), tools: [send], store });
    const first = await agent([code('finalAnswer(await send({ to: "Ann" }))')]).run("Go.", { runId: "r1" }).result;
    const { id = "", digest = "" } = first.pending?.[0] ?? {};
    // After a denial the model is asked, but its script is empty, so the run fails.
    const resumed = await agent([]).resume("r1", { decisions: [{ id, digest, type }] }).result;
    expect(resumed.status).toBe(status);
    const before = await eventsIn(store, "r1");
    for (const decision of ["approve", "deny"] as const) {
      await expect(store.decide("r1", { id, digest, type: decision })).rejects.toMatchObject({
        code: "stale-decision",
        message: expect.stringContaining("the run has ended"),
      });
    }
    const other = type === "approve" ? "deny" : "approve";
    const again = agent([]).resume("r1", { decisions: [{ id, digest, type: other }] });
    await expect(again).rejects.toMatchObject({ code: "stale-decision" });
    expect(await eventsIn(store, "r1")).toEqual(before);
    expect(sent).toHaveLength(count);
  });

  test("validates an edit that was decided without the agent, and asks again when it does not fit", async () => {
    const store = newStore();
    const { send, sent } = mailer({ needsApproval: () => true });
    const agent = (script: string[]) => new CodeAgent({ model: scriptedModel(script), tools: [send], store });
    const first = await agent([code('finalAnswer(await send({ to: "Ann" }))')]).run("Go.", { runId: "r1" }).result;
    const { id = "", digest = "" } = first.pending?.[0] ?? {};
    await store.decide("r1", { id, digest, type: "edit", input: { to: 7, cc: [] } });
    const second = await agent([]).resume("r1").result;
    expect([second.status, second.pending?.[0]?.problem?.includes("to"), sent.length]).toEqual(["suspended", true, 0]);
    await store.decide("r1", { id, digest, type: "edit", input: { to: "Bob" } });
    expect(await agent([]).resume("r1")).toBe("sent to Bob");
    expect(sent).toEqual([{ to: "Bob" }]);
  });

  test("refuses a second driver of a run", async () => {
    const store = newStore();
    const { send } = mailer();
    let begun: () => void = () => {};
    const isGoing = new Promise<void>((resolve) => (begun = resolve));
    let finish: () => void = () => {};
    const slow = tool({
      name: "slow",
      description: "Takes its time.",
      input: {},
      effects: "none",
      execute: () => {
        begun();
        return new Promise<string>((resolve) => (finish = () => resolve("done")));
      },
    }) as Tool;
    const agent = new CodeAgent({
      model: scriptedModel([code("finalAnswer(await slow({}))")]),
      tools: [send, slow],
      store,
    });
    const run = agent.run("Go.", { runId: "r1" });
    await isGoing;
    // The store writes in the background, so the test waits until the run is there.
    while ((await store.find("r1")) === null) await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(agent.resume("r1")).rejects.toMatchObject({ code: "lease" });
    finish();
    expect(await run).toBe("done");
  });

  test("keeps a session's memory and variables from one holder to the next", async () => {
    const store = newStore();
    const first = new CodeAgent({ model: scriptedModel([code("const kept = 41; finalAnswer(kept)")]), store });
    {
      await using session = first.session({ id: "chat" });
      expect(await session.run("Keep a number.")).toBe(41);
    }
    const later = new CodeAgent({ model: scriptedModel([code("finalAnswer(kept + 1)")]), store });
    await using session = later.session({ id: "chat" });
    expect(await session.run("Add one.")).toBe(42);
    expect((await store.list()).map(({ sessionId }) => sessionId)).toEqual(["chat"]);
  });

  test.each<[string, Omit<DecisionInput, "id" | "digest">, answer: unknown, calls: number, newKey: boolean | null]>([
    ["that it happened", { type: "happened", output: "sent by hand" } as never, "sent by hand", 0, null],
    ["to make it again", { type: "again" } as never, "sent to Ann", 1, false],
    ["to make it again as a new call", { type: "again-as-new" } as never, "sent to Ann", 1, true],
    ["that it failed", { type: "fail", reason: "no network" } as never, "no network", 0, null],
  ])("asks about a call in doubt, and follows a person who says %s", async (_said, decision, answer, calls, newKey) => {
    const { send, sent, keys } = mailer();
    const script = [code('try { finalAnswer(await send({ to: "Ann" })) } catch (e) { finalAnswer(e.message) }')];
    const whole = memoryStore();
    await new CodeAgent({ model: scriptedModel(script), tools: [send], store: whole }).run("Go.", { runId: "r1" });
    const store = newStore();
    await cutAfter(store, await eventsIn(whole, "r1"), "tool-start");
    const [firstKey] = keys;
    sent.length = keys.length = 0;

    const resumed = new CodeAgent({ model: scriptedModel([]), tools: [send], store });
    const { status, error, pending } = await resumed.resume("r1").result;
    expect([status, error?.code, pending?.length, sent.length]).toEqual(["suspended", "in-doubt", 1, 0]);
    const { id = "", digest = "" } = pending?.[0] ?? {};
    await store.decide("r1", { id, digest, ...decision } as DecisionInput);
    expect(String(await resumed.resume("r1"))).toContain(answer);
    expect(sent).toHaveLength(calls);
    if (newKey !== null) expect(keys[0] !== firstKey).toBe(newKey);
  });

  test("repeats a call of a tool with stricter effects only if a person says so", async () => {
    const { send } = mailer({ effects: "idempotent" });
    const whole = memoryStore();
    const script = [
      { toolCalls: [{ name: "send", input: { to: "Ann" } }] },
      { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] },
    ];
    await new ToolCallingAgent({ model: scriptedModel(script), tools: [send], store: whole }).run("Go.", {
      runId: "r1",
    });
    const store = newStore();
    await cutAfter(store, await eventsIn(whole, "r1"), "tool-start");
    const strict = mailer();
    const agent = new ToolCallingAgent({ model: scriptedModel([]), tools: [strict.send], store });
    expect((await agent.resume("r1").result).error?.code).toBe("in-doubt");
    expect(strict.sent).toEqual([]);
  });

  test("stops a run that ends its process at each resume", async () => {
    const whole = memoryStore();
    const { send } = mailer();
    const script = [code('finalAnswer(await send({ to: "Ann" }))')];
    await new CodeAgent({ model: scriptedModel(script), tools: [send], store: whole }).run("Go.", { runId: "r1" });
    const store = newStore();
    await cutAfter(store, await eventsIn(whole, "r1"), "code-start");
    {
      await using log = await store.open("cut");
      for (const attempt of [2, 3, 4])
        log.append({ type: "run-resume", attempt, definitionDigest: "d" }, { runId: "r1", path: ["agent"] });
    }
    const agent = new CodeAgent({ model: scriptedModel([]), tools: [send], store });
    await expect(agent.resume("r1")).rejects.toMatchObject({ code: "crash-loop" });
    expect(await agent.resume("r1", { force: true })).toBe("sent to Ann");
  });

  test("voids an approval of a tool that has changed since, and asks again", async () => {
    const store = newStore();
    const { send } = mailer({ needsApproval: () => true });
    const script = [code('finalAnswer(await send({ to: "Ann" }))')];
    const { pending } = await new CodeAgent({ model: scriptedModel(script), tools: [send], store }).run("Go.", {
      runId: "r1",
    }).result;
    const { id = "", digest = "" } = pending?.[0] ?? {};
    await store.decide("r1", { id, digest, type: "approve" });
    const changed = mailer({ needsApproval: () => true, description: "Sends a mail to everybody." });
    const agent = new CodeAgent({ model: scriptedModel([]), tools: [changed.send], store });
    const again = await agent.resume("r1").result;
    expect([again.status, again.pending?.[0]?.problem, changed.sent]).toEqual([
      "suspended",
      'the tool "send" has changed',
      [],
    ]);
    // A person who still sees the old tool must not decide about the new one.
    const old = { id, digest, type: "approve" } as const;
    await expect(store.decide("r1", old)).rejects.toMatchObject({ code: "stale-decision" });
    expect((await agent.resume("r1", { decisions: [old] }).result).error?.code).toBe("stale-decision");
    await store.decide("r1", { ...old, digest: again.pending?.[0]?.digest ?? "" });
    expect([await agent.resume("r1"), changed.sent]).toEqual(["sent to Ann", [{ to: "Ann" }]]);
  });

  test("starts no run while another run of the session waits for people", async () => {
    const store = newStore();
    const { send, sent } = mailer({ needsApproval: () => true });
    const script = [code('finalAnswer(await send({ to: "Ann" }))')];
    const first = new CodeAgent({ model: scriptedModel(script), tools: [send], store }).session({ id: "chat" });
    const { runId, pending } = await first.run("Write to Ann.").result;
    const other = new CodeAgent({ model: scriptedModel([code("finalAnswer(2)")]), tools: [send], store });
    const second = other.session({ id: "chat" });
    expect((await second.run("Go on.").result).error?.code).toBe("busy");
    const { id = "", digest = "" } = pending?.[0] ?? {};
    await store.decide(runId, { id, digest, type: "approve" });
    expect([await other.resume(runId), sent]).toEqual(["sent to Ann", [{ to: "Ann" }]]);
    // An open session and a new one both know that the run was resumed.
    expect(await second.run("Go on.")).toBe(2);
    await second[Symbol.asyncDispose]();
    const third = new CodeAgent({ model: scriptedModel([code("finalAnswer(3)")]), tools: [send], store });
    const session = third.session({ id: "chat" });
    expect(await session.run("And again.")).toBe(3);
    await session[Symbol.asyncDispose]();
  });

  test("accepts the next run of a session whose store failed once", async () => {
    const inner = newStore();
    let isFull = false;
    const open: RunStore["open"] = async (id, options) => {
      const log = await inner.open(id, options);
      const flush = async (): Promise<void> => {
        if (isFull) throw new Error("the disk is full");
        await log.flush();
      };
      return { ...bound(log), flush };
    };
    const script = [code("let n = 1; finalAnswer(n)"), code("n += 1; finalAnswer(n)"), code("n += 1; finalAnswer(n)")];
    const session = new CodeAgent({ model: scriptedModel(script), store: { ...inner, open } }).session({ id: "chat" });
    expect(await session.run("One.")).toBe(1);
    isFull = true;
    expect((await session.run("Two.").result).error?.code).toBe("log");
    isFull = false;
    expect(await session.run("Three.")).toBeGreaterThan(1);
    await session[Symbol.asyncDispose]();
  });

  test("closes a log that its store opened only after the run was aborted", async () => {
    const inner = newStore();
    const [asked, closed]: [string[], string[]] = [[], []];
    let goOn = (): void => {};
    const busy = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const open: RunStore["open"] = async (id) => {
      asked.push(id);
      await busy;
      const log = await inner.open(id);
      const close = async (): Promise<void> => {
        await log[Symbol.asyncDispose]();
        closed.push(id);
      };
      return { ...bound(log), flush: () => log.flush(), [Symbol.asyncDispose]: close };
    };
    const agent = new CodeAgent({ model: scriptedModel([]), store: { ...inner, open } });
    const session = agent.session({ id: "chat" });
    const runs = [agent.run("One.", { runId: "alone" }), session.run("Two.")];
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(2);
    for (const run of runs) run.abort();
    for (const run of runs) expect((await run.result).status).toBe("aborted");
    await session[Symbol.asyncDispose]();
    goOn();
    await expect.poll(() => closed.toSorted(), { timeout: 60_000 }).toEqual(["alone", "chat"]);
  });

  test.each(["in its session", "in its session, opened again", "to resume it"])(
    "accepts a run that begins right after one was aborted while the store opened the log: %s",
    async (how) => {
      const inner = newStore();
      const answering = () => scriptedModel([code("finalAnswer(1)")]);
      await new CodeAgent({ model: answering(), store: inner }).run("One.", { runId: "r1" });
      let [asked, goOn] = [0, (): void => {}];
      const busy = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const open: RunStore["open"] = async (id, options) => {
        if (!options?.readonly) asked++;
        await busy;
        return inner.open(id, options);
      };
      const agent = new CodeAgent({ model: answering(), store: { ...inner, open } });
      const session = agent.session({ id: "chat" });
      const begin = () => (how === "to resume it" ? agent.resume("r1") : session.run("Two."));
      const first = begin();
      await expect.poll(() => asked, { timeout: 60_000 }).toBe(1);
      first.abort();
      expect((await first.result).status).toBe("aborted");
      if (how === "in its session, opened again") await session[Symbol.asyncDispose]();
      const again = agent.session({ id: "chat" });
      const second = how === "in its session, opened again" ? again.run("Two.") : begin();
      goOn();
      expect(await second).toBe(1);
      await session[Symbol.asyncDispose]();
      await again[Symbol.asyncDispose]();
    },
  );

  test("accepts a run that begins while the store closes the previous run's log", async () => {
    const inner = newStore();
    let [closing, looks, goOn] = [0, 0, (): void => {}];
    const busy = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const open: RunStore["open"] = async (id, options) => {
      const log = await inner.open(id, options);
      const close = async (): Promise<void> => {
        closing++;
        await busy;
        await log[Symbol.asyncDispose]();
      };
      return { ...bound(log), flush: () => log.flush(), [Symbol.asyncDispose]: close };
    };
    const find: RunStore["find"] = async (runId) => {
      looks++;
      return inner.find(runId);
    };
    const agent = new CodeAgent({ model: scriptedModel([code("finalAnswer(1)")]), store: { ...inner, open, find } });
    const first = agent.run("One.", { runId: "r1" });
    await expect.poll(() => closing, { timeout: 60_000 }).toBe(1);
    const second = agent.resume("r1");
    await expect.poll(() => looks, { timeout: 60_000 }).toBe(1);
    // A resume that did not wait would have opened the log by now.
    await new Promise((resolve) => setTimeout(resolve));
    goOn();
    expect([await first, await second]).toEqual([1, 1]);
  });

  test("reports an unknown run, and a run that is not the last one", async () => {
    const store = newStore();
    const agent = new CodeAgent({ model: scriptedModel([code("finalAnswer(1)"), code("finalAnswer(2)")]), store });
    await expect(agent.resume("nowhere")).rejects.toMatchObject({ code: "log" });
    {
      await using session = agent.session({ id: "chat" });
      await session.run("One.", { runId: "r1" });
      await session.run("Two.", { runId: "r2" });
    }
    await expect(agent.resume("r1")).rejects.toMatchObject({ code: "invalid-option" });
  });
});

test("resuming by an id without a store is refused", () => {
  const agent = new CodeAgent({ model: scriptedModel([]) });
  expect(() => agent.resume("r1")).toThrow(/needs a store/);
  expect(() => agent.session({ id: "chat" })).toThrow(/needs the agent's store/);
});

test("file tools refuse a store in their folder, even if it was created later", async () => {
  const root = await mkdtemp(join(tmpdir(), "smolts-root-"));
  await writeFile(join(root, "paper.txt"), "a paper");
  const files = [readFile({ root }), listFiles({ root })] as Tool[];
  const store = fileStore(join(root, "runs"));
  const script = [
    code('print(await listFiles()); await readFile({ path: "runs/sessions/r1/000001.jsonl" })'),
    code('finalAnswer(await readFile({ path: "paper.txt" }))'),
  ];
  const { output, steps } = await new CodeAgent({ model: scriptedModel(script), tools: files, store }).run("Go.", {
    runId: "r1",
  }).result;
  expect(output).toBe("a paper");
  const [first] = steps.filter((step) => step.type === "action");
  expect(first?.logs).toContain("paper.txt");
  expect(first?.logs).not.toContain("runs");
  expect(first?.error?.message).toContain("it is in a run store");
  for (const folder of ["runs", "runs/sessions"])
    expect(() => readFile({ root: join(root, folder) })).toThrow(/store|it is in/);
  await rm(root, { recursive: true });
});

describe("a call that must be decided in time", () => {
  const script = [code('finalAnswer(await send({ to: "Ann" }))')];
  const isPast = async (time: number | undefined): Promise<void> => {
    while (Date.now() < (time ?? 0)) await new Promise((resolve) => setTimeout(resolve, 1));
  };

  test("refuses a late decision, and asks again under another digest", async () => {
    const store = memoryStore();
    const { send, sent } = mailer({ needsApproval: () => true });
    const agent = (replies: string[], approvalTimeoutMs: number) =>
      new CodeAgent({ model: scriptedModel(replies), tools: [send], store, approvalTimeoutMs });
    const first = await agent(script, 1).run("Go.", { runId: "r1" }).result;
    const { id = "", digest = "", expiresAt } = first.pending?.[0] ?? {};
    await isPast(expiresAt);
    await expect(store.decide("r1", { id, digest, type: "approve" })).rejects.toMatchObject({
      code: "stale-decision",
      message: expect.stringContaining("too late"),
    });
    const late = agent([], 60_000).resume("r1", { decisions: [{ id, digest, type: "approve" }] });
    await expect(late).rejects.toMatchObject({ code: "stale-decision" });

    const second = await agent([], 60_000).resume("r1").result;
    const [again] = second.pending ?? [];
    expect([second.status, again?.problem, again?.digest === digest]).toEqual([
      "suspended",
      "nobody decided in time",
      false,
    ]);
    await expect(store.decide("r1", { id, digest, type: "approve" })).rejects.toMatchObject({ code: "stale-decision" });
    expect(sent).toEqual([]);
    await store.decide("r1", { id, digest: again?.digest ?? "", type: "approve" });
    expect(await agent([], 60_000).resume("r1")).toBe("sent to Ann");
    expect(sent).toEqual([{ to: "Ann" }]);
  });

  test("accepts a decision that was made in time, however late the run is resumed", async () => {
    const store = memoryStore();
    const { send, sent } = mailer({ needsApproval: () => true });
    const agent = (replies: string[]) =>
      new CodeAgent({ model: scriptedModel(replies), tools: [send], store, approvalTimeoutMs: 60_000 });
    const { pending } = await agent(script).run("Go.", { runId: "r1" }).result;
    const { id = "", digest = "", expiresAt = 0 } = pending?.[0] ?? {};
    await store.decide("r1", { id, digest, type: "approve" });
    const later = vi.spyOn(Date, "now").mockImplementation(() => expiresAt + 1);
    try {
      expect(await agent([]).resume("r1")).toBe("sent to Ann");
    } finally {
      later.mockRestore();
    }
    expect(sent).toHaveLength(1);
  });

  test("aborts the handler's signal when the time is over, and suspends the run", async () => {
    const { send, sent } = mailer({ needsApproval: () => true });
    const agent = new CodeAgent({
      model: scriptedModel(script),
      tools: [send],
      approvalTimeoutMs: 1,
      approve: (_request, { signal }) => new Promise((resolve) => (signal.onabort = () => resolve(true))),
    });
    const { status, pending } = await agent.run("Go.").result;
    expect([status, pending?.[0]?.problem, sent]).toEqual(["suspended", "nobody decided in time", []]);
  });
});

test("a log records the environment of its code, a resume records the changes, and a divergence names both", async () => {
  const inner = interpreter();
  const { send } = mailer({ needsApproval: () => true });
  const agent = (replies: string[], environment: object = {}) =>
    new CodeAgent({
      model: scriptedModel(replies),
      tools: [send],
      executor: { ...inner, environment: { ...inner.environment, ...environment } },
    });
  const { log, pending } = await agent([code('finalAnswer(await send({ to: "Ann" }))')]).run("Go.").result;
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  expect(events[0]).toMatchObject({ environment: { semantics: "1", engine: expect.stringMatching(/^v8 /) } });
  const { id = "", digest = "" } = pending?.[0] ?? {};
  const decisions = [{ id, digest, type: "approve" as const }];
  const other = agent([], { engine: "v8 99.1" });
  const { log: resumed, output } = await other.resume(memoryLog({ events }), { decisions }).result;
  expect(output).toBe("sent to Ann");
  const resumes: DurableEvent[] = [];
  for await (const event of resumed.read()) if (event.type === "run-resume") resumes.push(event);
  expect(resumes).toMatchObject([{ environment: { engine: "v8 99.1" } }]);

  const changed = events.map((event) =>
    event.type === "code-start" ? { ...event, code: 'finalAnswer(await send({ to: "Bob" }))' } : event,
  );
  await expect(other.resume(memoryLog({ events: changed }))).rejects.toMatchObject({
    code: "divergence",
    message: expect.stringMatching(/engine v8 99\.1, was v8 \d/),
  });
});
