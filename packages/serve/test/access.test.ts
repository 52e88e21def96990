// Tests who may use the server, and whose runs they see.

import { memoryStore } from "@smolts/memory";
import type { RunStore } from "@smolts/protocol";
import type { Authenticate } from "@smolts/serve";
import { type ServeHandler, type ServeHandlerOptions, serveHandler } from "@smolts/serve";
import { describe, expect, test } from "vitest";
import { agentOf, code, echoAgent, sendEmail } from "./example-agents.ts";

const keys = { ana: "ana-0123456789abcdef", "ben b": "ben-0123456789abcdef" };

interface Answer {
  readonly status: number;
  // Any type is allowed, because each test reads other fields.
  // biome-ignore lint/suspicious/noExplicitAny: answers have many forms
  readonly body: any;
}

async function send(
  handler: ServeHandler,
  path: string,
  { key, body }: { key?: string; body?: object },
): Promise<Answer> {
  const response = await handler(
    new Request(`http://localhost${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: await response.json() };
}

const ask = (more: object = {}): object => ({ model: "helper", messages: [{ role: "user", content: "Go." }], ...more });
const rpc = (method: string, params: object): object => ({ jsonrpc: "2.0", id: 1, method, params });
const said = (text: string, contextId?: string): object =>
  rpc("SendMessage", { message: { role: "ROLE_USER", parts: [{ text }], ...(contextId && { contextId }) } });

describe("an auth function", () => {
  // Without types, `auth` may return any value, for example that of `map.get(key)` with an unknown
  // key.
  const noNames: unknown[] = [undefined, null, "", 0, true, {}, ["ana"]];
  test.each(noNames)("lets nobody in if it returns %j", async (name) => {
    const nobody = (() => name) as Authenticate;
    const handler = serveHandler(echoAgent(), { auth: nobody, approvers: nobody });
    expect((await send(handler, "/v1/chat/completions", { body: ask() })).status).toBe(401);
    expect((await send(handler, "/a2a", { body: said("x") })).status).toBe(401);
    expect((await send(handler, "/v1/approvals", {})).status).toBe(401);
    expect((await send(handler, "/v1/models", {})).status).toBe(401);
  });

  test("that throws is a failure of the server, and the client does not see the error", async () => {
    const errors: unknown[] = [];
    const auth = () => {
      throw new Error("postgres://user:password@db");
    };
    const handler = serveHandler(echoAgent(), { auth, onError: (error) => errors.push(error) });
    const { status, body } = await send(handler, "/v1/chat/completions", { body: ask() });
    expect([status, body.error.message]).toEqual([500, expect.stringMatching(/^the server failed; [^:@]*$/)]);
    expect(errors).toHaveLength(1);
  });
});

const wrong: [what: string, auth: unknown, message: RegExp][] = [
  ["nothing", null, /does not say who may use the server/],
  ["a word", "None", /does not say who may use the server/],
  ["no keys", { keys: {} }, /at least 16 characters/],
  ["null for the keys", { keys: null }, /at least 16 characters/],
  ["a number", { key: 5 }, /at least 16 characters/],
  ["one key for two", { keys: { ana: keys.ana, ben: keys.ana } }, /one key for two clients/],
];
test.each(wrong)("an invalid auth option is refused: %s", (_what, auth, message) => {
  expect(() => serveHandler(echoAgent(), { auth: auth as ServeHandlerOptions["auth"] })).toThrow(message);
});

describe("the run of another client", () => {
  test("cannot be found: neither its response, its state, its calls, its task nor its conversation", async () => {
    const store = memoryStore();
    const sent: string[] = [];
    const agent = agentOf(() => code("finalAnswer(await sendEmail({ to: 'secret@example.org' }))"), [sendEmail(sent)]);
    const handler = serveHandler(agent, { auth: { keys }, store, approvers: "clients", approvalWaitMs: 1 });
    const first = await send(handler, "/v1/chat/completions", { key: keys.ana, body: ask() });
    const [runId = ""] = /[0-9a-f-]{36}/.exec(first.body.error.message) ?? [];
    const own = await send(handler, `/v1/runs/${runId}`, { key: keys.ana });
    const [waiting] = own.body.waiting;
    const ben = keys["ben b"];
    const answers = await Promise.all([
      send(handler, `/v1/runs/${runId}`, { key: ben }),
      send(handler, `/v1/responses/resp_${runId}`, { key: ben }),
      send(handler, `/v1/responses/resp_${runId}/cancel`, { key: ben, body: {} }),
      send(handler, "/v1/responses", {
        key: ben,
        body: { model: "helper", input: "x", previous_response_id: `resp_${runId}` },
      }),
      send(handler, "/v1/approvals", { key: ben, body: { ...waiting, decision: "approve" } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    for (const method of ["GetTask", "CancelTask", "tasks/get", "tasks/cancel"]) {
      expect((await send(handler, "/a2a", { key: ben, body: rpc(method, { id: runId }) })).body.error.code).toBe(
        -32_001,
      );
    }
    expect((await send(handler, "/v1/approvals", { key: ben })).body.data).toEqual([]);
    expect((await send(handler, "/v1/approvals", { key: keys.ana })).body.data).toHaveLength(1);
    expect(JSON.stringify(answers)).not.toContain("secret");
    expect(sent).toEqual([]);
  });

  test("is in no conversation with the same name", async () => {
    const told = agentOf(({ messages }) => code(`finalAnswer(${JSON.stringify(JSON.stringify(messages.slice(1)))})`));
    const handler = serveHandler(told, { auth: { keys: { ...keys, "ben b c": "cy0-0123456789abcdef" } } });
    const answerTo = async (key: string, text: string, context: string): Promise<string> => {
      const { body } = await send(handler, "/a2a", { key, body: said(text, context) });
      return body.result.task.artifacts[0].parts[0].text;
    };
    await answerTo(keys.ana, "I am Ana.", "holiday");
    await answerTo("cy0-0123456789abcdef", "I am Cy.", "d");
    expect(await answerTo(keys["ben b"], "Who am I?", "holiday")).not.toContain("Ana");
    // If names were joined by a space, client `ben b` with conversation `c d` would get the same
    // name as Cy's client `ben b c` with conversation `d`.
    expect(await answerTo(keys["ben b"], "Who am I?", "c d")).not.toContain("Cy");
    expect(await answerTo(keys.ana, "Who am I?", "holiday")).toContain("I am Ana.");
  });
});

test("with a store, a conversation continues after a restart", async () => {
  const store = memoryStore();
  const told = () =>
    agentOf(({ messages }) => code(`finalAnswer(${JSON.stringify(JSON.stringify(messages.slice(1)))})`));
  const before = serveHandler(told(), { auth: { keys }, store });
  const first = await send(before, "/a2a", { key: keys.ana, body: said("I am Ana.") });
  const { contextId, id } = first.body.result.task;
  await before.close();

  const after = serveHandler(told(), { auth: { keys }, store });
  expect((await send(after, "/a2a", { key: keys.ana, body: rpc("GetTask", { id }) })).body.result.contextId).toBe(
    contextId,
  );
  const both = await Promise.all(
    ["Who am I?", "Who?"].map((text) => send(after, "/a2a", { key: keys.ana, body: said(text, contextId) })),
  );
  for (const { body } of both) {
    expect(body.result.task.contextId).toBe(contextId);
    expect(body.result.task.artifacts[0].parts[0].text).toContain("I am Ana.");
  }
  expect((await store.list()).map(({ task }) => task).toSorted()).toEqual(["I am Ana.", "Who am I?", "Who?"]);
});

test("an agent with a store of its own that a function creates is refused, because its runs would not be found", async () => {
  const errors: unknown[] = [];
  const make = () => echoAgent().with({ store: memoryStore() });
  const handler = serveHandler(make, { name: "helper", auth: { keys }, onError: (error) => errors.push(error) });
  expect((await send(handler, "/v1/chat/completions", { key: keys.ana, body: ask() })).status).toBe(500);
  expect(String(errors[0])).toContain("with its own store");
  const given = serveHandler(make, { name: "helper", auth: { keys }, store: memoryStore() });
  expect((await send(given, "/v1/chat/completions", { key: keys.ana, body: ask() })).status).toBe(200);
});

describe("a decision", () => {
  const wrongOnes: [what: string, decision: unknown, message: RegExp][] = [
    ["of another kind of question", "happened", /write one of: approve, edit, deny, always/],
    ["of an edit without the input", "edit", /decision.input is missing/],
    ["with an input that the tool refuses", { type: "edit", input: { to: 5 } }, /was not accepted: .*to/],
    ["for unknown fields", { type: "always", fields: ["colour"] }, /no field "colour"/],
    ["with a misspelt list of fields", { type: "always", field: ["to"] }, /no field "field"/],
    ["with an unknown type", { type: "maybe" }, /not one of approve/],
  ];

  test.each(wrongOnes)("that is invalid is refused, and nothing runs: %s", async (_what, decision, message) => {
    for (const approvalWaitMs of [1, 60_000]) {
      const sent: string[] = [];
      const agent = agentOf([code("finalAnswer(await sendEmail({ to: 'ana' }))")], [sendEmail(sent)]);
      const handler = serveHandler(agent, { auth: { keys }, approvers: "clients", approvalWaitMs });
      const asking = send(handler, "/v1/chat/completions", { key: keys.ana, body: ask() });
      if (approvalWaitMs === 1) await asking;
      const list = async () => (await send(handler, "/v1/approvals", { key: keys.ana })).body.data;
      await expect.poll(list, { timeout: 60_000 }).toHaveLength(1);
      const [waiting] = await list();
      expect(waiting.input).toEqual({ to: "ana" });
      const refused = await send(handler, "/v1/approvals", { key: keys.ana, body: { ...waiting, decision } });
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(message)]);
      expect(sent).toEqual([]);
      // After the refused decisions, the call still waits, and a valid decision is accepted.
      const [again] = await list();
      expect(
        (await send(handler, "/v1/approvals", { key: keys.ana, body: { ...again, decision: "approve" } })).status,
      ).toBe(200);
      await expect.poll(() => sent, { timeout: 60_000 }).toEqual(["ana"]);
      await handler.close();
    }
  });
});

describe("tool_choice", () => {
  const weather = {
    type: "function",
    function: { name: "get-weather", parameters: { type: "object", properties: {} } },
  };
  const other = { type: "function", function: { name: "other", parameters: { type: "object", properties: {} } } };
  const choices: [choice: unknown, firstCall: string][] = [
    ["required", "other"],
    [{ type: "function", function: { name: "get-weather" } }, "getWeather"],
  ];

  test.each(choices)("%j is enforced: no answer is accepted before the call", async (tool_choice, called) => {
    const refusals: string[] = [];
    const agent = agentOf(({ messages }) => {
      const text = JSON.stringify(messages);
      if (!text.includes("before you answer")) return code("finalAnswer('no call was needed')");
      refusals.push(text);
      return code(`finalAnswer(await ${called}({}))`);
    });
    const handler = serveHandler(agent, { auth: { keys } });
    const request = ask({ tools: [weather, other], tool_choice });
    const first = await send(handler, "/v1/chat/completions", { key: keys.ana, body: request });
    const [choice] = first.body.choices;
    expect(choice.finish_reason).toBe("tool_calls");
    expect(refusals).toHaveLength(1);
    const messages = [
      { role: "user", content: "Go." },
      choice.message,
      { role: "tool", tool_call_id: choice.message.tool_calls[0].id, content: "sun" },
    ];
    const second = await send(handler, "/v1/chat/completions", { key: keys.ana, body: { ...request, messages } });
    expect(second.body.choices[0].message.content).toBe("sun");
  });
});

test("a store that cannot be read is an error, and not a missing run or a new conversation", async () => {
  const store = memoryStore();
  let isDown = false;
  const open: RunStore["open"] = async (id, options) => {
    if (isDown && options?.readonly) throw new Error("the connection was refused");
    return store.open(id, options);
  };
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const handler = serveHandler(echoAgent(), { auth: { keys }, store: { ...store, open }, onError });
  const { body } = await send(handler, "/a2a", { key: keys.ana, body: said("I am Ana.") });
  const { contextId, id } = body.result.task;
  isDown = true;
  expect((await send(handler, `/v1/runs/${id}`, { key: keys.ana })).status).toBe(500);
  const next = await send(handler, "/a2a", { key: keys.ana, body: said("Who am I?", contextId) });
  expect(next.body.error.message).toContain("the server failed");
  expect(errors).toEqual([new Error("the connection was refused"), new Error("the connection was refused")]);
  expect((await store.list()).map(({ task }) => task)).toEqual(["I am Ana."]);
  expect((await send(handler, `/v1/runs/${crypto.randomUUID()}`, { key: keys.ana })).status).toBe(404);
});
