import { openAICompatible, openai } from "@smolts/models";
import { strictSchema } from "@smolts/models/adapting";
import { mistral } from "@smolts/models/mistral";
import type { ChatMessage, JsonSchema } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { message, sentFor } from "./ask.ts";

const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const number: JsonSchema = { type: "number" };

describe("a schema that can be strict", () => {
  const schemas: readonly [what: string, schema: JsonSchema, strict: JsonSchema][] = [
    ["is closed", object({ a: number }), { ...object({ a: number }), additionalProperties: false }],
    [
      "is closed at all levels",
      object({ list: { type: "array", items: object({ a: number }) } }),
      {
        ...object({ list: { type: "array", items: { ...object({ a: number }), additionalProperties: false } } }),
        additionalProperties: false,
      },
    ],
    [
      "keeps its alternatives",
      object({ a: { anyOf: [number, { type: "null" }] } }),
      { ...object({ a: { anyOf: [number, { type: "null" }] } }), additionalProperties: false },
    ],
  ];
  test.each(schemas)("%s", (_what, schema, strict) => expect(strictSchema(schema)).toEqual(strict));
});

describe("a schema without a strict form is not changed", () => {
  const schemas: readonly [what: string, schema: JsonSchema][] = [
    ["an optional property", object({ a: number, b: number }, ["a"])],
    ["a map", { type: "object", additionalProperties: number }],
    ["anything", {}],
    ["an object of anything", { type: "object" }],
    ["no object", { type: "array", items: number }],
    ["a pattern", object({ a: { type: "string", pattern: "^a+$" } })],
    ["a reference", object({ a: { $ref: "#/$defs/a" } })],
    ["a list of anything", object({ a: { type: "array" }, b: {} })],
    ["a default", object({ a: { type: "number", default: 1 } })],
    [
      "a schema that is nested too deep",
      Array.from({ length: 9 }).reduce<JsonSchema>((inner) => object({ inner }), number),
    ],
  ];
  test.each(schemas)("%s", (_what, schema) => expect(strictSchema(schema)).toBeNull());
});

const messages = [message("user", "6 * 7?")];
const responseFormat = { name: "answer", schema: object({ a: number }) };
const tools = [
  { name: "look", description: "Looks.", inputSchema: object({ at: number }) },
  { name: "go", description: "Goes.", inputSchema: object({ to: number }, []) },
];

test("response formats are strict on every server, and tools only where the provider enforces them", async () => {
  const { body } = await sentFor({ messages, responseFormat, tools });
  expect(body).toMatchObject({
    response_format: { json_schema: { strict: true, schema: { additionalProperties: false } } },
  });
  expect(JSON.stringify(body["tools"])).not.toContain("strict");
  const own = await sentFor({ messages, tools }, {}, (options = {}) =>
    openai("m", { ...options, apiKey: "sk-example" }),
  );
  expect(own.body["tools"]).toMatchObject([{ function: { strict: true } }, { function: { name: "go" } }]);
  expect(JSON.stringify((own.body["tools"] as readonly object[])[1])).not.toContain("strict");
  const optional = { name: "answer", schema: object({ a: number }, []) };
  const { body: unmarked } = await sentFor({ messages, responseFormat: optional });
  expect(unmarked["response_format"]).toEqual({ type: "json_schema", json_schema: optional });
});

const talk: readonly ChatMessage[] = [
  message("user", "look"),
  message("assistant", [
    { type: "tool-call", id: "call_0f8fad5b-d9cb-469f", name: "look", input: {} },
    { type: "tool-call", id: "abcDEF123", name: "look", input: {} },
  ]),
  message("tool", [
    { type: "tool-result", id: "call_0f8fad5b-d9cb-469f", output: [{ type: "text", text: "1" }], isError: false },
    { type: "tool-result", id: "abcDEF123", output: [{ type: "text", text: "2" }], isError: false },
  ]),
  message("user", "go on"),
];

test("Mistral gets ids with nine characters, and an assistant message between results and the user", async () => {
  const { body } = await sentFor({ messages: talk }, {}, (options = {}) => mistral("m", { ...options, apiKey: "key" }));
  const sent = body["messages"] as readonly Record<string, unknown>[];
  expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "assistant", "user"]);
  const ids = ((sent[1]?.["tool_calls"] ?? []) as readonly { id: string }[]).map(({ id }) => id);
  expect(ids).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{9}$/), "abcDEF123"]);
  expect(sent.slice(2, 4).map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
});

const rules: readonly [what: string, refusal: string, isBroken: (messages: string) => boolean][] = [
  [
    "ids of nine characters",
    "Tool call id was call_0f8fad5b-d9cb-469f but must be a-z, A-Z, 0-9, with a length of 9.",
    (text) => text.includes("call_0f8fad5b"),
  ],
  [
    "an assistant message after results",
    "Unexpected role 'user' after role 'tool'",
    (text) => /"role":"tool"[^}]*\},\{"role":"user"/.test(text),
  ],
];
test.each(rules)("another server with Mistral's models can require %s", async (_what, refusal, isBroken) => {
  let requests = 0;
  const model = openAICompatible("m", {
    baseUrl: "http://127.0.0.1:9/v1",
    fetch: async (_url, init) => {
      requests++;
      if (isBroken(String(init?.body))) return Response.json({ object: "error", message: refusal }, { status: 400 });
      return Response.json({ choices: [{ message: { content: "42" }, finish_reason: "stop" }] });
    },
  });
  const events = model.stream(
    { messages: talk },
    { signal: new AbortController().signal, readBlob: async () => new Uint8Array() },
  );
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  expect([requests, types]).toEqual([2, ["learned", "text-delta", "end"]]);
});
