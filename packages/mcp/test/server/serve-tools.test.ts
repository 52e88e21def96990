import { serveMcp } from "@smolts/mcp";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";
import { connectHttp, eras, serveStreams, textOf } from "./connect.ts";

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  input: { left: "number", right: "number" },
  output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  effects: "none",
  execute: ({ left, right }) => ({ sum: left + right }),
});

const picture = tool({
  name: "picture",
  description: "Draws a dot.",
  execute: () => ({ type: "image", source: { bytes: new Uint8Array([1, 2, 3]), mediaType: "image/png" } }),
});

const fail = tool({
  name: "fail",
  description: "Fails.",
  execute: () => {
    throw new Error("the disk is full");
  },
});

test.each(eras)("tools keep their names, schemas and hints (%s)", async (era) => {
  await using connected = await connectHttp([add], { era });
  const { tools } = await connected.client.listTools();
  expect(tools).toMatchObject([
    {
      name: "add",
      description: "Adds two numbers.",
      inputSchema: { type: "object", required: ["left", "right"] },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    },
  ]);
});

test.each(eras)("a call returns text and structured content (%s)", async (era) => {
  await using connected = await connectHttp([add], { era });
  const result = await connected.client.callTool({ name: "add", arguments: { left: 1, right: 2 } });
  expect(result.structuredContent).toEqual({ sum: 3 });
  expect(textOf(result)).toBe('{"sum":3}');
});

test("an image is a part of the result", async () => {
  await using connected = await connectHttp([picture]);
  const { content } = await connected.client.callTool({ name: "picture" });
  expect(content).toEqual([{ type: "image", data: "AQID", mimeType: "image/png" }]);
});

test("a wrong input is a result that says what was expected", async () => {
  await using connected = await connectHttp([add]);
  const result = await connected.client.callTool({ name: "add", arguments: { left: "one", right: 2 } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain("left");
});

test("a tool that fails returns its message", async () => {
  await using connected = await connectHttp([fail]);
  const result = await connected.client.callTool({ name: "fail" });
  expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: "the disk is full" }] });
});

test("progress of a tool reaches the client, in order and before the result", async () => {
  const count = tool({
    name: "count",
    description: "Counts.",
    execute: (_input, { emit }) => {
      emit({ progress: 10, total: 30, message: "first" });
      emit({ progress: 20, total: 30 });
      emit({ progress: 30, total: 30 });
      return "done";
    },
  });
  await using connected = await connectHttp([count]);
  const seen: number[] = [];
  const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
  await connected.client.callTool({ name: "count" }, { onprogress });
  expect(seen).toEqual([10, 20, 30]);
});

test.each(eras)("cancelling a call aborts the tool's signal (%s)", async (era) => {
  let onAborted = (): void => {};
  let onStarted = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    onAborted = resolve;
  });
  const started = new Promise<void>((resolve) => {
    onStarted = resolve;
  });
  const wait = tool({
    name: "wait",
    description: "Waits for ever.",
    execute: (_input, { signal }) => {
      signal.addEventListener("abort", onAborted);
      onStarted();
      return new Promise<string>(() => {});
    },
  });
  await using connected = await connectHttp([wait], { era });
  const controller = new AbortController();
  const call = connected.client.callTool({ name: "wait" }, { signal: controller.signal });
  const rejected = expect(call).rejects.toThrow();
  await started;
  controller.abort();
  await rejected;
  await aborted;
});

test("over stdio the output contains only messages of the protocol", async () => {
  await using served = await serveStreams([add]);
  const clientInfo = { name: "test", version: "1" };
  served.send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  expect(await served.receive()).toMatchObject({ id: 1, result: { serverInfo: { name: "smolts-tools" } } });
  served.send({ method: "notifications/initialized" });
  served.send({ id: 2, method: "tools/call", params: { name: "add", arguments: { left: 2, right: 2 } } });
  expect(await served.receive()).toMatchObject({ id: 2, result: { structuredContent: { sum: 4 } } });
});

test("a server over stdio ends when its input ends", async () => {
  await using served = await serveStreams([add]);
  served.input.end();
  await served.serving.closed;
});

test.each(eras)("thousands of tools are listed in pages, each once (%s)", async (era) => {
  const many = Array.from({ length: 2_500 }, (_, index) => ({ ...picture, name: `picture${index}` }));
  await using connected = await connectHttp(many, { era });
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await connected.client.request({ method: "tools/list", params: cursor ? { cursor } : {} });
    pages.push(page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(new Set(pages.flat()).size).toBe(2_500);
  for (const wrong of ["2500", "-1", "1e2", "x", ""]) {
    const asked = connected.client.request({ method: "tools/list", params: { cursor: wrong } });
    await expect(asked).rejects.toThrow("the cursor does not belong to this list");
  }
});

test("two tools with the same name are refused", async () => {
  await expect(serveMcp([add, add])).rejects.toThrow('two tools are named "add"');
});

test("what cannot be served is refused, and the error says what can be", async () => {
  await expect(serveMcp(7 as never)).rejects.toMatchObject({ code: "invalid-option" });
});
