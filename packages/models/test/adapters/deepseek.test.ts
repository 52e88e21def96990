import { deepseek } from "@smolts/models/deepseek";
import { expect, test } from "vitest";
import { answerIn, keepsContract, replayOf } from "../preset.ts";

keepsContract(deepseek);

test("returns DeepSeek's thoughts to it before its tool call", async () => {
  const answer = await answerIn("deepseek-tool-calls.documented.sse", deepseek);
  expect(answer.usage).toMatchObject({ inputTokens: 100, cachedInputTokens: 64, reasoningTokens: 12 });
  const { messages } = await replayOf(answer, deepseek);
  expect(messages).toContainEqual(expect.objectContaining({ role: "assistant", reasoning_content: "I look." }));
});
