// Tests servers that break the protocol, by mistake or on purpose. Each call must end with a value,
// or with an error that names the server.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type McpServer, type McpTools, type McpToolsOptions, mcpTools } from "@smolts/mcp";
import type { ToolContext } from "@smolts/protocol";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { inlineServer } from "../client/raw-server.ts";

const contextWith = (changes: Partial<ToolContext> = {}): ToolContext =>
  ({ signal: new AbortController().signal, runId: "r1", emit: () => {}, ...changes }) as ToolContext;

async function connect(server: McpServer, options?: McpToolsOptions): Promise<McpTools> {
  const mcp = await mcpTools(server, options);
  onTestFinished(() => mcp[Symbol.asyncDispose]());
  return mcp;
}

const one = `{ name: "go", description: "Goes.", inputSchema: { type: "object" } }`;
const fine = `{ content: [{ type: "text", text: "fine" }] }`;
/** Returns the source of a server with one tool. */
const serverWithTool = (call: string, more = "") =>
  inlineServer(`export const tools = [${one}]; ${more}
    export async function call(name, args, server, params) { ${call} }`);
const listing = (tools: string) =>
  inlineServer(
    `export const tools = ${tools}; export const call = (name) => ({ content: [{ type: "text", text: name }] });`,
  );
const go = (mcp: McpTools, changes?: Partial<ToolContext>, name = "go") =>
  Promise.resolve(mcp.tools.find((tool) => tool.name === name)?.execute({}, contextWith(changes)));
const warned = (mcp: McpTools) => mcp.warnings.map(({ message }) => message).join("\n");

describe("a server that does not answer the newer protocol", () => {
  const silentTo = (...methods: string[]): McpServer =>
    inlineServer(`export const tools = [${one}]; export const call = () => (${fine});
      const silent = () => new Promise(() => {});
      ${methods.map((method) => `export { silent as "${method}" };`).join("\n")}`);

  // The test moves the clock past the time limit of the first request, and never again. So later
  // requests do not time out, however slow the server is.
  test("is used with the older protocol, with a warning", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const connecting = connect(silentTo("server/discover"));
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    const mcp = await connecting;
    expect(await go(mcp)).toBe("fine");
    expect(warned(mcp)).toMatch(/newer protocol within 10000 ms, so the older protocol \(\d{4}-\d\d-\d\d\) is used/);
  });

  test("nor the older one is an error that names both", async () => {
    const connecting = connect({ ...silentTo("server/discover", "initialize"), timeoutMs: 2_000 });
    await expect(connecting).rejects.toThrow(/newer protocol within 2000 ms, nor the one of the older protocol/);
  });
});

