// Cases from smolagents' interpreter, rewritten in JavaScript: behaviour that its users rely on,
// and bugs of that interpreter that ours must not have.

import type { SerializedError } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { openSession, runBlock, textOf } from "./open-session.ts";

const values: [what: string, code: string, text: string][] = [
  ["the value of a last assignment", "let a = 1; a = a + 1", "2"],
  ["the last of several declared values", "const a = 1, b = [a, 2];", "[ 1, 2 ]"],
  ["recursion", "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } fib(6)", "8"],
  [
    "break and continue in nested loops",
    "let s = 0; out: for (let i = 0; i < 5; i++) for (let j = 0; ; j++) { if (j > i) continue out; if (i === 4) break out; s += j } s",
    "10",
  ],
  [
    "destructuring in loops",
    'const rows = []; for (const [k, [a, b]] of [["x", [1, 2]]]) rows.push(k + (a + b)); rows',
    "[ 'x3' ]",
  ],
  ["spread calls", "Math.max(...[1, 5, 3], 4)", "5"],
  [
    "classes with heirs, static fields, getters and methods",
    "class A { static made = 0; constructor(n) { this.n = n; A.made++ } get double() { return 2 * this.n } } class B extends A { twice() { return [this.double, super.double] } } [new B(4).twice(), A.made]",
    "[ [ 8, 8 ], 1 ]",
  ],
  [
    "closures that change what they captured (there the change is lost)",
    "function counter() { let n = 0; return () => ++n } const c = counter(); c(); c(); c()",
    "3",
  ],
  [
    "lexical scope (there a function sees its caller's names)",
    "const x = 'outer'; function read() { return x } function call() { const x = 'inner'; return read() } call()",
    "outer",
  ],
  [
    "a return inside try (there it is caught)",
    "(() => { try { return 'returned' } catch { return 'caught' } })()",
    "returned",
  ],
  ["rest parameters with the rest alone (there with all)", "((a, ...rest) => rest)(1, 2, 3)", "[ 2, 3 ]"],
  [
    "operands of short circuits",
    "[0 || 'b', 1 && 'c', null ?? 'd', undefined?.x.y.z, true ? 1 : 2]",
    "[ 'b', 'c', 'd', undefined, 1 ]",
  ],
  [
    "templates with formatted numbers",
    "`${(1234.5678).toFixed(2)} ${(0.256).toLocaleString('en', { style: 'percent' })} ${'x'.padStart(3, '.')}`",
    "1234.57 26% ..x",
  ],
  [
    "default parameters, of arrow functions too",
    "const add = (a, b = a * 2, { c = 3 } = {}) => a + b + c; add(1)",
    "6",
  ],
  [
    "lazy iteration over what has no end",
    "function* naturals() { for (let n = 0; ; n++) yield n } naturals().map((n) => n * n).filter((n) => n % 2).take(3).toArray()",
    "[ 1, 9, 25 ]",
  ],
  ["deleting a property", "const o = { a: 1, b: 2 }; delete o.a; o", "{ b: 2 }"],
  [
    "clean-up once and in reverse order, whether it throws or not",
    "const log = []; function within(name, act) { try { return act() } finally { log.push(name) } } try { within('outer', () => within('inner', () => { throw new Error('x') })) } catch (error) { log.push(error.message) } log",
    "[ 'inner', 'outer', 'x' ]",
  ],
  [
    "clean-up that may swallow what was thrown",
    "function within(act) { let isOpen = true; try { return act() } catch { return 'swallowed' } finally { isOpen = false; log.push(isOpen) } } const log = []; [within(() => { throw new Error('x') }), log]",
    "[ 'swallowed', [ false ] ]",
  ],
  [
    "a global object of its own, with nothing of the host",
    "[typeof globalThis.process, typeof globalThis.require, globalThis.Object === Object, typeof globalThis.fetch]",
    "[ 'undefined', 'undefined', true, 'undefined' ]",
  ],
];
test.each(values)("gives %s", async (_what, code, text) => expect(await textOf(code)).toBe(text));

async function errorOf(code: string): Promise<SerializedError> {
  const { result } = await runBlock(code, { search: () => 1 }, { operations: 200_000 });
  if (result.type !== "error" && result.type !== "stopped") throw new Error(`${code}: ${JSON.stringify(result)}`);
  return result.error;
}

const errors: [what: string, code: string, text: string][] = [
  ["assigning to a tool", "search = 5", 'cannot redefine the tool "search"'],
  ["declaring a tool's name", "function search() {}", 'cannot redefine the tool "search"; use another name'],
  ["calling what nobody declared", "nobodyKnows(1)", '"nobodyKnows" is not defined'],
  ["a loop without end", "while (true) {}", "a loop may have no end"],
  [
    "operations inside functions",
    "function spin() { for (let i = 0; i < 1000; i++); } for (;;) spin()",
    "stopped after 200,000 operations",
  ],
  ["spreading what is not iterable", "const rows = {};\nMath.max(...rows)", "is not iterable\nline 2, column 10"],
  [
    "a variable that does not exist (there a similar one is taken)",
    "const total = 1; totl + 1",
    '"totl" is not defined',
  ],
  ["adding to a variable that does not exist (there it starts from 0)", "zzz += 3", '"zzz" is not defined'],
  [
    "deleting from what is frozen",
    "const o = Object.freeze({ a: 1 });\ndelete o.a",
    'cannot delete property "a"\nline 2, column 8',
  ],
  ["deleting a variable", "delete undefinedName", "deleting local variable"],
];
test.each(errors)("refuses %s", async (_what, code, text) => expect((await errorOf(code)).message).toContain(text));

