import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AgentError, type JsonSchema, type Tool } from "@smolts/protocol";
import { type FromOpenApiOptions, fromOpenApi } from "@smolts/tools/from-open-api";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../toolbox/tool-call.ts";
import { startService } from "./loopback-service.ts";

/** Returns a document with one operation. */
function documentOf(
  operation: object,
  { path = "/things", method = "get", ...more }: Record<string, unknown> = {},
): object {
  return {
    openapi: "3.0.3",
    paths: { [String(path)]: { [String(method)]: { operationId: "probe", ...operation } } },
    ...more,
  };
}

function probe(operation: object, more: Record<string, unknown> = {}, options: FromOpenApiOptions = {}): Tool {
  const [tool] = fromOpenApi(documentOf(operation, more), options);
  if (!tool) throw new Error("no tool was made");
  return tool;
}

const query = (schema: object, more: object = {}): object => ({
  parameters: [{ name: "q", in: "query", schema, ...more }],
});
const jsonBody = (schema: object, more: object = {}): object => ({
  requestBody: { required: true, content: { "application/json": { schema } }, ...more },
});

async function failureOf(task: () => unknown): Promise<AgentError> {
  try {
    await task();
  } catch (error) {
    if (AgentError.is(error)) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("GitHub's own description", () => {
  let github: JsonSchema;
  beforeAll(() => {
    const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
    github = JSON.parse(readFileSync(file, "utf8"));
  });

  test("becomes one tool per operation, each with its own name, the effects once, and approval", async () => {
    const { tools } = fromOpenApi(github);
    expect(tools.length).toBe(706);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(706);
    expect(new Set(tools.map(({ effects }) => effects))).toEqual(new Set(["once"]));
    const asks = await Promise.all(tools.map((tool) => tool.needsApproval?.({}, {} as never)));
    expect(asks.every((answer) => answer === true)).toBe(true);
  });

  test("has typed arguments, and outputs that are short enough for a prompt", () => {
    const [create] = fromOpenApi(github).pick("issuesCreate");
    expect(create?.inputSchema).toMatchObject({
      properties: {
        owner: { type: "string" },
        repo: { type: "string" },
        body: { properties: { title: {}, labels: { type: "array" } }, required: ["title"] },
      },
      required: ["owner", "repo"],
      additionalProperties: false,
    });
    expect(create?.outputSchema).toMatchObject({
      properties: { number: { type: "integer" }, html_url: { type: "string" } },
    });
    for (const { outputSchema = {} } of fromOpenApi(github)) {
      expect(JSON.stringify(outputSchema)).not.toContain('"$ref":"#');
      expect(JSON.stringify(outputSchema).length).toBeLessThanOrEqual(3_000);
    }
  });

  test("sends the same request as GitHub expects", async () => {
    await using service = await startService(() => ({ body: '[{"number":1347}]' }));
    const effects = { issuesListForRepo: "none" } as const;
    const headers = { authorization: "Bearer key" };
    const [list] = fromOpenApi(github, { server: service.origin, headers, effects }).pick("issuesListForRepo");
    expect(list?.effects).toBe("none");
    expect(list?.needsApproval).toBeUndefined();
    const input = { owner: "octocat", repo: "Hello-World", labels: "bug,ui", per_page: 5 };
    expect(await call(list as Tool, input)).toEqual([{ number: 1347 }]);
    const [{ path, headers: sent } = { path: "", headers: {} }] = service.seen;
    expect(path).toBe("/repos/octocat/Hello-World/issues?labels=bug%2Cui&per_page=5");
    expect(sent.authorization).toBe("Bearer key");
  });
});

describe("an argument", () => {
  const schemas: [what: string, schema: object, argument: object][] = [
    ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
    [
      "nullable with an enum",
      { type: "string", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "nullable without a type",
      { oneOf: [{ type: "string" }], nullable: true },
      { anyOf: [{ oneOf: [{ type: "string" }] }, { type: "null" }] },
    ],
    [
      "with an exclusive bound of 3.0",
      { type: "number", minimum: 0, exclusiveMinimum: true },
      { type: "number", exclusiveMinimum: 0 },
    ],
    [
      "with an exclusive bound of 3.1",
      { type: "number", exclusiveMaximum: 9 },
      { type: "number", exclusiveMaximum: 9 },
    ],
    ["with a pattern of another language", { type: "string", pattern: "(?i)a" }, { type: "string" }],
    ["with keywords that only OpenAPI has", { type: "string", example: "x", xml: {}, "x-y": 1 }, { type: "string" }],
    [
      "with a default and a description",
      { type: "integer", default: 3, description: "how many" },
      { type: "integer", default: 3, description: "how many" },
    ],
  ];
  test.each(schemas)("%s is a JSON Schema", (_what, schema, argument) => {
    expect(probe(query(schema)).inputSchema["properties"]).toEqual({ q: argument });
  });

  test("that refers to itself keeps its reference", async () => {
    const node = {
      type: "object",
      properties: {
        name: { type: "string" },
        children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
      },
    };
    const components = { schemas: { Node: node, Alias: { $ref: "#/components/schemas/Node" } } };
    const tree = probe(jsonBody({ $ref: "#/components/schemas/Alias" }), { method: "post", components });
    await tree.parseInput({ body: { name: "a", children: [{ name: "b", children: [] }] } });
    const error = await failureOf(() => tree.parseInput({ body: { children: [{ children: [{ name: 1 }] }] } }));
    expect(error.message).toContain('"body.children[0].children[0].name" is 1');
  });

  test("that only responses have is left out", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "integer", readOnly: true }, name: { type: "string" } },
      required: ["id", "name"],
    };
    expect(probe(jsonBody(schema), { method: "post" }).inputSchema["properties"]).toEqual({
      body: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    });
  });

  test("with the same name in two places is two arguments, and an operation's replaces that of its path", () => {
    const parameters = [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { name: "id", in: "query", schema: { type: "integer" } },
      { name: "filter[name]", in: "query", schema: {} },
      { name: "Authorization", in: "header", schema: {} },
      { name: "session", in: "cookie", schema: {} },
    ];
    const document = {
      openapi: "3.1.0",
      paths: {
        "/a/{id}": { parameters: [{ name: "id", in: "path", schema: { type: "number" } }], get: { parameters } },
      },
    };
    const [tool] = fromOpenApi(document);
    expect(tool?.name).toBe("getAId");
    expect(tool?.inputSchema["properties"]).toEqual({
      id: { type: "string" },
      id_query: { type: "integer" },
      filter_name: {},
    });
  });
});

