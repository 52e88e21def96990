import { CodeAgent } from "@smolts/core";
import { type McpTools, mcpTools } from "@smolts/mcp";
import type { Tool, ToolContext } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawServer } from "./raw-server.ts";

const emitted: unknown[] = [];

const contextWith = (changes: Partial<ToolContext> = {}): ToolContext =>
  ({
    signal: new AbortController().signal,
    runId: "r1",
    emit: (progress: unknown) => emitted.push(progress),
    ...changes,
  }) as ToolContext;

const named = (mcp: McpTools, name: string): Tool => {
  const found = mcp.tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
};

const call = (mcp: McpTools, name: string, input: object = {}, changes: Partial<ToolContext> = {}) =>
  Promise.resolve(named(mcp, name).execute(input, contextWith(changes)));

describe("a server of the older protocol", () => {
  let mcp: McpTools;
  beforeAll(async () => {
    mcp = await mcpTools(rawServer("workshop"), { resources: true, roots: ["/srv/data", "/srv/50% #1?"] });
  });
  afterAll(async () => mcp[Symbol.asyncDispose]());

  test("lists the tools of all pages", () => {
    expect(mcp.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["say", "seen", "listResources", "readResource", "listPrompts", "getPrompt"]),
    );
  });

  test("returns text as text, and structured content unchanged", async () => {
    expect(await call(mcp, "say", { text: "hello" })).toBe("hello");
    expect(await call(mcp, "measure")).toEqual({ size: 3 });
    expect(named(mcp, "measure").outputSchema).toMatchObject({ properties: { size: { type: "number" } } });
  });

  test("returns bytes as media and links as data", async () => {
    expect(await call(mcp, "picture")).toMatchObject({ type: "image", source: { mediaType: "image/png" } });
    expect(await call(mcp, "sound")).toMatchObject({ type: "audio", source: { mediaType: "audio/wav" } });
    expect(await call(mcp, "file")).toMatchObject({ type: "file", name: "report.pdf" });
    expect(await call(mcp, "link")).toEqual({
      type: "resource-link",
      uri: "http://169.254.169.254/latest",
      name: "secrets",
    });
    expect(await call(mcp, "mixed")).toMatchObject(["a picture", { type: "image" }]);
  });

  test("refuses structured content that does not fit the output schema", async () => {
    await expect(call(mcp, "wrong")).rejects.toThrow('the answer of "wrong" does not match its output schema');
  });

  test("reports a failure in the server's words", async () => {
    await expect(call(mcp, "fail")).rejects.toThrow("the disk is full");
  });

  test("passes progress on", async () => {
    emitted.length = 0;
    await call(mcp, "count");
    expect(emitted).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  test("tells the server that a call was cancelled", async () => {
    const controller = new AbortController();
    const slow = call(mcp, "slow", {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await expect(slow).rejects.toThrow("enough");
    await expect.poll(async () => await call(mcp, "seen")).toContain("cancelled");
  });

  test("reads resources, and fills in prompts", async () => {
    expect(await call(mcp, "listResources")).toEqual([
      { uri: "memo://1", name: "memo", mimeType: "text/plain" },
      { uriTemplate: "memo://{n}", name: "memos" },
    ]);
    expect(await call(mcp, "readResource", { uri: "memo://1" })).toEqual({
      type: "resource",
      uri: "memo://1",
      text: "buy milk",
    });
    expect(await call(mcp, "readResource", { uri: "memo://2" })).toMatchObject({ type: "image" });
    expect(await call(mcp, "listPrompts")).toEqual([{ name: "greet", arguments: [{ name: "who", required: true }] }]);
    expect(await call(mcp, "getPrompt", { name: "greet", arguments: { who: "Ada" } })).toEqual([
      { role: "user", content: "Greet Ada" },
    ]);
  });

  test("gets the roots as addresses", async () => {
    expect(await call(mcp, "roots")).toBe('[{"uri":"file:///srv/data"},{"uri":"file:///srv/50%25%20%231%3F"}]');
  });

  test("is connected again after it has ended", async () => {
    await expect(call(mcp, "leave")).rejects.toThrow("it may or may not have happened");
    expect(await call(mcp, "say", { text: "back" })).toBe("back");
  });
});

test("a tool that changed is refused until it is approved", async () => {
  await using mcp = await mcpTools(rawServer("workshop"));
  const say = named(mcp, "say");
  expect(await call(mcp, "say", { text: "one" })).toBe("one");
  await call(mcp, "change");
  await expect(call(mcp, "say", { text: "two" })).rejects.toThrow('has changed its tool "say" since it was approved');
  expect(mcp.changes).toEqual([{ server: "workshop", tool: "say", change: "changed" }]);
  const approved = await mcp.approveChanges();
  expect(approved.tools.find(({ name }) => name === "say")?.description).toContain("sends your files to me");
  expect(await say.execute({ text: "three" }, contextWith())).toBe("three");
  expect(mcp.changes).toEqual([]);
});

test("tools of unknown servers need approval; those of trusted servers and those that are named do not", async () => {
  const server = rawServer("workshop");
  await using mcp = await mcpTools([server, { ...server, prefix: "own", trust: true, only: ["say", "measure"] }]);
  const asks = async (name: string) => (await named(mcp, name).needsApproval?.({}, contextWith())) ?? false;
  expect([await asks("say"), await asks("ownSay")]).toEqual([true, false]);
  expect([named(mcp, "say").effects, named(mcp, "ownSay").effects, named(mcp, "ownMeasure").effects]).toEqual([
    "once",
    "none",
    "once",
  ]);
  await using told = await mcpTools({ ...server, effects: { measure: "none" } });
  expect(named(told, "measure").effects).toBe("none");
  expect(named(told, "measure").needsApproval).toBeUndefined();
});

test("if two servers have a tool of the same name, the error says how to add prefixes", async () => {
  const server = { ...rawServer("workshop"), only: ["say"] };
  await expect(mcpTools([server, { ...server, name: "shed" }])).rejects.toMatchObject({
    message: 'the MCP servers "workshop" and "shed" both have a tool "say"',
    hint: 'give one of them a prefix: { ..., prefix: "shed" }',
  });
});

test("a dead server is an error, or only a warning if other servers work", async () => {
  const dead = {
    name: "dead",
    command: process.execPath,
    args: ["-e", "console.error('no licence'); process.exit(1)"],
  };
  await expect(mcpTools([rawServer("workshop"), dead])).rejects.toThrow('"dead" could not be reached');
  await using mcp = await mcpTools([rawServer("workshop"), dead], { unreachable: "warning" });
  expect(await call(mcp, "say", { text: "here" })).toBe("here");
  expect(mcp.warnings).toEqual([{ server: "dead", message: expect.stringContaining("no licence") }]);
  await expect(mcpTools({ command: "smolts-no-such-command" })).rejects.toMatchObject({
    hint: 'is "smolts-no-such-command" installed?',
  });
});

test("an agent calls a tool in code, and a person is asked first", async () => {
  await using mcp = await mcpTools({ ...rawServer("workshop"), only: ["say"] });
  const model = scriptedModel(['<code>finalAnswer(await say({ text: "hi" }))</code>']);
  const asked: string[] = [];
  const agent = new CodeAgent({ model, tools: [...mcp] });
  const approve = ({ name }: { readonly name: string }) => {
    asked.push(name);
    return true;
  };
  expect(await agent.run("Say hi", { approve })).toBe("hi");
  expect(asked).toEqual(["say"]);
});

describe("a request of a server", () => {
  const run = async (
    code: string,
    approve?: (request: { name: string; input: unknown }) => unknown,
    replies: string[] = [],
  ) => {
    await using mcp = await mcpTools({ ...rawServer("workshop"), trust: true });
    const model = scriptedModel([`<code>finalAnswer(await ${code})</code>`, ...replies]);
    const agent = new CodeAgent({ model, tools: [...mcp] });
    const started = agent.run("Work", approve ? { approve: approve as never } : {});
    return { answer: await started, events: (await started.result).usage };
  };

  test("a form is filled in by the person who decides", async () => {
    const asked: unknown[] = [];
    const { answer } = await run("ask({})", (request) => {
      asked.push(request);
      return { type: "edit", input: { name: "Ada" } };
    });
    expect(answer).toBe('{"action":"accept","content":{"name":"Ada","size":4}}');
    expect(asked).toMatchObject([{ name: "workshop: question", input: { message: "Who?", content: { size: 4 } } }]);
  });

  test("a form that a person refuses, or fills in incorrectly, is declined", async () => {
    expect((await run("ask({})", () => false)).answer).toBe('{"action":"decline"}');
    expect((await run("ask({})", () => ({ type: "edit", input: { name: 3 } }))).answer).toBe('{"action":"decline"}');
    expect((await run("ask({})")).answer).toBe('{"action":"decline"}');
  });

  test("a page is shown to the person and not fetched", async () => {
    const asked: unknown[] = [];
    const { answer } = await run("page({})", (request) => asked.push(request) > 0);
    expect(answer).toBe('{"action":"accept"}');
    expect(asked).toMatchObject([{ name: "workshop: open a page", input: { url: "https://example.com/in" } }]);
  });

  test("the agent's model answers after a person agreed, and its tokens count", async () => {
    const { answer, events } = await run("sample({})", () => true, ["4"]);
    expect(answer).toBe("4");
    const alone = await run("say({ text: '4' })");
    expect(events?.totalTokens).toBe(2 * (alone.events?.totalTokens ?? 0));
    expect((await run("sample({})", () => false)).answer).toContain("refused: ");
  });
});
