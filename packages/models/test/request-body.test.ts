import type { AdapterOptions } from "@smolts/models";
import { openai } from "@smolts/models";
import type { ChatMessage, ContentPart, ModelRequest } from "@smolts/protocol";
import { expect, test } from "vitest";
import { message, sentFor } from "./ask.ts";

const image: ContentPart = { type: "image", source: { digest: "sha256-x", mediaType: "image/png", size: 5 } };
const imageUrl = `data:image/png;base64,${btoa("bytes")}`;
const toolCall: ContentPart = { type: "tool-call", id: "c1", name: "look", input: { at: "moon" } };
const result = (id: string, output: readonly ContentPart[], isError = false): ContentPart => ({
  type: "tool-result",
  id,
  output,
  isError,
});
const text = (value: string): ContentPart => ({ type: "text", text: value });

const conversations: [what: string, messages: readonly ChatMessage[], wire: unknown[], options?: AdapterOptions][] = [
  [
    "text as plain strings",
    [message("system", "be brief"), message("user", "hi"), message("assistant", "ho")],
    [
      { role: "system", content: "be brief" },
      { role: "user", content: "hi" },
      { role: "assistant", content: "ho" },
    ],
  ],
  [
    "an image as a data URL",
    [message("user", [text("what is it?"), image])],
    [
      {
        role: "user",
        content: [
          { type: "text", text: "what is it?" },
          { type: "image_url", image_url: { url: imageUrl } },
        ],
      },
    ],
  ],
  [
    "an image by its address",
    [message("user", [{ type: "image", source: { url: "https://example.com/a.png" } }])],
    [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] }],
  ],
  [
    "sound and files",
    [
      message("user", [
        { type: "audio", source: { digest: "d", mediaType: "audio/mpeg", size: 5 } },
        { type: "file", source: { digest: "d", mediaType: "application/pdf", size: 5 }, name: "a.pdf" },
      ]),
    ],
    [
      {
        role: "user",
        content: [
          { type: "input_audio", input_audio: { data: btoa("bytes"), format: "mp3" } },
          { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${btoa("bytes")}` } },
        ],
      },
    ],
  ],
  [
    "tool calls and results with their ids",
    [message("assistant", [text("let me see"), toolCall]), message("tool", [result("c1", [text("dust")])])],
    [
      {
        role: "assistant",
        content: "let me see",
        tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: '{"at":"moon"}' } }],
      },
      { role: "tool", content: "dust", tool_call_id: "c1" },
    ],
  ],
  [
    "a call without words, and one whose input was not JSON",
    [message("assistant", [{ ...toolCall, input: null, rawInput: "{at: moon" } as ContentPart])],
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
      },
    ],
  ],
  [
    "several results in one message, and an error",
    [message("tool", [result("c1", [text("dust")]), result("c2", [text("no such moon")], true)])],
    [
      { role: "tool", content: "dust", tool_call_id: "c1" },
      { role: "tool", content: "Error: no such moon", tool_call_id: "c2" },
    ],
  ],
  [
    "results in a user message, before its text",
    [
      message("user", [result("c1", [text("dust")])]),
      message("user", [text("and now?"), result("c2", [text("more dust")])]),
    ],
    [
      { role: "tool", content: "dust", tool_call_id: "c1" },
      { role: "tool", content: "more dust", tool_call_id: "c2" },
      { role: "user", content: "and now?" },
    ],
  ],
  [
    "images of results after the last result of the round",
    [
      message("tool", [result("c1", [text("see: "), image])]),
      message("tool", [result("c2", [text("dust")])]),
      message("user", "go on"),
    ],
    [
      { role: "tool", content: "see: [image]", tool_call_id: "c1" },
      { role: "tool", content: "dust", tool_call_id: "c2" },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: imageUrl } },
          { type: "text", text: "go on" },
        ],
      },
    ],
  ],
  [
    "no reasoning",
    [message("assistant", [{ type: "reasoning", text: "hm" }, text("42")])],
    [{ role: "assistant", content: "42" }],
  ],
  [
    "consecutive messages of one role as one",
    [message("user", 'a "quote"'), message("user", "b")],
    [{ role: "user", content: 'a "quote"\n\nb' }],
  ],
  [
    "other names of roles",
    [message("system", "be brief"), message("user", "hi")],
    [{ role: "user", content: "be brief\n\nhi" }],
    { roles: { system: "user" } },
  ],
  [
    "text instead of an image for a model that takes only text",
    [message("user", [text("see: "), image])],
    [{ role: "user", content: "see: [image]" }],
    { contentAsText: true },
  ],
];
test.each(conversations)("sends %s", async (_what, messages, wire, options) => {
  expect((await sentFor({ messages }, options)).body["messages"]).toEqual(wire);
});

test("sends the same bytes for the same message, and reads them once", async () => {
  let reads = 0;
  const first = message("user", [image]);
  const bodies: string[] = [];
  const { openAICompatible, generate } = await import("@smolts/models");
  const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    bodies.push(String(init.body));
    return new Response('data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n');
  };
  const model = openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1", fetch });
  const readBlob = async (): Promise<Uint8Array> => new Uint8Array([++reads]);
  await generate(model, { messages: [first] }, { readBlob });
  await generate(model, { messages: [first, message("assistant", "x"), message("user", "y")] }, { readBlob });
  expect(reads).toBe(1);
  const prefix = bodies[0]?.slice(0, bodies[0].indexOf("]}]") + 3) ?? "none";
  expect(bodies[1]?.startsWith(prefix.slice(0, -1))).toBe(true);
});

test("refuses audio by its address, with a hint", async () => {
  const messages = [message("user", [{ type: "audio", source: { url: "https://example.com/a.mp3" } }])];
  await expect(sentFor({ messages })).rejects.toMatchObject({ code: "invalid-option", hint: "pass the bytes" });
});

const declaration = { name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} } };
const wireDeclaration = {
  type: "function",
  function: { name: "look", description: "Looks.", parameters: { type: "object", properties: {} } },
};
const fields: [what: string, request: Partial<ModelRequest>, options: AdapterOptions, expected: object][] = [
  ["a stream with usage", {}, {}, { model: "test-model", stream: true, stream_options: { include_usage: true } }],
  ["tools", { tools: [declaration] }, {}, { tools: [wireDeclaration], tool_choice: undefined }],
  ["a choice of tool", { tools: [declaration], toolChoice: "required" }, {}, { tool_choice: "required" }],
  [
    "the tool that must be called",
    { tools: [declaration], toolChoice: { name: "look" } },
    {},
    { tool_choice: { type: "function", function: { name: "look" } } },
  ],
  [
    "no tool_choice without tools",
    { tools: [], toolChoice: "required" },
    {},
    { tools: undefined, tool_choice: undefined },
  ],
  ["stop sequences", { stop: ["</code>"] }, {}, { stop: ["</code>"] }],
  ["no empty list of stop sequences", { stop: [] }, {}, { stop: undefined }],
  [
    "a response format",
    { responseFormat: { name: "answer", schema: { type: "object" } } },
    {},
    { response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } } },
  ],
  ["limits", { maxOutputTokens: 9, temperature: 0 }, {}, { max_tokens: 9, temperature: 0 }],
  [
    "defaults that the request does not set",
    { temperature: 0 },
    { defaults: { temperature: 1, maxOutputTokens: 7 } },
    { max_tokens: 7, temperature: 0 },
  ],
  [
    "extra fields, and none that extra deletes",
    {},
    { extra: { seed: 7, stream_options: null, model: "other" } },
    { seed: 7, stream_options: undefined, model: "other" },
  ],
];
test.each(fields)("asks for %s", async (_what, request, options, expected) => {
  const { body } = await sentFor({ messages: [], ...request }, options);
  for (const [name, value] of Object.entries(expected)) expect(body[name], name).toEqual(value);
});

test("sends max_completion_tokens to OpenAI", async () => {
  const model = (options?: AdapterOptions) => openai("gpt-5-mini", options);
  const { body, url } = await sentFor({ messages: [], maxOutputTokens: 9 }, { apiKey: "test-key" }, model);
  expect(body).toMatchObject({ max_completion_tokens: 9 });
  expect(url).toBe("https://api.openai.com/v1/chat/completions");
});

test("sends organization, project and custom headers", async () => {
  const { headers } = await sentFor(
    { messages: [] },
    {
      apiKey: "test-key",
      organization: "org",
      project: "proj",
      headers: { "X-Own": "1", Accept: "text/event-stream" },
    },
  );
  expect(Object.fromEntries(headers)).toEqual({
    "content-type": "application/json",
    accept: "text/event-stream",
    authorization: "Bearer test-key",
    "openai-organization": "org",
    "openai-project": "proj",
    "x-own": "1",
  });
});
