// Tests what users of smolagents expect of a model, with the calls that articles about smolagents
// show.

import { type AdapterOptions, generate, litellm, openAICompatible, openai } from "@smolts/models";
import { type ModelEvent, type ModelRequest, textOf } from "@smolts/protocol";
import { type ServerReply, startModelServer } from "@smolts/testing/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { choice, message, sentFor, sse } from "./ask.ts";

afterEach(() => vi.restoreAllMocks());

const messages = [message("user", "What is the distance between Detroit and Chicago?")];
const readBlob = async (): Promise<Uint8Array> => new TextEncoder().encode("bytes");
const signal = new AbortController().signal;

async function played(
  replies: readonly ServerReply[],
  options: AdapterOptions = {},
  request: Partial<ModelRequest> = {},
) {
  await using server = await startModelServer(replies);
  const model = openAICompatible("m", {
    baseUrl: server.url,
    retries: { initialDelayMs: 4, maxDelayMs: 40 },
    ...options,
  });
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of model.stream({ messages, ...request }, { signal, readBlob })) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  return { events, error, bodies: server.requests.map(({ body }) => body) };
}

const textIn = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

describe("parameters", () => {
  const cases: [what: string, options: AdapterOptions, request: Partial<ModelRequest>, expected: object][] = [
    [
      "extra options of the model override the call",
      { extra: { temperature: 1 } },
      { temperature: 0 },
      { temperature: 1 },
    ],
    ["null deletes a field", { extra: { temperature: null } }, { temperature: 0 }, { temperature: undefined }],
    ["the call overrides a default", { defaults: { temperature: 1 } }, { temperature: 0 }, { temperature: 0 }],
    ["a stop sequence is sent", {}, { stop: ["Observation:"] }, { stop: ["Observation:"] }],
  ];
  test.each(cases)("%s", async (_what, options, request, expected) => {
    const { body } = await sentFor({ messages, ...request }, options);
    for (const [name, value] of Object.entries(expected)) expect(body[name], name).toEqual(value);
  });

  test("a model that refuses stop sequences is called without them, and its answer is cut", async () => {
    const refusal = {
      status: 400,
      body: { error: { message: "Unsupported parameter: 'stop' is not supported with this model." } },
    };
    const { events, bodies } = await played(
      [refusal, "Thought: look\nObservation: made up"],
      {},
      { stop: ["Observation:"] },
    );
    expect(bodies.map((body) => "stop" in body)).toEqual([true, false]);
    expect(textIn(events)).toBe("Thought: look\n");
  });

  test("an answer without content is cut without harm", async () => {
    const rawSse = sse([choice({ content: null }), choice({}, "stop")]);
    const { events, error } = await played([{ rawSse }], {}, { stop: ["Observation:"] });
    expect(error).toBeUndefined();
    expect(textIn(events)).toBe("");
  });
});

describe("tool choice", () => {
  const tools = [{ name: "look", description: "Looks.", inputSchema: {} }];
  const cases: [what: string, request: Partial<ModelRequest>, choice: unknown][] = [
    ["is sent as asked", { tools, toolChoice: "required" }, "required"],
    ["may be a tool", { tools, toolChoice: { name: "look" } }, { type: "function", function: { name: "look" } }],
    ["is left to the server by default", { tools }, undefined],
    ["is not sent without tools", { toolChoice: "required" }, undefined],
  ];
  test.each(cases)("%s", async (_what, request, expected) => {
    expect((await sentFor({ messages, ...request })).body["tool_choice"]).toEqual(expected);
  });
});

describe("messages", () => {
  test("of one role in a row become one, with their texts joined", async () => {
    const row = [message("user", "a"), message("user", "b"), message("assistant", "c")];
    expect((await sentFor({ messages: row }, { contentAsText: true })).body["messages"]).toEqual([
      { role: "user", content: "a\n\nb" },
      { role: "assistant", content: "c" },
    ]);
  });

  test("carry images as data URLs", async () => {
    const image = message("user", [{ type: "image", source: { digest: "d", mediaType: "image/png", size: 5 } }]);
    const { body } = await sentFor({ messages: [image] });
    expect(JSON.stringify(body["messages"])).toContain(`data:image/png;base64,${btoa("bytes")}`);
  });
});

