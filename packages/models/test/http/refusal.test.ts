// If a server refuses a part of a request, the request is repeated once without that part, and
// later requests leave it out.

import { type AdapterOptions, anthropic, generate, openAICompatible } from "@smolts/models";
import type { ModelRequest } from "@smolts/protocol";
import { type ServerReply, startModelServer } from "@smolts/testing/server";
import { expect, test } from "vitest";
import { message } from "../ask.ts";

const messages = [message("user", "6 * 7?")];
const request: ModelRequest = { messages, stop: ["</code>"], maxOutputTokens: 9, temperature: 0 };
const once: AdapterOptions = { retries: { attempts: 1 } };
const refusal = (text: string, fields: object = {}, status = 400): ServerReply => ({
  status,
  body: { error: { message: text, type: "invalid_request_error", ...fields } },
});

const refusals: [who: string, reply: ServerReply, field: string, instead?: string][] = [
  [
    "OpenAI of max_tokens",
    refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      {
        param: "max_tokens",
        code: "unsupported_parameter",
      },
    ),
    "max_tokens",
    "max_completion_tokens",
  ],
  [
    "OpenAI of a value of temperature",
    refusal(
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      {
        param: "temperature",
        code: "unsupported_value",
      },
    ),
    "temperature",
  ],
  [
    "OpenAI of stop",
    refusal("Unsupported parameter: 'stop' is not supported with this model.", { param: "stop" }),
    "stop",
  ],
  [
    "xAI of stop",
    { status: 400, body: { code: "invalid", error: "Argument not supported on this model: stop" } },
    "stop",
  ],
  [
    "LiteLLM of stop",
    refusal("litellm.UnsupportedParamsError: openai does not support parameters: ['stop'], for model=o3."),
    "stop",
  ],
  [
    "a strict server of stream_options",
    {
      status: 422,
      body: {
        detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }],
      },
    },
    "stream_options",
  ],
];
test.each(refusals)("learns from %s", async (_who, reply, field, instead) => {
  await using server = await startModelServer([reply, "one", "two"]);
  const model = openAICompatible("m", { ...once, baseUrl: server.url });
  await generate(model, request);
  await generate(model, request);
  const bodies = server.requests.map(({ body }) => body);
  expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
  if (instead) expect(bodies[1]?.[instead]).toBe(9);
  const others = ["stop", "max_tokens", "temperature", "stream_options"].filter((name) => name !== field);
  for (const name of others) expect(bodies[1], name).toHaveProperty(name);
});

test("learns one field after the other, each once, and emits no retry events", async () => {
  const replies = ["max_tokens", "temperature", "stop"].map((name) => refusal(`Unsupported parameter: '${name}'`));
  await using server = await startModelServer([...replies, "42</code> and more"]);
  const model = openAICompatible("m", { ...once, baseUrl: server.url });
  const types: string[] = [];
  const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
  for await (const event of model.stream(request, options)) types.push(event.type);
  expect(server.requests.length).toBe(4);
  expect(types).not.toContain("retry");
});

test("cuts the answer at a stop sequence if the model refuses stop sequences, and reports the usage", async () => {
  await using server = await startModelServer([refusal("Unsupported parameter: 'stop'"), "42</code> and more"]);
  const answer = await generate(openAICompatible("m", { ...once, baseUrl: server.url }), request);
  expect(answer.message.content).toEqual([{ type: "text", text: "42" }]);
  expect(answer.usage).not.toBeNull();
  expect(answer.finishReason).toBe("stop");
});

test("leaves out refused fields of extra, too", async () => {
  await using server = await startModelServer([refusal("Unsupported parameter: 'seed'"), "42"]);
  const model = openAICompatible("m", { ...once, extra: { seed: 1, user: "u" }, baseUrl: server.url });
  await generate(model, request);
  expect(server.requests.map(({ body }) => ["seed" in body, body["user"]])).toEqual([
    [true, "u"],
    [false, "u"],
  ]);
});

const lasting: [what: string, reply: ServerReply, options?: AdapterOptions][] = [
  [
    "says that a limit is too large",
    refusal("max_tokens is too large: 9. This model supports at most 4.", { param: "max_tokens" }),
  ],
  ["does not know the model", refusal("The model does not exist or you do not have access: unknown model")],
];
test.each(lasting)("does not repeat the request if the server %s", async (_what, reply, options) => {
  await using server = await startModelServer([reply, "42"]);
  await expect(
    generate(openAICompatible("m", { ...once, ...options, baseUrl: server.url }), request),
  ).rejects.toMatchObject({
    code: "generation",
  });
  expect(server.requests.length).toBe(1);
});

test("fails if the server refuses a field that was not sent", async () => {
  await using server = await startModelServer(() => refusal("Unsupported parameter: 'stop'"));
  const model = openAICompatible("m", { ...once, baseUrl: server.url });
  await expect(generate(model, request)).rejects.toMatchObject({ code: "generation" });
  expect(server.requests.length).toBe(2);
});

test("learns from Anthropic, too", async () => {
  await using server = await startModelServer([refusal("`temperature` is deprecated for this model."), "42"]);
  await generate(anthropic("claude", { ...once, baseUrl: server.url }), request);
  expect(server.requests.map(({ body }) => "temperature" in body)).toEqual([true, false]);
});
