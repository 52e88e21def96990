import { type AdapterOptions, generate, openAICompatible } from "@smolts/models";
import { concessions } from "@smolts/models/adapting";
import type { JsonSchema, ModelEvent, ModelRequest } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { choice, message, sse } from "../ask.ts";
import { type CorpusRefusal, complaints, refusals } from "./refusal-corpus.ts";
import { refusalsOfServers } from "./refusals-of-servers.ts";

const schema: JsonSchema = { type: "object", properties: { answer: { type: "number" } }, required: ["answer"] };
const request: ModelRequest = {
  messages: [
    message("system", "be brief"),
    message("user", [
      { type: "text", text: "6 * 7?" },
      { type: "image", source: { url: "https://example.com/a.png" } },
    ]),
  ],
  tools: [{ name: "look", description: "Looks.", inputSchema: schema }],
  toolChoice: "required",
  stop: ["</code>"],
  responseFormat: { name: "answer", schema },
  maxOutputTokens: 64,
  temperature: 0.2,
};

type Body = Readonly<Record<string, unknown>>;

/** Says whether a request contains the part that the refusal names. */
function has(about: CorpusRefusal["about"], body: Body): boolean {
  const text = JSON.stringify(body);
  if (about === "tool_choice") return body["tool_choice"] !== undefined && body["tool_choice"] !== "auto";
  if (about === "system") return text.includes('"role":"system"');
  if (about === "image") return text.includes("image_url");
  if (about === "strict") return text.includes('"strict":true');
  return about in body;
}

/** Creates a model on a server that refuses every request for which `refuses` returns true. */
function asking(
  refuses: (body: Body) => boolean,
  status: number,
  refusal: unknown,
  maxTokensField: "max_tokens" | "max_completion_tokens" = "max_tokens",
) {
  const bodies: Body[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const body: Body = JSON.parse(String(init?.body));
    bodies.push(body);
    if (!refuses(body))
      return new Response(sse([choice({ content: "42" }, "stop")]), {
        headers: { "content-type": "text/event-stream" },
      });
    return new Response(typeof refusal === "string" ? refusal : JSON.stringify(refusal), { status });
  };
  const extra = { seed: 1, parallel_tool_calls: false, reasoning_effort: "low", top_p: 0.5 };
  const options: AdapterOptions = { baseUrl: "http://127.0.0.1:9/v1", retries: { attempts: 1 }, extra, fetch };
  return {
    bodies,
    model: openAICompatible("m", { ...options, provider: { name: "p", maxTokensField, strictTools: true } }),
  };
}

describe("repeats the request without the refused part", () => {
  test.each([...refusals, ...refusalsOfServers].map((refusal) => [refusal.who, refusal.about, refusal] as const))(
    "%s of %s",
    async (_who, about, { status, body }) => {
      const limit = about === "max_completion_tokens" ? about : "max_tokens";
      const { bodies, model } = asking((sent) => has(about, sent), status, body, limit);
      const events: ModelEvent[] = [];
      const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
      for await (const event of model.stream(request, options)) events.push(event);
      expect(bodies.length).toBe(2);
      expect(events.map(({ type }) => type)).toEqual(["learned", "text-delta", "end"]);
      // The second request must still contain all other parts.
      const others = (
        [
          "stop",
          "stream_options",
          "response_format",
          "temperature",
          "seed",
          "top_p",
          "parallel_tool_calls",
          "reasoning_effort",
        ] as const
      ).filter((name) => name !== about);
      for (const other of others) expect(bodies[1], other).toHaveProperty(other);
      expect(bodies[1]).toHaveProperty("tool_choice");
      await generate(model, request);
      expect(bodies.length).toBe(3);
    },
  );
});

describe("reports to the user", () => {
  test.each(complaints)("%s", async (_what, status, body) => {
    const { bodies, model } = asking(() => true, status, body);
    await expect(generate(model, request)).rejects.toMatchObject({ details: { status } });
    expect(bodies.length).toBe(1);
  });
});

test("tool_choice is left out if the server does not support it", async () => {
  const refusal = { error: { message: "property 'tool_choice' is unsupported" } };
  const { bodies, model } = asking((body) => "tool_choice" in body, 400, refusal);
  await generate(model, request);
  expect(bodies.length).toBe(2);
});

test("tool_choice is left out if the server refuses auto, too", async () => {
  const refusal = { error: { message: "tool_choice: this value is not supported" } };
  const { bodies, model } = asking((body) => "tool_choice" in body, 400, refusal);
  await generate(model, request);
  expect(bodies.map((body) => body["tool_choice"])).toEqual(["required", "auto", undefined]);
});

test("an unsupported image is replaced by a note for the model, and an event reports it", async () => {
  const { bodies, model } = asking((body) => has("image", body), 400, { error: "this model does not support images" });
  const events: ModelEvent[] = [];
  const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
  for await (const event of model.stream(request, options)) events.push(event);
  expect(events[0]).toMatchObject({ type: "learned", refused: concessions.noMedia });
  expect(JSON.stringify(bodies[1])).toContain("[image not shown: this model takes no such input]");
});
