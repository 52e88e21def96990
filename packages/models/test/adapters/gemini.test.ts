import { gemini } from "@smolts/models/gemini";
import { expect, test } from "vitest";
import { answerIn, keepsContract, replayOf } from "../preset.ts";

keepsContract(gemini);

test("returns the signature of a tool call to Gemini", async () => {
  const answer = await answerIn("gemini-signature.documented.sse", gemini);
  // Gemini reports thinking tokens only in the total. So the output is the total minus the input.
  expect(answer.usage).toEqual({ inputTokens: 9, outputTokens: 31, totalTokens: 40 });
  const { messages } = await replayOf(answer, gemini);
  const call = { id: "function-call-1", extra_content: { google: { thought_signature: "c2ln" } } };
  expect(messages).toContainEqual(expect.objectContaining({ tool_calls: [expect.objectContaining(call)] }));
});