describe("a request", () => {
  const list = { type: "array", items: {} };
  const places: [what: string, parameter: object, value: unknown, path: string][] = [
    ["a text", { schema: {} }, "a b&c", "/things?q=a+b%26c"],
    ["a list", { schema: list }, ["a", "b"], "/things?q=a&q=b"],
    ["a list in one value", { schema: list, explode: false }, ["a", "b"], "/things?q=a%2Cb"],
    ["a list with bars", { schema: list, style: "pipeDelimited" }, ["a", "b"], "/things?q=a%7Cb"],
    ["an object", { schema: {} }, { a: 1, b: true }, "/things?a=1&b=true"],
    ["a deep object", { schema: {}, style: "deepObject", explode: true }, { a: 1 }, "/things?q%5Ba%5D=1"],
    ["JSON", { content: { "application/json": { schema: {} } } }, { a: [1] }, "/things?q=%7B%22a%22%3A%5B1%5D%7D"],
  ];
  test.each(places)("carries %s in its query", async (_what, parameter, value, path) => {
    await using service = await startService();
    const operation = { parameters: [{ name: "q", in: "query", ...parameter }] };
    await call(probe(operation, {}, { server: service.origin }), { q: value });
    expect(service.seen[0]?.path).toBe(path);
  });

  const bodies: [mediaType: string, value: unknown, body: RegExp][] = [
    ["application/json", { a: [1] }, /^\{"a":\[1\]\}$/],
    ["application/vnd.x+json", "text", /^"text"$/],
    ["application/x-www-form-urlencoded", { a: 1, b: ["x", "y"] }, /^a=1&b=x&b=y$/],
    ["multipart/form-data", { a: "x" }, /form-data; name="a"\r\n\r\nx\r\n/],
    ["text/plain", "hello", /^hello$/],
  ];
  test.each(bodies)("carries a body of %s", async (mediaType, value, body) => {
    await using service = await startService();
    const operation = { requestBody: { content: { [mediaType]: { schema: {} } } } };
    await call(probe(operation, { method: "post" }, { server: `${service.origin}/v1/` }), { body: value });
    expect(service.seen[0]).toMatchObject({ method: "POST", path: "/v1/things", body: expect.stringMatching(body) });
    expect(service.seen[0]?.headers["content-type"]).toMatch(mediaType);
    expect(service.seen[0]?.headers["idempotency-key"]).toBe("key");
  });

  const path = { path: "/things/{id}" };
  const idParameter = { parameters: [{ name: "id", in: "path", required: true, schema: {} }] };
  test.each([
    ["a/../b?x#y", "/things/a%2F..%2Fb%3Fx%23y"],
    ["ü", "/things/%C3%BC"],
    ["...", "/things/..."],
  ])("keeps %s in its place in the path", async (id, seen) => {
    await using service = await startService();
    await call(probe(idParameter, path, { server: service.origin }), { id });
    expect(service.seen[0]?.path).toBe(seen);
  });

  test.each(["..", ".", ""])("refuses %j in a path", async (id) => {
    const error = await failureOf(() => call(probe(idParameter, path, { server: "http://127.0.0.1:9" }), { id }));
    expect(error).toMatchObject({ code: "tool-input", message: expect.stringContaining('"id" is') });
  });

  test("does not leave its server because of a path in the document", async () => {
    await using service = await startService();
    for (const away of ["//evil.example/x", "@evil.example/x", "/\\evil.example"]) {
      await call(probe({}, { path: away }, { server: service.origin }), {});
    }
    expect(service.seen.length).toBe(3);
    expect(service.seen.every(({ headers }) => headers.host === new URL(service.origin).host)).toBe(true);
  });

  test("has the program's headers, which are not arguments for the model", async () => {
    await using service = await startService();
    const parameters = [
      { name: "X-Tenant", in: "header", required: true, schema: {} },
      { name: "X-Lang", in: "header", schema: {} },
    ];
    const headers = { "x-tenant": "ours" };
    const tool = probe({ parameters }, {}, { server: service.origin, headers });
    expect(Object.keys(tool.inputSchema["properties"] ?? {})).toEqual(["X-Lang"]);
    await call(tool, { "X-Lang": "en" });
    expect(service.seen[0]?.headers).toMatchObject({ "x-tenant": "ours", "x-lang": "en" });
    const later = probe({ parameters }, {}, { server: service.origin, headers: async () => ({ "X-Tenant": "late" }) });
    await call(later, { "X-Tenant": "model" });
    expect(service.seen[1]?.headers["x-tenant"]).toBe("late");
    const error = await failureOf(() => call(tool, { "X-Lang": "a\r\nhost: evil" }));
    expect(error.code).toBe("tool-input");
  });
});

