import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdapterOptions, openAICompatible } from "@smolts/models";
import { recorded, replayed } from "@smolts/models/recorded";
import { type ServerReply, startModelServer } from "@smolts/testing/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventsOf, request } from "./events-of.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorded-"));
});
afterAll(() => rm(folder, { recursive: true }));

const retries = { attempts: 1 };
const nowhere = "http://127.0.0.1:9/v1";

/** Records one call to a server that sends this reply. */
async function record(reply: ServerReply, options: AdapterOptions = {}, headers?: readonly string[]) {
  const file = join(folder, `${crypto.randomUUID()}.jsonl`);
  await using server = await startModelServer([reply]);
  const fetch = recorded(file, headers ? { headers } : {});
  const outcome = await eventsOf(openAICompatible("test", { baseUrl: server.url, fetch, retries, ...options }));
  return { file, outcome, content: await readFile(file, "utf8") };
}

const replay = (file: string) =>
  eventsOf(openAICompatible("test", { baseUrl: nowhere, fetch: replayed(file), retries }));

test("a replayed answer has the same events, without the server", async () => {
  const { file, outcome } = await record({ text: "ünï 日本語 🙂", toolCalls: [{ name: "go", input: { a: 1 } }] });
  expect((await replay(file)).events).toEqual(outcome.events);
});

const failures: [what: string, reply: ServerReply][] = [
  ["a status", { status: 503, body: { error: { message: "busy" } }, headers: { "retry-after": "3" } }],
  ["an answer that breaks off", { text: "a long answer that is lost on its way", cutAfterBytes: 700 }],
];
test.each(failures)("%s fails again in the same way", async (_what, reply) => {
  const { file, outcome } = await record(reply);
  const again = await replay(file);
  expect(again.events).toEqual(outcome.events);
  expect(again.error).toMatchObject({ code: "generation" });
  expect((again.error as { details: unknown }).details).toEqual((outcome.error as { details: unknown }).details); // AgentErrors
});

test("a connection that fails is recorded as such", async () => {
  const file = join(folder, "failure.jsonl");
  const model = openAICompatible("test", { baseUrl: nowhere, fetch: recorded(file), retries });
  expect((await eventsOf(model)).error).toMatchObject({ details: { reason: "unreachable" } });
  expect((await replay(file)).error).toMatchObject({ details: { reason: "unreachable" } });
});

test("records listed headers, and no key in any form that a server repeats", async () => {
  const key = "sk-canary-0123456789";
  const echo = `key ${key} ${btoa(`u:${key}`)} ${encodeURIComponent(key)}`;
  const { content } = await record(
    { text: echo, whole: true },
    { apiKey: key, headers: { "x-api-key": key, "x-mine": "1", "x-other": "2" } },
    ["x-mine"],
  );
  expect(content).toContain('"x-mine":"1"');
  expect(content).not.toContain("x-other");
  expect(content).not.toContain(key);
  expect(content).not.toContain(btoa(`u:${key}`).slice(4, 20));
  expect(content).not.toContain("authorization");
});

test.each(["Authorization", "x-api-key", "cookie"])("refuses to list the header %s", (name) => {
  expect(() => recorded("x", { headers: [name] })).toThrow(/secret/);
});

test("a request that was not recorded, or was already replayed, is refused", async () => {
  const { file } = await record("42");
  const model = openAICompatible("test", { baseUrl: nowhere, fetch: replayed(file), retries });
  expect((await eventsOf(model, { ...request, temperature: 1 })).error).toMatchObject({ code: "generation" });
  expect((await eventsOf(model)).text).toBe("42");
  expect(String((await eventsOf(model)).error)).toContain("is not in the recording");
});

test("refuses a file that is not a recording", async () => {
  const file = join(folder, "other.jsonl");
  await writeFile(file, "{}\n");
  await expect(replayed(file)("http://127.0.0.1:9/")).rejects.toMatchObject({ code: "log" });
});
