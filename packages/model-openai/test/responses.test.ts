import { type OpenAIOptions, openai } from "@smolts/model-openai";
import { generate } from "@smolts/models";
import { AgentError, type ChatMessage, type ContentPart, type ModelEvent, type ModelRequest } from "@smolts/protocol";
import { expect, test } from "vitest";
import { type Item, responseEvents, sseResponse, usage } from "./responses-fetch.ts";

const user = (text: string): ChatMessage => ({ role: "user", content: [{ type: "text", text }] });
const messages = [user("6 * 7?")];
const thought: Item = { type: "reasoning", id: "rs_1", summary: "Multiply the two.", encrypted_content: "gAAA" };
const call: Item = { type: "function_call", call_id: "call_1", name: "multiply", arguments: '{"a":6,"b":7}' };

/** Creates a model that gets these answers in order, and records the bodies of its requests. */
function modelWith(answers: readonly (() => Response)[], options: OpenAIOptions = {}) {
  const bodies: Record<string, unknown>[] = [];
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(JSON.parse(String(init?.body)));
    const answer = answers[Math.min(bodies.length, answers.length) - 1];
    return answer ? answer() : new Response("", { status: 500 });
  };
  const model = openai("o-test", { apiKey: "sk-responses", fetch, retries: { attempts: 1 }, ...options });
  return { model, bodies };
}

const answering = (items: readonly Item[], response: object = {}) =>
  modelWith([() => sseResponse(responseEvents(items, response))]);

async function sentFor(request: ModelRequest, options: OpenAIOptions = {}): Promise<Record<string, unknown>> {
  const { model, bodies } = modelWith([() => sseResponse(responseEvents([{ type: "message", text: "ok" }]))], options);
  await generate(model, request, { readBlob: async () => new TextEncoder().encode("bytes") });
  return bodies[0] ?? {};
}

test("reads text, a call, thoughts with their encrypted form, and the usage", async () => {
  const { model } = answering([thought, { type: "message", text: "Let me see." }, call]);
  const answer = await generate(model, { messages });
  expect(answer.message.content).toEqual([
    {
      type: "reasoning",
      text: "Multiply the two.",
      providerData: {
        openaiReasoning: {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "Multiply the two." }],
          encrypted_content: "gAAA",
        },
      },
    },
    { type: "text", text: "Let me see." },
    { type: "tool-call", id: "call_1", name: "multiply", input: { a: 6, b: 7 } },
  ]);
  expect(answer.finishReason).toBe("tool-calls");
  expect(answer.usage).toEqual({
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    totalTokens: usage.total_tokens,
    cachedInputTokens: 8,
    reasoningTokens: 3,
  });
});

test("sends the model's thoughts back unchanged, before its call and the result", async () => {
  const { model, bodies } = answering([thought, call]);
  const first = await generate(model, { messages });
  const result: ContentPart = {
    type: "tool-result",
    id: "call_1",
    output: [{ type: "text", text: "42" }],
    isError: false,
  };
  await generate(model, { messages: [...messages, first.message, { role: "tool", content: [result] }] });
  expect(bodies[1]?.["input"]).toEqual([
    { role: "user", content: "6 * 7?" },
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "Multiply the two." }],
      encrypted_content: "gAAA",
    },
    { type: "function_call", call_id: "call_1", name: "multiply", arguments: '{"a":6,"b":7}' },
    { type: "function_call_output", call_id: "call_1", output: "42" },
  ]);
});

test("does not send the thoughts of another provider", async () => {
  const foreign: ContentPart = { type: "reasoning", text: "hm", providerData: { signature: "x" } };
  const body = await sentFor({
    messages: [...messages, { role: "assistant", content: [foreign, { type: "text", text: "42" }] }],
  });
  expect(body["input"]).toEqual([
    { role: "user", content: "6 * 7?" },
    { role: "assistant", content: "42" },
  ]);
});

test("requests encrypted thoughts, and has nothing stored unless told to", async () => {
  const { store, include } = await sentFor({ messages });
  expect([store, include]).toEqual([false, ["reasoning.encrypted_content"]]);
  const stored = await sentFor({ messages }, { store: true });
  expect([stored["store"], stored["include"]]).toEqual([true, undefined]);
});

const fields: [
  what: string,
  request: Partial<ModelRequest>,
  options: OpenAIOptions,
  expected: Record<string, unknown>,
][] = [
  [
    "a response format",
    { responseFormat: { name: "answer", schema: { type: "object" } } },
    {},
    { text: { format: { type: "json_schema", name: "answer", schema: { type: "object" } } } },
  ],
  [
    "tools, not strict",
    { tools: [{ name: "go", description: "Goes.", inputSchema: { type: "object" } }], toolChoice: { name: "go" } },
    {},
    {
      tools: [{ type: "function", name: "go", description: "Goes.", parameters: { type: "object" }, strict: false }],
      tool_choice: { type: "function", name: "go" },
    },
  ],
  ["limits", { maxOutputTokens: 9, temperature: 0 }, {}, { max_output_tokens: 9, temperature: 0 }],
  [
    "how to think",
    {},
    { reasoning: { effort: "low", summary: "auto" } },
    { reasoning: { effort: "low", summary: "auto" } },
  ],
  ["extra fields", {}, { extra: { service_tier: "flex" } }, { service_tier: "flex" }],
];
test.each(fields)("sends %s", async (_what, request, options, expected) => {
  expect(await sentFor({ messages, ...request }, options)).toMatchObject(expected);
});