describe("answers", () => {
  test.each([
    ["of another call", `params.id + 1000`],
    ["that is null", `null`],
  ])("an answer with an id %s does not end the call, but the right answer does", async (_what, id) => {
    const mcp = await connect(
      serverWithTool(
        `server.write({ id: ${id}, result: { content: [{ type: "text", text: "forged" }] } }); return ${fine};`,
      ),
    );
    expect(await go(mcp)).toBe("fine");
  });

  test("a second answer to a call is ignored", async () => {
    const mcp = await connect(
      serverWithTool(
        `server.write({ id: params.id, result: ${fine} }); return { content: [{ type: "text", text: "second" }] };`,
      ),
    );
    expect([await go(mcp), await go(mcp)]).toEqual(["fine", "fine"]);
  });

  test("an answer with both a result and an error counts as one of them, and ends the call", async () => {
    const mcp = await connect(
      serverWithTool(
        `server.raw(JSON.stringify({ jsonrpc: "2.0", id: params.id, result: ${fine}, error: { code: 1, message: "no" } }) + "\\n"); return ${fine};`,
      ),
    );
    await expect(
      Promise.race([
        go(mcp).then(
          () => "ended",
          () => "ended",
        ),
      ]),
    ).resolves.toBe("ended");
  });

  test.each([
    ["no result", `server.raw('{"jsonrpc":"2.0","id":' + params.id + ',"result":null}\\n'); return ${fine}`],
    ["a list", `return []`],
    ["content that is a text", `return { content: "fine" }`],
    ["parts that are null", `return { content: [null] }`],
    ["a part without a type", `return { content: [{ text: "fine" }] }`],
    ["bytes that are a number", `return { content: [{ type: "image", data: 7, mimeType: "image/png" }] }`],
    ["a resource without an address", `return { content: [{ type: "resource", resource: {} }] }`],
    ["structured content that is a text", `return { content: [], structuredContent: "fine" }`],
    ["an error that is a text", `server.write({ id: params.id, error: "no" }); return ${fine}`],
  ])("an answer with %s is a value or an error of the server, within time", async (_what, call) => {
    const server = serverWithTool(call);
    const mcp = await connect(server);
    Object.assign(server, { timeoutMs: 300 });
    const outcome = await go(mcp).catch((error: { code: string }) => error.code);
    expect(["fine", "tool-execution", ""]).toContain(outcome);
  });

  test("an answer without content returns a value that code can use", async () => {
    expect(await go(await connect(serverWithTool(`return {};`)))).toBe("");
  });

  test("structured content that breaks its own schema is refused, and names the tool", async () => {
    const schema = `{ type: "object", properties: { n: { type: "number" } }, required: ["n"] }`;
    const mcp = await connect(
      inlineServer(`export const tools = [{ ...${one}, outputSchema: ${schema} }];
        export const call = () => ({ content: [], structuredContent: { n: "1" } });`),
    );
    await expect(go(mcp)).rejects.toThrow('the answer of "go" does not match its output schema');
  });

  test("an error object of ten megabytes is cut", async () => {
    const mcp = await connect({ ...serverWithTool(`throw new Error("y".repeat(5e6));`) });
    const error = (await go(mcp).catch((thrown: Error) => thrown)) as Error;
    expect(error.message.length).toBeLessThan(3_000);
  });

  test("an error message shows hidden characters", async () => {
    const mcp = await connect(serverWithTool(`throw new Error("bad\\u202e\\u001b[2Jvalue");`));
    await expect(go(mcp)).rejects.toThrow("bad[2Jvalue");
    const told = await connect(
      serverWithTool(`return { isError: true, content: [{ type: "text", text: "bad\\u202e\\u001b[2Jvalue" }] };`),
    );
    const error = (await go(told).catch((thrown: Error) => thrown)) as Error;
    expect(error.message).not.toMatch(/[\u202e\u001b]/);
  });
});

describe("time", () => {
  test("progress of a call that has ended is dropped", async () => {
    const events: unknown[] = [];
    const mcp = await connect(
      serverWithTool(`
        const { progressToken } = params._meta;
        const late = () => server.notify("notifications/progress", { progressToken, progress: 9 });
        server.write({ id: params.id, result: ${fine} });
        late(); setImmediate(late);
        return undefined;`),
    );
    expect(await go(mcp, { emit: (event) => void events.push(event) })).toBe("fine");
    expect(await go(mcp)).toBe("fine");
    expect(events.length).toBeLessThanOrEqual(1);
  });

  test("progress with the token of another call does not reach that call", async () => {
    const mcp = await connect(
      serverWithTool(`server.notify("notifications/progress", { progressToken: 99999, progress: 1 }); return ${fine};`),
    );
    const events: unknown[] = [];
    expect(await go(mcp, { emit: (event) => void events.push(event) })).toBe("fine");
    expect(events).toEqual([]);
  });

  test("a late answer to a cancelled call does not affect other calls", async () => {
    const mcp = await connect(
      serverWithTool(
        `if (args.wait) { setTimeout(() => server.write({ id: params.id, result: { content: [{ type: "text", text: "late" }] } }), 20); return undefined; } return ${fine};`,
      ),
    );
    const controller = new AbortController();
    const slow = Promise.resolve(mcp.tools[0]?.execute({ wait: true }, contextWith({ signal: controller.signal })));
    controller.abort(new Error("enough"));
    await expect(slow).rejects.toThrow("enough");
    for (let round = 0; round < 5; round++) expect(await go(mcp)).toBe("fine");
  });

  test("a list that changes all the time is read again, but not endlessly", async () => {
    const mcp = await connect(
      serverWithTool(
        `for (let n = 0; n < 500; n++) server.notify("notifications/tools/list_changed"); return { content: [{ type: "text", text: String(lists) }] };`,
        `let lists = 0; export { list as "tools/list" }; const list = () => { lists++; return { tools }; };`,
      ),
    );
    await go(mcp);
    expect(Number(await go(mcp))).toBeLessThanOrEqual(3);
  });
});

