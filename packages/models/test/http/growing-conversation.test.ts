// Our models keep the JSON text of the messages that they have already sent, to save time. Their
// requests must be identical to those of a new model, which has kept nothing.

import { type AdapterOptions, generate } from "@smolts/models";
import type { ChatMessage, ContentPart } from "@smolts/protocol";
import { expect, test } from "vitest";
import { choice, message, sentFor, sse, testModel } from "../ask.ts";

const image: ContentPart = { type: "image", source: { digest: "sha256-x", mediaType: "image/png", size: 5 } };
const text = (value: string): ContentPart => ({ type: "text", text: value });
const call = (id: string): ContentPart => ({ type: "tool-call", id, name: "look", input: {} });
const result = (id: string, ...output: ContentPart[]): ContentPart => ({
  type: "tool-result",
  id,
  output,
  isError: false,
});

/**
 * A conversation with everything that affects how messages are joined: images in tool results,
 * consecutive messages of one role, and answers with and without calls.
 */
const conversation: readonly ChatMessage[] = [
  message("system", "be brief"),
  message("user", "look"),
  message("assistant", [call("a"), call("b")]),
  message("tool", [result("a", text("moon"), image), result("b", text("sun"))]),
  message("user", "and more"),
  message("assistant", "I think"),
  message("assistant", "and think"),
  message("user", "one"),
  message("user", "two"),
  message("assistant", [text("again"), call("c")]),
  message("tool", [result("c", image)]),
  message("assistant", "done"),
  message("user", "thanks"),
];

function askedModel(options: AdapterOptions): (messages: readonly ChatMessage[]) => Promise<unknown> {
  const bodies: string[] = [];
  const fetch = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    bodies.push(String(init.body));
    return new Response(sse([choice({ content: "ok" }, "stop")]), { headers: { "content-type": "text/event-stream" } });
  };
  const model = testModel({ ...options, fetch });
  return async (messages) => {
    await generate(model, { messages }, { readBlob: async () => new TextEncoder().encode("bytes") });
    return JSON.parse(bodies.at(-1) ?? "");
  };
}

const settings: [what: string, options: AdapterOptions][] = [
  ["with the usual roles", {}],
  ["where the model's answers have another role", { roles: { assistant: "user" } }],
  ["where the user has the model's role", { roles: { user: "assistant" } }],
  ["as text", { contentAsText: true }],
];
test.each(settings)("a growing conversation is sent as if it were new, %s", async (_what, options) => {
  const ask = askedModel(options);
  for (let length = 1; length <= conversation.length; length++) {
    const messages = conversation.slice(0, length);
    expect(await ask(messages)).toEqual((await sentFor({ messages }, options)).body);
  }
});

test("conversations with the same beginning are distinguished, also if messages in the middle were changed or removed", async () => {
  const ask = askedModel({});
  await ask(conversation);
  const changed = conversation.with(4, message("user", "and less"));
  const cut = [...conversation.slice(0, 2), ...conversation.slice(7)];
  const other = [...conversation.slice(0, 6), message("user", "another way")];
  for (const messages of [changed, cut, other, conversation]) {
    expect(await ask(messages)).toEqual((await sentFor({ messages })).body);
  }
});
