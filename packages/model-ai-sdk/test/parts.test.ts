import { type AiSdkModel, fromAiSdkModel } from "@smolts/model-ai-sdk";
import { generate } from "@smolts/models";
import type { ModelEvent, ModelRequest } from "@smolts/protocol";
import { expect, test } from "vitest";

const request: ModelRequest = { messages: [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] };
const end = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} };
const callEnd = { ...end, finishReason: { unified: "tool-calls", raw: "x" } };

/** Creates a model that streams these parts, and records the options of its calls. */
function modelOf(parts: readonly object[], specificationVersion = "v3") {
  const calls: Record<string, unknown>[] = [];
  const languageModel: AiSdkModel = {
    specificationVersion,
    provider: "test",
    modelId: "m",
    async doStream(options) {
      calls.push(options);
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
  return { model: fromAiSdkModel(languageModel, { retries: { attempts: 1 } }), calls };
}

const answerOf = async (parts: readonly object[]) => generate(modelOf(parts).model, request);

test("sends the provider's metadata of thoughts and calls back in the next request", async () => {
  const mark = { anthropic: { signature: "s1" } };
  const callMark = { google: { thoughtSignature: "s2" } };
  const { model, calls } = modelOf([
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "mul" },
    { type: "reasoning-delta", id: "r", delta: "tiply" },
    { type: "reasoning-end", id: "r", providerMetadata: mark },
    { type: "tool-call", toolCallId: "c1", toolName: "go", input: '{"a":1}', providerMetadata: callMark },
    callEnd,
  ]);
  const { message } = await generate(model, request);
  await generate(model, { messages: [...request.messages, message] });
  expect(calls[1]?.["prompt"]).toEqual([
    { role: "user", content: [{ type: "text", text: "6 * 7?" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "multiply", providerOptions: mark },
        { type: "tool-call", toolCallId: "c1", toolName: "go", input: { a: 1 }, providerOptions: callMark },
      ],
    },
  ]);
});

test("does not mix the inputs of interleaved calls", async () => {
  const { message } = await answerOf([
    { type: "tool-input-start", id: "a", toolName: "one" },
    { type: "tool-input-start", id: "b", toolName: "two" },
    { type: "tool-input-delta", id: "b", delta: '{"x":' },
    { type: "tool-input-delta", id: "a", delta: "{}" },
    { type: "tool-input-delta", id: "b", delta: "2}" },
    { type: "tool-call", toolCallId: "b", toolName: "two", input: '{"x":2}' },
    { type: "tool-call", toolCallId: "a", toolName: "one", input: "{}" },
    callEnd,
  ]);
  expect(message.content).toEqual([
    { type: "tool-call", id: "a", name: "one", input: {} },
    { type: "tool-call", id: "b", name: "two", input: { x: 2 } },
  ]);
});

test("leaves out tools that the provider ran itself", async () => {
  const { message } = await answerOf([
    { type: "tool-input-start", id: "a", toolName: "search", providerExecuted: true },
    { type: "tool-call", toolCallId: "a", toolName: "search", input: "{}", providerExecuted: true },
    { type: "text-delta", id: "t", delta: "42" },
    end,
  ]);
  expect(message.content).toEqual([{ type: "text", text: "42" }]);
});

const files: [what: string, data: unknown][] = [
  ["text", "Ynl0ZXM="],
  ["bytes", new TextEncoder().encode("bytes")],
  ["the form of v4", { type: "data", data: "Ynl0ZXM=" }],
];
test.each(files)("reads images as %s", async (_what, data) => {
  const { message } = await answerOf([{ type: "file", mediaType: "image/png", data }, end]);
  expect(message.content).toEqual([{ type: "image", source: { url: "data:image/png;base64,Ynl0ZXM=" } }]);
});

test("reports what the provider does not support, and cuts at stop sequences itself", async () => {
  const warning = { type: "unsupported", feature: "stopSequences" };
  const { model } = modelOf([
    { type: "stream-start", warnings: [warning] },
    { type: "text-delta", id: "t", delta: "a END b" },
    end,
  ]);
  const { message } = await generate(model, { ...request, stop: ["END"] });
  expect(message.content).toEqual([{ type: "text", text: "a " }]);
  const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
  let last: ModelEvent | undefined;
  for await (const event of model.stream(request, options)) last = event;
  expect(last).toMatchObject({ type: "end", details: { warnings: [warning] } });
});

const faults: [what: string, parts: object[]][] = [
  ["a stream without its finish", [{ type: "text-delta", id: "t", delta: "half" }]],
  ["a finish without a reason", [{ ...end, finishReason: { unified: "other", raw: undefined } }]],
  ["the v2 finish of a stream that broke off", [{ ...end, finishReason: "unknown" }]],
  ["a failed finish", [{ ...end, finishReason: "error" }]],
  ["an interrupted finish", [{ ...end, finishReason: { unified: "interrupted", raw: "x" } }]],
  ["a call that was never completed", [{ type: "tool-input-start", id: "a", toolName: "go" }, callEnd]],
  [
    "a call that came otherwise in pieces",
    [
      { type: "tool-input-start", id: "a", toolName: "go" },
      { type: "tool-input-delta", id: "a", delta: '{"a":1' },
      { type: "tool-call", toolCallId: "a", toolName: "go", input: '{"b":2}' },
      callEnd,
    ],
  ],
  ["an error part", [{ type: "error", error: "overloaded" }]],
];
test.each(faults)("treats %s as a failure", async (_what, parts) => {
  await expect(answerOf(parts)).rejects.toMatchObject({ code: "generation" });
});

const noModels: [what: string, value: unknown][] = [
  ["a name", "openai/gpt-5"],
  ["an older specification", { specificationVersion: "v1", provider: "x", modelId: "y", doStream() {} }],
  ["nothing", undefined],
  ["another object", { specificationVersion: "v3" }],
];
test.each(noModels)("refuses %s", (_what, value) => {
  // The cast imitates a caller without types.
  expect(() => fromAiSdkModel(value as AiSdkModel)).toThrow(/is not an AI SDK model/);
});

test("retries without parameters that the server of a model object refuses, and remembers them", async () => {
  const seen: Record<string, unknown>[] = [];
  const refusing = (name: string, message: string): Error =>
    Object.assign(new Error(message), {
      name: "AI_APICallError",
      statusCode: 400,
      url: "https://example.com/v1",
      responseBody: JSON.stringify({ error: { message, param: name } }),
    });
  const languageModel: AiSdkModel = {
    specificationVersion: "v3",
    provider: "p",
    modelId: "m",
    async doStream(options: Record<string, unknown>) {
      seen.push(options);
      if (JSON.stringify(options["toolChoice"]).includes("required"))
        throw refusing("tool_choice", "tool_choice 'required' is not supported");
      if ("temperature" in options) throw refusing("temperature", "`temperature` is deprecated for this model.");
      const parts = [
        { type: "text-delta", id: "1", delta: "42" },
        { type: "finish", finishReason: { unified: "stop", raw: "stop" } },
      ];
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
  const model = fromAiSdkModel(languageModel, { retries: { attempts: 1 } });
  const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }] as const;
  const request = { messages: [], tools, toolChoice: "required", temperature: 0 } as const;
  await generate(model, request);
  await generate(model, request);
  expect(seen.map(({ toolChoice, temperature }) => [toolChoice, temperature])).toEqual([
    [{ type: "required" }, 0],
    [{ type: "auto" }, 0],
    [{ type: "auto" }, undefined],
    [{ type: "auto" }, undefined],
  ]);
});