describe("initialization", () => {
  test.each([
    [
      "dies between its initialization and its list",
      `export { list as "tools/list" }; const list = () => process.exit(0);`,
    ],
    [
      "speaks a version of the future",
      `export { begin as initialize }; const begin = () => ({ protocolVersion: "2999-01-01", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } });`,
    ],
    ["has no version", `export { begin as initialize }; const begin = () => ({ capabilities: {} });`],
    ["lists something other than tools", `export { list as "tools/list" }; const list = () => ({ tools: "go" });`],
  ])("a server that %s is an error that names it, or a warning", async (_what, source) => {
    const server = inlineServer(`${source} export const tools = []; export const call = () => ({});`, "odd");
    await expect(connect(server)).rejects.toMatchObject({
      code: "tool-execution",
      message: expect.stringContaining('"odd"'),
    });
    const mcp = await connect(server, { unreachable: "warning" });
    expect(mcp.tools).toEqual([]);
    expect(mcp.warnings).toMatchObject([{ server: "odd" }]);
  });

  test("a server that answers initialize with a list is given up at the time limit", async () => {
    const source = `export { begin as initialize }; const begin = () => []; export const tools = []; export const call = () => ({});`;
    const { length } = await connect(
      { ...inlineServer(source, "odd"), timeoutMs: 1_000 },
      { unreachable: "warning" },
    ).then(({ warnings }) => warnings);
    expect(length).toBe(1);
  });

  test("a server without tools is accepted, and nothing is written to standard output", async () => {
    const written = vi.spyOn(process.stdout, "write");
    const logged = (["log", "info", "debug"] as const).map((method) => vi.spyOn(console, method));
    onTestFinished(() => void vi.restoreAllMocks());
    const source = `export { begin as initialize }; const begin = ({ protocolVersion }) => ({ protocolVersion, capabilities: {}, serverInfo: { name: "x", version: "1" } });`;
    const mcp = await connect(inlineServer(`${source} export const tools = []; export const call = () => ({});`));
    expect(mcp.tools).toEqual([]);
    for (const spy of [written, ...logged]) expect(spy).not.toHaveBeenCalled();
  });

  test("a server that reports another version each time can still be called", async () => {
    const mcp = await connect(
      inlineServer(`import { existsSync, writeFileSync } from "node:fs"; import { tmpdir } from "node:os";
        const mark = tmpdir() + "/smolts-odd-version-" + process.ppid; const isBack = existsSync(mark);
        export { begin as initialize };
        const begin = () => ({ protocolVersion: isBack ? "2024-11-05" : "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } });
        export const tools = [${one}];
        export const call = () => { if (!isBack) { writeFileSync(mark, ""); process.exit(0); } return ${fine}; };`),
    );
    const { rmSync } = await import("node:fs");
    const { tmpdir } = await import("node:os");
    onTestFinished(() => rmSync(`${tmpdir()}/smolts-odd-version-${process.pid}`, { force: true }));
    await expect(go(mcp)).rejects.toThrow("broke off");
    expect(await go(mcp)).toBe("fine");
  });
});

describe("names and descriptions", () => {
  test("a description of two megabytes is cut, and its tool works", async () => {
    const mcp = await connect(listing(`[{ ...${one}, description: "long ".repeat(400_000) }]`));
    expect(mcp.tools[0]?.description.length).toBeLessThan(1_100);
    expect(await go(mcp)).toBe("go");
  });

  test("names that differ by case are two tools, and look-alike names are one tool with a warning", async () => {
    const mcp = await connect(
      listing(
        `["read", "READ", "caf\\u00e9", "cafe\\u0301", "go", "go"].map((name) => ({ name, inputSchema: { type: "object" } }))`,
      ),
    );
    const names = mcp.tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names.map((name) => name.normalize("NFC"))).size).toBe(names.length);
    expect(await go(mcp, {}, "read")).toBe("read");
    expect(await go(mcp, {}, "READ")).toBe("READ");
    expect(warned(mcp)).toContain("another one");
  });

  test("look-alike letters of other scripts make a different name", async () => {
    const mcp = await connect(
      listing(`["pay", "p\\u0430y"].map((name) => ({ name, inputSchema: { type: "object" } }))`),
    );
    expect(await go(mcp, {}, "pay")).toBe("pay");
  });
});

