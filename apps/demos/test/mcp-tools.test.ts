import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";
import { mcpToolsDemo, script } from "../src/mcp-tools.ts";

test("an agent calls the tools of an MCP server, and only those that change something need approval", async () => {
  const asked: string[] = [];
  const answer = await mcpToolsDemo({
    model: scriptedModel(script),
    level: "off",
    onAsked: (name) => asked.push(name),
  });
  expect(answer).toBe("2 notes");
  expect(asked).toEqual(["addNote", "addNote"]);
});