test("sends images and files as bytes, and refuses audio", async () => {
  const source = { digest: "sha256-x", mediaType: "image/png", size: 5 };
  const image: ContentPart = { type: "image", source };
  const body = await sentFor({ messages: [{ role: "user", content: [{ type: "text", text: "what?" }, image] }] });
  expect(body["input"]).toEqual([
    {
      role: "user",
      content: [
        { type: "input_text", text: "what?" },
        { type: "input_image", image_url: "data:image/png;base64,Ynl0ZXM=", detail: "auto" },
      ],
    },
  ]);
  await expect(sentFor({ messages: [{ role: "user", content: [{ type: "audio", source }] }] })).rejects.toMatchObject({
    code: "invalid-option",
  });
});

test("cuts at a stop sequence, which the API does not support, and still reports the usage", async () => {
  const { model, bodies } = answering([{ type: "message", text: "<code>\n1\n</code>\nObservation: 2" }]);
  const answer = await generate(model, { messages, stop: ["\n</code>"] });
  expect(answer.message.content).toEqual([{ type: "text", text: "<code>\n1" }]);
  expect([answer.finishReason, answer.usage?.totalTokens]).toEqual(["stop", 27]);
  expect(bodies[0]).not.toHaveProperty("stop");
});

const ends: [response: object, finishReason: string][] = [
  [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "length"],
  [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "content-filter"],
  [{ status: "completed" }, "stop"],
];
test.each(ends)("reads the end %j as %s", async (response, finishReason) => {
  const { model } = answering([{ type: "message", text: "x" }], response);
  expect((await generate(model, { messages })).finishReason).toBe(finishReason);
});

const text = responseEvents([{ type: "message", text: "one two three four" }]);
const [first, second] = text.flatMap((event, index) => ("delta" in event ? [index] : []));
const faults: [what: string, events: readonly object[], reason: string][] = [
  ["a stream that ends before the response does", text.slice(0, -1), "broke-off"],
  ["a lost piece", text.filter((_, index) => index !== second), "broke-off"],
  [
    "a piece that comes twice",
    text.flatMap((event, index) => (index === first ? [event, event] : [event])),
    "broke-off",
  ],
  [
    "a failed response",
    [{ type: "response.failed", response: { error: { code: "invalid_prompt", message: "no" } } }],
    "stream-error",
  ],
  ["an error event", [{ type: "error", code: "invalid_prompt", message: "no" }], "stream-error"],
  [
    "arguments of no call",
    [{ type: "response.function_call_arguments.delta", output_index: 3, delta: "{" }],
    "no-answer",
  ],
];
test.each(faults)("treats %s as a failure", async (_what, events, reason) => {
  const { model } = modelWith([() => sseResponse(events)]);
  await expect(generate(model, { messages })).rejects.toMatchObject({ code: "generation", details: { reason } });
});

test("shows the text of a server that does not stream it", async () => {
  const { model } = modelWith([() => sseResponse(text.filter((event) => !("delta" in event)))]);
  expect((await generate(model, { messages })).message.content).toEqual([{ type: "text", text: "one two three four" }]);
});

const refusal = (param: string | null, message: string) => () =>
  new Response(
    JSON.stringify({ error: { message, type: "invalid_request_error", param, code: "unsupported_parameter" } }),
    {
      status: 400,
      headers: { "content-type": "application/json" },
    },
  );

const refusals: [parameter: string, answer: () => Response][] = [
  ["temperature", refusal("temperature", "Unsupported parameter: 'temperature' is not supported with this model.")],
  ["temperature", refusal(null, "Unsupported parameter: 'temperature' is not supported with this model.")],
  ["include", refusal("include", "Encrypted content is not supported with this model.")],
  [
    "reasoning",
    refusal("reasoning.effort", "Unsupported parameter: 'reasoning.effort' is not supported with this model."),
  ],
];
test.each(refusals)("leaves out %s when the model refuses it, and remembers", async (parameter, refused) => {
  const ok = () => sseResponse(responseEvents([{ type: "message", text: "ok" }]));
  const { model, bodies } = modelWith([refused, ok, ok], { reasoning: { effort: "low" } });
  await generate(model, { messages, temperature: 0 });
  await generate(model, { messages, temperature: 0 });
  expect(bodies.map((body) => parameter in body)).toEqual([true, false, false]);
});

test("does not repeat a request without a parameter that it needs", async () => {
  const { model, bodies } = modelWith([refusal("input", "Unsupported value: 'input'")]);
  await expect(generate(model, { messages })).rejects.toMatchObject({ details: { status: 400 } });
  expect(bodies.length).toBe(1);
});

test("retries a failure only before anything was shown", async () => {
  const ok = () => sseResponse(text);
  const busy = () => new Response("", { status: 503 });
  const retries = { attempts: 3, initialDelayMs: 1 };
  const early = modelWith([busy, busy, ok], { retries });
  const events: ModelEvent["type"][] = [];
  const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
  for await (const { type } of early.model.stream({ messages }, options)) events.push(type);
  expect(events.filter((type) => type === "retry").length).toBe(2);
  const late = modelWith([() => sseResponse(text.slice(0, -1)), ok], { retries });
  await expect(generate(late.model, { messages })).rejects.toSatisfy(AgentError.is);
  expect(late.bodies.length).toBe(1);
});
