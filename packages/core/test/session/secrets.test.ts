// Secrets: values that tools get, but that appear nowhere else.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { fileStore } from "@smolts/memory/files";
import { type RunEvent, secret } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-secrets-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const value = "canary-7f3a-üß/+";
const forms = [
  value,
  encodeURIComponent(value),
  Buffer.from(value).toString("hex"),
  ...["", "a", "ab"].map((before) =>
    Buffer.from(before + value)
      .toString("base64")
      .slice(4, 20),
  ),
];
const code = (text: string): string => `<code>\n${text}\n</code>`;
const tokenIn = (metadata: unknown): string => (metadata as { token: ReturnType<typeof secret> }).token.reveal();

const used: string[] = [];
const leaky = tool({
  name: "leaky",
  description: "Tells all it knows.",
  effects: "once",
  input: { how: "string" },
  execute: async ({ how }, { metadata, emit, ask }) => {
    const token = tokenIn(metadata);
    used.push(token);
    emit({ token });
    await ask?.({ name: "go on?", input: { token } });
    if (how === "throws") throw new Error(`401 for ${token}`);
    if (how === "bytes") return new Map([[token, new TextEncoder().encode(`x${token}`)]]);
    return { token, url: `https://h/?k=${encodeURIComponent(token)}`, itself: secret(token) };
  },
});

async function textOfFolder(path: string): Promise<string> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name)));
  return (await Promise.all(files)).map((bytes) => bytes.toString("latin1")).join("\n");
}

test("only tools of an agent and its managed agents get a secret; the log, readers and models do not", async () => {
  const store = fileStore(join(folder, "runs"));
  const model = scriptedModel([
    code('print(await leaky({ how: "returns" })); print(await helper({ task: "Go." }))'),
    code('try { await leaky({ how: "throws" }) } catch (error) { print(error.message) }'),
    code('finalAnswer(Object.keys(await leaky({ how: "bytes" })).length)'),
  ]);
  const helperModel = scriptedModel([code('finalAnswer(await leaky({ how: "returns" }))')]);
  const helper = new CodeAgent({ model: helperModel, tools: [leaky], name: "helper", description: "Helps." });
  const agent = new CodeAgent({ model, tools: [leaky], managedAgents: [helper], store, approve: () => true });
  const run = agent.run(`Go with ${secret(value)}.`, { runId: "r", metadata: { token: secret(value) } });
  const seen: RunEvent[] = [];
  for await (const event of run.events()) seen.push(event);
  expect((await run.result).error).toBeUndefined();
  expect(used).toEqual([value, value, value, value]);
  const told = [
    await textOfFolder(join(folder, "runs")),
    JSON.stringify(seen),
    JSON.stringify([model.requests, helperModel.requests]),
  ];
  for (const text of told) {
    expect(text).toContain("[secret]");
    for (const form of forms) expect(text).not.toContain(form);
  }
  // A resume runs the recorded code again. The result is the same, although the log does not
  // contain the secret.
  const again = await agent.resume("r").result;
  expect([again.status, again.output, used.length]).toEqual(["success", (await run.result).output, 4]);
});

test("a secret cannot be a variable of a program", () => {
  const agent = new CodeAgent({ model: scriptedModel([]) });
  expect(() => agent.run("Go.", { additionalArgs: { token: secret(value) } })).toThrow(/additionalArgs\.token/);
});
