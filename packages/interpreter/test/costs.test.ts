// Work that is expensive for the host is charged to the program, with the same cost in every
// session. Work that would take the host far too long is refused.

import type { InterpreterLimits } from "@smolts/interpreter";
import type { ExecutionResult } from "@smolts/protocol";
import { expect, test, vi } from "vitest";
import { openSession } from "./open-session.ts";

async function resultOf(code: string, limits: InterpreterLimits = {}): Promise<ExecutionResult> {
  await using session = await openSession({ echo: (value) => value }, { guestTimeMs: 0, ...limits });
  return (await session.run(code)).result;
}

/** Runs a program with a memory limit. The heap counts as empty, as other tests use it too. */
async function resultWithin(memoryBytes: number, code: string): Promise<ExecutionResult> {
  await using session = await openSession({}, { memoryBytes, guestTimeMs: 0 }, { heldBytes: () => 0 });
  return (await session.run(code)).result;
}

/** Returns how often the clock is read while a program runs. */
async function looksAtClock(code: string): Promise<number> {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  try {
    await resultOf(code);
    return clock.mock.calls.length;
  } finally {
    clock.mockRestore();
  }
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
  ["replace with many patterns", "'x'.replace(/(?<a>x)/, '$<'.repeat(2e6))"],
  ["Symbol.for", "const a = 'k'.repeat(1e6); for (let n = 0; n < 1e4; n++) Symbol.for(a)"],
  ["a label of the console", "const a = 'k'.repeat(1e6); for (let n = 0; n < 1e4; n++) console.timeEnd(a)"],
  ["a value of a Set", "const a = 'k'.repeat(1e6), s = new Set(); for (let n = 0; n < 1e4; n++) s.delete(a)"],
])("%s on long texts costs operations in proportion to their length", async (_name, code) => {
  expect(await resultOf(code, { operations: 5_000_000 })).toMatchObject({ type: "stopped", reason: "operations" });
});

test.each(["++a", "a--", "n = a++", "o.a++", "n = o['a']--", "[...b].forEach((x) => x++)", "this.#a++"])(
  "an update of a long bigint costs operations and memory in proportion to its length: %s",
  async (update) => {
    const code = `let n, a = 1n << 3000000n; const o = { a }, b = [a];
      new (class { #a = a; run() { for (let i = 0; i < 1e4; i++) { ${update}; } } })().run();`;
    expect(await resultOf(code, { operations: 5_000_000 })).toMatchObject({ type: "stopped", reason: "operations" });
    const few = code.replace("1e4", "20");
    const heldBytes = (): number => Number.POSITIVE_INFINITY; // not reported, so everything counts
    await using session = await openSession({}, { memoryBytes: 4 * 2 ** 20, guestTimeMs: 0 }, { heldBytes });
    expect((await session.run(few)).result).toMatchObject({ type: "stopped", reason: "memory" });
  },
);

test("the stack of an error costs operations in proportion to the length of the code before it", async () => {
  const read = "new Error('x').stack; 1";
  const { operations } = await resultOf(read);
  expect((await resultOf("\n".repeat(32_000) + read)).operations).toBeGreaterThanOrEqual(operations + 1_000);
});

test("a text and a bigint of different sizes are compared without parsing", async () => {
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
  ["texts of more than 200,000 characters are not compared by language", "'a'.repeat(200_001).localeCompare('b')"],
  ["a chain of prototypes ends at 1,000", "let o = {}; for (;;) o = Object.create(o)"],
  [
    "a chain of prototypes that grows at its root ends at 1,000, too",
    "let o = {}; for (;;) { const p = {}; Object.setPrototypeOf(o, p); o = p }",
  ],
  ["a chain of proxies ends at 1,000", "let o = {}; for (;;) o = new Proxy(o, {})"],
])("%s", async (_name, code) => {
  expect(await resultOf(code)).toMatchObject({ type: "error", error: { name: "RangeError" } });
});

