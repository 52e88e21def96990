import { lmstudio } from "@smolts/models/lmstudio";
import { expect, test } from "vitest";
import { answerIn, keepsContract } from "../preset.ts";

keepsContract(lmstudio);

test("reads tool calls whose ids are numbers", async () => {
  const answer = await answerIn("lmstudio-tool-calls.documented.sse", lmstudio);
  const call = { type: "tool-call", id: "377278620", name: "look", input: { at: "moon" } };
  expect(answer.message.content).toEqual([call]);
});
