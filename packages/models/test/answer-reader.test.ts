import { readFileSync } from "node:fs";
import type { ContentPart, FinishReason, JsonValue, TokenUsage } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { answerTo, choice, sse } from "./ask.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`fixtures/${name}.documented.sse`, import.meta.url), "utf8");

const text = (value: string): ContentPart => ({ type: "text", text: value });
const call = (id: string, name: string, input: JsonValue): ContentPart => ({ type: "tool-call", id, name, input });

test("reads the documented stream of text, with cached and reasoning tokens", async () => {
  expect(await answerTo(fixture("openai-text"))).toEqual({
    message: { role: "assistant", content: [text("The answer is 42.")] },
    usage: { inputTokens: 19, outputTokens: 40, totalTokens: 59, cachedInputTokens: 8, reasoningTokens: 32 },
    finishReason: "stop",
  });
});

test("reads the documented stream of tool calls", async () => {
  expect(await answerTo(fixture("openai-tool-calls"))).toEqual({
    message: {
      role: "assistant",
      content: [call("call_a", "get_weather", { city: "Paris" }), call("call_b", "get_time", {})],
    },
    usage: null,
    finishReason: "tool-calls",
  });
});

test("throws the documented error in the middle of a stream, past its comments", async () => {
  await expect(answerTo(fixture("openrouter-error"))).rejects.toMatchObject({
    code: "generation",
    message: expect.stringContaining("failed while answering: Provider disconnected unexpectedly"),
    details: { reason: "stream-error", status: 502 },
  });
});

const deltas = (...calls: object[][]): object[] => [
  ...calls.map((toolCalls) => choice({ tool_calls: toolCalls })),
  choice({}, "tool_calls"),
];
const begin = (name: string, fields: object, inputText = ""): object => ({
  ...fields,
  function: { name, arguments: inputText },
});
const more = (inputText: string, fields: object = {}): object => ({ ...fields, function: { arguments: inputText } });

test("reads one of several choices, whatever chunks its parts are in", async () => {
  const of = (index: number, content: string, finish_reason: string | null = null): object => ({
    index,
    delta: { content },
    finish_reason,
  });
  const chunks = [
    { choices: [of(1, "no")] },
    { choices: [of(1, "ne"), of(0, "4")] },
    { choices: [of(1, "", "length")] },
    { choices: [of(0, "2", "stop")] },
  ];
  const { message, finishReason } = await answerTo(sse(chunks));
  expect(message.content).toEqual([text("42")]);
  expect(finishReason).toBe("stop");
});