describe("HTTP", () => {
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

  const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}, status = 200) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

  /**
   * Returns an HTTP server of the protocol version before 2026, with sessions. `call` computes the
   * result of the server's only tool.
   */
  const serving =
    (
      call: (id: number, response: ServerResponse, session: string) => unknown,
      isKnown = (_session: string) => true,
      status = 404,
    ) =>
    (request: IncomingMessage, body: string, response: ServerResponse): unknown => {
      if (request.method === "DELETE") ended.push(String(request.headers["mcp-session-id"]));
      if (request.method !== "POST") return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body);
      const session = String(request.headers["mcp-session-id"]);
      if (method === "initialize") {
        const result = {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "h", version: "1" },
        };
        return json(response, { jsonrpc: "2.0", id, result }, { "mcp-session-id": `s${++sessions}` });
      }
      if (method !== "server/discover" && !isKnown(session))
        return json(response, { jsonrpc: "2.0", id: null, error: { code: -32001, message: "no session" } }, {}, status);
      if (id === undefined) return response.writeHead(202).end();
      if (method === "tools/call") return call(id, response, session);
      const result = method === "tools/list" ? { tools: [{ name: "go", inputSchema: { type: "object" } }] } : undefined;
      return json(response, {
        jsonrpc: "2.0",
        id,
        ...(result ? { result } : { error: { code: -32601, message: "no" } }),
      });
    };
  let sessions = 0;
  const ended: string[] = [];

  const answer = (id: number, text: string) => ({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });

  test.each([404, 400])(
    "an expired session (status %i) is started again, and the call is made once",
    async (status) => {
      const expired = new Set<string>();
      const calls: string[] = [];
      const url = await listen(
        serving(
          (id, response, session) => {
            calls.push(session);
            json(response, answer(id, "fine"));
          },
          (session) => !expired.has(session),
          status,
        ),
      );
      const mcp = await connect({ url });
      expect(await go(mcp)).toBe("fine");
      expired.add(calls[0] ?? "");
      expect(await go(mcp)).toBe("fine");
      expect(new Set(calls).size).toBe(2);
      expect(calls).toHaveLength(2);
    },
  );

  test("a lost stream of the older transport is opened again, with a session of its own", async () => {
    const streams: ServerResponse[] = [];
    const url = await listen((request, body, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://server");
      if (request.method === "GET") {
        streams.push(response);
        response.writeHead(200, { "content-type": "text/event-stream" });
        return response.write(`event: endpoint\ndata: /?session=${streams.length - 1}\n\n`);
      }
      const stream = streams[Number(searchParams.get("session"))];
      if (stream === undefined || stream.destroyed) return response.writeHead(500).end("no stream");
      response.writeHead(202).end();
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return;
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "s", version: "1" },
        },
        "tools/list": { tools: [{ name: "go", inputSchema: { type: "object" } }] },
        "tools/call": { content: [{ type: "text", text: "fine" }] },
      };
      const result = results[method];
      const answered = result ? { result } : { error: { code: -32601, message: "no" } };
      stream.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, ...answered })}\n\n`);
    });
    const mcp = await connect({ url, transport: "sse" });
    expect(await go(mcp)).toBe("fine");
    streams.at(-1)?.destroy();
    await expect.poll(() => go(mcp)).toBe("fine");
  });

  test("a server of the older transport that never begins its stream is given up at the time limit", async () => {
    const url = await listen((_request, _body, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
    });
    await expect(connect({ url, transport: "sse", timeoutMs: 1_000 })).rejects.toThrow("could not be reached");
    const stop = new AbortController();
    const connecting = connect({ url, transport: "sse" }, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(connecting).rejects.toThrow("enough");
  });

  test("a session ends with its connection", async () => {
    const url = await listen(serving((id, response) => json(response, answer(id, "fine"))));
    const mcp = await mcpTools({ url });
    await mcp[Symbol.asyncDispose]();
    expect(ended).toContain(`s${sessions}`);
  });

  test("sessions that always expire are an error after a few attempts", async () => {
    let refused = 0;
    let isOpen = true;
    const url = await listen(
      serving(
        (id, response) => json(response, answer(id, "fine")),
        () => {
          if (!isOpen) refused++;
          return isOpen;
        },
      ),
    );
    const mcp = await connect({ url });
    isOpen = false;
    await expect(go(mcp)).rejects.toMatchObject({ code: "tool-execution" });
    expect(refused).toBeLessThan(20);
  });

  test("a server that never accepts the key is tried a few times, with and without signing in", async () => {
    let requests = 0;
    let pages = 0;
    const url = await listen((request, _body, response) => {
      requests++;
      const origin = `http://${request.headers.host}`;
      const path = request.url ?? "";
      if (path.includes("oauth-protected-resource"))
        return json(response, { resource: origin, authorization_servers: [origin] });
      if (path.includes("oauth-authorization-server")) {
        return json(response, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        });
      }
      if (path.startsWith("/register"))
        return json(response, { client_id: "c", redirect_uris: ["http://127.0.0.1/back"] }, {}, 201);
      if (path.startsWith("/token")) return json(response, { access_token: "t", token_type: "Bearer" });
      return response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    });
    const authorization = {
      store: new Map<string, string>(),
      redirectUrl: "http://127.0.0.1/back",
      signIn: (page: URL) => {
        pages++;
        return `http://127.0.0.1/back?code=c&state=${page.searchParams.get("state")}`;
      },
    };
    await expect(connect({ url, authorization })).rejects.toMatchObject({ code: "tool-execution" });
    await expect(connect({ url, headers: { authorization: "Bearer k" } })).rejects.toMatchObject({
      code: "tool-execution",
    });
    expect(pages).toBeLessThanOrEqual(2);
    expect(requests).toBeLessThan(40);
  });

  test.each([
    ["ends before its result", (response: ServerResponse) => void response.end()],
    ["breaks off", (response: ServerResponse) => void response.destroy()],
    ["holds noise, and ends", (response: ServerResponse) => void response.end(": hello\n\ndata: {\n\ndata: []\n\n")],
  ])("a stream of events that %s is an error at once, not at the time limit", async (_what, end) => {
    const url = await listen(
      serving((_id, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": begins\n\n", () => end(response));
      }),
    );
    await expect(go(await connect({ url, timeoutMs: 600_000 }))).rejects.toThrow("it may or may not have happened");
  });

  test.each([
    ["a page", { "content-type": "text/html" }, "<h1>Sign in</h1>"],
    ["half of a message", { "content-type": "application/json" }, '{"jsonrpc":"2.0",'],
    ["nothing", {}, ""],
  ])("an answer of %s is an error", async (_what, headers, body) => {
    const url = await listen(serving((_id, response) => response.writeHead(200, headers).end(body)));
    await expect(go(await connect({ url }))).rejects.toMatchObject({ code: "tool-execution" });
  });

  test.each([500, 502, 429, 403])("the status %i is an error with its number or reason", async (status) => {
    const url = await listen(serving((_id, response) => response.writeHead(status).end("the cook is ill")));
    await expect(go(await connect({ url }))).rejects.toThrow(/the cook is ill|403/);
  });
});

