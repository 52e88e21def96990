// The server repeats an API key in its answers and errors: plain, in base64, URL-escaped, whole and
// in pieces. No key may get into the events or errors that a user could log.

import { inspect } from "node:util";
import { openai } from "@smolts/model-openai";
import type { ModelEvent } from "@smolts/protocol";
import { expect, test } from "vitest";
import { responseEvents, sseResponse } from "./responses-fetch.ts";

const keys = Array.from(
  { length: 100 },
  (_, index) => `sk-${index}-${btoa(`canary ${index * 7919}`).replace("=", "")}+/&%`,
);
const formsOf = (key: string): readonly string[] => [key, btoa(key), encodeURIComponent(key), btoa(`user:${key}`)];

type Api = "chat" | "responses";

/** Returns everything that one call reports: its events, separately and joined, and the error. */
async function outputOf(api: Api, apiKey: string, response: () => Response): Promise<string> {
  const fetch = async (): Promise<Response> => response();
  const model = openai("m", { api, apiKey, fetch, retries: { attempts: 2, initialDelayMs: 0 } });
  const request = { messages: [{ role: "user", content: [{ type: "text", text: "go" }] }] } as const;
  const events: ModelEvent[] = [];
  let failure: unknown;
  try {
    const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
    for await (const event of model.stream(request, options)) events.push(event);
  } catch (error) {
    failure = error;
  }
  const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  return [text, JSON.stringify(events), inspect(failure, { depth: 9, showHidden: true }), JSON.stringify(failure)].join(
    "\n",
  );
}

const pieces = (text: string): readonly string[] => text.match(/.{1,5}/gs) ?? [];
const chunk = (delta: object, reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: reason }],
});

const paths: [what: string, api: Api, respond: (echo: string) => Response][] = [
  [
    "text in pieces",
    "chat",
    (echo) => sseResponse([...pieces(echo).map((content) => chunk({ content })), chunk({}, "stop")]),
  ],
  ["text", "responses", (echo) => sseResponse(responseEvents([{ type: "message", text: echo }]))],
  ["an error in the stream", "chat", (echo) => sseResponse([{ error: { message: echo } }])],
  ["a refusal", "responses", (echo) => Response.json({ error: { message: echo } }, { status: 401 })],
  ["a retried failure", "chat", (echo) => Response.json({ error: { message: echo } }, { status: 503 })],
  ["a page", "responses", (echo) => new Response(`<html>${echo}`, { headers: { "content-type": "text/html" } })],
];
test.each(paths)("shows no key through %s (%s)", async (_what, api, respond) => {
  for (const key of keys) {
    const forms = formsOf(key);
    const output = await outputOf(api, key, () => respond(`your key is ${forms.join(" or ")}, is it not?`));
    expect(output).toContain("[redacted]");
    for (const form of forms) expect(output.includes(form), form).toBe(false);
  }
});

test.each(["chat", "responses"] as const)(
  "follows no redirect with a key, and shows no key in a redirect's address (%s)",
  async (api) => {
    for (const key of keys) {
      const location = `https://elsewhere.example/?key=${encodeURIComponent(key)}`;
      const output = await outputOf(api, key, () => new Response(null, { status: 307, headers: { location } }));
      expect(output).toContain("redirect");
      for (const form of formsOf(key)) expect(output.includes(form), form).toBe(false);
    }
  },
);
