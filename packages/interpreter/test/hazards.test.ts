// Tries all kinds of damage that a hostile or careless program could leave behind, and checks the
// state afterwards.

import { decodeValue } from "@smolts/protocol";
import { describe, expect, test, vi } from "vitest";
import { openSession, runBlock, type TestSession, valueOf } from "./open-session.ts";

const double = (value: unknown): number => Number(value) * 2;

async function valueIn(session: TestSession, code: string): Promise<unknown> {
  const { result } = await session.run(code);
  if (result.type !== "value") throw new Error(`${code}: ${JSON.stringify(result)}`);
  return result.output?.value === undefined ? undefined : decodeValue(result.output.value);
}

describe("no code of an ended execution runs in a later one", () => {
  const bombs: [what: string, code: string][] = [
    ["a timer", "setTimeout(() => { hit++ }, 10); finalAnswer(0)"],
    ["an interval", "setInterval(() => { hit++ }, 10); for (;;);"],
    ["a promise job", "Promise.resolve().then(() => { hit++ }); finalAnswer(0)"],
    ["a chain of jobs", "(async () => { for (;;) { await null; hit++ } })(); finalAnswer(0)"],
    ["what waits for a call", "double(1).then(() => { hit++ }); finalAnswer(0)"],
    ["an async function that waits for a call", "(async () => { await double(1); hit++ })(); for (;;);"],
    ["a finally block", "try { for (;;); } finally { hit++ }"],
    [
      "a finally block in a generator",
      "const g = (function* () { try { yield 1; for (;;); } finally { hit++ } })(); g.next(); g.next()",
    ],
    ["a thenable", "Promise.resolve({ then(done) { hit++; done() } }); finalAnswer(0)"],
    [
      "a handler of an unhandled rejection",
      "Promise.reject(1); Promise.reject(2).catch(() => { hit++ }); finalAnswer(0)",
    ],
    [
      "a disposal of an iterator",
      "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return() { hit++; return {} } }) }) finalAnswer(x)",
    ],
    [
      "an async generator",
      "(async () => { for await (const n of (async function* () { for (;;) yield 1 })()) hit += 0 ; })(); finalAnswer(0)",
    ],
  ];
  test.each(bombs)("%s", async (_what, code) => {
    await using session = await openSession({ double }, { operations: 20_000 });
    await session.run("let hit = 0;");
    const { result } = await session.run(code);
    expect(["final-answer", "stopped"]).toContain(result.type);
    expect(
      await valueIn(session, "await null; await double(1); await new Promise((done) => setTimeout(done, 1000)); hit"),
    ).toBe(0);
  });

  test("an async function that waits for a promise which a later block resolves", async () => {
    await using session = await openSession();
    await session.run("let hit = 0; let go; const gate = new Promise((resolve) => { go = resolve })");
    await session.run("(async () => { await gate; hit++ })(); gate.then(() => { hit++ }); finalAnswer(0)");
    expect(await valueIn(session, "go(); await gate; await null; hit")).toBe(0);
  });

  test("but waiting code of a block that ended by itself continues", async () => {
    await using session = await openSession();
    await session.run(
      "let hit = 0; let go; const gate = new Promise((resolve) => { go = resolve }); gate.then(() => { hit++ }); 1",
    );
    expect(await valueIn(session, "go(); await gate; await null; hit")).toBe(1);
  });

  const generators: [what: string, make: string, take: string][] = [
    [
      "a generator",
      "(function* () { try { yield 1; hit++; yield 2 } finally { hit++ } })()",
      "g.next(); g.return(1); [...g]",
    ],
    ["a generator in a loop", "(function* () { for (;;) { yield 1; hit++ } })()", "for (const n of g) break"],
    [
      "an async generator",
      "(async function* () { try { yield 1; hit++; yield 2 } finally { hit++ } })()",
      "await g.next(); await g.return(1)",
    ],
  ];
  test.each(generators)("%s that a stopped execution left suspended", async (_what, make, take) => {
    await using session = await openSession({}, { operations: 20_000 });
    await session.run(`let hit = 0; var g = ${make}`);
    expect((await session.run("await g.next(); for (;;);")).result).toMatchObject({ type: "stopped" });
    expect(await valueIn(session, `${take}; hit`)).toBe(0);
  });

  test("but a suspended generator of a block that ended by itself continues", async () => {
    await using session = await openSession();
    await session.run("var g = (function* () { yield 1; yield 2 })(); g.next(); 0");
    expect(await valueIn(session, "g.next().value")).toBe(2);
  });

  test("a generator that was running when its execution was stopped can never run again", async () => {
    await using session = await openSession({}, { operations: 20_000 });
    await session.run("let hit = 0; var g = (function* () { for (;;) { hit++; if (hit > 5) for (;;); yield hit } })()");
    await session.run("for (const n of g);");
    const before = await valueIn(session, "hit");
    await session.run("try { g.next() } catch {}");
    expect(await valueIn(session, "hit")).toBe(before);
  });
});

