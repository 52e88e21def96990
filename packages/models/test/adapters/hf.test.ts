import { hf } from "@smolts/models/hf";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(hf);

test("reads the router's usage, which is null before the last chunk", async () => {
  const answer = await answerIn("hf-usage.documented.sse", hf);
  expect(answer.message.content).toEqual([{ type: "text", text: "The answer is 42." }]);
  expect(answer.usage).toEqual({ inputTokens: 9, outputTokens: 4, totalTokens: 13 });
});
