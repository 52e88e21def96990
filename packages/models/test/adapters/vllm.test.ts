import { vllm } from "@smolts/models/vllm";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(vllm);

test("counts usage once, although every chunk reports it", async () => {
  const answer = await answerIn("vllm-reasoning.documented.sse", vllm);
  expect(answer.message.content).toEqual([
    { type: "reasoning", text: "hm" },
    { type: "text", text: "42" },
  ]);
  expect(answer.usage).toEqual({ inputTokens: 9, outputTokens: 4, totalTokens: 13 });
});