describe("a session continues, wherever it was stopped", () => {
  const programs: [what: string, code: string, check: string][] = [
    ["sort", "list.sort((a, b) => a - b)", "list.length === 12 && list.every((n) => typeof n === 'number')"],
    [
      "splice",
      "for (let n = 0; n < 20; n++) list.splice(n % 5, 2, n, n + 1)",
      "list.length === 12 && list.every((n) => typeof n === 'number')",
    ],
    [
      "push and pop",
      "for (let n = 0; n < 50; n++) { list.push(n, n); list.pop(); list.pop() }",
      "list.every((n) => typeof n === 'number')",
    ],
    [
      "map and set",
      "for (let n = 0; n < 30; n++) { map.set(n, [n]); set.add(n % 7); map.delete(n - 3) }",
      "map.size === [...map.keys()].length && [...map].every(([k, [v]]) => k === v) && set.size === [...set].length",
    ],
    [
      "classes",
      "for (let n = 0; n < 10; n++) { class B extends A { #y = n; y() { return this.#y } } last = new B(); if (last.y() !== n || last.x() !== 1) throw 1 }",
      "last === null || (last.x() === 1 && last.y() >= 0)",
    ],
    [
      "destructuring and spread",
      "for (let n = 0; n < 20; n++) { const [a, ...rest] = [...list, ...set]; ({ list: [first] = [] } = { list, a, rest }) }",
      "list.length === 12",
    ],
    [
      "strings and JSON",
      "for (let n = 0; n < 10; n++) { text = JSON.stringify({ list, text: 'x'.padStart(n) }); JSON.parse(text).list.push(1) }",
      "text === '' || JSON.parse(text).list.length === 12",
    ],
    [
      "regular expressions",
      "for (let n = 0; n < 10; n++) text = 'a1b22c333'.replace(/\\d+/g, (d) => d.length + n)",
      "text === '' || /^a\\d+b\\d+c\\d+$/.test(text)",
    ],
    ["promises", "await Promise.all(list.map(async (n) => { await null; set.add(n) }))", "set.size >= 1"],
    [
      "accessors and proxies",
      "const p = new Proxy(o, { get: (t, k) => t[k] }); for (let n = 0; n < 10; n++) { p.n = p.n + 1; Object.defineProperty(o, 'k' + n, { get() { return this.n }, enumerable: true, configurable: true }) }",
      "Object.keys(o).every((k) => typeof o[k] === 'number')",
    ],
  ];
  const setUp =
    "let list = [11, 3, 7, 0, 9, 1, 10, 5, 2, 8, 4, 6]; let map = new Map(); let set = new Set([1]); let text = ''; let first; let last = null; let o = { n: 0 };" +
    "class A { #x = 1; x() { return this.#x } }";

  test.each(programs)("%s", async (_what, code, check) => {
    await using measured = await openSession();
    await measured.run(setUp);
    const { result } = await measured.run(code);
    if (result.type !== "value") throw new Error(JSON.stringify(result));
    const stride = Math.max(1, Math.floor(result.operations / 150));
    for (let operations = 1; operations < result.operations; operations += stride) {
      await using session = await openSession();
      await session.run(setUp);
      const stopped = await session.replay(code, [], { replayStop: { reason: "aborted", operations } });
      expect(stopped.result.type).toBe("stopped");
      expect(stopped.result.operations).toBeLessThanOrEqual(operations);
      expect(await valueIn(session, check)).toBe(true);
    }
  });
});