describe("small faults in answers", () => {
  test.each([
    ["that is a text", `"odd"`, "number 1"],
    ["without a name", `{ inputSchema: { type: "object" } }`, "number 1"],
    ["without a schema", `{ name: "odd" }`, '"odd"'],
    ["whose schema is null", `{ name: "odd", inputSchema: null }`, '"odd"'],
    ["whose input is a text", `{ name: "odd", inputSchema: { type: "string" } }`, '"odd"'],
  ])("a tool %s is left out with a warning, and the others work", async (_what, tool, called) => {
    const mcp = await connect(listing(`[${tool}, ${one}]`));
    expect(await go(mcp)).toBe("go");
    expect(mcp.tools).toHaveLength(1);
    expect(warned(mcp)).toContain(`its tool ${called} is left out`);
  });

  test.each([
    ["without a type", `{ name: "go", inputSchema: { properties: {} } }`],
    [
      "with null in each absent field",
      `{ name: "go", title: null, description: null, inputSchema: { type: "object" }, outputSchema: null, annotations: null, _meta: null }`,
    ],
    [
      "with an output that is not an object",
      `{ name: "go", inputSchema: { type: "object" }, outputSchema: { type: "array" } }`,
    ],
  ])("a tool %s is used", async (_what, tool) => {
    const mcp = await connect(listing(`[${tool}]`));
    expect(await go(mcp)).toBe("go");
    expect(mcp.warnings).toEqual([]);
  });

  test.each(["null", '""'])("a list with the cursor %s is complete", async (cursor) => {
    const mcp = await connect(
      inlineServer(`export { list as "tools/list" }; const list = () => ({ tools: [${one}], nextCursor: ${cursor} });
        export const call = () => (${fine});`),
    );
    expect(await go(mcp)).toBe("fine");
  });

  test("null in each absent field of a result counts as absent, and stays in the server's own data", async () => {
    const part = `{ type: "text", text: "fine", annotations: null, _meta: null }`;
    const texts = await connect(
      serverWithTool(`return { content: [${part}], structuredContent: null, isError: null };`),
    );
    expect(await go(texts)).toBe("fine");
    const data = await connect(serverWithTool(`return { content: null, structuredContent: { left: null } };`));
    expect(await go(data)).toEqual({ left: null });
  });
});

