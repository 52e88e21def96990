import { AgentError, type DecisionInput, type DurableEvent, type EventOf, type RunStore, wait } from "@smolts/protocol";
import { type ContractCase, expectSame, expectThat } from "./contract-case.ts";

/**
 * Returns the tests that every store of runs must pass.
 *
 * @param newStore - returns an empty store for each case
 * @example
 * ```ts
 * import { storeContract } from "@smolts/testing";
 * import type { RunStore } from "@smolts/protocol";
 *
 * function runContract(newStore: () => Promise<RunStore>, test: (title: string, run: () => Promise<void>) => void): void {
 *   for (const { title, run } of storeContract(newStore)) test(title, run);
 * }
 * console.log(typeof runContract); // function
 * ```
 */
export function storeContract(newStore: () => Promise<RunStore>): readonly ContractCase[] {
  return Object.entries(checks).map(([title, check]) => ({ title, run: async () => check(await newStore()) }));
}

const checks: { readonly [title: string]: (store: RunStore) => Promise<void> } = {
  "reads back what was appended, in order, after the log was closed": async (store) => {
    const written = await writeSession(store, "s", [start(), step(1), step(2), end("success")]);
    expectSame((await stored(store, "s")).map(sorted), written.map(sorted), "the events");
  },
  "numbers events densely and stamps them at once": async (store) => {
    await using log = await store.open("s");
    const events = [log.append(step(1), at("r")), log.append(step(2), at("r"))];
    expectSame(
      events.map(({ seq }) => seq),
      [1, 2],
      "the numbers",
    );
    expectThat(
      events.every(({ time }) => time > 0),
      "each event has a time",
    );
  },
  "continues the numbers of an earlier holder": async (store) => {
    await writeSession(store, "s", [start(), step(1)]);
    await using log = await store.open("s");
    expectSame(log.append(step(2), at("r1")).seq, 3, "the next number");
    expectSame(log.epoch, 2, "the epoch");
  },
  "keeps every string unchanged": async (store) => {
    const text = "\u202e\u009b\u2028\u2029\u007f\ud800 \u0000 \n </script> ü 漢 🙂";
    await writeSession(store, "s", [{ type: "note", name: "a/b", data: { [text]: text } }]);
    const [event] = await stored(store, "s");
    expectSame(event?.type === "note" ? event.data : null, { [text]: text }, "the data");
  },
  "lets one holder write at a time": async (store) => {
    const first = await store.open("s");
    expectSame(await codeOf(store.open("s")), "lease", "opening it twice");
    await first[Symbol.asyncDispose]();
    await (await store.open("s"))[Symbol.asyncDispose]();
  },
  "lets anybody read while a holder writes": async (store) => {
    await using log = await store.open("s");
    log.append(start(), at("r1"));
    await log.flush();
    expectSame((await stored(store, "s")).length, 1, "the events that a reader sees");
  },
  "refuses to write through a log that was opened to be read": async (store) => {
    await writeSession(store, "s", [start()]);
    const log = await store.open("s", { readonly: true });
    expectSame(
      thrownCode(() => log.append(step(1), at("r1"))),
      "log",
      "appending",
    );
    expectSame(await codeOf(log.putBlob(new Uint8Array([1]), "image/png")), "log", "storing bytes");
  },
  "refuses an unknown session to readers": async (store) => {
    expectSame(await codeOf(store.open("nowhere", { readonly: true })), "log", "opening it");
  },
  "refuses every operation after it was closed": async (store) => {
    const log = await store.open("s");
    await log[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
    expectSame(
      thrownCode(() => log.append(step(1), at("r1"))),
      "log",
      "appending",
    );
    expectSame(await codeOf(log.flush()), "log", "flushing");
  },
  "stores the same bytes once, under their digest": async (store) => {
    const bytes = new Uint8Array([1, 2, 3]);
    const log = await store.open("s");
    const [first, second] = [await log.putBlob(bytes, "image/png"), await log.putBlob(bytes, "image/png")];
    expectSame(first, second, "the references");
    log.append({ type: "note", name: "a/b", data: first.digest }, at("r1"));
    await log[Symbol.asyncDispose]();
    const reader = await store.open("s", { readonly: true });
    expectSame([...(await reader.readBlob(first.digest))], [1, 2, 3], "the bytes");
    expectSame(await codeOf(reader.readBlob("sha256-none")), "log", "reading unknown bytes");
  },
  "finds the session of a run": async (store) => {
    await writeSession(store, "s", [start(), end("success"), start()]);
    expectSame(
      [await store.find("r1"), await store.find("r2"), await store.find("r3")],
      ["s", "s", null],
      "the sessions",
    );
  },
  "lists sessions by the status of their newest run, newest first": async (store) => {
    await writeSession(store, "a", [start("the first task"), end("success")]);
    await writeSession(store, "b", [start(), { type: "run-suspend", callIds: ["c"] }], "r2");
    await writeSession(store, "c", [start()], "r3");
    const rows = await store.list();
    expectSame(
      new Map(rows.map(({ sessionId, status }) => [sessionId, status])).get("b"),
      "suspended",
      "the status of a suspended run",
    );
    expectSame(rows.map(({ status }) => status).toSorted(), ["open", "success", "suspended"], "all statuses");
    expectSame(rows.find(({ sessionId }) => sessionId === "a")?.task, "the first task", "the task");
    expectSame(
      (await store.list({ status: "success" })).map(({ runId }) => runId),
      ["r1"],
      "the successful runs",
    );
  },
  "lists page by page": async (store) => {
    for (const id of ["a", "b", "c"]) await writeSession(store, id, [start()], `run-${id}`);
    const all = (await store.list()).map(({ sessionId }) => sessionId);
    const [first] = await store.list({ limit: 1 });
    const rest = await store.list({ after: first?.sessionId ?? "" });
    expectSame([first?.sessionId, ...rest.map(({ sessionId }) => sessionId)], all, "the pages, one after the other");
    expectSame(all.length, 3, "the number of sessions");
  },
  "refuses a limit that is not a whole number, and takes Infinity": async (store) => {
    await writeSession(store, "s", [start(), end("success")]);
    expectSame(
      [await codeOf(store.list({ limit: -1 })), await codeOf(store.list({ limit: 1.5 }))],
      ["invalid-option", "invalid-option"],
      "listing with such a limit",
    );
    const counts = [await store.list({ limit: 0 }), await store.list({ limit: Number.POSITIVE_INFINITY })];
    expectSame(
      counts.map(({ length }) => length),
      [0, 1],
      "the numbers of rows",
    );
  },
  "refuses ids that not every store can keep": async (store) => {
    for (const id of ["", "\ud800", "a\0", 5 as never]) {
      const codes = [codeOf(store.open(id)), codeOf(store.find(id)), codeOf(store.delete(id))];
      expectSame(await Promise.all(codes), Array(3).fill("invalid-option"), `using the id ${JSON.stringify(id)}`);
    }
  },
  "refuses to list the sessions after one that does not exist": async (store) => {
    await writeSession(store, "s", [start(), end("success")]);
    expectSame(await codeOf(store.list({ after: "gone" })), "log", "listing after it");
  },
  "deletes a session, but not while it is held": async (store) => {
    const log = await store.open("s");
    log.append(start(), at("r1"));
    await log.flush();
    expectSame(await codeOf(store.delete("s")), "lease", "deleting it while it is held");
    await log[Symbol.asyncDispose]();
    expectSame([await store.delete("s"), await store.delete("s")], [true, false], "deleting it twice");
    expectSame([await store.find("r1"), await store.list()], [null, []], "what is left");
    await using again = await store.open("s");
    expectSame(again.append(step(1), at("r2")).seq, 1, "the first number of a new session");
  },
  "follows a session from an event on": async (store) => {
    await writeSession(store, "s", [start(), step(1)]);
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const event of store.follow("s", 2, { signal: stop.signal })) {
        seen.push(event.seq);
        if (event.seq === 3) stop.abort();
      }
    })();
    await writeSession(store, "s", [step(2)]);
    await following;
    expectSame(seen, [2, 3], "the events that were followed");
  },
  "stops following a deleted session, and waits for a session that does not exist yet": async (store) => {
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const event of store.follow("s", 1, { signal: stop.signal })) seen.push(event.seq);
    })();
    await writeSession(store, "s", [start(), step(1)]);
    for (let look = 0; look < 600 && seen.length < 2; look++) await wait(50, stop.signal);
    await store.delete("s");
    const giveUp = wait(30_000, stop.signal).then(() => stop.abort());
    await following;
    expectSame([seen, stop.signal.aborted], [[1, 2], false], "the events that were followed, and whether it ended");
    stop.abort();
    await giveUp.catch(() => {});
  },
  "refuses invalid decisions, and a consent that would cover more than the person meant": async (store) => {
    await writeSession(store, "s", [start(), request("call-1", "d1"), { type: "run-suspend", callIds: ["call-1"] }]);
    const at = { id: "call-1", digest: "d1" };
    const wrong: readonly unknown[] = [
      undefined,
      { type: "approve" },
      { ...at, type: "yes" },
      { ...at, type: "happened", output: 1 },
      { ...at, type: "edit" },
      { ...at, type: "deny", reason: { code: 1 } },
      { ...at, type: "always", field: ["to"] },
      { ...at, type: "always", fields: "to" },
      { ...at, type: "always", fields: ["subjct"] },
    ];
    const codes: string[] = [];
    for (const given of wrong) codes.push(await codeOf(store.decide("r1", given as DecisionInput)));
    expectSame(codes, Array(wrong.length).fill("invalid-option"), "the codes");
    const responses = (await stored(store, "s")).filter((event) => event.type === "approval-response");
    expectSame(responses, [], "the decisions in the log");
  },
  "records a decision about a suspended run": async (store) => {
    await writeSession(store, "s", [start(), request("call-1", "d1"), { type: "run-suspend", callIds: ["call-1"] }]);
    await store.decide("r1", { id: "call-1", digest: "d1", type: "approve", by: "Ada" });
    await store.decide("r1", { id: "call-1", digest: "d1", type: "approve", by: "Ada" });
    const responses = (await stored(store, "s")).filter((event) => event.type === "approval-response");
    expectSame(
      responses.map(({ callId, digest, decision, by }) => ({ callId, digest, decision, by })),
      [{ callId: "call-1", digest: "d1", decision: { type: "approve" }, by: "Ada" }],
      "the decisions in the log",
    );
  },
  "refuses a decision that no question asked for, about another input, or against an earlier decision": async (
    store,
  ) => {
    await writeSession(store, "s", [start(), request("call-1", "d1"), { type: "run-suspend", callIds: ["call-1"] }]);
    const decide = (id: string, digest: string): Promise<string> =>
      codeOf(store.decide("r1", { id, digest, type: "deny" }));
    expectSame(
      [await decide("call-2", "d1"), await decide("call-1", "d2")],
      ["stale-decision", "stale-decision"],
      "the codes",
    );
    await store.decide("r1", { id: "call-1", digest: "d1", type: "approve" });
    expectSame(await decide("call-1", "d1"), "stale-decision", "denying what was approved");
    expectSame(
      await codeOf(store.decide("r9", { id: "call-1", digest: "d1", type: "approve" })),
      "log",
      "an unknown run",
    );
  },
  "refuses a decision while the run is active in a process": async (store) => {
    await using log = await store.open("s");
    log.append(start(), at("r1"));
    log.append(request("call-1", "d1"), at("r1"));
    await log.flush();
    expectSame(await codeOf(store.decide("r1", { id: "call-1", digest: "d1", type: "approve" })), "lease", "deciding");
  },
};

