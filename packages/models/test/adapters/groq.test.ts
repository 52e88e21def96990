import { groq } from "@smolts/models/groq";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(groq);

test("reads usage from Groq's own field", async () => {
  const { message, usage } = await answerIn("groq-usage.documented.sse", groq);
  expect(usage).toEqual({ inputTokens: 9, outputTokens: 4, totalTokens: 13 });
  expect(message.content).toEqual([
    { type: "reasoning", text: "hm" },
    { type: "text", text: "42" },
  ]);
});
