import { thrownText } from "@smolts/protocol";
import { expect, test } from "vitest";

const hostile = {
  get message(): string {
    throw new Error("the getter ran");
  },
};

const facts: [what: string, thrown: unknown, text: string][] = [
  ["an error", new Error("no answer"), "no answer"],
  ["an error without a message", new RangeError(), "RangeError"],
  ["a text", "out of paper", "out of paper"],
  ["a symbol", Symbol("stop"), "Symbol(stop)"],
  ["null", null, "null"],
  ["an object with a message", { message: "quota" }, "quota"],
  ["another object", { status: 500 }, '{"status":500}'],
  ["an object with a secret", { status: 401, apiKey: "abcdef" }, '{"status":401,"apiKey":"[redacted]"}'],
  ["an error with a secret", new Error("at https://me:pw@example.org"), "at https://[redacted]@example.org"],
  ["a text with a secret", "x-api-key: abcdef", "x-api-key: [redacted]"],
  ["a long message", new Error("x".repeat(9_000)), `${"x".repeat(2_000)}...`],
  ["a long object", { text: "x".repeat(1_000) }, `{"text":"${"x".repeat(291)}...`],
  ["an object whose message cannot be read", hostile, "an object that cannot be shown"],
];

test.each(facts)("returns a text for %s", (_what, thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});
