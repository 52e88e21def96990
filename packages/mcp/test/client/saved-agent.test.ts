import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { createLoad, save } from "@smolts/core/save";
import { mcpTools } from "@smolts/mcp";
import { scriptedModel } from "@smolts/testing";
import { expect, onTestFinished, test } from "vitest";
import { sdkServer } from "./raw-server.ts";

/** Imports the package as if it were installed where the agent is loaded. */
const load = createLoad<CodeAgent | ToolCallingAgent>({
  kinds: { code: CodeAgent, "tool-calling": ToolCallingAgent },
  importModule: () => import("@smolts/mcp"),
});

async function savedAgent(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "smolts-saved-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const servers = ["home", "work"].map((prefix) => ({ ...sdkServer("notes"), name: prefix, prefix }));
  await using mcp = await mcpTools(servers);
  const model = { ...scriptedModel([]), reference: { name: "scripted:model" } };
  await save(new CodeAgent({ model, tools: [...mcp] }), folder);
  return folder;
}

const code = `<code>await homeAddNote({ title: "milk", text: "two" });
await homeAddNote({ title: "eggs", text: "six" });
await workAddNote({ title: "call", text: "Ada" });
finalAnswer([await homeCountNotes({}), await workCountNotes({})])</code>`;

test("prefixed tools of two servers are saved, loaded and called under the same names", async () => {
  const model = scriptedModel([code]);
  const agent = await load(await savedAgent(), { trustCode: true, model });
  const asked: string[] = [];
  const approve = ({ name }: { readonly name: string }) => asked.push(name) > 0;
  expect(await agent.run("Count", { approve })).toEqual([{ count: 2 }, { count: 1 }]);
  expect(asked).toEqual(["homeAddNote", "homeAddNote", "workAddNote", "homeCountNotes", "workCountNotes"]);
});

test("loaded tools still need approval: without a person nothing is called", async () => {
  const agent = await load(await savedAgent(), { trustCode: true, model: scriptedModel([code]) });
  await expect(agent.run("Count")).rejects.toThrow('waits for a person to decide on a call of "homeAddNote"');
});

test("a saved agent starts no server without trust in its code", async () => {
  await expect(load(await savedAgent(), { model: scriptedModel([]) })).rejects.toThrow("@smolts/mcp");
});
