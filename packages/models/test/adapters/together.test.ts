import { together } from "@smolts/models/together";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(together);

test("reads each text once, although it is sent twice", async () => {
  const answer = await answerIn("together-text.documented.sse", together);
  expect(answer.message.content).toEqual([{ type: "text", text: "The answer is 42." }]);
  expect(answer.usage).toEqual({ inputTokens: 9, outputTokens: 4, totalTokens: 13 });
});
