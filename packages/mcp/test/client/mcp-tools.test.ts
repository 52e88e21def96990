import { fileURLToPath } from "node:url";
import { mcpTools } from "@smolts/mcp";
import type { ToolContext } from "@smolts/protocol";
import { expect, test } from "vitest";

const notes = { command: process.execPath, args: [fileURLToPath(new URL("../servers/notes.mjs", import.meta.url))] };

const context = { signal: new AbortController().signal } as ToolContext;

test("tools of a stdio server are listed under names that code can call, and called", async () => {
  await using mcp = await mcpTools(notes);
  expect(mcp.tools.map(({ name }) => name)).toEqual(["addNote", "countNotes"]);
  const [addNote, countNotes] = mcp.tools;
  await addNote?.execute({ title: "milk", text: "two" }, context);
  expect(await countNotes?.execute({}, context)).toEqual({ count: 1 });
});
