// Tests the scripted server with the official client of its API.

import { type ServerReply, type ServerReplyFunction, startModelServer } from "@smolts/testing/server";
import OpenAI from "openai";
import { expect, test } from "vitest";

async function withClient(
  replies: readonly (ServerReply | ServerReplyFunction)[] | ServerReplyFunction,
  use: (client: OpenAI, server: Awaited<ReturnType<typeof startModelServer>>) => Promise<void>,
): Promise<void> {
  const server = await startModelServer(replies);
  try {
    await use(new OpenAI({ baseURL: server.url, apiKey: "test-key", maxRetries: 0 }), server);
  } finally {
    await server.close();
  }
}

const messages = [{ role: "user" as const, content: "6 * 7?" }];

test("streams text and usage to the openai client", () =>
  withClient(["six times seven is 42"], async (client, server) => {
    const stream = client.chat.completions.stream({
      model: "any",
      messages,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    stream.on("content", (delta) => pieces.push(delta));
    const completion = await stream.finalChatCompletion();
    expect(pieces.length).toBeGreaterThan(2);
    expect(completion.choices[0]?.message.content).toBe("six times seven is 42");
    expect(completion.choices[0]?.finish_reason).toBe("stop");
    expect(completion.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    expect(server.requests[0]?.body).toMatchObject({ model: "any", messages, stream: true });
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer test-key");
  }));

test("streams tool calls in several pieces to the openai client", () =>
  withClient(
    [
      {
        toolCalls: [
          { name: "weather", input: { city: "Paris" } },
          { name: "time", input: { zone: "UTC" }, id: "t" },
        ],
      },
    ],
    async (client) => {
      const completion = await client.chat.completions.stream({ model: "any", messages }).finalChatCompletion();
      expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
      const calls = completion.choices[0]?.message.tool_calls?.map((call) =>
        call.type === "function" ? [call.id, call.function.name, call.function.arguments] : [],
      );
      expect(calls).toEqual([
        ["call_1_1", "weather", '{"city":"Paris"}'],
        ["t", "time", '{"zone":"UTC"}'],
      ]);
    },
  ));

test("answers without streaming on request, and cuts at the stop sequence", () =>
  withClient(["<code>1</code> and more"], async (client) => {
    const completion = await client.chat.completions.create({ model: "any", messages, stop: ["</code>"] });
    expect(completion.choices[0]?.message.content).toBe("<code>1");
    expect(completion.usage?.total_tokens).toBe(15);
  }));

test("lists its models to the openai client", () =>
  withClient([], async (client) => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["scripted"]);
  }));

test("returns a status with its headers to the openai client", () =>
  withClient(
    [{ status: 429, headers: { "retry-after": "7" }, body: { error: { message: "slow down", code: "rate" } } }],
    async (client) => {
      const error = await client.chat.completions.create({ model: "any", messages }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ status: 429, code: "rate" });
    },
  ));

test("computes a reply from the request", () =>
  withClient(
    ({ body }, callNumber) => `${callNumber}: ${body.messages.at(-1)?.content}`,
    async (client) => {
      const completion = await client.chat.completions.create({ model: "any", messages });
      expect(completion.choices[0]?.message.content).toBe("1: 6 * 7?");
    },
  ));

test("reports the end of the script with a status that no client retries", () =>
  withClient([], async (client) => {
    const asking = client.chat.completions.create({ model: "any", messages });
    await expect(asking).rejects.toThrow("400 the script has 0 replies, and this is request 1");
  }));

test("breaks the connection after the configured number of bytes", () =>
  withClient([{ text: "a text that is long enough", cutAfterBytes: 400 }], async (_client, server) => {
    const response = await fetch(`${server.url}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "any", messages, stream: true }),
    });
    await expect(response.text()).rejects.toThrow();
  }));

test("can be stopped twice", async () => {
  const server = await startModelServer([]);
  await server.close();
  await expect(server.close()).resolves.toBeUndefined();
  await expect(fetch(`${server.url}/models`)).rejects.toThrow();
});
