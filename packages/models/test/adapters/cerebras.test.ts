import { cerebras } from "@smolts/models/cerebras";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(cerebras);

test("reads reasoning and cached tokens", async () => {
  const { message, usage } = await answerIn("cerebras-reasoning.documented.sse", cerebras);
  expect(message.content.map((part) => part.type)).toEqual(["reasoning", "text"]);
  expect(usage).toEqual({ inputTokens: 12, outputTokens: 10, totalTokens: 22, cachedInputTokens: 4 });
});
