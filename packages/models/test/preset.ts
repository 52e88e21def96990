// The tests of every adapter: the model contract with the scripted server, and answers from
// fixtures.

import { readFileSync } from "node:fs";
import { type AdapterOptions, type Answer, generate } from "@smolts/models";
import type { ContentPart, JsonValue, Model } from "@smolts/protocol";
import { type ContractReply, modelContract } from "@smolts/testing";
import { type ServerReply, startModelServer } from "@smolts/testing/server";
import { describe, expect, test } from "vitest";
import { message } from "./ask.ts";

export type Create = (modelId: string, options?: AdapterOptions) => Model;

const text = "One two three ".repeat(20);
const once: AdapterOptions = { retries: { attempts: 1 }, apiKey: "test-key-1234" };
const declaration = { name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} } };

/**
 * Tests the model contract, and what an agent needs of every model: stop sequences, tool calls,
 * usage, reasoning.
 */
export function keepsContract(create: Create): void {
  describe("keeps the contract", () => {
    const cases = modelContract(
      async (reply) => {
        const server = await startModelServer([serverReply(reply), serverReply(reply)]);
        return { model: create("test-model", { ...once, baseUrl: server.url }), close: () => server.close() };
      },
      { also: ["stop", "tool-calls", "usage"] },
    );
    for (const { title, run } of cases) test(title, run);
    for (const whole of [false, true]) {
      test(`reads text, reasoning, calls and usage ${whole ? "that are complete" : "from a stream"}`, async () => {
        const toolCalls = [{ name: "look", input: { at: "moon" }, id: "call_1" }];
        const answer = await answerOf(create, { text, reasoning: "hm", toolCalls, whole });
        const parts = answer.message.content.map((part) =>
          part.type === "tool-call" ? { ...part, id: "call_1" } : part,
        );
        expect(parts).toContainEqual({ type: "text", text });
        expect(parts).toContainEqual(expect.objectContaining({ type: "reasoning", text: "hm" }));
        expect(parts).toContainEqual({ type: "tool-call", id: "call_1", name: "look", input: { at: "moon" } });
        expect(answer.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, totalTokens: 15 });
        expect(answer.finishReason).toBe("tool-calls");
      });
    }
  });
}

function serverReply({ type, text: answer, whenShown }: ContractReply): ServerReply {
  switch (type) {
    case "answer":
      return answer;
    case "broken":
      return { text: answer, cutAfterBytes: 2_000, cutWhen: whenShown };
    case "slow":
      return { hang: "before-headers" };
    case "tool-calls":
      return { toolCalls: [{ name: "look", input: { at: "moon" } }] };
    default:
      return type satisfies never;
  }
}

async function answerOf(create: Create, reply: ServerReply): Promise<Answer> {
  await using server = await startModelServer([reply]);
  const model = create("test-model", { ...once, baseUrl: server.url });
  return await generate(model, { messages: [message("user", "go")], tools: [declaration] });
}

const mediaTypes: Readonly<Record<string, string>> = {
  sse: "text/event-stream",
  ndjson: "application/x-ndjson",
  json: "application/json",
};

/**
 * Returns the answer that an adapter reads from a file in `fixtures/`. If the first line of a
 * fixture is a comment, that line names the source and is not sent.
 */
export async function answerIn(fixture: string, create: Create, status = 200): Promise<Answer> {
  const bytes = readFileSync(new URL(`fixtures/${fixture}`, import.meta.url), "utf8").replace(/^(#|\/\/).*\n/, "");
  const headers = { "content-type": mediaTypes[fixture.split(".").at(-1) ?? ""] ?? "" };
  const fetch = async (): Promise<Response> => new Response(bytes, { status, headers });
  const model = create("test-model", { ...once, baseUrl: "http://127.0.0.1:9/v1", fetch });
  return await generate(model, { messages: [message("user", "go")] });
}

/**
 * Sends the model's answer back to the model in a second request, and returns the parsed body of
 * that request.
 */
export async function replayOf(answer: Answer, create: Create): Promise<Record<string, JsonValue>> {
  await using server = await startModelServer(["ok"]);
  const results: ContentPart[] = answer.message.content.flatMap((part) =>
    part.type === "tool-call"
      ? [{ type: "tool-result", id: part.id, output: [{ type: "text", text: "42" }], isError: false }]
      : [],
  );
  const messages = [message("user", "go"), answer.message, message("tool", results)];
  await generate(create("test-model", { ...once, baseUrl: server.url }), { messages, tools: [declaration] });
  // The cast is safe: the server parsed this body from JSON.
  return server.requests[0]?.body as unknown as Record<string, JsonValue>;
}
