import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import type { RunEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { createUIHandler, type ServedAgent, type ServedSession, type UIHandler } from "@smolts/ui";
import { fileSessions } from "@smolts/ui/files";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Forked, ServerMessage, SessionState } from "../src/wire.ts";
import { isIdleAfterRun, PageClient, until } from "./page-client.ts";

const answerWith = (code: string): string => `I think.\n<code>\n${code}\n</code>`;

/** Creates a function that serves agents with the same folder, one after the other. */
async function serverOnDisk(): Promise<(agent: CodeAgent) => UIHandler> {
  const folder = await mkdtemp(join(tmpdir(), "smolts-ui-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return (agent) => {
    const ui = createUIHandler(agent, { store: fileSessions(folder) });
    // Close the handler before the folder is removed. A record may still be written after the page
    // shows the end of a run.
    onTestFinished(() => ui.close());
    return ui;
  };
}

/** Creates a gate. A tool waits at it until the test opens it. */
function gate(): { readonly open: () => void; readonly passed: Promise<void> } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

const send = (needsApproval = false) => {
  const sent: unknown[] = [];
  const sendEmail = tool({
    name: "sendEmail",
    description: "Sends an email.",
    input: { to: "string — an address" },
    output: "string",
    effects: "once",
    ...(needsApproval ? { needsApproval: () => true } : {}),
    execute: (input) => {
      sent.push(input);
      return "sent";
    },
  });
  return { sent, sendEmail };
};

async function eventsOf(client: PageClient, id: string, after?: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const { message } of client.messages(id, after)) {
    if (message.type === "events") events.push(...message.events);
    if (isIdleAfterRun(message)) break;
  }
  return events;
}

const durable = (events: readonly RunEvent[]): RunEvent[] =>
  events.filter(({ type }) => !/delta|tool-progress|retry/.test(type));

