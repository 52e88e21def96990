import { collect } from "@smolts/models";
import { cutAtStop } from "@smolts/models/adapting";
import { type ModelEvent, textOf } from "@smolts/protocol";
import { expect, test } from "vitest";

const usage = { type: "usage", usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } } as const;

async function* answer(pieces: readonly string[], rest: readonly ModelEvent[] = []): AsyncGenerator<ModelEvent> {
  for (const text of pieces) yield { type: "text-delta", text };
  yield* rest;
  yield usage;
  yield { type: "end", finishReason: "length" };
}

const facts: [what: string, pieces: string[], stop: string[], text: string][] = [
  ["a stop sequence in one part", ["one STOP two"], ["STOP"], "one "],
  ["a stop sequence across parts", ["one S", "T", "OP two"], ["STOP"], "one "],
  ["the first of several", ["a B c A"], ["A", "B"], "a "],
  ["an end that could have become a stop sequence", ["one ST"], ["STOP"], "one ST"],
  ["the beginning of a stop sequence with another continuation", ["one ST", "ART"], ["STOP"], "one START"],
  ["overlapping beginnings", ["aaa", "ab"], ["aab"], "aa"],
  ["no stop sequences", ["one"], [], "one"],
  ["an empty stop sequence", ["one"], [""], "one"],
];
test.each(facts)("%s", async (_what, pieces, stop, text) => {
  expect(textOf((await collect(cutAtStop(answer(pieces), stop))).message)).toBe(text);
});

test.each(facts)("split at every character: %s", async (_what, pieces, stop, text) => {
  expect(textOf((await collect(cutAtStop(answer([...pieces.join("")]), stop))).message)).toBe(text);
});

test("reports the usage if the model ends soon after, with the finish reason stop", async () => {
  const cut = await collect(cutAtStop(answer(["a STOP\n"]), ["STOP"]));
  expect([cut.usage, cut.finishReason]).toEqual([usage.usage, "stop"]);
});

test("closes the stream of a model that continues", async () => {
  let wasLeft = false;
  async function* endless(): AsyncGenerator<ModelEvent> {
    try {
      for (;;) yield { type: "text-delta", text: "STOP and on and on " };
    } finally {
      wasLeft = true;
    }
  }
  expect(await collect(cutAtStop(endless(), ["STOP"]))).toMatchObject({ finishReason: "stop", usage: null });
  expect(wasLeft).toBe(true);
});

test("yields held-back text before a call, and no call after a cut", async () => {
  const call: ModelEvent = { type: "tool-call-delta", index: 0, id: "1", name: "go", inputText: "{}" };
  const whole = await collect(cutAtStop(answer(["one ST"], [call]), ["STOP"]));
  expect(whole.message.content.map(({ type }) => type)).toEqual(["text", "tool-call"]);
  const cut = await collect(cutAtStop(answer(["one STOP"], [call]), ["STOP"]));
  expect(cut.message.content).toEqual([{ type: "text", text: "one " }]);
});