describe("memory that variables hold", () => {
  // These sessions do not read the host's heap size, because it also depends on other work of the
  // process.
  const sessionWith = (memoryBytes: number) =>
    openSession({}, { memoryBytes, guestTimeMs: 0 }, { heldBytes: () => Number.POSITIVE_INFINITY });

  test("counts in later blocks, and is released when the variables are freed", async () => {
    await using session = await sessionWith(8_000_000);
    const hoard = "hoard.push(Array.from({ length: 3_000 }, (_, n) => 'text of some length '.repeat(10) + n));";
    await session.run("var hoard = [];");
    let stopped = false;
    for (let block = 0; block < 20 && !stopped; block++) stopped = (await session.run(hoard)).result.type === "stopped";
    expect(stopped).toBe(true);
    expect((await session.run("hoard = []; 1")).result).toMatchObject({ type: "value" });
    expect((await session.run(hoard)).result).toMatchObject({ type: "value" });
  });

  test("does not count temporary values", async () => {
    await using session = await sessionWith(8_000_000);
    for (let block = 0; block < 30; block++) {
      const { result } = await session.run(
        "Array.from({ length: 3_000 }, (_, n) => 'text of some length '.repeat(10) + n).length",
      );
      expect(result).toMatchObject({ output: { value: 3_000 } });
    }
  });

  test.each([
    ["a String object", "var kept = Object('x'.repeat(3_000_000)); kept.length"],
    ["a typed array", "var kept = new Uint8Array(3_000_000); kept.length"],
  ])("is measured for %s without listing its elements", async (_what, code) => {
    const listed = vi.spyOn(Object, "keys");
    try {
      await using session = await sessionWith(8_000_000);
      expect((await session.run(code)).result).toMatchObject({ output: { value: 3_000_000 } });
      expect((await session.run("1")).result).toMatchObject({ output: { value: 1 } });
      expect(Math.max(...listed.mock.results.map(({ value }) => value.length))).toBeLessThan(1_000);
    } finally {
      listed.mockRestore();
    }
  });

  test("is measured with little memory, however many objects there are", async () => {
    const { add } = Set.prototype;
    let largest = 0;
    const spy = vi.spyOn(Set.prototype, "add").mockImplementation(function (this: Set<unknown>, value) {
      add.call(this, value);
      largest = Math.max(largest, this.size);
      return this;
    });
    try {
      await using session = await sessionWith(2 ** 25);
      await session.run("var all = []; for (;;) all.push({});");
      expect(await valueIn(session, "all.length")).toBeGreaterThan(250_000);
    } finally {
      spy.mockRestore();
    }
    expect(largest).toBeGreaterThan(100_000);
    expect(largest).toBeLessThan(200_000);
  });
});

describe("printing never takes much longer than it is charged for", () => {
  const programs: [what: string, code: string][] = [
    ["one long text many times in a line", "const s = 'x'.repeat(1_000_000); print(...Array(1000).fill(s))"],
    [
      "one long text by many formats",
      "const s = 'x'.repeat(1_000_000); console.log('%s'.repeat(1000), ...Array(1000).fill(s))",
    ],
    [
      "one long text in many cells",
      "const s = 'x'.repeat(1_000_000); console.table(Array(1000).fill({ a: s, b: s, c: s, d: s }))",
    ],
    ["long runs of spaces in a cell", "console.table([{ a: ' '.repeat(1_000_000) }])"],
    ["many lines in many groups", "for (let n = 0; n < 30; n++) console.group(); print('\\n'.repeat(2_000_000))"],
    [
      "timers set and cleared without end",
      "for (let n = 0; n < 9_000; n++) setTimeout(() => {}, n); for (;;) clearTimeout(0)",
    ],
  ];
  // If the work of these programs were not charged, they would run for minutes, or fill the memory
  // and end the process.
  test.each(programs)("%s", async (_what, code) => {
    await using session = await openSession({}, { memoryBytes: 32_000_000, operations: 2_000_000 });
    const { printed } = await session.run(code);
    expect(printed.length).toBeLessThan(3_000_000);
    expect(await valueIn(session, "1")).toBe(1);
  });
});

describe("no program text can end the process", () => {
  // In these chains, each operator's right side contains the rest of the chain. If each right side
  // were compiled twice, the work would double with each operator.
  const chains: [what: string, code: string, value: unknown][] = [
    ["powers", `${"1 ** ".repeat(60)}2`, 1],
    ["powers assigned", `const f = (x) => { ${"x **= ".repeat(60)} 1; return x }; f(1)`, 1],
    ["keys", `${"1 in ".repeat(60)}{ }`, null],
  ];
  test.each(chains)("by a long chain of %s", async (_what, code, value) => {
    const { result } = await runBlock(code);
    if (value === null) expect(result).toMatchObject({ type: "error", error: { name: "TypeError" } });
    else expect(result).toMatchObject({ type: "value", output: { value } });
  });

  // If V8 compiles a regular expression at the end of the stack, it ends the process. The parser
  // uses regular expressions.
  const nests: [what: string, code: string][] = [
    ["conditions", "if (1) {} else ".repeat(20_000)],
    ["choices", `${"1 ? 1 : ".repeat(20_000)}1`],
    ["parentheses", `${"(".repeat(20_000)}1${")".repeat(20_000)}`],
    ["functions", `${"(() => {".repeat(20_000)}${"})()".repeat(20_000)}`],
    ["patterns", `const ${"[".repeat(20_000)}a${"]".repeat(20_000)} = 1`],
    ["sums", `1${" + 1".repeat(20_000)}`],
    ["functions with types of their own", "async <T>(a) => ".repeat(15_000)],
    ["types", `let x: ${"Array<".repeat(20_000)}number${">".repeat(20_000)}`],
  ];
  test.each(nests)("by nesting %s", async (_what, code) => {
    await using session = await openSession();
    expect((await session.run(code)).result).toMatchObject({ type: "error", error: { name: "SyntaxError" } });
    expect(await valueIn(session, "1 + 1")).toBe(2);
  });

  test("and may nest as deep as real programs do", async () => {
    expect(await valueOf(`${"(".repeat(150)}1${")".repeat(150)}`)).toBe(1);
    expect(await valueOf(`"a"${' + "a"'.repeat(999)}`)).toHaveLength(1_000);
    expect(await valueOf(`const n = 5; if (n === 0) {}${" else if (n === 1) {}".repeat(300)} else 7`)).toBe(7);
  });

  test("by a pattern that is first used at the end of the stack", async () => {
    await using session = await openSession({}, { callDepth: 0 });
    await session.run(
      "const f = (n) => { new RegExp('(x' + n + ')(y)|z').test('axyz'); return [f(n + 1)] }; const g = (n) => n > 0 ? [g(n - 1)] : f(0);",
    );
    for (let step = 0; step < 3; step++) {
      expect((await session.run(`g(${step})`)).result).toMatchObject({ type: "stopped", reason: "call-depth" });
    }
    expect(await valueIn(session, "1 + 1")).toBe(2);
  });
});

