import { mistral } from "@smolts/models/mistral";
import { expect, test } from "vitest";
import { answerIn, keepsContract, replayOf } from "../preset.ts";

keepsContract(mistral);

test("gives Mistral back its thoughts as pieces of the content", async () => {
  const { messages } = await replayOf(await answerIn("mistral-thinking.documented.sse", mistral), mistral);
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "I look." }] },
    { type: "text", text: "42" },
  ];
  expect(messages).toContainEqual({ role: "assistant", content });
});

test("takes an answer that ends with an error as none", async () => {
  await expect(answerIn("mistral-error.documented.sse", mistral)).rejects.toMatchObject({ code: "generation" });
});
