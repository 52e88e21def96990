import { type AnthropicOptions, anthropic, generate } from "@smolts/models";
import type { ModelRequest } from "@smolts/protocol";
import { startModelServer } from "@smolts/testing/server";
import { expect, test } from "vitest";
import { message } from "../ask.ts";
import { answerIn, keepsContract, replayOf } from "../preset.ts";

keepsContract(anthropic);

test("reads thoughts with their signature, text, a call, and usage in its three parts", async () => {
  expect(await answerIn("anthropic-tool-use.documented.sse", anthropic)).toEqual({
    message: {
      role: "assistant",
      content: [
        { type: "reasoning", text: "I look.", providerData: { provider: "anthropic", signature: "EqQB" } },
        { type: "text", text: "Let me see." },
        { type: "tool-call", id: "toolu_1", name: "look", input: { at: "moon" } },
      ],
    },
    usage: { inputTokens: 1_125, outputTokens: 89, totalTokens: 1_214, cachedInputTokens: 1_000 },
    finishReason: "tool-calls",
  });
});

test("returns Claude's thoughts to it, and the result after its call", async () => {
  const { messages } = await replayOf(await answerIn("anthropic-tool-use.documented.sse", anthropic), anthropic);
  expect(messages).toEqual([
    { role: "user", content: [{ type: "text", text: "go" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I look.", signature: "EqQB" },
        { type: "text", text: "Let me see." },
        { type: "tool_use", id: "toolu_1", name: "look", input: { at: "moon" } },
      ],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "42" }] }],
    },
  ]);
});

test("returns Claude's thoughts and calls to it in their original order", async () => {
  await using server = await startModelServer(["done"]);
  const thought = (signature: string) =>
    ({ type: "reasoning", text: "hm", providerData: { provider: "anthropic", signature } }) as const;
  const call = (id: string) => ({ type: "tool-call", id, name: "look", input: {} }) as const;
  const result = (id: string) => ({ type: "tool-result", id, output: [], isError: false }) as const;
  await generate(anthropic("m", { baseUrl: server.url, apiKey: "k" }), {
    messages: [
      message("user", "go"),
      { role: "assistant", content: [thought("s1"), call("a"), thought("s2"), call("b")] },
      { role: "tool", content: [{ type: "text", text: "There." }, result("a"), result("b")] },
    ],
  });
  const [, said, told] = server.requests[0]?.body.messages ?? [];
  expect(said?.content).toMatchObject([{ signature: "s1" }, { id: "a" }, { signature: "s2" }, { id: "b" }]);
  expect(told?.content).toMatchObject([{ type: "tool_result" }, { type: "tool_result" }, { type: "text" }]);
});

test("leaves out text that is only white space, which the API sends but does not accept", async () => {
  await using server = await startModelServer(["done"]);
  const blank = { type: "text", text: "\n\n" } as const;
  const call = { type: "tool-call", id: "a", name: "look", input: {} } as const;
  await generate(anthropic("m", { baseUrl: server.url, apiKey: "k" }), {
    messages: [
      message("user", "go"),
      { role: "assistant", content: [blank, call] },
      { role: "tool", content: [{ type: "tool-result", id: "a", output: [blank], isError: false }] },
    ],
  });
  const [, said, told] = server.requests[0]?.body.messages ?? [];
  expect(said?.content).toEqual([{ type: "tool_use", id: "a", name: "look", input: {} }]);
  expect(told?.content).toEqual([{ type: "tool_result", tool_use_id: "a", content: [] }]);
});

const failures: [what: string, fixture: string, expected: object][] = [
  ["an error in the stream", "anthropic-error", { details: { reason: "stream-error", status: 529 } }],
  ["a stream that is cut", "anthropic-cut", { details: { reason: "broke-off" } }],
];
test.each(failures)("throws %s", async (_what, fixture, expected) => {
  const asking = answerIn(`${fixture}.documented.sse`, anthropic);
  await expect(asking).rejects.toMatchObject({ code: "generation", ...expected });
});

const fields: [what: string, request: Partial<ModelRequest>, options: AnthropicOptions, expected: object][] = [
  ["a limit and a cached prompt", {}, {}, { max_tokens: 8_192, cache_control: { type: "ephemeral" } }],
  ["no cache with cache: off", {}, { cache: "off" }, { cache_control: undefined }],
  ["a longer cache", {}, { cache: "1h" }, { cache_control: { type: "ephemeral", ttl: "1h" } }],
  [
    "a thinking budget in addition to the limit, and no temperature",
    { maxOutputTokens: 100, temperature: 0 },
    { thinking: { budgetTokens: 2_000 } },
    { max_tokens: 2_100, thinking: { type: "enabled", budget_tokens: 2_000 }, temperature: undefined },
  ],
  [
    "the system prompt as a field",
    { messages: [message("system", "Be brief."), message("user", "hi")] },
    {},
    { system: "Be brief.", messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }] },
  ],
  [
    "a schema",
    { responseFormat: { name: "answer", schema: { type: "object" } } },
    {},
    { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
  ],
  ["visible stop sequences", { stop: ["</code>", "\n"] }, {}, { stop_sequences: ["</code>"] }],
  [
    "a tool that must be called",
    { tools: [{ name: "look", description: "Looks.", inputSchema: {} }], toolChoice: "required" },
    {},
    { tools: [{ name: "look", description: "Looks.", input_schema: {} }], tool_choice: { type: "any" } },
  ],
];
test.each(fields)("asks with %s", async (_what, request, options, expected) => {
  await using server = await startModelServer(["ok"]);
  const model = anthropic("claude", { ...options, baseUrl: server.url, apiKey: "anthropic-key" });
  await generate(model, { messages: [message("user", "hi")], ...request });
  const { body, headers } = server.requests[0] ?? { body: {}, headers: {} };
  for (const [name, value] of Object.entries(expected))
    expect((body as Record<string, unknown>)[name], name).toEqual(value);
  expect(headers).toMatchObject({ "x-api-key": "anthropic-key", "anthropic-version": "2023-06-01" });
});

test("reads the input of a call once if the server sends it whole and in pieces", async () => {
  const events = [
    { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "a", name: "f", input: { a: 1 } } },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"a":1}' } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ];
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const fetch = async (): Promise<Response> => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const { message: answer } = await generate(anthropic("claude", { fetch, apiKey: "anthropic-key" }), {
    messages: [message("user", "hi")],
  });
  expect(answer.content).toEqual([{ type: "tool-call", id: "a", name: "f", input: { a: 1 } }]);
});
