import type { Client } from "@modelcontextprotocol/client";
import { CodeAgent } from "@smolts/core";
import { mcpTools } from "@smolts/mcp";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";
import { rawServer } from "../client/raw-server.ts";
import { connectHttp, eras, textOf } from "./connect.ts";

function filesAgent() {
  const deleted: string[] = [];
  const deleteFile = tool({
    name: "deleteFile",
    description: "Deletes a file.",
    input: { path: "string" },
    needsApproval: true,
    execute: ({ path }) => {
      deleted.push(path);
      return `deleted ${path}`;
    },
  });
  const model = scriptedModel([
    "<code>const said = await deleteFile({ path: 'a.txt' }).catch((error) => error.message); said</code>",
    "<code>finalAnswer(said)</code>",
  ]);
  const agent = new CodeAgent({ name: "cleaner", description: "Cleans up.", model, tools: [deleteFile] });
  return { agent, deleted };
}

const answering =
  (content: Record<string, string>, asked: string[] = []) =>
  (client: Client): void => {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content };
    });
  };

const withForms = { capabilities: { elicitation: { form: {} } } };

test.each(eras)("an agent is one tool with a task, and reports its steps (%s)", async (era) => {
  const agent = new CodeAgent({
    name: "adder",
    description: "Adds.",
    model: scriptedModel(["<code>finalAnswer(1 + 2)</code>"]),
  });
  await using connected = await connectHttp(agent, { era });
  const { tools } = await connected.client.listTools();
  expect(tools).toMatchObject([{ name: "adder", description: "Adds.", inputSchema: { required: ["task"] } }]);
  const seen: (string | undefined)[] = [];
  const onprogress = ({ message }: { message?: string | undefined }): void => void seen.push(message);
  const result = await connected.client.callTool({ name: "adder", arguments: { task: "1 + 2?" } }, { onprogress });
  expect(textOf(result)).toBe("3");
  expect(seen).toContain("step 1");
});

test.each(eras)("a call that needs approval is shown to the client's person with its input (%s)", async (era) => {
  const { agent, deleted } = filesAgent();
  const asked: string[] = [];
  const prepare = answering({ decision: "allow" }, asked);
  await using connected = await connectHttp(agent, { era, client: withForms, prepare });
  const result = await connected.client.callTool({ name: "cleaner", arguments: { task: "clean up" } });
  expect(textOf(result)).toBe("deleted a.txt");
  expect(deleted).toEqual(["a.txt"]);
  expect(asked).toEqual([expect.stringMatching(/cleaner wants to call "deleteFile"[\s\S]*a\.txt/)]);
});

test.each(eras)("a call that the person denies is not made, and the agent reads the reason (%s)", async (era) => {
  const { agent, deleted } = filesAgent();
  const prepare = answering({ decision: "deny", reason: "keep it" });
  await using connected = await connectHttp(agent, { era, client: withForms, prepare });
  const result = await connected.client.callTool({ name: "cleaner", arguments: { task: "clean up" } });
  expect(textOf(result)).toContain("keep it");
  expect(deleted).toEqual([]);
});

test.each(eras)("with a client that cannot ask, such a call is denied with a reason (%s)", async (era) => {
  const { agent, deleted } = filesAgent();
  await using connected = await connectHttp(agent, { era });
  const result = await connected.client.callTool({ name: "cleaner", arguments: { task: "clean up" } });
  expect(textOf(result)).toContain("this client cannot ask");
  expect(deleted).toEqual([]);
});

test("an approve handler of the server decides without the client", async () => {
  const { agent, deleted } = filesAgent();
  const serve = { approve: ({ name }: { name: string }) => name === "deleteFile" };
  await using connected = await connectHttp(agent, { serve });
  await connected.client.callTool({ name: "cleaner", arguments: { task: "clean up" } });
  expect(deleted).toEqual(["a.txt"]);
});

test.each(eras)("a form of a server that the agent uses reaches the client's person (%s)", async (era) => {
  await using mcp = await mcpTools({ ...rawServer("workshop"), trust: true });
  const model = scriptedModel(["<code>finalAnswer(await ask({}))</code>"]);
  const agent = new CodeAgent({ model, tools: [...mcp] });
  await using connected = await connectHttp(agent, { era, client: withForms, prepare: answering({ name: "Ada" }) });
  const result = await connected.client.callTool({ name: "agent", arguments: { task: "ask" } });
  expect(JSON.parse(textOf(result))).toMatchObject({ action: "accept", content: { name: "Ada" } });
});

test("a big integer in an answer becomes digits, and an answer that contains itself many times stays short", async () => {
  const nested = "let list = ['a'];\nfor (let level = 0; level < 60; level++) list = [list, list];\nfinalAnswer(list)";
  const model = scriptedModel(["finalAnswer(2n ** 70n)", nested].map((code) => `<code>${code}</code>`));
  const agent = new CodeAgent({ name: "counter", description: "Counts.", model });
  await using connected = await connectHttp(agent);
  const ask = async (task: string) => textOf(await connected.client.callTool({ name: "counter", arguments: { task } }));
  expect(await ask("Count.")).toBe("1180591620717411303424");
  expect((await ask("Nest.")).length).toBeLessThan(10_000);
});

test("the result of a failed agent says why", async () => {
  const agent = new CodeAgent({ model: scriptedModel([]), maxSteps: 1 });
  await using connected = await connectHttp(agent);
  const result = await connected.client.callTool({ name: "agent", arguments: { task: "anything" } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain("failed");
});

test("any argument other than the task is refused", async () => {
  const { agent } = filesAgent();
  await using connected = await connectHttp(agent);
  const result = await connected.client.callTool({ name: "cleaner", arguments: { task: "x", approve: true } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('"approve" is not an argument');
});
