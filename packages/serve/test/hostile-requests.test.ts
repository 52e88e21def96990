// Hostile requests in valid HTTP.

import { gzipSync } from "node:zlib";
import { memoryStore } from "@smolts/memory";
import type { RunStore } from "@smolts/protocol";
import { type ServeHandler, type ServeHandlerOptions, serveHandler } from "@smolts/serve";
import { describe, expect, test } from "vitest";
import { agentOf, code, echoAgent, gate } from "./example-agents.ts";

const keys = { ana: "ana-0123456789abcdef", ben: "ben-0123456789abcdef" };

async function post(
  handler: ServeHandler,
  path: string,
  body: BodyInit,
  { key = keys.ana, headers = {} }: { key?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const all = { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers };
  const response = await handler(new Request(`http://localhost${path}`, { method: "POST", headers: all, body }));
  return { status: response.status, text: await response.text() };
}

const open = (options: Partial<ServeHandlerOptions> = {}): ServeHandler =>
  serveHandler(echoAgent(), { auth: { keys }, ...options });
const chat = (messages: unknown, more: object = {}): string => JSON.stringify({ model: "helper", messages, ...more });
const rpc = (method: string, params: object = { message: { role: "ROLE_USER", parts: [{ text: "x" }] } }): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
async function get(handler: ServeHandler, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${keys.ana}` };
  return (await handler(new Request(`http://localhost${path}`, { headers }))).text();
}
const user = (content: unknown): object => ({ role: "user", content });

describe("a request", () => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "latin1"));
  const bodies: [what: string, body: BodyInit, headers: Readonly<Record<string, string>>, message: RegExp][] = [
    ["that is compressed", gzipSync(chat([user("x".repeat(1_000_000))])), { "content-encoding": "gzip" }, /UTF-8|JSON/],
    ["that is not UTF-8", bytes('{"model":"helper","messages":"\xff\xfe"}'), {}, /not UTF-8/],
    ["of one byte that is not UTF-8", bytes("\xc3"), { "content-length": "1" }, /not UTF-8/],
    ["with a list as its body", "[]", {}, /not a JSON object/],
    ["with NaN in its body", '{"model":NaN}', {}, /not JSON/],
    ["without messages", chat([]), {}, /messages/],
    ["whose messages are not a list", chat({ length: 1e9 }), {}, /messages/],
    ["with a message that is null", chat([null]), {}, /messages/],
    ["with an unknown role", chat([{ role: "root", content: "x" }]), {}, /role/],
    [
      "with an image that is a file",
      chat([user([{ type: "image_url", image_url: { url: "file:///etc/passwd" } }])]),
      {},
      /image|url|address/i,
    ],
    [
      "with results of a call that nobody made",
      chat([user("x"), { role: "tool", tool_call_id: "call_x", content: "1" }]),
      {},
      /./,
    ],
    [
      "with two tools of one name",
      chat([user("x")], { tools: ["a", "a"].map((name) => ({ type: "function", function: { name } })) }),
      {},
      /name|twice|two/,
    ],
    [
      "with a tool named as a member of all objects",
      chat([user("x")], { tools: [{ type: "function", function: { name: "__proto__" } }] }),
      {},
      /./,
    ],
  ];
  test.each(bodies)("%s is refused as a mistake of the client", async (_what, body, headers, message) => {
    const { status, text } = await post(open(), "/v1/chat/completions", body, { headers });
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status, text).toBeLessThan(500);
    expect(text).toMatch(message);
  });

  test("with a false Content-Length is still refused at the limit", async () => {
    const handler = open({ limits: { bodyBytes: 2_000 } });
    const body = chat([user("x".repeat(3_000))]);
    expect((await post(handler, "/v1/chat/completions", body, { headers: { "content-length": "10" } })).status).toBe(
      413,
    );
  });

  test("with 20,000 messages is answered, and others are answered meanwhile", async () => {
    const handler = open();
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `${index}`,
    }));
    const [large, small] = await Promise.all([
      post(handler, "/v1/chat/completions", chat([...many, user("the end")])),
      post(handler, "/v1/chat/completions", chat([user("small")]), { key: keys.ben }),
    ]);
    expect([large.status, small.status]).toEqual([200, 200]);
    expect(large.text).toContain("the end");
  });

  test("with own keys named __proto__ and constructor changes no object", async () => {
    const body =
      '{"model":"helper","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"messages":[{"role":"user","content":"x"}]}';
    expect((await post(open(), "/v1/chat/completions", body)).status).toBe(200);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe("the calls of another client", () => {
  const tools = [{ type: "function", function: { name: "lookup", parameters: { type: "object", properties: {} } } }];

  test("accept no results: the run continues with those of its own client", async () => {
    const handler = serveHandler(
      agentOf(() => code("finalAnswer(await lookup({}))")),
      { auth: { keys } },
    );
    const first = JSON.parse((await post(handler, "/v1/chat/completions", chat([user("Go.")], { tools }))).text);
    const call = first.choices[0].message;
    const results = (content: string): string =>
      chat([user("Go."), call, { role: "tool", tool_call_id: call.tool_calls[0].id, content }], { tools });
    const stolen = await post(handler, "/v1/chat/completions", results("of Ben"), { key: keys.ben });
    expect([stolen.status, stolen.text]).toEqual([404, expect.not.stringContaining("of Ana")]);
    const own = await post(handler, "/v1/chat/completions", results("of Ana"));
    expect(own.text).toContain('"content":"of Ana"');
    // A second request with results for the same call is refused.
    expect((await post(handler, "/v1/chat/completions", results("again"))).status).toBe(409);
  });
});

test("a client that uses its whole share leaves slots for another", async () => {
  const go = gate();
  const handler = serveHandler(
    agentOf(async () => {
      await go.opened;
      return code("finalAnswer('done')");
    }),
    { auth: { keys }, limits: { runs: 4, runsPerClient: 3, queued: 2 } },
  );
  const ask = (key: string) => post(handler, "/v1/chat/completions", chat([user("x")]), { key });
  const flood = Array.from({ length: 40 }, () => ask(keys.ana));
  const other = ask(keys.ben);
  const refused = await Promise.all(flood.slice(3));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  go.open();
  expect((await Promise.all([...flood.slice(0, 3), other])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("a store that fails in the middle of a run ends it with an error, and the next run is answered", async () => {
  const store = memoryStore();
  let isDown = false;
  const breaking: RunStore = {
    ...store,
    open: async (id, options) => {
      const log = await store.open(id, options);
      const append = log.append.bind(log);
      return Object.assign(log, {
        append: (...event: Parameters<typeof append>) => {
          if (isDown) throw new Error("ENOSPC /var/lib/runs");
          return append(...event);
        },
      });
    },
  };
  const agent = agentOf(() => {
    isDown = true;
    return code("finalAnswer('never')");
  });
  const requests: [path: string, body: string][] = [
    ["/v1/chat/completions", chat([user("x")])],
    ["/v1/chat/completions", chat([user("x")], { stream: true })],
    ["/v1/responses", JSON.stringify({ model: "helper", input: "x" })],
    ["/a2a", rpc("SendMessage")],
    ["/a2a", rpc("SendStreamingMessage")],
  ];
  for (const [path, body] of requests) {
    isDown = false;
    const handler = serveHandler(agent, { auth: { keys }, store: breaking });
    const { text } = await post(handler, path, body);
    expect(text).toContain("the record of the run cannot be written or read");
    expect(text).not.toMatch(/ENOSPC|\/var|"finish_reason":"stop"/);
    // A later request gets the end of the run, although the store failed to save it.
    isDown = false;
    const runId =
      /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(text.slice(text.indexOf("reason under")))?.[0] ?? "";
    const task = await post(handler, "/a2a", rpc("GetTask", { id: runId }));
    expect(task.text).toContain("TASK_STATE_FAILED");
    expect(task.text).toContain("the record of the run cannot be written or read");
    const run = await get(handler, `/v1/runs/${runId}`);
    expect(JSON.parse(run)).toMatchObject({ status: "failed", error: { code: "log" } });
    expect(JSON.parse(await get(handler, `/v1/responses/resp_${runId}`))).toMatchObject({ status: "failed" });
    expect(task.text + run).not.toMatch(/ENOSPC|\/var/);
  }
  isDown = false;
  const next = serveHandler(echoAgent(), { auth: { keys }, store: breaking });
  expect((await post(next, "/v1/chat/completions", chat([user("back")]))).text).toContain("back");
});

test.each([
  ["a model", "/v1/chat/completions", JSON.stringify({ model: "x".repeat(1_000_000), messages: [user("x")] })],
  ["a role", "/v1/chat/completions", chat([{ role: "x".repeat(1_000_000), content: "x" }, user("x")])],
  ["a method", "/a2a", rpc("x".repeat(1_000_000))],
])("the error about %s of a million characters is short", async (_what, path, body) => {
  const { text } = await post(open(), path, body);
  expect(text).toContain("error");
  expect(text.length).toBeLessThan(2_000);
});

test.each(["runs", "requestsPerMinute", "bodyBytes"])("a limit of 0 %s is refused when the server starts", (name) => {
  expect(() => open({ limits: { [name]: 0 } })).toThrow(`limits.${name} is 0`);
});

test("absent fields may be null", async () => {
  const names = ["tools", "tool_choice", "functions", "response_format", "stop", "n", "stream", "stream_options"];
  const { status } = await post(
    open(),
    "/v1/chat/completions",
    chat([user("x")], Object.fromEntries(names.map((name) => [name, null]))),
  );
  expect(status).toBe(200);
});
