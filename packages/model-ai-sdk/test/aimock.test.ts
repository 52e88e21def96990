// Runs agents with a provider package of the AI SDK, in three major versions, and with aimock, a
// third-party mock of the provider's server.

import { LLMock } from "@copilotkit/aimock";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { fromAiSdkModel } from "@smolts/model-ai-sdk";
import { tool } from "@smolts/tools";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { providers } from "./providers.ts";

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

describe.each(providers)("specification %s", (_specification, make) => {
  const model = () => fromAiSdkModel(make(`${mock.url}/v1`), { retries: { initialDelayMs: 1 } });

  test("a code agent finds its answer, even after a 429", async () => {
    mock.onMessage("seven", { content: "I multiply.\n<code>\nfinalAnswer(6 * 7);\n</code>" });
    mock.nextRequestError(429, { message: "slow down", type: "rate_limit_error" });
    expect(await new CodeAgent({ model: model() }).run("What is six times seven?")).toBe(42);
  });

  test("a tool-calling agent makes a call and sends its result back", async () => {
    const answer = { toolCalls: [{ name: "finalAnswer", arguments: { answer: "It rains." } }] };
    mock.on({ toolResultContains: "rain in Oslo" }, answer);
    mock.onMessage("Oslo", { toolCalls: [{ id: "call_1", name: "getWeather", arguments: { location: "Oslo" } }] });
    expect(await new ToolCallingAgent({ model: model(), tools: [weather] }).run("Weather in Oslo?")).toBe("It rains.");
  });
});
