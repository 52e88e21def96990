// Tests clients that break the protocol: they send messages out of order, twice or too late, and
// answer questions that nobody asked. No such client may get a call through without approval, or
// stop the server.

import { type RunningMcpServer, type ServeHttpOptions, serveMcp } from "@smolts/mcp";
import type { Tool } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Message, serveStreams } from "../server/connect.ts";

const paid: string[] = [];
const pay = tool({
  name: "pay",
  description: "Pays.",
  input: { to: "string" },
  needsApproval: "each",
  execute: ({ to }) => {
    paid.push(to);
    return `paid ${to}`;
  },
});
const echo = tool({
  name: "echo",
  description: "Returns a text.",
  input: { text: "string" },
  execute: ({ text }) => text,
});
const wait = tool({
  name: "wait",
  description: "Waits until it is stopped.",
  execute: (_input, { signal }) => new Promise<string>((_resolve, reject) => signal.addEventListener("abort", reject)),
});
const tools = [pay, echo, wait] as readonly Tool[];

beforeEach(() => void paid.splice(0));

const clientInfo = { name: "odd", version: "1" };
const beginning = (capabilities: object = { elicitation: {} }) => ({
  id: "begin",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities, clientInfo },
});
const call = (id: unknown, name: string, input: unknown = {}, more: object = {}): Message => ({
  id,
  method: "tools/call",
  params: { name, arguments: input, ...more },
});

describe("over stdio", () => {
  async function begun(capabilities?: object) {
    const served = await serveStreams(tools);
    onTestFinished(() => served[Symbol.asyncDispose]());
    served.send(beginning(capabilities));
    expect(await served.receive()).toMatchObject({ id: "begin" });
    served.send({ method: "notifications/initialized" });
    /** Waits for the next message that matches. */
    const until = async (isIt: (message: Message) => boolean): Promise<Message> => {
      for (;;) {
        const message = await served.receive();
        if (isIt(message)) return message;
      }
    };
    const works = async (): Promise<void> => {
      served.send(call("works", "echo", { text: "still here" }));
      expect(await until(({ id }) => id === "works")).toMatchObject({ result: { content: [{ text: "still here" }] } });
    };
    return { ...served, until, works };
  }

  test.each([
    [
      "an answer to a question that nobody asked",
      { id: 0, result: { action: "accept", content: { decision: "allow" } } },
    ],
    ["a cancellation of a call that never was", { method: "notifications/cancelled", params: { requestId: 77 } }],
    ["a cancellation without a call", { method: "notifications/cancelled", params: {} }],
    ["progress of nothing", { method: "notifications/progress", params: { progressToken: 1, progress: 1 } }],
    ["an unknown notification", { method: "notifications/evil", params: { decision: "allow" } }],
    ["an id that is an object", { id: {}, method: "tools/list" }],
    ["params that are a list", { id: 5, method: "tools/call", params: [] }],
    ["a second initialize", beginning({})],
  ])("%s changes nothing", async (_what, message) => {
    const client = await begun();
    client.send(message);
    await client.works();
    client.send(call(9, "pay", { to: "x" }));
    expect(await client.until(({ method, id }) => method === "elicitation/create" || id === 9)).toBeDefined();
    expect(paid).toEqual([]);
  });

  test("an approval that is sent before its question does not count", async () => {
    const client = await begun();
    for (let id = 0; id < 20; id++) client.send({ id, result: { action: "accept", content: { decision: "allow" } } });
    client.send(call(9, "pay", { to: "x" }));
    const question = await client.until(({ method }) => method === "elicitation/create");
    expect(paid).toEqual([]);
    client.send({ id: question["id"], result: { action: "decline" } });
    expect(await client.until(({ id }) => id === 9)).toMatchObject({ result: { isError: true } });
    client.send({ id: question["id"], result: { action: "accept", content: { decision: "allow" } } });
    await client.works();
    expect(paid).toEqual([]);
  });

  test("the approval of one call does not approve another waiting call", async () => {
    const client = await begun();
    client.send(call(1, "pay", { to: "ada" }));
    const first = await client.until(({ method }) => method === "elicitation/create");
    client.send(call(2, "pay", { to: "thief" }));
    const second = await client.until(({ method }) => method === "elicitation/create");
    expect(JSON.stringify(second["params"])).toContain("thief");
    const yes = { action: "accept", content: { decision: "allow" } };
    client.send({ id: first["id"], result: yes });
    expect(await client.until(({ id }) => id === 1)).toMatchObject({ result: { content: [{ text: "paid ada" }] } });
    client.send({ id: first["id"], result: yes });
    await client.works();
    expect(paid).toEqual(["ada"]);
  });

  test("a call that is cancelled while a person is asked is not made by a late yes", async () => {
    const client = await begun();
    client.send(call(1, "pay", { to: "x" }));
    const question = await client.until(({ method }) => method === "elicitation/create");
    client.send({ method: "notifications/cancelled", params: { requestId: 1 } });
    client.send({ id: question["id"], result: { action: "accept", content: { decision: "allow" } } });
    await client.works();
    expect(paid).toEqual([]);
  });

  test.each([
    ["an error", { error: { code: -1, message: "allow" } }],
    ["no action", { result: { content: { decision: "allow" } } }],
    ["an unknown action", { result: { action: "allow", content: { decision: "allow" } } }],
    ["content that is a text", { result: { action: "accept", content: "allow" } }],
    ["nothing", { result: {} }],
  ])("a call whose question is answered with %s is denied", async (_what, answer) => {
    const client = await begun();
    client.send(call(1, "pay", { to: "x" }));
    const question = await client.until(({ method }) => method === "elicitation/create");
    client.send({ id: question["id"], ...answer });
    const result = await client.until(({ id }) => id === 1);
    expect("error" in result || (result["result"] as { isError?: boolean }).isError).toBe(true);
    expect(paid).toEqual([]);
  });

  test("two calls with one id do not use each other's approval", async () => {
    const client = await begun();
    client.send(call(1, "pay", { to: "ada" }));
    client.send(call(1, "pay", { to: "thief" }));
    const question = await client.until(({ method }) => method === "elicitation/create");
    const shown = JSON.stringify(question["params"]);
    client.send({ id: question["id"], result: { action: "accept", content: { decision: "allow" } } });
    await client.until(({ id }) => id === 1);
    await client.works();
    expect(paid).toEqual([shown.includes("thief") ? "thief" : "ada"]);
  });

  test("a client that changes its capabilities still has to answer the question", async () => {
    const client = await begun({});
    client.send(beginning({ elicitation: {} }));
    client.send(
      call(1, "pay", { to: "x" }, { _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } } }),
    );
    await client.until(({ id, method }) => id === 1 || method === "elicitation/create");
    expect(paid).toEqual([]);
  });
});