test.each([
  ["a number", "a[1e7] = 1"],
  ["a text", "a['10000000'] = 1"],
  ["Object.assign", "Object.assign(a, { 10000000: 1 })"],
  ["Object.defineProperty", "Object.defineProperty(a, 1e7, { value: 1 })"],
  ["Reflect.set", "Reflect.set({}, 1e7, 1, a)"],
])("a store far beyond the end of a long array needs memory for the gap: by %s", async (_how, store) => {
  const memoryBytes = 64 * 2 ** 20;
  const long = `const a = Array(1e6).fill(1); ${store}; a.length`;
  expect(await resultWithin(memoryBytes, long)).toMatchObject({ type: "stopped", reason: "memory" });
  const short = `const a = Array(1e3).fill(1); ${store}; a.length`;
  expect(await resultWithin(memoryBytes, short)).toMatchObject({ output: { value: 10_000_001 } });
});

test("an object keeps its elements, however they were moved", async () => {
  const code = `const o = {}; for (let n = 0; n < 5000; n++) o[n] = n;
    o[9000] = 9; o[9001] = 10; delete o[9000]; Object.defineProperty(o, 7, { get: () => 8, enumerable: true });
    const copies = [o, { ...o }, structuredClone(o), JSON.parse(JSON.stringify(o)), await echo({ ...o })];
    copies.map((copy) => [Object.keys(copy).length, copy[7], copy[4999], copy[9001], 2147483648 in copy].join())`;
  expect(await resultOf(code)).toMatchObject({ output: { value: Array(5).fill("5001,8,4999,10,false") } });
});

test.each([
  ["1n << 16000000n", "[bigint]"],
  ["({ big: 1n << 16000000n })", "[Object]"],
])("a last value whose text takes too long is shown by its kind: %s", async (code, text) => {
  expect(await resultOf(code)).toMatchObject({ output: { text } });
});

test.each([
  ["a store behind its end", "a[5e6] = 1"],
  ["a store under a text", "a['5000000'] = 1"],
  ["a longer length", "a.length = 1e6"],
  ["a deletion", "delete a[5]"],
  ["an accessor", "Object.defineProperty(a, 5, { get() {}, configurable: true })"],
])("the clock is checked each time that an array with holes is shortened: by %s", async (_how, makeHoles) => {
  const pops = "for (let n = 0; n < 500; n++) { a.pop(); a.length--; }";
  const before = await looksAtClock(`const a = [...Array(2e5).keys()]; ${pops}`);
  const after = await looksAtClock(`const a = [...Array(2e5).keys()]; ${makeHoles}; ${pops}`);
  expect(after).toBeGreaterThan(before + 900);
});

test.each([
  ["a loop", "for (let n = 0; n < 500; n++) { LONG }"],
  ["a loop with two counters", "for (let n = 0, m = 1; n < 500; n += m) { LONG }"],
  ["a loop whose variable is captured", "for (let n = 0; n < 500; n++) { () => n; LONG }"],
  ["a loop with a condition", "let n = 0; while (n < 500) { n++; LONG }"],
  ["a loop with a condition at its end", "let n = 0; do { n++; LONG } while (n < 500)"],
  ["a loop over values", "for (const n of Array(500)) { LONG }"],
  ["a loop over keys", "for (const n in Array(500).fill(1)) { LONG }"],
  ["a loop that may wait", "for (let n = 0; n < 500; n++) { if (n < 0) await n; LONG }"],
  ["a loop that waits for each value", "for await (const n of Array(500)) { LONG }"],
  ["a function", "const f = () => { LONG }; for (let n = 0; n < 500; n++) f()"],
  [
    "a function that throws early",
    "const f = (a = b) => { LONG }; for (let n = 0; n < 500; n++) try { f(); } catch {}",
  ],
  ["a constructor", "class A { constructor() { LONG } } for (let n = 0; n < 500; n++) new A()"],
  ["fields", "class A { a = 1; LONG } for (let n = 0; n < 500; n++) new A()"],
  ["an async function", "const f = async () => { await 1; LONG }; for (let n = 0; n < 500; n++) f()"],
  ["a generator", "function* f() { for (;;) { yield 1; } LONG } let n = 0; for (const x of f()) if (n++ > 500) break"],
])("the clock is checked each time that long code runs: %s", async (_name, code) => {
  const short = await looksAtClock(code.replace("LONG", "/* */"));
  const long = await looksAtClock(code.replace("LONG", `/* ${" ".repeat(1e5)} */`));
  expect(long).toBeGreaterThan(short + 450);
});

