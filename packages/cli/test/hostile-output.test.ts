// Text from models, tools and pages reaches the terminal through every field of every event. All of
// it must be escaped.

import { expect, test } from "vitest";
import { printed, runStart, type ShortEvent } from "./recorded-run.ts";

const hostile = [
  "\u001b[2J\u001b[1;1H",
  "\u001b]8;;http://evil\u0007click\u001b]8;;\u0007",
  "\u001b]52;c;c3R1ZmY=\u001b\\",
  "ok\rFAKE\b\b\u0007\0\u007f",
  "\u009b31m\u0090q\u009c\u0085",
  "\u202egnp\u2066x\u2069\u200b\u200e\ufeff\u00ad",
  "\u{e0041}\u2028\u2029\ud800\udc00\ud83d",
  "[/x] <code> {{{ %s \\x1b",
].join("|");

/** Returns one event of every type, with the text in each field. */
const events = (text: string): ShortEvent[] => {
  const stepNumber = 1;
  const error = { code: "code-execution", name: text, message: text, hint: text, details: text } as const;
  const timing = { startTime: 0, endTime: 0 };
  const path = ["agent", text];
  return [
    { ...runStart(text), systemPrompt: text },
    { ...runStart(text), path },
    { type: "run-resume", attempt: 1, definitionDigest: text },
    { type: "step-start", stepNumber },
    { type: "text-delta", stepNumber, text },
    { type: "reasoning-delta", stepNumber, text },
    { type: "code-delta", stepNumber, text },
    { type: "code-delta", stepNumber, text: "\n" },
    { type: "tool-call-delta", stepNumber, index: 0, name: text, inputText: text },
    { type: "retry", stepNumber, attempt: 2, delayMs: 1, error },
    {
      type: "model-response",
      stepNumber,
      message: { role: "assistant", content: [{ type: "text", text }] },
      usage: null,
      finishReason: "length",
      timing,
    },
    { type: "code-start", stepNumber, code: `// another\n${text}` },
    { type: "console", stepNumber, level: "log", text },
    { type: "console", stepNumber, level: "error", text },
    { type: "tool-call", stepNumber, callId: text, callIndex: 1, name: text, args: [text, { [text]: text }] },
    { type: "tool-start", callId: text, attempt: 1, generation: 1, input: text, effects: "once", idempotencyKey: text },
    { type: "tool-progress", callId: text, data: { [text]: text } },
    { type: "tool-progress", callId: text, data: text },
    { type: "tool-result", callId: text, outcome: { type: "ok", value: { [text]: text } } },
    { type: "tool-call", stepNumber, callId: "2", callIndex: 2, name: text, args: [] },
    { type: "tool-result", callId: "2", outcome: { type: "error", error } },
    { type: "code-end", stepNumber, result: { type: "value", output: { text }, operations: 1, unawaited: [] } },
    { type: "note", name: text, data: text },
    { type: "step-end", stepNumber, observation: [{ type: "text", text }], error, answer: null },
    { type: "step-start", stepNumber: 2 },
    // There are no deltas, so the text of the response itself is printed.
    {
      type: "model-response",
      stepNumber: 2,
      message: { role: "assistant", content: [{ type: "text", text }] },
      usage: null,
      finishReason: "stop",
      timing,
    },
    { type: "step-end", stepNumber: 2, observation: [], error: null, answer: null },
    { type: "run-end", status: "failed", answer: text, error },
    { type: "run-end", status: "success", answer: { [text]: [text] } },
  ];
};

/** Removes our own colours and the sequence that erases the status line. */
const withoutOurs = (text: string): string => text.replace(/\u001b\[\d{1,2}m|\r\u001b\[2K/g, "");

const forbidden = /[^\n\P{Cc}]|(?!\ufe0f)[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

test.each(["error", "info", "debug"] as const)(
  "no hostile text reaches the terminal unescaped at level %s",
  async (level) => {
    for (const color of [false, true]) {
      const text = await printed(events(hostile), { level, color, output: { isTTY: true } });
      expect(text).toContain("\\x1b[2J");
      expect(withoutOurs(text)).not.toMatch(forbidden);
      if (!color) expect(text).not.toContain("\u001b[3");
    }
  },
);

test.each(["text-delta", "reasoning-delta", "code-delta"] as const)("a %s may be split anywhere", async (type) => {
  const whole = await printed([runStart("x"), { type, stepNumber: 1, text: `${hostile}\n` }], { level: "debug" });
  for (let cut = 0; cut <= hostile.length; cut++) {
    const pieces = [hostile.slice(0, cut), `${hostile.slice(cut)}\n`];
    const deltas = pieces.map((text): ShortEvent => ({ type, stepNumber: 1, text }));
    expect(await printed([runStart("x"), ...deltas], { level: "debug" })).toBe(whole);
  }
  expect(withoutOurs(whole)).not.toMatch(forbidden);
});

test("text that arrives in deltas of one code unit is shown correctly", async () => {
  const deltas = [..."a😀b"].flatMap((character) => character.split(""));
  const events = deltas.map((text): ShortEvent => ({ type: "text-delta", stepNumber: 1, text }));
  expect(await printed([runStart("x"), ...events])).toContain("a😀b");
});

test("a line break in a tool's name starts no new line", async () => {
  const name = "getWeather\nStep 2";
  const text = await printed([
    runStart("x"),
    { type: "tool-call", stepNumber: 1, callId: "1", callIndex: 1, name, args: [] },
  ]);
  expect(text).toContain("→ getWeather\\nStep 2()\n");
});
