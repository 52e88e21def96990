import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { type OpenAIOptions, openai } from "@smolts/model-openai";
import { generate } from "@smolts/models";
import type { ModelRequest } from "@smolts/protocol";
import { startModelServer } from "@smolts/testing/server";
import { afterEach, expect, test, vi } from "vitest";

const request: ModelRequest = { messages: [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] };
const once = { retries: { attempts: 1 } };

afterEach(() => vi.unstubAllEnvs());

/** Returns the error of one request that the server answers with `status` and `body`. */
async function failure(status: number, body: string, options: OpenAIOptions = {}): Promise<unknown> {
  const fetch = async (): Promise<Response> => new Response(body, { status, headers: { "retry-after": "7" } });
  return generate(openai("test", { apiKey: "sk-secret-canary", fetch, ...once, ...options }), request).then(
    () => expect.unreachable("it answered"),
    (error: unknown) => error,
  );
}

for (const api of ["responses", "chat"] as const) {
  const statuses: [status: number, body: object, expected: object][] = [
    [401, { message: "Incorrect API key" }, { code: "generation", details: { reason: "status", status: 401 } }],
    [429, { message: "slow down" }, { details: { reason: "status", status: 429, retryAfterMs: 7_000 } }],
    [400, { message: "too long", code: "context_length_exceeded" }, { code: "context-overflow" }],
    [529, { message: "overloaded" }, { details: { status: 529 } }],
  ];
  test.each(statuses)(`${api}: maps status %i`, async (status, error, expected) => {
    expect(await failure(status, JSON.stringify({ error }), { api })).toMatchObject(expected);
  });

  test(`${api}: quotes a page that is not JSON, and takes it for no answer when the status is good`, async () => {
    expect(String(await failure(502, "<html>bad gateway</html>", { api }))).toContain("bad gateway");
    expect(await failure(200, "<html>hello</html>", { api })).toMatchObject({ details: { reason: "no-answer" } });
  });

  test(`${api}: never follows a redirect`, async () => {
    const visits: string[] = [];
    const server = createServer((asked, response) => {
      visits.push(String(asked.url));
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const model = openai("test", { api, baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "sk-secret-canary", ...once });
    await expect(generate(model, request)).rejects.toThrow(/redirect/);
    expect(visits.length).toBe(1);
    server.close();
  });

  test(`${api}: no error contains a key that a server echoes`, async () => {
    const key = "sk-secret-canary";
    const echoes = [key, btoa(`x${key}`), encodeURIComponent(`${key}+/`)].join(" ");
    for (const status of [200, 400, 401, 500]) {
      const error = await failure(status, JSON.stringify({ error: { message: `bad key ${echoes}` } }), { api });
      const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)].join("\n");
      expect(shown).not.toContain(key);
      expect(shown).not.toContain(btoa(`x${key}`).slice(2, 18));
    }
  });
}

test("sends its own headers and the SDK's harmless ones, whatever the environment variables", async () => {
  vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-smuggled: canary\nauthorization: Bearer canary");
  vi.stubEnv("OPENAI_ORG_ID", "canary");
  vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
  vi.stubEnv("OPENAI_API_KEY", "sk-canary");
  vi.stubEnv("OPENAI_LOG", "debug");
  await using server = await startModelServer(["42"]);
  await generate(openai("test", { api: "chat", baseUrl: server.url, headers: { "x-mine": "1" } }), request);
  const { headers } = server.requests[0] ?? { headers: {} };
  expect(JSON.stringify(headers)).not.toContain("canary");
  expect(headers).toMatchObject({ "x-mine": "1", "x-stainless-lang": "js" });
  expect(headers).not.toHaveProperty("authorization");
});

test("sends the current key, the organization and the project", async () => {
  await using server = await startModelServer(["1", "2"]);
  let count = 0;
  const apiKey = (): string => `sk-number-${++count}`;
  const model = openai("test", { api: "chat", baseUrl: server.url, apiKey, organization: "org", project: "proj" });
  await generate(model, request);
  await generate(model, request);
  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer sk-number-1",
    "Bearer sk-number-2",
  ]);
  expect(server.requests[0]?.headers).toMatchObject({ "openai-organization": "org", "openai-project": "proj" });
});

test("chat: sends stop sequences, and cuts the answer itself for a model that refuses them", async () => {
  const refusal = {
    error: { message: "Unsupported parameter: 'stop' is not supported with this model.", param: "stop" },
  };
  await using server = await startModelServer([{ status: 400, body: refusal }, "a END b", "a END b"]);
  const model = openai("test", { api: "chat", baseUrl: server.url, ...once });
  const stopping = { ...request, stop: ["END"] };
  // The server refuses the stop sequence of the first request. Later requests contain none. The
  // adapter cuts both answers itself.
  const texts = [await generate(model, stopping), await generate(model, stopping)].map(
    ({ message }) => message.content,
  );
  expect(texts).toEqual([[{ type: "text", text: "a " }], [{ type: "text", text: "a " }]]);
  expect(server.requests.map(({ body }) => "stop" in body)).toEqual([true, false, false]);
});

test("chat: sends max_tokens to a server that does not know max_completion_tokens", async () => {
  const refusal = { error: { message: "Unrecognized request argument supplied: 'max_completion_tokens'" } };
  await using server = await startModelServer([{ status: 400, body: refusal }, "42"]);
  await generate(openai("test", { api: "chat", baseUrl: server.url, ...once }), { ...request, maxOutputTokens: 5 });
  expect(server.requests[1]?.body).toMatchObject({ max_tokens: 5 });
});

test("requires a key, and names the variable", () => {
  vi.stubEnv("OPENAI_API_KEY", "");
  expect(() => openai("test")).toThrow(/OPENAI_API_KEY/);
});

test("gives up on a server that does not start to answer, and on one that stops sending", async () => {
  await using server = await startModelServer([
    { hang: "before-headers" },
    { rawSse: 'data: {"choices":[]}\n\n', open: true },
  ]);
  const timeouts = { firstEventMs: 30, idleMs: 30 };
  const model = openai("test", { api: "chat", baseUrl: server.url, timeouts, ...once });
  for (let call = 0; call < 2; call++) {
    await expect(generate(model, request)).rejects.toMatchObject({ details: { reason: "timeout" } });
  }
});

test("names the unreachable server", async () => {
  const model = openai("test", { baseUrl: "http://127.0.0.1:9/v1", ...once });
  await expect(generate(model, request)).rejects.toMatchObject({ details: { reason: "unreachable" } });
});