test.each([
  ["listed", "Object.keys(o)"],
  ["iterated over", "for (const key in o);"],
  ["copied", "({ ...o })"],
  ["converted to a list", "Object.entries(o)"],
])("the clock is checked each time that an object or array with many hidden keys is %s", async (_how, use) => {
  const fill = "const o = {}; for (let n = 0; n < 2e4; n++) Object.defineProperty(o, Symbol(), { value: n });";
  const array = fill.replace("{}", "[]");
  const before = await looksAtClock(fill);
  const uses = `for (let n = 0; n < 100; n++) { ${use}; }`;
  expect(await looksAtClock(`${fill} ${uses}`)).toBeGreaterThan(before + 90);
  expect(await looksAtClock(`${array} ${uses}`)).toBeGreaterThan(before + 90);
});

test.each(["o[7]", "7 in o", "o['k' + n]", "o instanceof F", "o.x = 1; delete o.x"])(
  "the clock is checked more often after a long chain of prototypes was made: %s",
  async (search) => {
    const make = "class F {} let o = {}; for (let n = 0; n < 900; n++) o = Object.create(o);";
    const searches = `for (let n = 0; n < 20_000; n++) { ${search}; }`;
    const short = await looksAtClock(`${make} o = {}; ${searches}`.replace("900", "3"));
    expect(await looksAtClock(`${make} ${searches}`)).toBeGreaterThan(short + 200);
  },
);

test("the keys of an object are not listed each time that one is deleted", async () => {
  const listing = vi.spyOn(Reflect, "ownKeys");
  try {
    await resultOf(
      "const o = {}; for (let n = 0; n < 400; n++) o['k' + n] = n; for (let n = 0; n < 1e3; n++) { delete o.k0; o.k0 = 1; }",
    );
    expect(listing.mock.calls.length).toBeLessThan(500);
  } finally {
    listing.mockRestore();
  }
});

test("the text of a static method is searched for its start only once", async () => {
  const replacing = vi.spyOn(String.prototype, "replace");
  try {
    const code = `class A { static${" ".repeat(1e3)}f() {} } for (let n = 0; n < 1e3; n++) String(A.f); String(A.f)`;
    expect(await resultOf(code)).toMatchObject({ output: { value: "f() {}" } });
    expect(replacing.mock.contexts.filter((text) => String(text).startsWith("static "))).toHaveLength(1);
  } finally {
    replacing.mockRestore();
  }
});

test("copying a long list needs memory for the strings of its indices", async () => {
  const copy = (length: number): Promise<ExecutionResult> =>
    resultWithin(32 * 2 ** 20, `finalAnswer(Array(${length}).fill(0))`);
  expect(await copy(1e6)).toMatchObject({ type: "stopped", reason: "memory" });
  expect(await copy(1e5)).toMatchObject({ type: "final-answer" });
});

test("properties of String objects are counted without a list of their characters", async () => {
  const listed = vi.spyOn(Reflect, "ownKeys");
  try {
    await resultOf(
      "const s = Object('x'.repeat(1e6)); for (let n = 0; n < 500; n++) { s['k' + n] = n; delete s['k' + n]; }",
    );
    expect(Math.max(...listed.mock.results.map(({ value }) => value.length))).toBeLessThan(1_000);
  } finally {
    listed.mockRestore();
  }
});

test("patterns of many sets match as those of few", async () => {
  const code = `const many = new RegExp("\\\\p{L}".repeat(30), "u");
    [many.test("\\u4e2dx".repeat(15)), many.test("x".repeat(29)), many.exec("1" + "y".repeat(31)).index]`;
  expect(await resultOf(code)).toMatchObject({ output: { value: [true, false, 1] } });
});

