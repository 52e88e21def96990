// Runs agents with aimock, a third-party mock of OpenAI's APIs.

import { LLMock } from "@copilotkit/aimock";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { openai } from "@smolts/model-openai";
import { tool } from "@smolts/tools";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let mock: LLMock;

beforeEach(async () => {
  mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 5 });
  await mock.start();
});
afterEach(() => mock.stop());

const weather = tool({
  name: "getWeather",
  description: "Weather at a location.",
  input: { location: "string" },
  output: "string",
  effects: "none",
  execute: ({ location }) => `rain in ${location}`,
});

describe.each(["responses", "chat"] as const)("%s", (api) => {
  const model = () => openai("any", { api, baseUrl: `${mock.url}/v1`, retries: { initialDelayMs: 1 } });

  test("a code agent finds its answer", async () => {
    mock.onMessage("seven", { content: "I multiply.\n<code>\nfinalAnswer(6 * 7);\n</code>" });
    const run = new CodeAgent({ model: model() }).run("What is six times seven?");
    expect(await run).toBe(42);
    expect((await run.result).usage).not.toBeNull();
  });

  test("a tool-calling agent makes a call and sends its result back", async () => {
    const answer = { toolCalls: [{ name: "finalAnswer", arguments: { answer: "It rains." } }] };
    mock.on({ toolResultContains: "rain in Oslo" }, answer);
    mock.onMessage("Oslo", { toolCalls: [{ id: "call_1", name: "getWeather", arguments: { location: "Oslo" } }] });
    expect(await new ToolCallingAgent({ model: model(), tools: [weather] }).run("Weather in Oslo?")).toBe("It rains.");
  });

  test("retries after a 429", async () => {
    mock.onMessage("patience", { content: "<code>finalAnswer('thanks')</code>" });
    mock.nextRequestError(429, { message: "slow down", type: "rate_limit_error" });
    expect(await new CodeAgent({ model: model() }).run("Have patience.")).toBe("thanks");
  });
});