describe("runs", () => {
  test("are streamed from the first event to the last, numbered without a gap", async () => {
    const ui = createUIHandler(new CodeAgent({ model: scriptedModel([answerWith("finalAnswer(1 + 1)")]) }));
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    await client.start(id, "Add.");
    const events = durable(await eventsOf(client, id));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "run-end", status: "success", answer: 2 });
  });

  test("cost bytes only for new text: ten times the text is about ten times the bytes, whatever the pieces", async () => {
    const bytesFor = async (words: number): Promise<number> => {
      const text = "word ".repeat(words);
      const model = {
        id: "scripted/writer",
        async *stream() {
          for (let word = 0; word < words; word++) {
            yield { type: "text-delta" as const, text: "word " };
            if (word % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
          }
          yield { type: "text-delta" as const, text: "\n<code>finalAnswer(1)</code>" };
          yield { type: "end" as const, finishReason: "stop" as const };
        },
      };
      const client = await PageClient.enter(createUIHandler(new CodeAgent({ model })));
      const { id } = await client.newSession();
      await client.start(id, "Write.");
      let bytes = 0;
      for await (const { message } of client.messages(id)) {
        bytes += JSON.stringify(message).length;
        if (isIdleAfterRun(message)) break;
      }
      // The stream is longer than the text, because it contains the text twice: in pieces, each
      // with further fields, and as a whole in an event of the log.
      expect(bytes).toBeGreaterThan(text.length);
      return bytes;
    };
    const [short, long] = [await bytesFor(500), await bytesFor(5_000)];
    expect(long / short).toBeLessThan(20);
  });

  test("with large values are sent in messages of about a megabyte, so that a slow reader delays no more than that", async () => {
    const page = tool({
      name: "page",
      description: "Returns a page.",
      input: { number: "number" },
      effects: "none",
      execute: ({ number }) => String(number).repeat(200_000),
    });
    const code =
      "let length = 0; for (let n = 1; n < 9; n++) length += (await page({ number: n })).length; finalAnswer(length)";
    const model = scriptedModel([answerWith(code)]);
    const client = await PageClient.enter(createUIHandler(new CodeAgent({ model, tools: [page] })));
    const { id } = await client.newSession();
    await client.start(id, "Read.");
    await until(client, id, ({ message }) => isIdleAfterRun(message));
    const lengths: number[] = [];
    for await (const { message } of client.messages(id)) {
      lengths.push(JSON.stringify(message).length);
      if (isIdleAfterRun(message)) break;
    }
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(1_600_000);
    expect(Math.max(...lengths)).toBeLessThan(1_300_000);
  });

  test("share a memory within a session, and nothing with other sessions or visitors", async () => {
    const model = scriptedModel((request) => answerWith(`finalAnswer(${request.messages.length})`));
    const ui = createUIHandler(new CodeAgent({ model }));
    const [ana, ben] = [await PageClient.enter(ui), await PageClient.enter(ui)];
    const first = await ana.newSession();
    await ana.start(first.id, "One.");
    await eventsOf(ana, first.id);
    await ana.start(first.id, "Two.");
    const again = await eventsOf(ana, first.id);
    const other = await ben.newSession();
    await ben.start(other.id, "One.");
    const elsewhere = await eventsOf(ben, other.id);
    const answers = (events: RunEvent[]) => events.flatMap((event) => (event.type === "run-end" ? [event.answer] : []));
    const [one, two] = answers(again) as number[];
    expect(two).toBeGreaterThan(one!);
    expect(answers(elsewhere)).toEqual([one]);
    expect((await ben.send("GET", `api/sessions/${first.id}/events`)).status).toBe(404);
    expect((await ben.send("GET", `api/sessions/${first.id}/log`)).status).toBe(404);
    expect((await ben.json<{ sessions: unknown[] }>("GET", "api/sessions")).sessions).toHaveLength(1);
  });

  test("continue when nobody watches, and are complete for a visitor who comes back", async () => {
    const { open, passed } = gate();
    const wait = tool({
      name: "wait",
      description: "Waits.",
      input: {},
      output: "string",
      effects: "none",
      execute: () => passed.then(() => "done"),
    });
    const ui = createUIHandler(
      new CodeAgent({ model: scriptedModel([answerWith("finalAnswer(await wait())")]), tools: [wait] }),
    );
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    await client.start(id, "Wait.");
    await until(
      client,
      id,
      ({ message }) => message.type === "events" && message.events.some(({ type }) => type === "tool-call"),
    );
    open();
    const events = durable(await eventsOf(client, id));
    expect(events.at(-1)).toMatchObject({ type: "run-end", answer: "done" });
  });

  test("give the same events to readers that are cut off anywhere", async () => {
    const model = scriptedModel([
      answerWith("print('one');\nconst a = 1"),
      answerWith("print('two')"),
      answerWith("finalAnswer(a)"),
    ]);
    const ui = createUIHandler(new CodeAgent({ model }));
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    await client.start(id, "Go.");
    const seen: RunEvent[] = [];
    let after: string | undefined;
    let atRest = false;
    // Drop the first connection after one message, the second after two, and so on. After the
    // fifth, begin with one message again.
    for (let connection = 1; !atRest; connection = (connection % 5) + 1) {
      let count = 0;
      for await (const { id: eventId, message } of client.messages(id, after)) {
        if (message.type === "events") {
          seen.push(...durable(message.events));
          after = eventId;
        }
        atRest = isIdleAfterRun(message);
        if (++count > connection || atRest) break;
      }
    }
    expect(seen).toEqual(durable(await eventsOf(client, id)));
  });

  test("start once for a request that is sent twice", async () => {
    const ui = createUIHandler(new CodeAgent({ model: scriptedModel([answerWith("finalAnswer(1)")]) }));
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    const body = { task: "Go.", requestId: "r1" };
    const [one, two] = await Promise.all([1, 2].map(() => client.json("POST", `api/sessions/${id}/runs`, body)));
    expect(one).toEqual(two);
    expect((await eventsOf(client, id)).filter(({ type }) => type === "run-start")).toHaveLength(1);
  });

  test("stop: no tool is called any more, and the log says who stopped the run", async () => {
    const { open, passed } = gate();
    let calls = 0;
    const wait = tool({
      name: "wait",
      description: "Waits.",
      input: {},
      output: "string",
      effects: "none",
      execute: async (_input, { signal }) => {
        calls++;
        open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return "never";
      },
    });
    const ui = createUIHandler(
      new CodeAgent({ model: scriptedModel(() => answerWith("for (;;) await wait()")), tools: [wait] }),
    );
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    const runId = await client.start(id, "Go.");
    await passed;
    expect((await client.send("POST", `api/sessions/${id}/stop`, { runId })).status).toBe(202);
    const end = (await eventsOf(client, id)).at(-1);
    expect(end).toMatchObject({ type: "run-end", status: "aborted" });
    expect(JSON.stringify(end)).toContain("a person stopped the run");
    expect(calls).toBe(1);
    expect((await client.json<{ sessions: { status: string }[] }>("GET", "api/sessions")).sessions[0]?.status).toBe(
      "stopped",
    );
    expect((await client.send("POST", `api/sessions/${id}/stop`, { runId })).status).toBe(409);
  });

  test("accept messages while they run, and report those that come too late", async () => {
    const { open, passed } = gate();
    const wait = tool({
      name: "wait",
      description: "Waits.",
      input: {},
      output: "string",
      effects: "none",
      execute: () => passed.then(() => "ok"),
    });
    const model = scriptedModel([
      answerWith("await wait()"),
      (request) => answerWith(`finalAnswer(${JSON.stringify(JSON.stringify(request.messages).includes("be brief"))})`),
    ]);
    const ui = createUIHandler(new CodeAgent({ model, tools: [wait] }));
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    const runId = await client.start(id, "Go.");
    await until(
      client,
      id,
      ({ message }) => message.type === "events" && message.events.some(({ type }) => type === "tool-call"),
    );
    expect(await client.json("POST", `api/sessions/${id}/say`, { runId, text: "be brief" })).toEqual({ heard: true });
    open();
    expect((await eventsOf(client, id)).at(-1)).toMatchObject({ answer: true });
    expect(await client.json("POST", `api/sessions/${id}/say`, { runId, text: "too late" })).toEqual({ heard: false });
  });

  test("report a factory that throws, and start again once it works", async () => {
    let tries = 0;
    const ui = createUIHandler(() => {
      // The page itself causes the first call, to describe the agent before any run starts.
      if (++tries < 3) throw new Error("no key for the model");
      return new CodeAgent({ model: scriptedModel([answerWith("finalAnswer('back')")]) });
    });
    const client = await PageClient.enter(ui);
    expect((await client.info()).agent.tools).toEqual([]);
    const { id } = await client.newSession();
    await expect(client.start(id, "Go.")).rejects.toThrow("no key for the model");
    const hello = (await client.messages(id).next()).value?.message as ServerMessage & { state: SessionState };
    expect(hello.state).toMatchObject({ activity: "idle", startError: { message: "no key for the model" } });
    await client.start(id, "Go.");
    expect((await eventsOf(client, id)).at(-1)).toMatchObject({ answer: "back" });
  });

  test.each(["runs", "rewind"])(
    "that have just ended do not delay requests for %s, however long the agent takes to finish",
    async (request) => {
      const { open, passed } = gate();
      const agent = new CodeAgent({
        model: scriptedModel([answerWith("finalAnswer(1)"), answerWith("finalAnswer(2)")]),
      });
      const slowToEnd = {
        run: (task: string) => agent.run(task),
        session(options: Parameters<ServedAgent["session"]>[0]): ServedSession {
          const session = agent.session(options);
          return {
            run(task, runOptions) {
              const run = session.run(task, runOptions);
              return {
                id: run.id,
                result: passed.then(() => run.result),
                events: () => run.events(),
                abort: (reason) => run.abort(reason),
              };
            },
            [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
          };
        },
      };
      const client = await PageClient.enter(createUIHandler(slowToEnd, { maxRuns: 1 }));
      const { id } = await client.newSession();
      const runId = await client.start(id, "First.");
      await until(
        client,
        id,
        ({ message }) => message.type === "events" && message.events.some(({ type }) => type === "run-end"),
      );
      const body = request === "runs" ? { task: "Second.", requestId: crypto.randomUUID() } : { runId };
      const next = client.send("POST", `api/sessions/${id}/${request}`, body);
      // Requests are read in order. So when `info` is answered, the request `next` has already
      // found the session.
      await client.info();
      open();
      expect((await next).ok).toBe(true);
    },
  );

  test("of one session run one after the other", async () => {
    const { open, passed } = gate();
    const wait = tool({
      name: "wait",
      description: "Waits.",
      input: {},
      output: "string",
      effects: "none",
      execute: () => passed.then(() => "ok"),
    });
    const ui = createUIHandler(
      new CodeAgent({ model: scriptedModel([answerWith("finalAnswer(await wait())")]), tools: [wait] }),
    );
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    await client.start(id, "Go.");
    const second = await client.send("POST", `api/sessions/${id}/runs`, { task: "Again.", requestId: "2" });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { code: "busy" } });
    open();
    await eventsOf(client, id);
  });
});