describe("tool calls", () => {
  const streams: [how: string, chunks: object[], calls: ContentPart[]][] = [
    [
      "interleaved",
      deltas(
        [begin("a", { index: 0, id: "1" })],
        [begin("b", { index: 1, id: "2" })],
        [more('{"x":', { index: 0 }), more('{"y":', { index: 1 })],
        [more("1}", { index: 0 })],
        [more("2}", { index: 1 })],
      ),
      [call("1", "a", { x: 1 }), call("2", "b", { y: 2 })],
    ],
    [
      "complete in one delta",
      deltas([begin("a", { index: 0, id: "1" }, '{"x":1}'), begin("b", { index: 1, id: "2" }, "{}")]),
      [call("1", "a", { x: 1 }), call("2", "b", {})],
    ],
    [
      "without an index",
      deltas([begin("a", { id: "1" }, '{"x"')], [more(":1}")], [begin("b", { id: "2" }, "{}")]),
      [call("1", "a", { x: 1 }), call("2", "b", {})],
    ],
    [
      "without an index, with a repeated id",
      deltas([begin("a", { id: "1" })], [begin("b", { id: "2" }, "{}")], [more('{"x":1}', { id: "1" })]),
      [call("1", "a", { x: 1 }), call("2", "b", {})],
    ],
    [
      "with their id in each delta",
      deltas([begin("a", { index: 0, id: "1" }, '{"x"')], [more(":1}", { index: 0, id: "1" })]),
      [call("1", "a", { x: 1 })],
    ],
    [
      "with a new id in each delta",
      deltas([begin("a", { index: 0, id: "1" }, '{"x"')], [more(":1}", { index: 0, id: "other" })]),
      [call("1", "a", { x: 1 })],
    ],
    [
      "all under the index 0",
      deltas([begin("a", { index: 0, id: "1" }, '{"x":1}')], [begin("b", { index: 0, id: "2" }, "{}")]),
      [call("1", "a", { x: 1 }), call("2", "b", {})],
    ],
    [
      "with arguments that are an object",
      deltas([{ index: 0, id: "1", function: { name: "a", arguments: { x: 1 } } }]),
      [call("1", "a", { x: 1 })],
    ],
    [
      "all under the index 0, without an id",
      deltas(
        [begin("a", { index: 0 }, '{"x":1}')],
        [begin("b", { index: 0 }, "{}")],
        [begin("a", { index: 0 }, '{"x":2}')],
      ),
      [
        call(expect.any(String), "a", { x: 1 }),
        call(expect.any(String), "b", {}),
        call(expect.any(String), "a", { x: 2 }),
      ],
    ],
    [
      "all under the index 0 and one id, with the same name",
      deltas([begin("a", { index: 0, id: "1" }, '{"x":1}')], [begin("a", { index: 0, id: "1" }, '{"x":2}')]),
      [call("1", "a", { x: 1 }), call(expect.any(String), "a", { x: 2 })],
    ],
    [
      "complete, each sent twice",
      deltas(
        [begin("a", { index: 0, id: "1" }, '{"x":1}')],
        [begin("a", { index: 0, id: "1" }, '{"x":1}')],
        [begin("b", { index: 1, id: "2" }, '{"y":1}')],
        [begin("b", { index: 1, id: "2" }, '{"y":1}')],
      ),
      [call("1", "a", { x: 1 }), call("2", "b", { y: 1 })],
    ],
    [
      "with their name in each delta",
      deltas([begin("a", { index: 0, id: "1" }, '{"x"')], [begin("a", { index: 0, id: "1" }, ":1}")]),
      [call("1", "a", { x: 1 })],
    ],
    ["without arguments", deltas([begin("a", { index: 0, id: "1" })]), [call("1", "a", {})]],
  ];
  test.each(streams)("can be sent %s", async (_how, chunks, calls) => {
    const { message, finishReason } = await answerTo(sse(chunks));
    expect(message.content).toEqual(calls);
    expect(finishReason).toBe("tool-calls");
  });

  test("keep the model's text if it is not JSON", async () => {
    const { message } = await answerTo(sse(deltas([begin("a", { index: 0, id: "1" }, "{x: 1")])));
    expect(message.content).toEqual([{ type: "tool-call", id: "1", name: "a", input: null, rawInput: "{x: 1" }]);
  });

  test("that are sent twice count once", async () => {
    const whole = begin("a", { index: 0, id: "1" }, '{"x":1}');
    const { message } = await answerTo(sse(deltas([whole], [whole])));
    expect(message.content).toEqual([call("1", "a", { x: 1 })]);
  });

  test("continue with a wrong index if only one call is open", async () => {
    const chunks = deltas([begin("a", { index: 0, id: "1" }, '{"x"')], [more(":1}", { index: 3 })]);
    expect((await answerTo(sse(chunks))).message.content).toEqual([call("1", "a", { x: 1 })]);
  });

  const unsound: [what: string, chunks: object[], says: string][] = [
    [
      "a piece of one of two calls under a wrong index",
      deltas([begin("a", { index: 0, id: "1" }), begin("b", { index: 1, id: "2" })], [more("{}", { index: 5 })]),
      "it has a piece of a tool call that never began",
    ],
    ["a call without a name", deltas([more("{}", { index: 0, id: "1" })]), "it has a tool call without a name"],
  ];
  test.each(unsound)("make the answer invalid with %s", async (_what, chunks, says) => {
    await expect(answerTo(sse(chunks))).rejects.toMatchObject({
      message: expect.stringContaining(says),
      details: { reason: "flawed" },
    });
  });

  test("get their own ids if the server sends none, or the same for all", async () => {
    const chunks = deltas([
      begin("a", { index: 0 }),
      begin("b", { index: 1, id: "same" }),
      begin("c", { index: 2, id: "same" }),
    ]);
    const { message } = await answerTo(sse(chunks));
    const ids = message.content.map((part) => (part.type === "tool-call" ? part.id : ""));
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe("same");
  });

  test("are the finish reason if the server says stop", async () => {
    const chunks = [choice({ tool_calls: [begin("a", { index: 0, id: "1" })] }), choice({}, "stop")];
    expect((await answerTo(sse(chunks))).finishReason).toBe("tool-calls");
  });
});