test("a host name of more than 1,024 characters is not a valid URL", async () => {
  const code =
    "[1024, 1025].map((length) => URL.canParse('http://' + 'a.'.repeat(length / 2) + 'a'.repeat(length % 2)))";
  expect(await resultOf(code)).toMatchObject({ output: { value: [true, false] } });
});

test("a long text that is normalized or changes its case in pieces has the same result as in one piece", async () => {
  const code = `const part = "e\\u0301 Σίσυφος ΟΔΥΣΣΕΥΣ ß \\uac00\\u11a8 ";
    const long = part.repeat(3000);
    [long.normalize() === part.normalize().repeat(3000), long.toLowerCase() === part.toLowerCase().repeat(3000), long.toUpperCase() === part.toUpperCase().repeat(3000)]`;
  expect(await resultOf(code)).toMatchObject({ output: { value: [true, true, true] } });
});

test("formatters that another session made do not change the counts", async () => {
  const code = "(1234.5).toLocaleString('de', { minimumFractionDigits: 3 })";
  const first = await resultOf(code);
  expect((await resultOf(code)).operations).toBe(first.operations);
});

test.each([
  ["one call", { callBytes: 1_000 }, "echo('x'.repeat(2000))"],
  ["one call with escapes in a text", { callBytes: 1_000 }, "echo('\\u0001'.repeat(200))"],
  ["one call with escapes in an object", { callBytes: 1_000 }, "echo({ a: '\\u0001'.repeat(200) })"],
  ["one call with many numbers", { callBytes: 1_000 }, "echo(...Array(500).fill(1))"],
  ["a final answer", { callBytes: 1_000 }, "finalAnswer(['x'.repeat(2000)])"],
  ["a final answer that waits for a promise", { callBytes: 1_000 }, "finalAnswer(Promise.resolve('x'.repeat(2000)))"],
  ["calls under way", { pendingBytes: 5_000 }, "for (let n = 0; n < 10; n++) echo('x'.repeat(1000))"],
  ["all calls of a block", { sentBytes: 5_000 }, "for (let n = 0; n < 10; n++) await echo('x'.repeat(1000))"],
])("the bytes that %s may pass to tools are limited", async (_name, limits, code) => {
  expect(await resultOf(code, limits)).toMatchObject({ type: "stopped", reason: "sent-bytes" });
});

test.each([
  [2e6, 2e6],
  [2e7, undefined],
])("a last value of %s characters is shown by its start, and copied if it is not too long", async (length, copied) => {
  const { output } = (await resultOf(`'x'.repeat(${length})`)) as Extract<ExecutionResult, { type: "value" }>;
  expect(output?.text.slice(999_990)).toBe(`xxxxxxxxxx... ${length - 1e6} more characters`);
  expect((output?.value as string | undefined)?.length).toBe(copied);
});

test("too many bytes for a call are refused before they are copied", async () => {
  const encoded = vi.spyOn(globalThis, "btoa");
  const result = await resultOf("echo(new Uint8Array(5_000))", { callBytes: 1_000 });
  expect(result).toMatchObject({ type: "stopped", reason: "sent-bytes" });
  expect(encoded).not.toHaveBeenCalled();
  encoded.mockRestore();
});

test("the length of an array behind a proxy is charged", async () => {
  const code = "const kept = []; for (;;) { const p = new Proxy([], {}); kept.push(p); p.length = 33554400 }";
  expect(await resultOf(code)).toMatchObject({ type: "stopped", reason: "memory" });
});

test.each([
  ["(a+)(b+)?c", "'a'.repeat(3e5)"],
  ["x*x*x*y", "'x'.repeat(3e4)"],
  ["a{190}b", "'a'.repeat(5e6)"],
  ["(?:a|ab)+$", "'ab'.repeat(3e5) + '!'"],
])("/%s/ counts its steps in a text that takes long to search", async (pattern, text) => {
  const code = `new RegExp(${JSON.stringify(pattern)}).test(${text})`;
  expect(await resultOf(code, { operations: 3_000_000 })).toMatchObject({ type: "stopped", reason: "operations" });
});

