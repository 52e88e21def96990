import { expect, test } from "vitest";
import { mcpCodeMode } from "../src/mcp-code-mode.ts";

test("a client sees two tools, finds a function, and gets the answer of one program", async () => {
  const { tools, found, answer } = await mcpCodeMode();
  expect(tools).toEqual(["search_tools", "run_code"]);
  expect(found).toContain("declare function readGaugeJune(): Promise<number[]>;");
  expect(answer).toContain("January 288, June 289, December 289");
});