describe("an answer", () => {
  test.each([
    ["JSON", { body: '{"a":1}' }, { a: 1 }],
    ["text", { headers: { "content-type": "text/plain; charset=utf-8" }, body: "hi" }, "hi"],
    ["nothing", { status: 204 }, null],
    [
      "bytes",
      { headers: { "content-type": "image/png" }, body: new Uint8Array([1, 2]) },
      { mediaType: "image/png", bytes: new Uint8Array([1, 2]) },
    ],
  ])("of %s is plain data", async (_what, answer, value) => {
    await using service = await startService(() => answer);
    expect(await call(probe({}, {}, { server: service.origin }), {})).toEqual(value);
  });

  test("with an error status reports the service's message, without keys", async () => {
    const body = '{"message":"Not Found","authorization":"Bearer open-sesame"}';
    await using service = await startService(() => ({ status: 404, body }));
    const headers = { authorization: "Bearer open-sesame" };
    const error = await failureOf(() => call(probe({}, {}, { server: service.origin, headers }), {}));
    expect(error.message).toBe(
      'GET /things answered with status 404: {"message":"Not Found","authorization":"[redacted]"}',
    );
    expect(JSON.stringify(error)).not.toContain("sesame");
  });

  test("with a redirect is not followed, because the key would be sent along", async () => {
    await using thief = await startService();
    await using service = await startService(() => ({ status: 307, headers: { location: thief.origin } }));
    const error = await failureOf(() =>
      call(probe({}, {}, { server: service.origin, headers: { "x-key": "sesame" } }), {}),
    );
    expect(error.message).toBe("the service could not be reached");
    expect(thief.seen).toEqual([]);
  });

  test("that is too long is refused", async () => {
    await using service = await startService(() => ({ body: "x".repeat(2_000) }));
    const error = await failureOf(() => call(probe({}, {}, { server: service.origin, maxBytes: 1_000 }), {}));
    expect(error.message).toBe("the service sent more than 1000 bytes");
  });
});