test("a number in the place of a text becomes a text", async () => {
  const mcp = await connect(serverWithTool(`return { content: [{ type: "text", text: 42 }] };`));
  expect(await go(mcp)).toBe("42");
});

test("an answer without the form of the protocol is an error that says so in one sentence", async () => {
  const mcp = await connect(serverWithTool(`return { content: [{ type: "image", data: 1 }] };`));
  await expect(go(mcp)).rejects.toThrow(/failed: its answer does not have the form that the protocol requires$/);
});

describe("resources and prompts", () => {
  const withResources = (source: string): McpServer =>
    inlineServer(
      `export const capabilities = { resources: {}, prompts: {} }; export const tools = []; export const call = () => null; ${source}`,
    );

  test.each([
    ["resources", "resources/list", `{ resources: [{ uri: "x://a", name: "a", description: null }] }`],
    ["templates", "resources/templates/list", `{ resourceTemplates: [{ uriTemplate: "x://{a}", name: "a" }] }`],
  ])("a server that knows only %s lists them", async (_what, method, result) => {
    const mcp = await connect(withResources(`export { list as "${method}" }; const list = () => (${result});`), {
      resources: true,
    });
    expect(await go(mcp, {}, "listResources")).toMatchObject([{ name: "a" }]);
  });

  test.each([
    ["listResources", "resources/list"],
    ["listPrompts", "prompts/list"],
  ])("%s ends when its call is aborted, and at the time limit of its server", async (name, method) => {
    const server = withResources(`export { list as "${method}" }; const list = () => new Promise(() => {});`);
    const mcp = await connect(server, { resources: true });
    const stop = new AbortController();
    const listing = go(mcp, { signal: stop.signal }, name);
    stop.abort(new Error("enough"));
    await expect(listing).rejects.toThrow("enough");
    Object.assign(server, { timeoutMs: 100 });
    await expect(go(mcp, {}, name)).rejects.toThrow("timed out");
  });
});

describe("the words of an error", () => {
  test.each([
    ["a resource", `content: [{ type: "resource", resource: { uri: "x://log", text: "the disk is full" } }]`],
    ["data", `content: [], structuredContent: { reason: "the disk is full" }`],
  ])("can be in %s", async (_what, content) => {
    const mcp = await connect(serverWithTool(`return { isError: true, ${content} };`));
    await expect(go(mcp)).rejects.toThrow("the disk is full");
  });

  const key = "a-key-in-no-known-form";
  test.each([
    ["an error", `throw new Error("refused " + process.env.ACCESS_KEY)`],
    [
      "a failed call",
      `return { isError: true, content: [{ type: "text", text: "refused " + process.env.ACCESS_KEY }] }`,
    ],
  ])("do not contain a key of the server's configuration, in %s", async (_what, source) => {
    const mcp = await connect({ ...serverWithTool(source), env: { ACCESS_KEY: key } } as McpServer);
    await expect(go(mcp)).rejects.toThrow("refused [redacted]");
  });

  test("show what a process wrote before it ended on one line, without keys and control characters", async () => {
    const source = `console.error("\u001b[31mwrong key " + process.env.ACCESS_KEY); process.exit(1)`;
    const connecting = connect({ command: process.execPath, args: ["-e", source], env: { ACCESS_KEY: key } });
    await expect(connecting).rejects.toThrow(/its process wrote: \[31mwrong key \[redacted\]$/);
  });

  test("name the folder of a process if it may be missing", async () => {
    const connecting = connect({ command: process.execPath, cwd: "/no/such/folder" });
    await expect(connecting).rejects.toMatchObject({ hint: expect.stringContaining('a folder "/no/such/folder"') });
  });
});
