import { openrouter } from "@smolts/models/openrouter";
import { expect, test } from "vitest";
import { answerIn, keepsContract, replayOf } from "../preset.ts";

keepsContract(openrouter);

test("returns OpenRouter's reasoning blocks to it, and reports its costs", async () => {
  const answer = await answerIn("openrouter-reasoning.documented.sse", openrouter);
  expect(answer.usage).toMatchObject({ inputTokens: 194, costUsd: 0.00095 });
  expect(answer.message.content.map(({ type }) => type)).toEqual(["reasoning", "tool-call"]);
  const { messages } = await replayOf(answer, openrouter);
  const block = {
    type: "reasoning.text",
    text: "I look.",
    signature: "sig-1",
    format: "anthropic-claude-v1",
    index: 0,
  };
  expect(messages).toContainEqual(expect.objectContaining({ role: "assistant", reasoning_details: [block] }));
});