const failedChecks: [what: string, code: string, message: string, hint: string | undefined][] = [
  [
    "thrown where the condition stands",
    "const x = 1;\nif (!(x > 2)) throw new Error('x is too small: ' + x)",
    "Error: x is too small: 1\nline 2, column 21:\n  if (!(x > 2)) throw new Error('x is too small: ' + x)\n                      ^",
    undefined,
  ],
  [
    "written as other languages do, with what to write",
    "const x = 1;\nassert(x > 2)",
    'ReferenceError: "assert" is not defined\nline 2, column 1:\n  assert(x > 2)\n  ^',
    'write if (!condition) throw new Error("what is wrong")',
  ],
];
test.each(failedChecks)("a check that fails names the failing expression: %s", async (_what, code, message, hint) => {
  const error = await errorOf(code);
  expect(error.message).toBe(message);
  expect(error.hint).toBe(hint);
});

test("a check that only prints shows its message, and the code continues", async () => {
  const { lines, result } = await runBlock("const x = 1; console.assert(x > 2, 'x > 2, but x is %d', x); x");
  expect(lines).toEqual([{ level: "error", text: "Assertion failed: x > 2, but x is 1" }]);
  expect(result).toMatchObject({ output: { value: 1 } });
});

const hints: [code: string, hint: string][] = [
  ["const countries = { Bhutan: { people: 1 } }; countries.Butan.people", "did you mean countries.Bhutan?"],
  ["const total = 1; totl + 1", "did you mean total?"],
  ["assert(1 > 2)", 'write if (!condition) throw new Error("what is wrong")'],
];
test.each(hints)("%s returns the hint %j", async (code, hint) => expect((await errorOf(code)).hint).toBe(hint));

describe("escapes that worked in other sandboxes", () => {
  const walks: readonly string[] = [
    '({}).constructor.constructor("return process")()',
    '[].map.constructor("return process")()',
    '(() => {}).constructor("return process")()',
    'Reflect.getPrototypeOf(async () => {}).constructor("return process")()',
    'Reflect.getPrototypeOf(function* () {}).constructor("return process")()',
    '["constructor", "constructor"].reduce((o, k) => o[k], {})("return process")()',
    '[{}].map((o) => Reflect.get(Reflect.get(o, "constructor"), "constructor"))[0]("return process")()',
    'search.constructor("return process")()',
    'search().constructor.constructor("return process")()',
    'Object.getPrototypeOf(search).constructor("return process")()',
    'new Proxy({}, { get: (t, k, r) => r.constructor }).x.constructor("return process")()',
    'class A extends Object {}; new A().constructor.__proto__.constructor("return process")()',
    'try { null.x } catch (error) { error.constructor.constructor("return process")() }',
    'JSON.parse("{}", function () { return this }).constructor.constructor("return process")()',
    'eval("process")',
    '(0, eval)("process")',
    'new Function("return process")()',
    'setTimeout("process")',
    'import("node:" + "process")',
    'import process from "process"',
    "const { mainModule } = process",
    'require("child_process")',
    'globalThis["proc" + "ess"].version',
    'module.constructor._load("fs")',
    "__dirname.length",
  ];
  test.each(walks)("%s", async (code) => {
    expect(await errorOf(code)).toMatchObject({ code: expect.stringMatching(/^(code-execution|import-refused)$/) });
  });

  test("a refusal is not swallowed by a catch", async () => {
    const { result, printed } = await runBlock('try { await import("fs") } catch { } print("went on")');
    expect(result).toMatchObject({ type: "error", error: { code: "import-refused" } });
    expect(printed).toBe("");
  });

  test("a tool can be called, whatever its name", async () => {
    const { result } = await runBlock('await evaluate("1 + 1")', { evaluate: (text) => `would run ${text}` });
    expect(result).toMatchObject({ type: "value", output: { value: "would run 1 + 1" } });
  });
});

test("later blocks can use functions, classes and imported state of one block", async () => {
  await using session = await openSession();
  await session.run("function twice(n) { return 2 * n } class Box { constructor(v) { this.v = v } }");
  expect((await session.run("new Box(twice(4)).v")).result).toMatchObject({ output: { value: 8 } });
});

test("prints in order, separately from the value, and shows objects readably", async () => {
  const { result, lines } = await runBlock("print('a'); console.error({ b: [1, { c: new Map([[1, 'x']]) }] }); 7");
  expect(lines).toEqual([
    { level: "log", text: "a" },
    { level: "error", text: "{\n  b: [ 1, { c: Map(1) { 1 => 'x' } } ]\n}" },
  ]);
  expect(result).toMatchObject({ output: { text: "7" } });
});

test("long code completes when limits are turned off", async () => {
  const off = { operations: 0, guestTimeMs: 0, memoryBytes: 0 };
  const { result } = await runBlock("let n = 0; for (let i = 0; i < 3e5; i++) n += i % 7; n", {}, off);
  expect(result).toMatchObject({ type: "value", output: { value: 899_997 } });
});
