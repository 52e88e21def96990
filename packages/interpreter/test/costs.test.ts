// What costs the host much costs the program much, the same in every session, and what would take the host far too long is refused.

import type { InterpreterLimits } from "@smolts/interpreter";
import type { ExecutionResult } from "@smolts/protocol";
import { expect, test } from "vitest";
import { openSession } from "./open-session.ts";

async function resultOf(code: string, limits: InterpreterLimits = {}): Promise<ExecutionResult> {
  await using session = await openSession({ echo: (value) => value }, { guestTimeMs: 0, ...limits });
  return (await session.run(code)).result;
}

test.each([
  ["===", "const a = 'x'.repeat(1e6) + 'a', b = 'x'.repeat(1e6) + 'a'; for (let n = 0; n < 1e4; n++) a === b"],
  [
    "switch",
    "const a = 'x'.repeat(1e6) + 'a', b = 'x'.repeat(1e6) + 'a'; for (let n = 0; n < 1e4; n++) switch (a) { case b: }",
  ],
  ["<", "const a = 'x'.repeat(1e6) + 'a', b = 'x'.repeat(1e6) + 'b'; for (let n = 0; n < 1e4; n++) a < b"],
  ["+text", "const a = '7'.repeat(1e6) + 'x'; for (let n = 0; n < 1e4; n++) +a"],
  ["a key", "const a = 'k'.repeat(1e6), o = {}; for (let n = 0; n < 1e4; n++) o[a]"],
  [
    "includes",
    "const a = 'x'.repeat(1e6) + 'a', b = ['x'.repeat(1e6) + 'a']; for (let n = 0; n < 1e4; n++) b.includes(a)",
  ],
  ["a key of a Map", "const a = 'k'.repeat(1e6), m = new Map([[1, 2]]); for (let n = 0; n < 1e4; n++) m.get(a)"],
  ["a value of a Set", "const a = 'k'.repeat(1e6), s = new Set(); for (let n = 0; n < 1e4; n++) s.delete(a)"],
])("%s on long texts costs operations in proportion to their length", async (_name, code) => {
  expect(await resultOf(code, { operations: 5_000_000 })).toMatchObject({ type: "stopped", reason: "operations" });
});

test("a text and a bigint of other sizes are compared without parsing", async () => {
  const code =
    "const s = '9'.repeat(1e6); [s == 1n, s > 1n, 1n < s, `-${s}` < 1n, '0'.repeat(1e6) + '1' == 1n, s + 'x' > 1n]";
  expect(await resultOf(code)).toMatchObject({ output: { value: [false, true, true, true, true, false] } });
});

test.each([
  ["more than 1,000 combining marks in a row are not normalized", "('a' + '\\u0301\\u0316'.repeat(1e5)).normalize()"],
  [
    "more than 256 combining marks in a row are not compared by language",
    "('a' + '\\u0301'.repeat(300)).localeCompare('b')",
  ],
  ["a chain of prototypes ends at 1,000", "let o = {}; for (;;) o = Object.create(o)"],
  [
    "so does one that is made from its top",
    "let o = {}; for (;;) { const p = {}; Object.setPrototypeOf(o, p); o = p }",
  ],
])("%s", async (_name, code) => {
  expect(await resultOf(code)).toMatchObject({ type: "error", error: { name: "RangeError" } });
});

test("a long text is normalized and changes its case in pieces as it would in one", async () => {
  const code = `const part = "e\\u0301 Σίσυφος ΟΔΥΣΣΕΥΣ ß \\uac00\\u11a8 ";
    const long = part.repeat(3000);
    [long.normalize() === part.normalize().repeat(3000), long.toLowerCase() === part.toLowerCase().repeat(3000), long.toUpperCase() === part.toUpperCase().repeat(3000)]`;
  expect(await resultOf(code)).toMatchObject({ output: { value: [true, true, true] } });
});

test("what another session formatted changes no count", async () => {
  const code = "(1234.5).toLocaleString('de', { minimumFractionDigits: 3 })";
  const first = await resultOf(code);
  expect((await resultOf(code)).operations).toBe(first.operations);
});

test.each([
  ["one call", { callBytes: 1_000 }, "echo('x'.repeat(2000))"],
  ["calls under way", { pendingBytes: 5_000 }, "for (let n = 0; n < 10; n++) echo('x'.repeat(1000))"],
  ["all calls of a block", { sentBytes: 5_000 }, "for (let n = 0; n < 10; n++) await echo('x'.repeat(1000))"],
])("the bytes that %s may hand over are limited", async (_name, limits, code) => {
  expect(await resultOf(code, limits)).toMatchObject({ type: "stopped", reason: "sent-bytes" });
});

