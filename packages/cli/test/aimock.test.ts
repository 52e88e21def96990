// Tests the command with aimock, a third-party mock of OpenAI's API.

import { LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { command } from "./smolts-command.ts";

let mock: LLMock;

beforeEach(async () => {
  mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 5 });
  await mock.start();
});
afterEach(() => mock.stop());

const run = (...argv: string[]) => command(["run", "--model", "openai:any", "--base-url", `${mock.url}/v1`, ...argv]);

test("streams a code agent's thought and code", async () => {
  mock.onMessage("seven", { content: "I multiply.\n<code>\nconst product = 6 * 7;\nfinalAnswer(product);\n</code>" });
  const { exitCode, output } = await run("What is six times seven?");
  expect(output).toContain("Step 1\n  I multiply.\n    const product = 6 * 7;\n    finalAnswer(product);\n");
  expect(output).toContain("Answer\n42\n");
  expect(exitCode).toBe(0);
});

test("makes a tool call and sends its result back", async () => {
  mock.on(
    { toolResultContains: "rain in Oslo" },
    { toolCalls: [{ name: "finalAnswer", arguments: { answer: "It rains." } }] },
  );
  mock.onMessage("Oslo", { toolCalls: [{ id: "call_1", name: "getWeather", arguments: { location: "Oslo" } }] });
  const { exitCode, output } = await run(
    "Weather in Oslo?",
    "--agent",
    "tool-calling",
    "--tools",
    "./weather-tools.ts",
  );
  expect(output).toContain("→ getWeather({ location: 'Oslo' })\n");
  expect(output).toContain("Answer\nIt rains.\n2 steps, ");
  expect(exitCode).toBe(0);
});

test("retries after a 429, and says so", async () => {
  mock.onMessage("patience", { content: "<code>finalAnswer('thanks')</code>" });
  mock.nextRequestError(429, { message: "slow down", type: "rate_limit_error" });
  const { exitCode, output } = await run("Have patience.");
  expect(output).toMatch(/! attempt 1 failed: .*slow down; asking again in .* s\n/);
  expect(output).toContain("Answer\nthanks\n");
  expect(exitCode).toBe(0);
});
