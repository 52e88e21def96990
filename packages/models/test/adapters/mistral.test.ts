import { mistral } from "@smolts/models/mistral";
import { expect, test } from "vitest";
import { answerIn, keepsContract, replayOf } from "../preset.ts";

keepsContract(mistral);

test("returns Mistral's thoughts to it as parts of the content", async () => {
  const { messages } = await replayOf(await answerIn("mistral-thinking.documented.sse", mistral), mistral);
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "I look." }] },
    { type: "text", text: "42" },
  ];
  expect(messages).toContainEqual({ role: "assistant", content });
});

test("throws if an answer ends with an error", async () => {
  await expect(answerIn("mistral-error.documented.sse", mistral)).rejects.toMatchObject({ code: "generation" });
});
