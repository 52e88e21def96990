import { expect, test } from "vitest";
import { evaluateGuest } from "./evaluate-guest.ts";

const values: readonly [what: string, blocks: readonly string[], value: unknown][] = [
  ["the last expression", ["1; 2"], 2],
  ["the last binding of a declaration", ["const a = 1, b = 2"], 2],
  ["the last binding of a pattern", ["const { a, b: [c] } = { a: 1, b: [7] }"], 7],
  ["an assignment", ["let x; x = 5"], 5],
  ["the value inside a last block", ["if (true) { 'in' } else { 'out' }"], "in"],
  [
    "bindings of every kind in the next block",
    ["let a = 1; const b = 2; var c = 3; function d() { return 4 } class E { v = 5 }", "[a, b, c, d(), new E().v]"],
    [1, 2, 3, 4, 5],
  ],
  ["a constant that is declared again", ["const x = 1", "const x = 2", "x"], 2],
  ["a name declared again as another kind", ["const x = 1", "let x = 2; x++", "function x() { return 9 }", "x()"], 9],
  [
    "a redeclaration that reads the value before",
    ["const rows = [1, 2, 3]", "const rows = rows.filter((n) => n > 1)", "rows"],
    [2, 3],
  ],
  ["an earlier function that sees the new value", ["let n = 1; const read = () => n", "let n = 2", "read()"], 2],
  ["a function that uses what a later block declares", ["function f() { return later }", "const later = 5", "f()"], 5],
  ["a name that nobody declared", ["total = 5", "total + 1"], 6],
  ["a nested assignment to a name that nobody declared", ["(() => { count = 3 })()", "count"], 3],
  ["top-level await", ["const r = await Promise.resolve(3)", "r + await 4"], 7],
  ["state changed by a closure", ["let n = 0; const up = () => ++n", "up(); up()", "n"], 2],
  ["a loop at the top level", ["let s = 0; for (let i = 0; i < 4; i++) s += i; s"], 6],
  ["var in a nested block", ["{ var inner = 4 }", "inner"], 4],
  ["a built-in that is shadowed", ["const Math = 5", "Math"], 5],
  ["an answer under its own name", ["const finalAnswer = 42; finalAnswer(finalAnswer)"], { finalAnswer: [42] }],
  [
    "an answer whose variable is of an earlier block",
    ["const final_answer = 7; const finalAnswer = 8", "finalAnswer(finalAnswer)"],
    { finalAnswer: [8] },
  ],
  [
    "a key that is converted once",
    ["let n = 0; const key = { toString() { n++; return 'x' } }; const o = { x: 1 }; o[key] += 1; [n, o.x]"],
    [1, 2],
  ],
  [
    "the closing of an iterator whose promise was rejected",
    [
      "const log = []; const bad = { [Symbol.iterator]: () => ({ next: () => ({ value: Promise.reject('bad'), done: false }), return() { log.push('closed'); return {} } }) }; try { for await (const x of bad); } catch (e) { log.push(e) } log",
    ],
    ["closed", "bad"],
  ],
  [
    "a function that a variable of its name takes over",
    ["function f() { return 1 } var f; const kind = typeof f; var f = 2; [kind, f]"],
    ["function", 2],
  ],
  ["the later of two functions of one name", ["function f() { return 1 } function f() { return 2 } f()"], 2],
  ["what is exported, as if it were not", ["export const a = 1; export function f() { return a }", "f() + a"], 2],
  ["a list of exports, which says nothing", ["const a = 1; export { a, a as b }; a + 1"], 2],
  ["a default export that has a name", ["export default function main() { return 7 }", "main()"], 7],
  ["another default export as its value", ["export default { a: 1 }"], { a: 1 }],
  ["this at the top level", ["this === globalThis"], true],
];
test.each(values)("gives %s", async (_what, blocks, value) => expect(await evaluateGuest(...blocks)).toEqual(value));

const refused: readonly [what: string, blocks: readonly string[], message: RegExp][] = [
  ["an assignment to an earlier block's constant", ["const a = 1", "a = 2"], /constant/],
  ["a declaration that takes a tool's name", ["const search = 1"], /cannot redefine the tool "search"/],
  ["an assignment to a tool's name", ["search = 1"], /cannot redefine the tool "search"/],
  ["a nested assignment to a tool's name", ["(() => { search = 1 })()"], /cannot redefine the tool "search"/],
  ["import", ["import fs from 'fs'"], /no module can be imported/],
  ["exports of another module", ["export * from 'fs'"], /cannot export from other modules/],
  ["an export of what another module has", ["export { a } from 'fs'"], /cannot export from other modules/],
  ["an export of a name that is not there", ["export { a }"], /export "a" is not defined/],
  ["dynamic import", ["await import('fs')"], /no module can be imported/],
  ["import.meta", ["import.meta"], /import\.meta/],
  ["eval", ["eval('1')"], /./],
  ["Function", ["new Function('return 1')"], /./],
  ["the constructors behind functions", ["(async () => {}).constructor('return 1')()"], /not available/],
  ["with", ["with ({}) {}"], /./],
  ["a lexical name twice in one block", ["let a; let a"], /already/],
  ["a function under the name of a constant", ["const f = 1; function f() {}"], /already/],
  ["another undefined", ["const { a: undefined } = {}"], /"undefined" cannot be declared again/],
  ["an unknown name", ["nobody"], /"nobody" is not defined/],
];
test.each(refused)("refuses %s", async (_what, blocks, message) => {
  await expect(evaluateGuest(...blocks)).rejects.toThrow(message);
});

const messages: readonly [code: string, message: RegExp][] = [
  ["const user = null; user.name", /cannot read property "name" of null \("user" is null\)/],
  ["const o = {}; o.run()", /"o\.run" is not a function/],
  ["const [a] = 5", /5 is not iterable/],
  ["1n + 1", /mix a bigint and a number/],
  ["x; let x = 1", /cannot access "x" before its declaration has run/],
  ["const { a } = undefined", /cannot destructure undefined/],
  ["new (class A { #x; static read(o) { return o.#x } }).read({})", /./],
];
test.each(messages)("says what is wrong with %s", async (code, message) => {
  await expect(evaluateGuest(code)).rejects.toThrow(message);
});
