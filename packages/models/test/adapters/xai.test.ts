import { xai } from "@smolts/models/xai";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(xai);

test("counts Grok's reasoning tokens as output, which its completion tokens leave out", async () => {
  const { usage } = await answerIn("xai-usage.documented.sse", xai);
  const counts = {
    inputTokens: 663,
    outputTokens: 174,
    totalTokens: 837,
    cachedInputTokens: 654,
    reasoningTokens: 124,
  };
  expect(usage).toEqual(counts);
});