type Body = Parameters<Awaited<ReturnType<RunStore["open"]>>["append"]>[0];

const at = (runId: string): Pick<DurableEvent, "runId" | "path"> => ({ runId, path: ["agent"] });

const start = (task = "a task"): Body => ({
  type: "run-start",
  definitionDigest: "d",
  model: "test/model",
  task: [{ type: "text", text: task }],
  systemPrompt: "",
  variables: {},
  maxSteps: 20,
  seed: "00",
  lineage: "00",
});

const step = (stepNumber: number): Body => ({ type: "step-start", stepNumber });

const end = (status: EventOf<"run-end">["status"]): Body => ({ type: "run-end", status });

const request = (callId: string, digest: string): Body => ({
  type: "approval-request",
  callId,
  name: "sendEmail",
  input: null,
  digest,
  definitionDigest: "d",
  each: false,
});

/**
 * Appends events with the given bodies, all for the run `runId`. Without `runId`, each `run-start`
 * begins the next run: first `r1`, then `r2`.
 */
async function writeSession(
  store: RunStore,
  id: string,
  bodies: readonly Body[],
  runId?: string,
): Promise<readonly DurableEvent[]> {
  await using log = await store.open(id);
  let runs = 0;
  const events: DurableEvent[] = [];
  for (const body of bodies) {
    if (body.type === "run-start") runs += 1;
    events.push(log.append(body, at(runId ?? `r${Math.max(runs, 1)}`)));
  }
  await log.flush();
  return events;
}

async function stored(store: RunStore, id: string): Promise<readonly DurableEvent[]> {
  const log = await store.open(id, { readonly: true });
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  await log[Symbol.asyncDispose]();
  return events;
}

/** Sorts the fields of an event, because a store may return them in any order. */
const sorted = (event: DurableEvent): unknown =>
  Object.fromEntries(Object.entries(event).toSorted(([a], [b]) => (a < b ? -1 : 1)));

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(() => "nothing was thrown", codeIn);
}

function thrownCode(task: () => unknown): string {
  try {
    task();
    return "nothing was thrown";
  } catch (error) {
    return codeIn(error);
  }
}

const codeIn = (error: unknown): string => (AgentError.is(error) ? error.code : String(error));
