import { AgentError, type Tool, type ToolContext } from "@smolts/protocol";
import { callTool } from "@smolts/testing";
import { expect, test } from "vitest";

/** A tool that doubles a number, and says who called it. */
const double: Tool<number, string> = {
  name: "double",
  description: "Doubles.",
  inputSchema: { type: "number" },
  effects: "none",
  parseInput(input) {
    if (typeof input === "number") return input;
    throw new AgentError("tool-input", `input is ${String(input)}; expected number`);
  },
  execute: (input, { callId, metadata }: ToolContext) => `${input * 2} ${callId} ${String(metadata)}`,
};

test("a tool gets its parsed input and a context, of which a test may set parts", async () => {
  expect(await callTool(double, 21)).toBe("42 agent/1/1 undefined");
  expect(await callTool(double, 21, { metadata: "ada" })).toBe("42 agent/1/1 ada");
});

test("a wrong input is refused as in a run", async () => {
  await expect(callTool(double, "x")).rejects.toThrow("input is x; expected number");
});