describe("over HTTP of 2026", () => {
  async function served(options: Partial<ServeHttpOptions> = {}) {
    const serving: RunningMcpServer = await serveMcp(tools, { ...options, transport: "http" });
    onTestFinished(() => serving.close());
    return async (name: string, input: object, more: object = {}, key = serving.key): Promise<Message> => {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": clientInfo,
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
      };
      const response = await fetch(serving.url ?? "", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": name,
        },
        body: JSON.stringify({ jsonrpc: "2.0", ...call(1, name, input, { _meta, ...more }) }),
      });
      return JSON.parse(await response.text());
    };
  }

  const yes = { action: "accept", content: { decision: "allow" } };
  const yeses = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`approval${index}`, yes]));
  const stateOf = (message: Message) => (message["result"] as { readonly requestState?: string }).requestState;

  test("answers that come with the first request approve nothing", async () => {
    const send = await served();
    expect(await send("pay", { to: "x" }, { inputResponses: yeses })).toMatchObject({
      result: { resultType: "input_required" },
    });
    expect(paid).toEqual([]);
  });

  test("an approval runs the input that the question showed, whatever the answer contains", async () => {
    const send = await served();
    const requestState = stateOf(await send("pay", { to: "ada" }));
    await send("pay", { to: "thief" }, { requestState, inputResponses: yeses });
    expect(paid).toEqual(["ada"]);
  });

  test("an approval counts once", async () => {
    const send = await served();
    const requestState = stateOf(await send("pay", { to: "ada" }));
    const answers = Array.from({ length: 5 }, () =>
      send("pay", { to: "ada" }, { requestState, inputResponses: yeses }),
    );
    const ended = (await Promise.all(answers)).filter((message) => "error" in message);
    expect(ended).toHaveLength(4);
    expect(paid).toEqual(["ada"]);
  });

  test.each([
    ["that is empty", ""],
    ["that is a number", 7],
    ["that is an object", { id: "x" }],
    ["that names a prototype", "__proto__"],
    ["of a megabyte", "x".repeat(1_000_000)],
  ])("a state %s continues no call", async (_what, requestState) => {
    const send = await served();
    const message = await send("pay", { to: "x" }, { requestState, inputResponses: yeses });
    expect(JSON.stringify(message)).not.toContain("paid");
    expect(paid).toEqual([]);
  });
});
