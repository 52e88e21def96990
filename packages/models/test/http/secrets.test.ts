// The server repeats an API key in its answers and errors: plain, in base64, URL-escaped, whole and
// in pieces. No key may get into the events or errors that a user could log.

import { type AdapterOptions, anthropic, azure, generate, ollama, openAICompatible } from "@smolts/models";
import type { ModelEvent } from "@smolts/protocol";
import { expect, test } from "vitest";
import { choice, message, sse } from "../ask.ts";
import type { Create } from "../preset.ts";

const messages = [message("user", "go")];
const keys = Array.from(
  { length: 100 },
  (_, index) => `sk-${index}-${btoa(`canary ${index * 7919}`).replace("=", "")}+/&%`,
);

const formsOf = (key: string): readonly string[] => [key, btoa(key), encodeURIComponent(key), btoa(`user:${key}`)];

/** Splits a text into pieces of this length. */
const pieces = (text: string, length: number): readonly string[] =>
  text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];

/** Returns everything that one call reports: its events, and the error with all its fields. */
async function outputOf(create: Create, apiKey: string, response: () => Response): Promise<string> {
  const fetch = async (): Promise<Response> => response();
  const model = create("m", {
    apiKey,
    baseUrl: "http://127.0.0.1:9/v1",
    fetch,
    retries: { attempts: 2, initialDelayMs: 0 },
  });
  const events: ModelEvent[] = [];
  let failure: unknown;
  const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
  try {
    for await (const event of model.stream({ messages }, options)) events.push(event);
  } catch (error) {
    failure = error;
  }
  const error =
    failure instanceof Error ? [failure.message, failure.stack, String(failure.cause), JSON.stringify(failure)] : [];
  return [joined(events), JSON.stringify(events), ...error].join("\n");
}

/** Returns the text that a reader gets by joining the pieces. */
const joined = (events: readonly ModelEvent[]): string =>
  ["text-delta", "reasoning-delta", "tool-call-delta"]
    .map((type) =>
      events
        .map((event) =>
          event.type !== type
            ? ""
            : event.type === "tool-call-delta"
              ? event.inputText
              : "text" in event
                ? event.text
                : "",
        )
        .join(""),
    )
    .join("\n");

const textStream = (text: string, length: number): Response =>
  new Response(sse([...pieces(text, length).map((content) => choice({ content })), choice({}, "stop")]));
const lines = (objects: readonly object[]): Response =>
  new Response(objects.map((one) => `${JSON.stringify(one)}\n`).join(""), {
    headers: { "content-type": "application/x-ndjson" },
  });
const events = (objects: readonly object[]): Response =>
  new Response(objects.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""));

const paths: [what: string, create: Create, respond: (echo: string) => Response][] = [
  ["text", openAICompatible, (echo) => textStream(echo, 1_000)],
  ["text in pieces of one character", openAICompatible, (echo) => textStream(echo, 1)],
  ["text in pieces of seven", openAICompatible, (echo) => textStream(echo, 7)],
  [
    "reasoning in pieces",
    openAICompatible,
    (echo) =>
      new Response(sse([...pieces(echo, 5).map((text) => choice({ reasoning_content: text })), choice({}, "stop")])),
  ],
  [
    "input of a call in pieces",
    openAICompatible,
    (echo) =>
      new Response(
        sse([
          choice({ tool_calls: [{ index: 0, id: "1", function: { name: "a", arguments: "" } }] }),
          ...pieces(echo, 3).map((text) => choice({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
          choice({}, "tool_calls"),
        ]),
      ),
  ],
  [
    "blocks of reasoning",
    openAICompatible,
    (echo) =>
      new Response(sse([choice({ reasoning_details: [{ type: "reasoning.text", text: echo }] }), choice({}, "stop")])),
  ],
  ["a text that breaks off", openAICompatible, (echo) => new Response(sse([choice({ content: echo })], ""))],
  ["an error in the stream", openAICompatible, (echo) => events([{ error: { message: echo } }])],
  ["a refusal", openAICompatible, (echo) => Response.json({ error: { message: echo } }, { status: 401 })],
  ["a retried failure", openAICompatible, (echo) => Response.json({ error: { message: echo } }, { status: 503 })],
  ["a page", openAICompatible, (echo) => new Response(`<html>${echo}`, { headers: { "content-type": "text/html" } })],
  ["Azure's refusal", azure, (echo) => Response.json({ error: { message: echo } }, { status: 401 })],
  [
    "Anthropic's error",
    anthropic,
    (echo) => events([{ type: "error", error: { type: "overloaded_error", message: echo } }]),
  ],
  [
    "Anthropic's text in pieces",
    anthropic,
    (echo) =>
      events([
        { type: "message_start", message: {} },
        ...pieces(echo, 4).map((text) => ({
          type: "content_block_delta",
          index: 0,
          delta: { type: "text_delta", text },
        })),
        { type: "message_delta", delta: { stop_reason: "end_turn" } },
        { type: "message_stop" },
      ]),
  ],
  ["Ollama's error", ollama, (echo) => lines([{ error: echo }])],
  [
    "Ollama's text in pieces",
    ollama,
    (echo) =>
      lines([...pieces(echo, 2).map((content) => ({ message: { content } })), { done: true, done_reason: "stop" }]),
  ],
];
test.each(paths)("no key leaks through %s", async (_what, create, respond) => {
  for (const key of keys) {
    const forms = formsOf(key);
    const output = await outputOf(create, key, () => respond(`your key is ${forms.join(" or ")}, is it not?`));
    // Proves that the output mentioned a key, so that the checks below can fail.
    expect(output).toContain("[redacted]");
    for (const form of forms.slice(0, 3)) expect(output.includes(form), form).toBe(false);
    expect(output.includes(btoa(`user:${key}`)), "in base64 amid other text").toBe(false);
  }
});

const lookalikes: [what: string, options: AdapterOptions, text: string][] = [
  [
    "a text that only begins with a key",
    { apiKey: "sk-0123456789abcdef" },
    "sk-0123456789abcd is not sk-0123456789abcde",
  ],
  ["a placeholder for a key", { apiKey: "ollama" }, "ollama runs models"],
  ["a placeholder phrase for a key", { apiKey: "no-key-is-required" }, "no-key-is-required here"],
  ["the scheme of a header", { headers: { Authorization: "Bearer sk-0123456789abcdef" } }, "Bearer of news"],
  ["a number in a header", { headers: { "X-Max-Tokens": "100000" } }, "100000 ways"],
];
test.each(lookalikes)("does not redact %s", async (_what, options, text) => {
  const fetch = async (): Promise<Response> => textStream(text, 2);
  const model = openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1", fetch, ...options });
  const { message: said } = await generate(model, { messages });
  expect(said.content).toEqual([{ type: "text", text }]);
});