describe("a message that is undone", () => {
  test("is forgotten with everything after it, by the agent too, and readers start again", async () => {
    const model = scriptedModel((request) => answerWith(`finalAnswer(${request.messages.length})`));
    const ui = createUIHandler(new CodeAgent({ model }));
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    const first = await client.start(id, "One.");
    const before = await eventsOf(client, id);
    const reader = client.messages(id);
    const hello = (await reader.next()).value!.message;
    await client.json("POST", `api/sessions/${id}/rewind`, { runId: first });
    // The old stream ends on its own.
    for await (const _ of reader);
    await client.start(id, "Another one.");
    const messages: ServerMessage[] = [];
    for await (const { message } of client.messages(
      id,
      `${hello.type === "hello" ? hello.epoch : ""}.${before.length}`,
    )) {
      messages.push(message);
      if (isIdleAfterRun(message)) break;
    }
    expect(messages[0]).toMatchObject({ type: "hello", after: 0 });
    const events = messages.flatMap((message) => (message.type === "events" ? message.events : []));
    const end = (all: readonly RunEvent[]): unknown => all.findLast(({ type }) => type === "run-end");
    expect(events.filter(({ type }) => type === "run-start")).toHaveLength(1);
    expect((end(events) as { answer: number }).answer).toBe((end(before) as { answer: number }).answer);
  });
});