test("a pattern finds the same matches in a short text and in a long one", async () => {
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
])("printing %s is charged only for the part that is shown", async (_name, code) => {
  const operations = async (times: number): Promise<number> =>
    (await resultOf(`${code}; for (let i = 0; i < ${times}; i++) console.log(value); 1`, { outputCharacters: 0 }))
      .operations;
  expect((await operations(20)) - (await operations(10))).toBeLessThan(10 * 2_000);
});

test("named properties of a list are printed if the list is short enough to search for them", async () => {
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

test.each([
  ["for in", "for (const key in a) break"],
  ["for in of an heir", "for (const key in Object.create(a)) break"],
  ["Object.keys", "Object.keys(a)"],
  ["Object.entries", "Object.entries(a)"],
  ["Object.getOwnPropertyNames", "Object.getOwnPropertyNames(a)"],
  ["Object.assign", "Object.assign({}, a)"],
  ["a spread", "({ ...a })"],
  ["a rest", "const { x, ...rest } = a"],
  ["structuredClone", "structuredClone(a)"],
  ["Object.keys of a proxy", "Object.keys(new Proxy(a, {}))"],
  ["Object.keys of a text", "Object.keys('x'.repeat(1e6))"],
])("%s requires memory for its list of keys before making the list", async (_name, code) => {
  await using session = await openSession({}, { memoryBytes: 60 * 2 ** 20, guestTimeMs: 0 }, { heldBytes: () => 0 });
  expect((await session.run("var a = Array(1e6).fill(0); 1")).result).toMatchObject({ type: "value" });
  expect((await session.run(code)).result).toMatchObject({ type: "stopped", reason: "memory" });
});

test("for-in skips keys that an earlier object of the chain hides, also with proxies", async () => {
  const code = `const keys = [];
    const far = Object.defineProperty({ a: 1, b: 2, c: 3, d: 4 }, "e", { value: 5 });
    const middle = new Proxy(Object.setPrototypeOf({ b: 1, f: 1 }, far), {});
    const near = Object.defineProperty(Object.create(middle), "c", { value: 0 });
    for (const key in near) keys.push(key);
    keys.join("")`;
  expect(await resultOf(code)).toMatchObject({ output: { value: "bfad" } });
});

test("a pattern that backtracks far requires memory before its stack is moved", async () => {
  await using session = await openSession({}, { memoryBytes: 60 * 2 ** 20, guestTimeMs: 0 }, { heldBytes: () => 0 });
  const { result } = await session.run("/(?:a|ab)*?b/y.test('a'.repeat(5e5))");
  expect(result).toMatchObject({ type: "stopped", reason: "memory" });
});

test.each([
  ["let", (names) => `let ${names}, n70`],
  ["var after let", (names) => `let ${names}; { var n70 }`],
  ["parameters", (names) => `((${names}, n70) => 1)()`],
  ["types among them", (names) => `let ${names}: number; let n70`],
  ["a type", () => `${Array.from({ length: 80 }, (_, index) => `type T${index} = 1;`).join("")} type T70 = 1`],
] as [string, (names: string) => string][])("a name among many is declared once: %s", async (_name, code) => {
  const names = Array.from({ length: 80 }, (_, index) => `n${index}`).join();
  expect(await resultOf(code(names))).toMatchObject({
    error: { message: expect.stringMatching(/declared|argument name clash/) },
  });
});

test("names of a parse attempt that is undone can be declared again", async () => {
  const names = Array.from({ length: 80 }, (_, index) => `n${index}`).join();
  const code = `let ${names}; let f = (m1, m2 = (n1 < n2), m3) => m3; let m1 = (n3), m2 = 5; [f(1, 2, 3), m2]`;
  expect(await resultOf(code)).toMatchObject({ output: { value: [3, 5] } });
});

test("the built-in properties of a function with many properties come first", async () => {
  const code = `function f(a) {} for (let i = 0; i < 2e4; i++) f["k" + i] = i;
    const names = Object.getOwnPropertyNames(f);
    [names.length, names.slice(0, 5).join(), f.k19999]`;
  expect(await resultOf(code)).toMatchObject({ output: { value: [20_003, "length,name,prototype,k0,k1", 19_999] } });
});