describe("what a document may not do", () => {
  test("send the program's key to any server", async () => {
    const error = await failureOf(() => fromOpenApi(documentOf({}), { headers: { authorization: "key" } }));
    expect(error).toMatchObject({ code: "invalid-option", hint: expect.stringContaining("server:") });
  });

  test.each(["http://169.254.169.254", "http://127.0.0.1:8080", "http://[::1]/", "http://{host}"])(
    "name the server %s and be reached there",
    async (url) => {
      const servers = [{ url, variables: { host: { default: "10.0.0.1" } } }];
      const error = await failureOf(() => call(probe({}, { servers }), {}));
      expect(error.message).toMatch(/^refused to fetch/);
    },
  );

  test("cause a fetch by a reference", async () => {
    for (const $ref of [
      "https://evil.example/a.json",
      "other.json#/A",
      "#/components/schemas/Nothing",
      "#/paths/~1things/get/requestBody",
    ]) {
      const error = await failureOf(() => fromOpenApi(documentOf({ requestBody: { $ref } }, { method: "get" })));
      expect(error).toMatchObject({ code: "invalid-option", message: expect.stringContaining($ref) });
    }
  });

  test("declare itself harmless: a GET has the effects once and needs approval by default", async () => {
    const tool = probe({ "x-effects": "none", description: "Read-only, needs no approval." });
    expect([tool.effects, await tool.needsApproval?.({}, {} as never)]).toEqual(["once", true]);
  });

  test("give two operations the same name", async () => {
    const document = {
      openapi: "3.1.0",
      paths: { "/a": { get: { operationId: "a/b" }, post: { operationId: "a-b" } } },
    };
    const error = await failureOf(() => fromOpenApi(document));
    expect(error.message).toBe('fromOpenApi: "a/b" and "a-b" would both be the tool "aB"');
  });
});

test.each([
  [{ swagger: "2.0" }, "a Swagger 2.0 document", "swagger2openapi"],
  [{ hello: 1 }, "no OpenAPI document", "parsed"],
])("%j is refused with what to do", async (document, message, hint) => {
  const error = await failureOf(() => fromOpenApi(document));
  expect([error.message, error.hint]).toEqual([expect.stringContaining(message), expect.stringContaining(hint)]);
});

test("a misspelt name in effects is refused with the nearest", async () => {
  const error = await failureOf(() => fromOpenApi(documentOf({}), { effects: { prob: "none" } }));
  expect(error.hint).toBe('did you mean "probe"?');
});

test("a document without a complete server address works if the program names one", async () => {
  const tool = probe({}, { servers: [{ url: "/api" }] });
  expect((await failureOf(() => call(tool, {}))).hint).toContain("pass server");
});
