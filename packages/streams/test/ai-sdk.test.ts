import { toResponse, toUIMessageStream } from "@smolts/streams";
import type * as AI5 from "ai5";
import type * as AI6 from "ai6";
import { describe, expect, test } from "vitest";
import { bundled } from "./bundled.ts";
import { all, cutOff, durableOf, exampleNames, exampleRuns, liveEvents } from "./example-runs.ts";

const [ai5, ai6] = await Promise.all([bundled<typeof AI5>("ai5"), bundled<typeof AI6>("ai6")]);

/** A message after the whole stream was read. */
interface ReadMessage {
  readonly parts: readonly { readonly type: string; readonly [name: string]: unknown }[];
}

type Reader = (response: Response) => Promise<ReadMessage | undefined>;

/** Returns a reader that uses the SDK's own transport, schema and stream reader. */
const readerOf =
  (ai: Pick<typeof AI5, "DefaultChatTransport" | "readUIMessageStream">): Reader =>
  async (response) => {
    const transport = new ai.DefaultChatTransport({
      api: "http://localhost/api/chat",
      fetch: (async () => response) as typeof fetch,
    });
    const stream = await transport.sendMessages({
      trigger: "submit-message",
      chatId: "c",
      messageId: undefined,
      messages: [],
      abortSignal: undefined,
    } as never);
    const errors: unknown[] = [];
    let last: ReadMessage | undefined;
    const messages = (ai.readUIMessageStream as typeof ai5.readUIMessageStream)({
      stream: stream as never,
      onError: (error) => errors.push(error),
      terminateOnError: false,
    });
    for await (const message of messages) last = message as unknown as ReadMessage;
    const unexpected = errors.filter((error) => !/server is down|run ended/.test(String(error)));
    expect(unexpected).toEqual([]);
    return last;
  };

const versions = [
  { version: 5, read: readerOf(ai5) },
  { version: 6, read: readerOf(ai6 as unknown as typeof AI5) },
] as const;

const streamed = (events: Awaited<ReturnType<typeof liveEvents>>, version: 5 | 6): Response =>
  toResponse(
    {
      async *events() {
        yield* events;
      },
      abort: () => {},
    },
    { format: "ai-sdk", version },
  );

describe.each(versions)("the reader of version $version", ({ version, read }) => {
  test.each(exampleNames)("reads a run with %s, live, from its log, and broken off anywhere", async (name) => {
    const events = await liveEvents(name);
    const whole = await read(streamed(events, version));
    const logged = await read(streamed(durableOf(events), version));
    const text = (message: ReadMessage | undefined) => message?.parts.filter(({ type }) => type === "text");
    expect(text(logged)).toEqual(text(whole));
    for (const count of [2, 5, 9, 14, events.length - 1]) await read(streamed(cutOff(events, count), version));
  });

  test("has code and calls as tools, thoughts as reasoning, and the answer as text", async () => {
    const message = await read(streamed(await liveEvents("code, a tool, output and an answer"), version));
    const types = message?.parts.map(({ type }) => type);
    expect(types).toContain("reasoning");
    const tools = message?.parts.filter(({ type }) => type === "dynamic-tool");
    expect(tools).toMatchObject([
      { toolName: "runCode", state: "output-available", input: { code: expect.stringContaining("add") } },
      { toolName: "add", state: "output-available", input: { a: 1, b: 2 }, output: 3 },
      { toolName: "runCode", state: "output-available" },
    ]);
    expect(message?.parts.at(-1)).toMatchObject({ type: "text", text: '{"x":3}' });
  });
});

test("version 5 gets no chunk that it does not know", async () => {
  for (const name of exampleNames) {
    const chunks = await all(toUIMessageStream(await liveEvents(name)));
    const types = new Set(chunks.map(({ type }) => type));
    expect(types).not.toContain("tool-approval-request");
    expect(chunks.find(({ type }) => type === "finish")).not.toHaveProperty("finishReason");
  }
});

test("version 6 is asked for an approval of the call that waits", async () => {
  const chunks = await all(toUIMessageStream(await liveEvents("a call that waits for a person"), { version: 6 }));
  const asked = chunks.find(({ type }) => type === "tool-approval-request");
  const call = chunks.find((chunk) => chunk.type === "tool-input-available" && chunk["toolName"] === "sendEmail");
  expect(asked?.["toolCallId"]).toBe(call?.["toolCallId"]);
});

test("the whole response is what useChat expects", async () => {
  const response = toResponse(exampleRuns["native calls in parallel"](), { format: "ai-sdk" });
  expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
  expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
});