const contents: [what: string, delta: object, parts: ContentPart[]][] = [
  ["text", { content: "hi" }, [text("hi")]],
  ["reasoning_content", { reasoning_content: "hm" }, [{ type: "reasoning", text: "hm" }]],
  ["reasoning", { reasoning: "hm" }, [{ type: "reasoning", text: "hm" }]],
  ["both names of reasoning once", { reasoning: "hm", reasoning_content: "hm" }, [{ type: "reasoning", text: "hm" }]],
  ["a refusal as text", { content: null, refusal: "no" }, [text("no")]],
  [
    "typed pieces",
    {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
        { type: "text", text: "hi" },
      ],
    },
    [{ type: "reasoning", text: "hm" }, text("hi")],
  ],
  ["empty fields as no content", { content: null, tool_calls: null }, []],
];
test.each(contents)("reads %s", async (_what, delta, parts) => {
  expect((await answerTo(sse([choice(delta), choice({}, "stop")]))).message.content).toEqual(parts);
});

const reasons: [wire: string, reason: FinishReason][] = [
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool-calls"],
  ["content_filter", "content-filter"],
  ["eos", "stop"],
  ["something new", "other"],
];
test.each(reasons)("maps the finish reason %s to %s", async (wire, reason) => {
  expect((await answerTo(sse([choice({ content: "x" }, wire)]))).finishReason).toBe(reason);
});