describe("decisions", () => {
  const waiting = async (serve: (agent: CodeAgent) => UIHandler = createUIHandler) => {
    const { sent, sendEmail } = send(true);
    const model = scriptedModel(() => answerWith("finalAnswer(await sendEmail({ to: 'ana@example.org' }))"));
    const ui = serve(new CodeAgent({ model, tools: [sendEmail] }));
    const client = await PageClient.enter(ui);
    const { id } = await client.newSession();
    const runId = await client.start(id, "Send it.");
    const state = await until(
      client,
      id,
      ({ message }) => message.type === "state" && message.state.pending.length > 0,
    );
    const [asked] = (state.message as { state: SessionState }).state.pending;
    return { ui, client, id, runId, asked: asked!, sent };
  };

  test("name the displayed input by its digest, and exactly that input runs, once", async () => {
    const { client, id, runId, asked, sent } = await waiting();
    expect(asked).toMatchObject({ name: "sendEmail", input: { to: "ana@example.org" } });
    const { callId, digest } = asked;
    await expect(
      client.decide(id, { runId, callId, digest: "another", decision: { type: "approve" } }),
    ).rejects.toThrow("stale-decision");
    expect(sent).toEqual([]);
    await client.decide(id, { runId, callId, digest, decision: { type: "approve" } });
    expect((await eventsOf(client, id)).at(-1)).toMatchObject({ type: "run-end", status: "success" });
    expect(sent).toEqual([{ to: "ana@example.org" }]);
    await expect(client.decide(id, { runId, callId, digest, decision: { type: "deny" } })).rejects.toThrow(
      "decided before: approve",
    );
  });

  test("of another visitor are ignored", async () => {
    const { ui, id, runId, asked, sent } = await waiting();
    const { callId, digest } = asked;
    const other = await PageClient.enter(ui);
    await expect(other.decide(id, { runId, callId, digest, decision: { type: "approve" } })).rejects.toThrow(
      "not-found",
    );
    const own = await other.newSession();
    await expect(other.decide(own.id, { runId, callId, digest, decision: { type: "approve" } })).rejects.toThrow(
      "stale-decision",
    );
    expect(sent).toEqual([]);
  });

  test("of another session of the same visitor are ignored, although call and digest are the same", async () => {
    const { client, id, runId, asked, sent } = await waiting();
    const { callId, digest } = asked;
    const other = await client.newSession();
    const otherRun = await client.start(other.id, "Send it.");
    const isAsking = ({ message }: { readonly message: ServerMessage }): boolean =>
      message.type === "state" && message.state.pending.length > 0;
    const state = await until(client, other.id, isAsking);
    expect((state.message as { state: SessionState }).state.pending[0]).toMatchObject({ callId, digest });
    const approve = { callId, digest, decision: { type: "approve" } } as const;
    await expect(client.decide(other.id, { ...approve, runId })).rejects.toThrow("stale-decision");
    await expect(client.decide(id, { ...approve, runId: otherRun })).rejects.toThrow("stale-decision");
    expect(sent).toEqual([]);
    await client.decide(id, { ...approve, runId });
    await eventsOf(client, id);
    expect(sent).toEqual([{ to: "ana@example.org" }]);
  });

  test("can edit the input; an invalid input is refused, and the question stays", async () => {
    const { client, id, runId, asked, sent } = await waiting();
    const { callId, digest } = asked;
    await expect(
      client.decide(id, { runId, callId, digest, decision: { type: "edit", input: { to: 5 } } }),
    ).rejects.toThrow("bad-request");
    await client.decide(id, { runId, callId, digest, decision: { type: "edit", input: { to: "ben@example.org" } } });
    await eventsOf(client, id);
    expect(sent).toEqual([{ to: "ben@example.org" }]);
  });

  test("of two tabs: one counts, and the other tab sees it", async () => {
    const { client, id, runId, asked, sent } = await waiting();
    const { callId, digest } = asked;
    const words = (["approve", "deny"] as const).map((type) =>
      client.decide(id, { runId, callId, digest, decision: { type } }).then(
        () => "taken",
        (error: Error) => (error.message.includes("stale-decision") ? "stale" : error.message),
      ),
    );
    // Either request may be read first.
    const outcomes = await Promise.all(words);
    expect(outcomes.toSorted()).toEqual(["stale", "taken"]);
    await eventsOf(client, id);
    expect(sent).toHaveLength(outcomes[0] === "taken" ? 1 : 0);
  });

  test("still wait after a restart of the server, and their calls are made once", async () => {
    const serve = await serverOnDisk();
    const { ui, client, id, runId, asked, sent } = await waiting(serve);
    await ui.close();
    const { sent: sentLater, sendEmail } = send(true);
    const model = scriptedModel(() => answerWith("finalAnswer(await sendEmail({ to: 'ana@example.org' }))"));
    const restarted = serve(new CodeAgent({ model, tools: [sendEmail] }));
    const later = client.at(restarted);
    const hello = (await later.messages(id).next()).value?.message as { state: SessionState };
    expect(hello.state).toMatchObject({
      activity: "idle",
      runId,
      summary: { status: "waiting" },
      pending: [{ digest: asked.digest }],
    });
    await later.decide(id, { runId, callId: asked.callId, digest: asked.digest, decision: { type: "approve" } });
    expect((await eventsOf(later, id)).at(-1)).toMatchObject({ type: "run-end", status: "success", answer: "sent" });
    expect([sent, sentLater]).toEqual([[], [{ to: "ana@example.org" }]]);
  });
});

