import { redact, toToolError } from "@smolts/core";
import { AgentError } from "@smolts/protocol";
import { expect, test } from "vitest";

const secret = "s3cr3t-Value_1234567890";

const hidden: [what: string, text: string][] = [
  ["the password of a URL", `connect to postgres://admin:${secret}@db.example.com/app failed`],
  ["the user of a URL", `GET https://${secret}@example.com/`],
  ["a key in a query", `GET https://example.com/v1?key=${secret}&q=1`],
  ["an API key in a query", `GET https://example.com/v1?q=1&api_key=${secret}`],
  ["a token in a query", `https://example.com/?access_token=${secret}`],
  ["a signature in a query", `https://example.com/?X-Amz-Signature=${secret}`],
  ["a bearer token", `401 with Authorization: Bearer ${secret}`],
  ["a bearer token without its header's name", `sent Bearer ${secret}`],
  ["a header as JSON", `{"headers":{"Authorization":"Bearer ${secret}"}}`],
  ["a key header", `x-api-key: ${secret}`],
  ["a key header as JSON", `{"x-api-key":"${secret}"}`],
  ["a field of a provider's body", `{"error":"bad","api_key":"${secret}"}`],
  ["a password in a list of settings", `host=db password=${secret} user=me`],
  ["a password of letters only", "password=s3cr3tx user=me"],
  ["a token after a space", `token: ${secret}`],
  ["a key of a known shape", `key sk-proj-${secret} is invalid`],
  ["a Hugging Face token", "token hf_abcdefghijklmnopqrstuv is invalid"],
  ["a GitHub token", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
  ["an npm token", "token npm_abcdefghijklmnopqrstuvwxyz0123456789 is invalid"],
  ["an AWS key id", "the key AKIAIOSFODNN7EXAMPLE is unknown"],
  ["a JSON Web Token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_def-123"],
];

test.each(hidden)("hides %s", (_what, text) => {
  const shown = redact(text);
  expect(shown).toContain("[redacted]");
  expect(shown).not.toMatch(/s3cr3t|hf_abc|npm_abc|ghp_abc|AKIA|eyJ/);
});

const kept: [what: string, text: string][] = [
  ["a plain URL", "GET https://example.com/a?q=keyboard&page=2 gave 404"],
  ["prose", "the monkey stole a token of love; the author asked for the key"],
  ["what a parser says", "invalid token: expected a name"],
  ["a stack of words", "no such table: tokens"],
  ["an address of mail", "mailbox me@example.com is full"],
];

test.each(kept)("leaves %s as it is", (_what, text) => {
  expect(redact(text)).toBe(text);
});

test("hides twice what it hid once", () => {
  for (const [, text] of hidden) expect(redact(redact(text))).toBe(redact(text));
});

test("a tool's error becomes name, message and code, and nothing else", () => {
  const error = Object.assign(new TypeError("no such row", { cause: new Error(secret) }), { config: { key: secret } });
  expect(toToolError(error)).toEqual({ code: "tool-execution", name: "TypeError", message: "no such row" });
});

const thrown: [what: string, value: unknown, message: string][] = [
  ["a text", "out of paper", "out of paper"],
  ["a number", 404, "the tool threw 404"],
  ["nothing", undefined, "the tool threw undefined"],
  ["null", null, "the tool threw null"],
  ["an object with a message", { message: "quota", key: secret }, "quota"],
  ["another object", { key: secret }, "the tool threw an object that is not an error"],
  ["an error without a message", new Error(), "the tool failed without saying why"],
  [
    "an object whose message cannot be read",
    Object.defineProperty({}, "message", {
      get: () => {
        throw new Error(secret);
      },
    }),
    "the tool failed with an error that cannot be read",
  ],
];

test.each(thrown)("describes %s that was thrown", (_what, value, message) => {
  expect(toToolError(value)).toMatchObject({ code: "tool-execution", message });
});

test("keeps the codes that a tool may choose, and no others", () => {
  const refusal = new AgentError("tool-input", 'no "city"', { hint: "pass { city }", details: { key: secret } });
  expect(toToolError(refusal)).toEqual({ code: "tool-input", message: 'no "city"', hint: "pass { city }" });
  expect(toToolError(new AgentError("generation", "no answer")).code).toBe("tool-execution");
});

test("cuts long messages, and hides a secret across the cut", () => {
  const { message } = toToolError(new Error(`${"x".repeat(1_990)} Bearer ${secret} ${"y".repeat(1_000_000)}`));
  expect(message.length).toBeLessThanOrEqual(2_000);
  expect(message).not.toContain("s3c");
});