const usages: [what: string, chunks: object[], usage: TokenUsage | null][] = [
  ["none", [], null],
  ["null if it is null", [{ choices: [], usage: null }], null],
  [
    "a total that was missing",
    [{ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }],
    { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
  ],
  [
    "the last of several reports",
    [
      { usage: { prompt_tokens: 3, completion_tokens: 1 } },
      { usage: { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 } },
    ],
    { inputTokens: 3, outputTokens: 9, totalTokens: 12 },
  ],
  [
    "cached tokens under another name",
    [{ choices: null, usage: { prompt_tokens: 3, completion_tokens: 4, prompt_cache_hit_tokens: 2 } }],
    { inputTokens: 3, outputTokens: 4, totalTokens: 7, cachedInputTokens: 2 },
  ],
];
test.each(usages)("reports as usage %s", async (_what, chunks, usage) => {
  expect((await answerTo(sse([choice({ content: "x" }, "stop"), ...chunks]))).usage).toEqual(usage);
});

const filter = { choices: [], prompt_filter_results: [{ prompt_index: 0 }] };
const said = choice({ content: "hi" });
const ended = choice({}, "stop");
const complete: [what: string, body: string][] = [
  ["a finish reason and no end mark", sse([said, ended], "")],
  ["a last event without an empty line", sse([said], `data: ${JSON.stringify(ended)}`)],
  ["a first chunk of a content filter", sse([filter, said, ended])],
  ["lines that end in CR LF", sse([said, ended]).replaceAll("\n", "\r\n")],
];
test.each(complete)("takes a stream with %s as complete", async (_what, body) => {
  expect((await answerTo(body)).message.content).toEqual([text("hi")]);
});

const broken: [what: string, body: string][] = [
  ["neither finish reason nor end mark", sse([said], "")],
  ["an end mark and no finish reason", sse([said])],
  ["half an event at its end", sse([said], 'data: {"choices":[{"del')],
  ["half of its only event", 'data: {"choices":[{"del'],
  ["nothing in it", ""],
  ["only an end mark", sse([])],
];
test.each(broken)("throws that a stream with %s broke off", async (_what, body) => {
  await expect(answerTo(body)).rejects.toMatchObject({ code: "generation", details: { reason: "broke-off" } });
});

test("reads a complete JSON answer to a streaming request", async () => {
  const message = {
    role: "assistant",
    content: "hi",
    tool_calls: [begin("a", { id: "1", type: "function" }, '{"x":1}')],
  };
  const body = {
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  };
  expect(await answerTo(JSON.stringify(body), "application/json; charset=utf-8")).toEqual({
    message: { role: "assistant", content: [text("hi"), call("1", "a", { x: 1 })] },
    usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
    finishReason: "tool-calls",
  });
});

const strange: [what: string, body: string, mediaType: string][] = [
  ["a page", "<html>Welcome</html>", "text/html"],
  ["another kind of JSON", '{"ok":true}', "application/json"],
  ["events that are not JSON", "data: hello\n\n", "text/event-stream"],
];
test.each(strange)("the hint says to check the address if the answer is %s", async (_what, body, mediaType) => {
  await expect(answerTo(body, mediaType)).rejects.toMatchObject({
    code: "generation",
    details: { reason: "no-answer" },
    hint: expect.stringContaining("baseUrl"),
  });
});

const padded = { ...choice({ content: "ha" }), obfuscation: "k3v9" };
const repeated: [what: string, chunks: object[], said: string][] = [
  ["a chunk with the same random padding is a duplicate", [padded, padded], "ha"],
  ["a chunk with different padding is a new one", [padded, { ...padded, obfuscation: "x" }], "haha"],
  ["a chunk without padding is a new one", [choice({ content: "ha" }), choice({ content: "ha" })], "haha"],
];
test.each(repeated)("if it is sent twice, %s", async (_what, chunks, said) => {
  const { message } = await answerTo(sse([...chunks, choice({}, "stop")]));
  expect(message.content).toEqual([text(said)]);
});

test("reads an event as an error by its name alone", async () => {
  const body = `${sse([choice({ content: "hi" })], "")}event: error\ndata: {"message":"overloaded"}\n\n`;
  await expect(answerTo(body)).rejects.toMatchObject({
    message: expect.stringContaining("failed while answering: overloaded"),
    details: { reason: "stream-error" },
  });
});

test("a complete JSON answer that was cut counts as broken off", async () => {
  const asking = answerTo('{"choices":[{"message":{"content":"hi', "application/json");
  await expect(asking).rejects.toMatchObject({ details: { reason: "broke-off" } });
});

const otherFields: readonly [what: string, delta: object, content: ContentPart[]][] = [
  ["thinking in a field of its own", { thinking: "hm" }, [{ type: "reasoning", text: "hm" }]],
  [
    "thinking in a piece that is a text",
    { content: [{ type: "thinking", thinking: "hm" }] },
    [{ type: "reasoning", text: "hm" }],
  ],
  ["the text of speech", { content: null, audio: { id: "a", transcript: "hi" } }, [text("hi")]],
];
test.each(otherFields)("reads %s", async (_what, delta, content) => {
  expect((await answerTo(sse([choice(delta), choice({}, "stop")]))).message.content).toEqual(content);
});

test("reads a call from the field of old servers", async () => {
  const chunks = [
    choice({ function_call: { name: "look", arguments: '{"at"' } }),
    choice({ function_call: { arguments: ':"moon"}' } }),
    choice({}, "function_call"),
  ];
  expect((await answerTo(sse(chunks))).message.content).toMatchObject([{ name: "look", input: { at: "moon" } }]);
});

test("reads the choice whose index is a text", async () => {
  const chunk = { choices: [{ index: "0", delta: { content: "hi" }, finish_reason: "stop" }] };
  expect((await answerTo(sse([chunk]))).message.content).toEqual([text("hi")]);
});

test("reads a whole answer that is declared as a stream", async () => {
  const whole = JSON.stringify({ choices: [{ message: { content: "hi" }, finish_reason: "stop" }] }, null, 2);
  expect((await answerTo(whole, "text/event-stream")).message.content).toEqual([text("hi")]);
  expect((await answerTo(whole, "text/plain")).message.content).toEqual([text("hi")]);
});

test("the total of the usage is never less than its parts", async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 1 };
  expect((await answerTo(sse([{ ...choice({ content: "hi" }, "stop"), usage }]))).usage?.totalTokens).toBe(7);
});