test("a run that a restart interrupted continues where it stopped", async () => {
  const serve = await serverOnDisk();
  const { passed } = gate();
  let calls = 0;
  const count = tool({
    name: "count",
    description: "Counts.",
    input: {},
    output: "number",
    effects: "once",
    execute: () => ++calls,
  });
  const hang = tool({
    name: "hang",
    description: "Hangs.",
    input: {},
    output: "string",
    effects: "none",
    execute: () => (calls > 1 ? "on" : passed.then(() => "never")),
  });
  const replies = [answerWith("const n = await count()"), answerWith("await hang()")];
  const first = serve(new CodeAgent({ model: scriptedModel(replies), tools: [count, hang] }));
  const client = await PageClient.enter(first);
  const { id } = await client.newSession();
  await client.start(id, "Go.");
  await until(
    client,
    id,
    ({ message }) =>
      message.type === "events" && message.events.some((event) => event.type === "tool-call" && event.name === "hang"),
  );
  await first.close();
  calls = 2;
  const second = serve(new CodeAgent({ model: scriptedModel([answerWith("finalAnswer(n)")]), tools: [count, hang] }));
  const later = client.at(second);
  const list = await later.json<{ sessions: { status: string; title: string }[] }>("GET", "api/sessions");
  expect(list.sessions).toMatchObject([{ status: "interrupted", title: "Go." }]);
  await later.json("POST", `api/sessions/${id}/continue`, {});
  expect((await eventsOf(later, id)).at(-1)).toMatchObject({ type: "run-end", answer: 1 });
});