describe("an answer", () => {
  const refused: [argument: string, what: RegExp][] = [
    ["new Proxy({}, { get() { hit++ } })", /is a proxy/],
    ["{ get answer() { hit++; return 1 } }", /is an accessor/],
    ["{ toJSON() { hit++; return 1 } }", /is a function/],
    ["[class {}]", /is a function/],
  ];
  test.each(refused)("is not read from %s", async (argument, what) => {
    expect(
      await valueOf(
        `let hit = 0; let message; try { finalAnswer(${argument}) } catch (e) { message = e.message } [hit, message]`,
      ),
    ).toEqual([0, expect.stringMatching(what)]);
  });
});

test("a tool's text and name come from its declaration", async () => {
  const secret = "known to the host alone";
  await using session = await openSession({ look: () => secret });
  expect(await valueIn(session, "[String(look), look.name, `${look}`.includes('secret')]")).toEqual([
    "function look() { [native code] }",
    "look",
    false,
  ]);
});

test("hints do not read from proxies", async () => {
  const trap =
    "new Proxy([{ a: 1 }], { get() { hit++ }, ownKeys() { hit++; return [] }, getOwnPropertyDescriptor() { hit++ } })";
  for (const use of ["rows.data.x", "rows.titel()", "[rows].data.x", "((rows) => rows.data.x)(rows)"]) {
    await using session = await openSession();
    await session.run(`let hit = 0; const rows = ${trap}; let before`);
    const { result } = await session.run(`try { ${use} } catch {} before = hit; hit = 0; ${use}`);
    expect(result.type).toBe("error");
    expect(await valueIn(session, "hit - before")).toBe(0);
  }
});

describe("memory of the host behind small objects", () => {
  const programs: [what: string, make: string][] = [
    [
      "formats of numbers",
      "new Intl.NumberFormat('en', { minimumIntegerDigits: 1 + all.length % 20, minimumFractionDigits: Math.floor(all.length / 20) % 20, maximumFractionDigits: 20, signDisplay: ['auto', 'always', 'never'][Math.floor(all.length / 400) % 3] })",
    ],
    ["compiled patterns", "new RegExp('a{' + all.length + '}' + 'b'.repeat(200))"],
    ["buffers", "new ArrayBuffer(1 << 20)"],
    ["promises that nothing settles", "new Promise(() => {}).then(() => all)"],
    ["symbols", "Symbol('s'.repeat(1000) + all.length)"],
  ];
  test.each(programs)("is counted for %s", async (_what, make) => {
    await using session = await openSession({}, { memoryBytes: 32 * 2 ** 20, operations: 0, guestTimeMs: 0 });
    const { result } = await session.run(`const all = []; for (;;) all.push(${make})`);
    expect(result).toMatchObject({ type: expect.stringMatching(/^(stopped|error)$/) });
    expect(result.type === "stopped" ? result.reason : "memory").toBe("memory");
  });
});

test("errors of tools carry name, message and code, and nothing of the host", async () => {
  const fail = (): never => {
    throw Object.assign(new TypeError("no page", { cause: new Error("secret") }), { config: { headers: "secret" } });
  };
  expect(
    await valueOf(
      "try { await fail() } catch (e) { [Object.getOwnPropertyNames(e).sort().join(), e.constructor === TypeError, e.cause, String(e.stack).includes('secret')] }",
      { fail },
    ),
  ).toEqual([expect.not.stringContaining("config"), true, undefined, false]);
});
