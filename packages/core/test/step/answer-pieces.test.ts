import { ToolCallingAgent } from "@smolts/core";
import type { ContentPart, Model, ModelEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const look = tool({ name: "look", description: "Looks.", effects: "none", execute: () => "seen" });

/** Returns the model's first answer as the second request shows it to the model. */
async function shownAgain(events: readonly ModelEvent[]): Promise<readonly ContentPart[]> {
  const last = scriptedModel([{ toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] }]);
  let shown: readonly ContentPart[] = [];
  const model: Model = {
    id: "events",
    async *stream(request, options) {
      const said = request.messages.find(({ role }) => role === "assistant");
      if (!said) return yield* [...events, { type: "end", finishReason: "tool-calls" }] as const;
      shown = said.content;
      yield* last.stream(request, options);
    },
  };
  await new ToolCallingAgent({ model, tools: [look] }).run("Look.");
  return shown;
}

const thought = (text: string): ModelEvent => ({ type: "reasoning-delta", text });
const signed = (text: string, providerData: string) => ({ type: "reasoning", text, providerData }) as const;
const whole = (text: string, providerData: string): ModelEvent => ({ type: "part", part: signed(text, providerData) });
const text = (said: string): ModelEvent => ({ type: "text-delta", text: said });
const call = (index: number): ModelEvent[] => [
  { type: "tool-call-delta", index, id: `c${index}`, name: "look", inputText: "" },
  { type: "tool-call-delta", index, inputText: "{}" },
];
const callPart = (index: number) => ({ type: "tool-call", id: `c${index}`, name: "look", input: {} });

const orders: [what: string, events: ModelEvent[], parts: object[]][] = [
  [
    "thoughts between calls, with their signatures",
    [thought("one"), whole("one", "s1"), ...call(0), thought("t"), thought("wo"), whole("two", "s2"), ...call(1)],
    [signed("one", "s1"), callPart(0), signed("two", "s2"), callPart(1)],
  ],
  [
    "texts and thoughts by turns",
    [thought("one"), text("A"), thought("two"), text("B"), ...call(0)],
    [
      { type: "reasoning", text: "one" },
      { type: "text", text: "A" },
      { type: "reasoning", text: "two" },
      { type: "text", text: "B" },
      callPart(0),
    ],
  ],
  [
    "thoughts that come whole at the end, in the place of their pieces",
    [thought("one "), ...call(0), thought("two"), ...call(1), whole("one two", "s")],
    [signed("one two", "s"), callPart(0), callPart(1)],
  ],
  [
    "the data for a call, next to unsigned thoughts",
    [thought("hm"), ...call(0), whole("", "for c0")],
    [{ type: "reasoning", text: "hm" }, callPart(0), signed("", "for c0")],
  ],
  [
    "thoughts that are kept secret",
    [whole("", "redacted"), thought("one"), whole("one", "s1"), ...call(0)],
    [signed("", "redacted"), signed("one", "s1"), callPart(0)],
  ],
  [
    "calls whose pieces come by turns",
    [
      { type: "tool-call-delta", index: 0, id: "c0", name: "look", inputText: "{" },
      { type: "tool-call-delta", index: 1, id: "c1", name: "look", inputText: "{" },
      { type: "tool-call-delta", index: 0, inputText: "}" },
      { type: "tool-call-delta", index: 1, inputText: "}" },
    ],
    [callPart(0), callPart(1)],
  ],
];

test.each(orders)("an answer goes back in the order in which it came: %s", async (_what, events, parts) => {
  expect(await shownAgain(events)).toEqual(parts);
});
