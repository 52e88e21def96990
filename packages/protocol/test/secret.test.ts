import { inspect } from "node:util";
import { AgentError, decodeValue, encodeValue, hideSecretsOf, isSecret, secret } from "@smolts/protocol";
import { expect, test } from "vitest";

const value = 'pa55/w0rd+"ünd"?more';
const token = secret(value);

test("a secret is printed, copied and joined as [secret], and reveals its value on request", () => {
  const shown = [
    `${token}`,
    JSON.stringify({ token }),
    inspect({ token }),
    String(token),
    inspect(token, { showHidden: true }),
  ];
  for (const text of shown) expect(text).toContain("[secret]");
  expect(shown.join()).not.toContain("pa55");
  expect([token.reveal(), isSecret(token), isSecret({ reveal: () => value })]).toEqual([value, true, false]);
  expect(() => encodeValue({ token })).toThrow(AgentError);
});

test.each([["short"], [""], [undefined], [12345678]])("secret(%o) is refused", (given) => {
  expect(() => secret(given as string)).toThrow(/^secret\(\) got .*; expected a string of at least 8/);
});

const bytes = Buffer.from(value);
const inBase64 = (before: string, after: string): string => Buffer.from(before + value + after).toString("base64");

test.each([
  ["as it is", `Bearer ${value}!`],
  ["in JSON", JSON.stringify({ inner: value })],
  ["in a URL", `https://example.com/?q=${encodeURIComponent(value)}&r=1`],
  ["in hex", bytes.toString("hex")],
  ["in upper-case hex", bytes.toString("hex").toUpperCase()],
  ["in base64", inBase64("", "")],
  ["in base64 after one byte", inBase64("a", "z")],
  ["in base64 after a user name", `Basic ${inBase64("me:", ":x")}`],
  ["in base64url after two bytes", Buffer.from(`ab${value}`).toString("base64url")],
])("a value %s is removed", (_how, text) => {
  const hide = hideSecretsOf({ deep: [new Map([["token", token]])] });
  const hidden = hide?.({ list: [{ text, [text]: 1 }] });
  expect(JSON.stringify(hidden)).toContain("[secret]");
  const left = JSON.stringify(hidden);
  for (const form of [value, "pa55", bytes.toString("hex"), encodeURIComponent(value)])
    expect(left).not.toContain(form);
  const base64 = left.match(/[A-Za-z0-9+/_-]{10,}/g) ?? [];
  for (const found of base64) expect(Buffer.from(found, "base64").toString("latin1")).not.toContain("w0rd");
});

test("encoded values that contained a secret can still be decoded", () => {
  const number = secret("123456789012");
  const hide = hideSecretsOf([token, number]);
  const held = {
    bytes: new TextEncoder().encode(`ab${value}`),
    big: 123456789012n,
    other: 5n,
    map: new Map([[value, 1]]),
  };
  const shown = decodeValue(hide?.(encodeValue(held)) ?? null);
  const bytes = new TextEncoder().encode("[secret]");
  expect(shown).toEqual({ bytes, big: "[secret]", other: 5n, map: new Map([["[secret]", 1]]) });
});

test("data without the value stays the same object, and metadata without secrets needs no replacement", () => {
  const data = { list: [1, "two", { three: null }] };
  expect(hideSecretsOf({ token })?.(data)).toBe(data);
  const getter = {
    get token() {
      throw new Error("a getter ran");
    },
  };
  expect([hideSecretsOf(undefined), hideSecretsOf({ a: [1] }), hideSecretsOf(getter)]).toEqual([null, null, null]);
});
