import { inspect } from "node:util";
import { fromAiSdkModel } from "@smolts/model-ai-sdk";
import { generate } from "@smolts/models";
import type { ChatMessage, ContentPart, ModelRequest } from "@smolts/protocol";
import { modelContract } from "@smolts/testing";
import { startModelServer } from "@smolts/testing/server";
import { describe, expect, test } from "vitest";
import { providers } from "./providers.ts";

const user = (text: string): ChatMessage => ({ role: "user", content: [{ type: "text", text }] });
const request: ModelRequest = { messages: [user("6 * 7?")] };
const once = { retries: { attempts: 1 } };

describe.each(providers)("a provider package of specification %s", (_specification, make) => {
  const cases = modelContract(async ({ type, text, whenShown }) => {
    const reply = {
      text,
      ...(type === "broken" && { cutAfterBytes: 900, cutWhen: whenShown }),
      ...(type === "slow" && { delayMs: 60_000 }),
    };
    const server = await startModelServer([reply, reply]);
    return { model: fromAiSdkModel(make(server.url), once), close: server.close };
  });
  for (const { title, run } of cases) test(title, run);

  test("reads thoughts, text, calls and usage", async () => {
    const usage = { inputTokens: 9, outputTokens: 8, totalTokens: 17, cachedInputTokens: 4, reasoningTokens: 2 };
    const calls = [{ name: "go", input: { a: 1 } }, { name: "stop" }];
    await using server = await startModelServer([{ reasoning: "hm, so", text: "I see", toolCalls: calls, usage }]);
    const answer = await generate(fromAiSdkModel(make(server.url)), request);
    expect(answer.message.content).toEqual([
      { type: "reasoning", text: "hm, so" },
      { type: "text", text: "I see" },
      { type: "tool-call", id: "call_1_1", name: "go", input: { a: 1 } },
      { type: "tool-call", id: "call_1_2", name: "stop", input: {} },
    ]);
    expect([answer.usage, answer.finishReason]).toEqual([usage, "tool-calls"]);
  });

  test("sends a whole conversation, tools and settings", async () => {
    await using server = await startModelServer(["ok"]);
    const call: ContentPart = { type: "tool-call", id: "call_1", name: "look", input: { at: "x" } };
    const result: ContentPart = {
      type: "tool-result",
      id: "call_1",
      output: [{ type: "text", text: "a cat" }],
      isError: false,
    };
    const image: ContentPart = { type: "image", source: { digest: "sha256-x", mediaType: "image/png", size: 5 } };
    const messages: ChatMessage[] = [
      { role: "system", content: [{ type: "text", text: "be brief" }] },
      { role: "user", content: [{ type: "text", text: "what?" }, image] },
      { role: "assistant", content: [{ type: "reasoning", text: "unmarked" }, call] },
      { role: "tool", content: [result] },
    ];
    const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} } }];
    const asked = { messages, tools, stop: ["END"], temperature: 0.5, maxOutputTokens: 7 };
    await generate(fromAiSdkModel(make(server.url)), asked, {
      readBlob: async () => new TextEncoder().encode("bytes"),
    });
    expect(server.requests[0]?.body).toMatchObject({
      model: "m",
      stop: ["END"],
      temperature: 0.5,
      max_tokens: 7,
      tool_choice: "auto",
      tools: [{ type: "function", function: { name: "look", description: "Looks." } }],
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ text: "what?" }, { image_url: { url: "data:image/png;base64,Ynl0ZXM=" } }] },
        { role: "assistant", tool_calls: [{ id: "call_1", function: { name: "look", arguments: '{"at":"x"}' } }] },
        { role: "tool", tool_call_id: "call_1", content: "a cat" },
      ],
    });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("unmarked");
  });

  const failures: [status: number, expected: object][] = [
    [401, { code: "generation", details: { status: 401 } }],
    [429, { details: { status: 429, retryAfterMs: 7_000 } }],
    [503, { details: { status: 503 } }],
  ];
  test.each(failures)("maps status %i, sends one request, and shows no key", async (status, expected) => {
    const key = "sk-canary-0123456789";
    const body = { error: { message: `no: ${key} ${btoa(`a${key}`)}`, type: "x", code: "y" } };
    await using server = await startModelServer(() => ({ status, body, headers: { "retry-after": "7" } }));
    const error = await generate(fromAiSdkModel(make(server.url, key), once), request).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject(expected);
    expect(server.requests.length).toBe(1);
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).toContain(server.url);
    expect(shown).not.toContain(key);
    expect(shown).not.toContain(btoa(`a${key}`).slice(2, 20));
  });

  test("retries, and reports it", async () => {
    await using server = await startModelServer([{ status: 503 }, "42"]);
    const model = fromAiSdkModel(make(server.url), { retries: { initialDelayMs: 1 } });
    const types: string[] = [];
    const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
    for await (const { type } of model.stream(request, options)) types.push(type);
    expect([types[0], types.at(-1), server.requests.length]).toEqual(["retry", "end", 2]);
  });

  const broken: [what: string, rawSse: string][] = [
    ["an end without a reason", 'data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\ndata: [DONE]\n\n'],
    ["an error in the stream", 'data: {"error":{"message":"overloaded"}}\n\n'],
    ["a chunk that is not JSON", "data: {oops\n\n"],
  ];
  test.each(broken)("treats %s as a failure", async (_what, rawSse) => {
    await using server = await startModelServer([{ rawSse }]);
    await expect(generate(fromAiSdkModel(make(server.url), once), request)).rejects.toMatchObject({
      code: "generation",
    });
  });

  test("gives up on a server that stops sending", async () => {
    await using server = await startModelServer([{ rawSse: 'data: {"choices":[]}\n\n', open: true }]);
    const model = fromAiSdkModel(make(server.url), { timeouts: { firstEventMs: 100, idleMs: 50 }, ...once });
    await expect(generate(model, request)).rejects.toMatchObject({ details: { reason: "timeout" } });
  });

  test("names the unreachable server", async () => {
    const model = fromAiSdkModel(make("http://127.0.0.1:9/v1"), once);
    await expect(generate(model, request)).rejects.toMatchObject({ details: { reason: "unreachable" } });
  });
});
