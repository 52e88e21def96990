// Loops and functions that run long enough to become hot. The interpreter then replaces their
// compiled closures while they run.

import { test } from "vitest";
import { expectAgreement } from "./agree.ts";

const rounds = 90_000;

const bodies: readonly string[] = [
  `let s = 0; for (let i = 0; i < ${rounds}; i++) { if (i % 3 === 0) continue; s += i; } return s;`,
  `let s = 0; for (let i = ${rounds}; i > 0; i -= 2) s = (s * 31 + i) % 1000003; return s;`,
  `let s = 0, i = 0; while (i++ < ${rounds}) { if (i % 5) continue; s ^= i; } return [s, i];`,
  `let n = 0; do { if (++n % 7) continue; if (n > ${rounds - 9}) break; } while (n < ${rounds}); return n;`,
  `let s = 0; for (const x of Array.from({ length: ${rounds} }, (_, i) => i)) { if (x % 2) continue; s += x; } return s;`,
  `function* count() { for (let i = 0; i < ${rounds}; i++) yield i; } let s = 0; for (const x of count()) s += x % 10; return s;`,
  `const o = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => ["k" + i, i])); let s = 0; for (const key in o) s += o[key]; return s;`,
  `let s = 0; outer: for (let i = 0; ; i++) { for (let j = 0; j < 100; j++) { if (j === 50) continue outer; if (i * j > ${rounds}) break outer; s += j; } } return s;`,
  `const find = (n) => { for (let i = 0; ; i++) { if (i === n) return { i }; } }; return [find(${rounds}), find(3), find(${rounds})];`,
  `const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); return [fib(22), fib(5)];`,
  `const all = []; for (let i = 0; i < ${rounds}; i++) if (i % 30000 === 7) all.push(() => i); return all.map((f) => f());`,
  `let i = 0; try { for (;;) { i++; if (i === ${rounds}) throw new RangeError("end"); } } catch (error) { return [i, error.message]; }`,
  `class A { #n = 0; step() { return ++this.#n; } } const a = new A(); while (a.step() < ${rounds}); return a.step();`,
  `let s = 0; for (let i = 0; i < 3; i++) { await 0; for (let j = 0; j < ${rounds}; j++) s = (s + i * j) % 9973; } return s;`,
  `const add = (a, b) => a + b; let s = 0; for (let i = 0; i < ${rounds}; i++) s = add(s, i); for (let i = 0; i < 9; i++) s = add(s, "x"); return s;`,
];

test.each(bodies)("behaves like the host, however hot the code becomes: %s", expectAgreement);