test("a tool can be served without an agent, and is called with the input of a form", async () => {
  const { sent, sendEmail } = send();
  const client = await PageClient.enter(createUIHandler(sendEmail));
  expect(await client.info()).toMatchObject({ mode: "tool", agent: { tools: [{ name: "sendEmail" }] } });
  const { id } = await client.newSession();
  await client.json("POST", `api/sessions/${id}/runs`, { input: { to: "ana@example.org" }, requestId: "1" });
  expect((await eventsOf(client, id)).at(-1)).toMatchObject({ type: "run-end", status: "success", answer: "sent" });
  await client.json("POST", `api/sessions/${id}/runs`, { input: { to: 5 }, requestId: "2" });
  expect((await eventsOf(client, id)).at(-1)).toMatchObject({ type: "run-end", status: "failed" });
  expect(sent).toEqual([{ to: "ana@example.org" }]);
});

describe("a run is continued from one of its steps", () => {
  test("with other code, in a new session; no earlier call is repeated", async () => {
    let looks = 0;
    const look = tool({
      name: "look",
      description: "Looks.",
      input: { what: "string" },
      output: "string",
      effects: "none",
      execute: ({ what }) => `${what} ${++looks}`,
    });
    const model = scriptedModel([
      answerWith("const first = await look({ what: 'a' })"),
      answerWith("const second = await look({ what: 'b' })"),
      answerWith("finalAnswer([first, second])"),
      answerWith("finalAnswer([first, second])"),
    ]);
    const client = await PageClient.enter(createUIHandler(new CodeAgent({ model, tools: [look] })));
    expect((await client.info()).canFork).toBe(true);
    const { id } = await client.newSession();
    const runId = await client.start(id, "Go.");
    await eventsOf(client, id);
    const code = "const second = await look({ what: 'c' })";
    const forked = await client.json<Forked>("POST", `api/sessions/${id}/fork`, { runId, stepNumber: 2, code });
    expect((await eventsOf(client, forked.session.id)).at(-1)).toMatchObject({
      type: "run-end",
      answer: ["a 1", "c 3"],
    });
    expect((await eventsOf(client, id)).at(-1)).toMatchObject({ answer: ["a 1", "b 2"] });
    const missing = await client.send("POST", `api/sessions/${id}/fork`, { runId, stepNumber: 9 });
    expect([missing.status, (await missing.json()).error.message]).toEqual([400, expect.stringContaining("no step 9")]);
    expect((await client.json<{ sessions: unknown[] }>("GET", "api/sessions")).sessions).toHaveLength(2);
  });

  test("and calls with effects are repeated only when the visitor agrees", async () => {
    const { sent, sendEmail } = send(false);
    const model = scriptedModel(() => answerWith("finalAnswer(await sendEmail({ to: 'ana@example.org' }))"));
    const client = await PageClient.enter(createUIHandler(new CodeAgent({ model, tools: [sendEmail] })));
    const { id } = await client.newSession();
    const runId = await client.start(id, "Send it.");
    await eventsOf(client, id);
    const refused = await client.send("POST", `api/sessions/${id}/fork`, { runId, stepNumber: 1 });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      error: { code: "effects-repeat", details: [{ name: "sendEmail", input: { to: "ana@example.org" } }] },
    });
    const forked = await client.json<Forked>("POST", `api/sessions/${id}/fork`, {
      runId,
      stepNumber: 1,
      repeatEffects: true,
    });
    await eventsOf(client, forked.session.id);
    expect(sent).toHaveLength(2);
  });
});
