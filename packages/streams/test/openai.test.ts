import { CodeAgent } from "@smolts/core";
import { toResponse } from "@smolts/streams";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { exampleRuns } from "./example-runs.ts";

const client = (response: Response): OpenAI =>
  new OpenAI({ apiKey: "none", baseURL: "http://localhost/v1", maxRetries: 0, fetch: async () => response });

const chat = (name: keyof typeof exampleRuns) =>
  client(toResponse(exampleRuns[name](), { format: "openai-chat", model: "adder" })).chat.completions.stream({
    model: "adder",
    messages: [],
    stream_options: { include_usage: true },
  });

const response = (name: keyof typeof exampleRuns) =>
  client(toResponse(exampleRuns[name](), { format: "openai-responses", model: "adder" })).responses.stream({
    model: "adder",
    input: "Go.",
  });

describe("OpenAI's own client reads a run", () => {
  test("as a chat completion: the answer, the end, the tokens", async () => {
    const stream = chat("code, a tool, output and an answer");
    let reasoning = "";
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined;
      reasoning += delta?.reasoning_content ?? "";
    }
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { role: "assistant", content: '{"x":3}' },
    });
    expect(completion.usage?.total_tokens).toBe(30);
    expect(reasoning).toMatch(/^I think\.\n\n```js\nprint/);
  });

  test("as a response: a reasoning item and a message", async () => {
    const final = await response("code, a tool, output and an answer").finalResponse();
    expect(final.status).toBe("completed");
    expect(final.output_text).toBe('{"x":3}');
    expect(final.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(final.usage?.total_tokens).toBe(30);
  });

  test("that failed, or that waits for a person", async () => {
    await expect(chat("a model that fails").finalChatCompletion()).rejects.toThrow("the server is down");
    await expect(chat("a call that waits for a person").finalChatCompletion()).rejects.toThrow("person");
    const failed = response("a model that fails");
    const statuses: string[] = [];
    for await (const event of failed)
      if (event.type === "response.failed") statuses.push(event.response.error?.message ?? "");
    expect(statuses).toEqual([expect.stringContaining("the server is down")]);
  });

  test('without steps left, with the finish reason "length"', async () => {
    const completion = await chat("steps that run out")
      .finalChatCompletion()
      .catch((error: Error) => error);
    expect(String(completion)).toMatch(/length|object/i);
  });
});

test("front ends do not get values that JSON lacks in the encoding of the log", async () => {
  const total = tool({ name: "total", description: "Counts.", execute: ({ by }) => ({ by, total: 2n ** 70n }) });
  const replies = [
    "await total({ by: 3n })",
    'finalAnswer({ sum: 2n ** 70n, on: new Date("2026-01-02"), at: new Map([["x", 1n]]) })',
  ];
  for (const format of ["ai-sdk", "ag-ui", "openai-chat", "openai-responses"] as const) {
    const model = scriptedModel(replies.map((code) => `<code>${code}</code>`));
    const text = await toResponse(new CodeAgent({ model, tools: [total] }).run("Count."), { format }).text();
    expect(text).not.toContain("$");
    expect(text.replaceAll("\\", "")).toContain(
      '{"sum":"1180591620717411303424","on":"2026-01-02T00:00:00.000Z","at":{"x":"1"}}',
    );
  }
});

describe("a reader who leaves", () => {
  test("ends the run, or lets it continue, as the program chooses", async () => {
    for (const onDisconnect of ["abort", "continue"] as const) {
      const run = exampleRuns["code, a tool, output and an answer"]();
      const reader = toResponse(run, { format: "ag-ui", onDisconnect }).body!.getReader();
      await reader.read();
      await reader.cancel();
      expect((await run.result).status).toBe(onDisconnect === "abort" ? "aborted" : "success");
    }
  });
});
