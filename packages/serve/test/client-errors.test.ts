// Tests which errors of the server its clients see.

import { CodeAgent } from "@smolts/core";
import { memoryStore } from "@smolts/memory";
import type { RunStore } from "@smolts/protocol";
import { type OnError, type ServeHandler, type ServeHandlerOptions, serveHandler } from "@smolts/serve";
import { scriptedModel } from "@smolts/testing";
import { describe, expect, test } from "vitest";
import { agentOf, code, echoAgent } from "./example-agents.ts";

const key = "ana-0123456789abcdef";
/** An error message as providers write it. */
const secret = "https://gateway.internal:8443/v1 refused the account acct-77: key sk-live-4242";
const idIn = (text: string): string => /under ([0-9a-f-]{36})/.exec(text)?.[1] ?? "no id";

interface Report {
  readonly message: string;
  readonly id: string;
}

function watched(served: Parameters<typeof serveHandler>[0], options: Partial<ServeHandlerOptions> = {}) {
  const reports: Report[] = [];
  const onError: OnError = (error, { id }) => reports.push({ message: (error as Error).message, id });
  return { reports, handler: serveHandler(served, { name: "helper", auth: { key }, onError, ...options }) };
}

async function textOf(handler: ServeHandler, path: string, body?: object): Promise<string> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  return (await handler(new Request(`http://localhost${path}`, init))).text();
}

const chat = (stream: boolean): object => ({ model: "helper", stream, messages: [{ role: "user", content: "Go." }] });
const response = (stream: boolean): object => ({ model: "helper", stream, input: "Go." });
const rpc = (method: string, params: object): object => ({ jsonrpc: "2.0", id: 1, method, params });
const said = { message: { role: "ROLE_USER", parts: [{ text: "Go." }] } };

describe("a provider's error", () => {
  const requests: [what: string, path: string, body: object][] = [
    ["a completion", "/v1/chat/completions", chat(false)],
    ["a streamed completion", "/v1/chat/completions", chat(true)],
    ["a response", "/v1/responses", response(false)],
    ["a streamed response", "/v1/responses", response(true)],
    ["a task", "/a2a", rpc("SendMessage", said)],
    ["a streamed task", "/a2a", rpc("SendStreamingMessage", said)],
    ["a task of 0.3", "/a2a", rpc("message/stream", said)],
  ];

  test.each(requests)("is not shown to the client of %s, who gets the run's id", async (_what, path, body) => {
    const { handler, reports } = watched(agentOf(() => ({ error: secret })));
    const text = await textOf(handler, path, body);
    expect(text).toContain("the agent's model did not answer; the server's log has the reason under");
    const id = idIn(text);
    expect(reports).toEqual([{ message: expect.stringContaining(secret), id }]);
    const later = await Promise.all([
      textOf(handler, `/v1/runs/${id}`),
      textOf(handler, `/v1/responses/resp_${id}`),
      textOf(handler, "/a2a", rpc("GetTask", { id })),
    ]);
    for (const shown of [text, ...later]) expect(shown).not.toMatch(/gateway|acct-77|sk-live/);
    for (const text of later) expect(text).toContain("did not answer");
  });

  test("of a managed agent is not shown to the client either", async () => {
    const failing = new CodeAgent({
      name: "researcher",
      description: "Finds facts.",
      model: scriptedModel(() => ({ error: secret })),
    });
    const answers = [code("await researcher({ task: 'x' })"), code("finalAnswer('without it')")];
    const agent = new CodeAgent({ name: "helper", model: scriptedModel(answers), managedAgents: [failing] });
    const { handler } = watched(agent);
    const text = await textOf(handler, "/v1/chat/completions", chat(true));
    expect(text).toContain("without it");
    expect(text).toContain('the agent \\"researcher\\" failed');
    expect(text).not.toMatch(/gateway|acct-77|sk-live/);
  });
});

describe("a store that is down", () => {
  const down: RunStore = {
    ...memoryStore(),
    open: () => Promise.reject(new Error(`connect ECONNREFUSED postgres://user:pass@db.internal/runs`)),
  };
  const requests: [what: string, path: string, body: object][] = [
    ["a completion", "/v1/chat/completions", chat(false)],
    ["a stream", "/v1/chat/completions", chat(true)],
    ["a response", "/v1/responses", response(true)],
    ["a task", "/a2a", rpc("SendMessage", said)],
  ];
  test.each(requests)("is reported once, and %s gets a general message and an id", async (_what, path, body) => {
    const { handler, reports } = watched(echoAgent(), { store: down });
    const text = await textOf(handler, path, body);
    expect(text).not.toMatch(/postgres|db\.internal/);
    expect(reports).toEqual([{ message: expect.stringContaining("db.internal"), id: idIn(text) }]);
  });
});

test("an error about an agent's limits is shown unchanged", async () => {
  const agent = agentOf(() => code("finalAnswer('x')")).with({ budget: { tokens: 1 }, maxSteps: 1 });
  const { handler, reports } = watched(agent);
  expect(await textOf(handler, "/v1/chat/completions", chat(false))).not.toContain("server's log");
  expect(reports).toEqual([]);
});

test("a report that throws ends neither the request nor the process", async () => {
  const onError = (): never => {
    throw new Error("the log is full");
  };
  const { handler } = watched(
    agentOf(() => ({ error: secret })),
    { onError },
  );
  expect(await textOf(handler, "/v1/chat/completions", chat(false))).toContain("did not answer");
});

describe("the address in the agent card", () => {
  const cards: [publicUrl: string | undefined, basePath: string, url: string][] = [
    [undefined, "/", "http://localhost/a2a"],
    ["https://agents.example.org", "/", "https://agents.example.org/a2a"],
    ["https://example.org/ai/", "/ai", "https://example.org/ai/a2a"],
  ];
  test.each(cards)("with publicUrl %s and basePath %s is %3$s", async (publicUrl, basePath, url) => {
    const { handler } = watched(echoAgent(), { basePath, ...(publicUrl === undefined ? {} : { publicUrl }) });
    const path = `${basePath === "/" ? "" : basePath}/.well-known/agent-card.json`;
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" };
    const card = await (await handler(new Request(`http://localhost${path}`, { headers }))).json();
    expect(card).toMatchObject({ url, supportedInterfaces: [{ url }, { url }] });
  });

  test.each(["agents.example.org", "ftp://example.org", "https://u:p@example.org", "https://example.org/?a"])(
    "cannot be %j",
    (publicUrl) => {
      expect(() => watched(echoAgent(), { publicUrl })).toThrow(/publicUrl is .*not a web address/);
    },
  );

  test("cannot be a URL object", () => {
    const publicUrl = new URL("https://example.org") as unknown as string;
    const hint = expect.stringContaining("url.href");
    expect(() => watched(echoAgent(), { publicUrl })).toThrow(
      expect.objectContaining({ code: "invalid-option", hint }),
    );
  });
});