test("the length of an array behind a proxy is paid for", async () => {
  const code = "const kept = []; for (;;) { const p = new Proxy([], {}); kept.push(p); p.length = 33554400 }";
  expect(await resultOf(code)).toMatchObject({ type: "stopped", reason: "memory" });
});

test.each([
  ["(a+)(b+)?c", "'a'.repeat(3e5)"],
  ["x*x*x*y", "'x'.repeat(3e4)"],
  ["a{190}b", "'a'.repeat(5e6)"],
  ["(?:a|ab)+$", "'ab'.repeat(3e5) + '!'"],
])("/%s/ counts its steps in a text that takes it long", async (pattern, text) => {
  const code = `new RegExp(${JSON.stringify(pattern)}).test(${text})`;
  expect(await resultOf(code, { operations: 3_000_000 })).toMatchObject({ type: "stopped", reason: "operations" });
});

test("a pattern finds the same in a short text and in a long one", async () => {
  const code = `const patterns = [/(\\w+)@(\\w+)\\.com/, /(\\d+)-(\\d+)?x/, /"((?:[^"\\\\]|\\\\.)*)"/, /^(.*?),(.*)$/m, /\\b(\\d+)\\.(\\d+)\\b/, /(?<=a)b+c?/i, /\\s+\\S+\\s*!/u];
    const line = 'mail bob@example.com 12-34x "a \\\\" b" 3.14, ABBC é! and\\n';
    const padding = "lorem ipsum 9.a dolor a@b 'q' \\n".repeat(20000);
    patterns.map((p) => { const a = p.exec(line), b = p.exec(padding + line); return JSON.stringify(a) === JSON.stringify(b) || p.exec(padding) !== null; })`;
  expect(await resultOf(code)).toMatchObject({ output: { value: Array(7).fill(true) } });
});

test.each([
  ["a long list", "const value = Array(1e6).fill(0)"],
  [
    "a long list that begins with holes",
    "const value = Array(1e6).fill(0); for (let i = 1; i < 200; i += 2) delete value[i]",
  ],
  ["a long list of bytes", "const value = new Uint8Array(1e6)"],
  ["a long list in an object", "const value = { rows: Array(1e6).fill(0) }"],
])("printing %s costs what is shown of it", async (_name, code) => {
  const operations = async (times: number): Promise<number> =>
    (await resultOf(`${code}; for (let i = 0; i < ${times}; i++) console.log(value); 1`, { outputCharacters: 0 }))
      .operations;
  expect((await operations(20)) - (await operations(10))).toBeLessThan(10 * 2_000);
});

test("names on a list are printed where the list is short enough to look for them", async () => {
  const code = (length: number): string => `const list = Array(${length}).fill(0); list.total = 7; console.log(list)`;
  await using session = await openSession();
  expect((await session.run(code(10))).printed).toContain("total: 7");
  expect((await session.run(code(1e6))).printed).not.toContain("total");
});

test.each([
  ["bigints", "[(1n << 3000000n) + 1n]"],
  ["names of functions", "({ ['f'.repeat(1e6)]() {} })"],
  ["descriptions of symbols", "[Symbol('s'.repeat(1e6))]"],
  ["messages of errors", "[new Error('e'.repeat(1e6))]"],
])("printing long %s costs operations in proportion to their length", async (_name, value) => {
  const code = `const value = ${value}; for (let i = 0; i < 1e3; i++) console.log(value)`;
  const result = await resultOf(code, { operations: 5_000_000, outputCharacters: 0, memoryBytes: 0 });
  expect(result).toMatchObject({ type: "stopped", reason: "operations" });
});

test.each(["'a'.match(text)", "'a'.search(text)", "[...'a'.matchAll(text)]", "new RegExp(text)", "/a/.compile(text)"])(
  "a pattern of more than 250,000 characters is refused: %s",
  async (code) => {
    expect(await resultOf(`const text = 'x'.repeat(250_001); ${code}`)).toMatchObject({
      type: "error",
      error: { name: "SyntaxError", message: expect.stringContaining("250001 characters is too long") },
    });
  },
);

test("a long pattern costs operations in proportion to its length each time it is read", async () => {
  const code = "const text = 'x'.repeat(2e5); for (let i = 0; i < 100; i++) text.match(text + (i % 2));";
  const result = await resultOf(code, { operations: 5_000_000, memoryBytes: 0 });
  expect(result).toMatchObject({ type: "stopped", reason: "operations" });
});
