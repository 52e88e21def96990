import { fireworks } from "@smolts/models/fireworks";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(fireworks);

test("reads usage in the last chunk, next to metrics", async () => {
  const answer = await answerIn("fireworks-text.documented.sse", fireworks);
  expect(answer.message.content).toEqual([{ type: "text", text: "The answer is 42." }]);
  expect(answer.usage).toEqual({ inputTokens: 9, outputTokens: 4, totalTokens: 13 });
});
