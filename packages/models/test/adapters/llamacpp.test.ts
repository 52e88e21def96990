import { llamacpp } from "@smolts/models/llamacpp";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(llamacpp);

test("reads reasoning, and usage next to timings", async () => {
  const answer = await answerIn("llamacpp-timings.documented.sse", llamacpp);
  expect(answer.message.content).toEqual([
    { type: "reasoning", text: "hm" },
    { type: "text", text: "42" },
  ]);
  expect(answer.usage).toEqual({ inputTokens: 44, outputTokens: 48, totalTokens: 92, cachedInputTokens: 40 });
});