describe("streams", () => {
  test("are joined to content, arguments and one usage", async () => {
    const rawSse = sse([
      { ...choice({ content: "Hel" }), usage: { prompt_tokens: 1_348, completion_tokens: 1, total_tokens: 1_349 } },
      choice({ content: "lo", tool_calls: [{ index: 0, id: "1", function: { name: "look", arguments: '{"at":' } }] }),
      choice({ tool_calls: [{ index: 0, function: { arguments: '"moon"}' } }] }),
      { ...choice({}, "tool_calls"), usage: { prompt_tokens: 1_348, completion_tokens: 24, total_tokens: 1_372 } },
    ]);
    await using server = await startModelServer([{ rawSse }]);
    const { message: said, usage } = await generate(openAICompatible("m", { baseUrl: server.url }), { messages });
    expect(textOf(said)).toBe("Hello");
    expect(said.content).toContainEqual({ type: "tool-call", id: "1", name: "look", input: { at: "moon" } });
    expect(usage).toEqual({ inputTokens: 1_348, outputTokens: 24, totalTokens: 1_372 });
  });
});

describe("failures", () => {
  const tooMany = { status: 429, body: { error: { message: "Too many requests" } } };
  test("for too many requests are retried, with longer waits", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { events, bodies } = await played([tooMany, tooMany, "384 km"]);
    expect(bodies.length).toBe(3);
    expect(textIn(events)).toBe("384 km");
    expect(events.flatMap((event) => (event.type === "retry" ? [event.delayMs] : []))).toEqual([4, 8]);
  });

  test("that are permanent are not retried", async () => {
    const { bodies, error } = await played([{ status: 401 }, "384 km"]);
    expect(bodies.length).toBe(1);
    expect(error).toMatchObject({ code: "generation" });
  });
});

describe("the calls that texts about smolagents show", () => {
  beforeEach(() => {
    vi.stubEnv("OPENAI_API_KEY", "environment-key");
    vi.stubEnv("LITELLM_BASE_URL", "");
  });
  afterEach(() => vi.unstubAllEnvs());

  // In smolagents: LiteLLMModel(model_id="ollama_chat/llama3.2", api_base="http://localhost:11434",
  // api_key="YOUR_API_KEY", num_ctx=8192)
  test("LiteLLM's name of a model on Ollama, with an address and a context", async () => {
    await using server = await startModelServer(["2046711111473984623691759"]);
    const baseUrl = new URL(server.url).origin;
    const model = litellm("ollama_chat/llama3.2", { baseUrl, apiKey: "YOUR_API_KEY", contextTokens: 8_192 });
    const { message: said } = await generate(model, { messages });
    expect(textOf(said)).toBe("2046711111473984623691759");
    expect(server.requests[0]?.body).toMatchObject({ model: "llama3.2", options: { num_ctx: 8_192 } });
  });

  // In smolagents: LiteLLMModel(model_id="gpt-4o"); OpenAIServerModel(model_id="gpt-4o-mini",
  // api_key=os.getenv("OPENAI_API_KEY"), api_base="https://api.openai.com/v1")
  const byKey: [what: string, make: (options?: AdapterOptions) => ReturnType<typeof openai>, id: string][] = [
    ["LiteLLM's name of a model of OpenAI", (options) => litellm("gpt-4o", options), "openai/gpt-4o"],
    ["a model of OpenAI by id", (options) => openai("gpt-4o-mini", options), "openai/gpt-4o-mini"],
    [
      "a model of OpenAI by id, key and address",
      (options) =>
        openai("gpt-4o-mini", { apiKey: "environment-key", baseUrl: "https://api.openai.com/v1", ...options }),
      "openai/gpt-4o-mini",
    ],
  ];
  test.each(byKey)("%s", async (_what, make, id) => {
    const { url, headers } = await sentFor({ messages }, {}, make);
    expect(url).toBe("https://api.openai.com/v1/chat/completions");
    expect(headers.get("authorization")).toBe("Bearer environment-key");
    expect(make().id).toBe(id);
  });
});
