// Tests two things that our own server never does: it does not use the SSE transport of the
// protocol's version of 2024, and it does not put questions into results, as the version of 2026
// allows. The servers of these tests do, and they do not use the SDK.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mcpTools } from "@smolts/mcp";
import type { ToolContext } from "@smolts/protocol";
import { expect, onTestFinished, test } from "vitest";

const contextWith = (changes: Partial<ToolContext> = {}): ToolContext =>
  ({ signal: new AbortController().signal, runId: "r1", emit: () => {}, ...changes }) as ToolContext;

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => unknown;

async function listen(handler: Handler): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    await handler(request, body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * A server with the protocol version of 2024. Its events arrive over one long GET request. Messages
 * are sent by POST to the address in the first event.
 */
function sseServer(keys: string[] = []): Handler {
  let events: ServerResponse | undefined;
  return (request, body, response) => {
    keys.push(`${request.method} ${request.headers["x-key"]}`);
    if (request.method === "GET" && request.url === "/sse") {
      events = response.writeHead(200, { "content-type": "text/event-stream" });
      return void events.write("event: endpoint\ndata: /messages?session=1\n\n");
    }
    if (request.method !== "POST" || request.url !== "/messages?session=1") return void response.writeHead(404).end();
    response.writeHead(202).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return;
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "o", version: "1" },
      },
      "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: `heard ${params?.arguments?.text}` }] },
    };
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: "unknown method" } };
    events?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n\n`);
  };
}

test.each([{ transport: "sse" as const }, {}])(
  "the tools of a server that speaks only SSE are listed and called (%j)",
  async (how) => {
    const keys: string[] = [];
    const url = `${await listen(sseServer(keys))}/sse`;
    await using mcp = await mcpTools({ url, headers: { "x-key": "k" }, ...how });
    expect(mcp.tools.map(({ name }) => name)).toEqual(["echo"]);
    expect(await mcp.tools[0]?.execute({ text: "you" }, contextWith())).toBe("heard you");
    expect(new Set(keys.filter((key) => !key.endsWith(" k")))).toEqual(new Set());
  },
);

/** A server with the protocol version of 2026. Its tool asks for a name before it answers. */
const asking: Handler = (_request, body, response) => {
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return response.writeHead(202).end();
  const question = {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "Who are you?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  };
  const called = (): object => {
    const { inputResponses, requestState } = params;
    if (inputResponses === undefined) {
      return { resultType: "input_required", inputRequests: { who: question }, requestState: "round-2" };
    }
    const { action, content } = inputResponses.who;
    return { content: [{ type: "text", text: `${requestState}: ${action} ${content?.name}` }] };
  };
  const results: Record<string, () => object> = {
    "server/discover": () => ({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      serverInfo: { name: "asking", version: "1" },
      ttlMs: 0,
      cacheScope: "private",
    }),
    "tools/list": () => ({
      tools: [{ name: "greet", inputSchema: { type: "object" } }],
      ttlMs: 0,
      cacheScope: "private",
    }),
    "tools/call": called,
  };
  const result = results[method]?.();
  const answer = result
    ? { result: { resultType: "complete", ...result } }
    : { error: { code: -32601, message: "unknown method" } };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
};

test("a call that is answered with a question continues with the person's answer and the server's state", async () => {
  await using mcp = await mcpTools({ url: `${await listen(asking)}/mcp` });
  const asked: unknown[] = [];
  const ask: NonNullable<ToolContext["ask"]> = async (question) => {
    asked.push(question);
    return { type: "edit", input: { name: "Ada" } };
  };
  expect(await mcp.tools[0]?.execute({}, contextWith({ ask }))).toBe("round-2: accept Ada");
  expect(asked).toMatchObject([{ input: { message: "Who are you?" }, form: { message: "Who are you?" } }]);
  expect(await mcp.tools[0]?.execute({}, contextWith())).toBe("round-2: decline undefined");
});

test("a server that asks again and again is given up", async () => {
  let calls = 0;
  const url = await listen((request, body, response) => {
    const message = JSON.parse(body);
    if (message.method === "tools/call") {
      calls++;
      delete message.params.inputResponses;
    }
    return asking(request, JSON.stringify(message), response);
  });
  await using mcp = await mcpTools({ url });
  await expect(Promise.resolve(mcp.tools[0]?.execute({}, contextWith()))).rejects.toThrow("asked more than 10 times");
  expect(calls).toBe(10);
});
