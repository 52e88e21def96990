import { expect, test } from "vitest";
import { expectAgreement } from "./language/agree.ts";
import { valueOf } from "./open-session.ts";

// The interpreter must give the same result as the host for each row. A row with "return" is a
// function body; a row without "return" is an expression.
const rows: readonly string[] = [
  "const log = []; Promise.resolve(1).then((v) => log.push(v)); log.push(0); await null; return log;",
  'const log = []; const t = (n) => () => log.push(n); Promise.resolve().then(t(1)).then(t(2)).then(t(3)); Promise.resolve().then(t("a")).then(t("b")).then(t("c")); for (let i = 0; i < 6; i++) await null; return log;',
  'const log = []; new Promise((r) => r(Promise.resolve(1))).then(() => log.push("adopted")); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)); for (let i = 0; i < 6; i++) await null; return log;',
  'const log = []; new Promise((r) => r({ then(f) { log.push("then called"); f(1); } })).then(() => log.push("done")); log.push("sync"); for (let i = 0; i < 5; i++) await null; return log;',
  'const log = []; (async () => { await { then(f) { log.push("t"); f(); } }; log.push("after"); })(); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)); for (let i = 0; i < 6; i++) await null; return log;',
  'const log = []; (async () => { return Promise.resolve(1); })().then(() => log.push("async return")); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)).then(() => log.push(4)); for (let i = 0; i < 8; i++) await null; return log;',
  'const log = []; (async () => { return await Promise.resolve(1); })().then(() => log.push("async await")); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)); for (let i = 0; i < 8; i++) await null; return log;',
  'const log = []; Promise.reject(1).catch((e) => log.push("c" + e)).finally(() => log.push("f")); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)); for (let i = 0; i < 8; i++) await null; return log;',
  'const log = []; Promise.resolve(5).finally(() => log.push("f")).then((v) => log.push(v)); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)).then(() => log.push(4)).then(() => log.push(5)); for (let i = 0; i < 9; i++) await null; return log;',
  "const log = []; Promise.all([1, Promise.resolve(2)]).then((v) => log.push(v)); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)).then(() => log.push(4)); for (let i = 0; i < 8; i++) await null; return log;",
  'const log = []; Promise.race([Promise.reject("x"), Promise.resolve(2)]).catch((v) => log.push(v)); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)).then(() => log.push(4)); for (let i = 0; i < 8; i++) await null; return log;',
  "const log = []; Promise.allSettled([1, Promise.reject(2)]).then((v) => log.push(v)); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)); for (let i = 0; i < 8; i++) await null; return log;",
  "const log = []; Promise.any([Promise.reject(1), 2]).then((v) => log.push(v)); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)).then(() => log.push(3)); for (let i = 0; i < 8; i++) await null; return log;",
  'const log = []; (async function* () { yield 1; yield 2; })().next().then((v) => log.push(v)); Promise.resolve().then(() => log.push("a")).then(() => log.push("b")).then(() => log.push("c")); for (let i = 0; i < 8; i++) await null; return log;',
  'const log = []; const p = Promise.resolve(); for (const n of [1, 2, 3]) p.then(() => log.push(n)); await p; log.push("await"); await null; return log;',
  "const log = []; let r; const p = new Promise((f) => (r = f)); p.then(() => log.push(1)); p.then(() => log.push(2)); r(); log.push(0); await p; return log;",
  'const log = []; const f = async (n) => { log.push(n); await null; log.push(n + "\'"); await null; log.push(n + "\'\'"); }; f("a"); f("b"); for (let i = 0; i < 5; i++) await null; return log;',
  'const log = []; (async () => { try { await Promise.reject(1); } catch { log.push("caught"); } finally { log.push("finally"); } })(); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)); for (let i = 0; i < 5; i++) await null; return log;',
  "let count = 0; new Promise((a, b) => { a(1); a(2); b(3); throw 4; }).then(() => count++, () => (count += 10)); await null; await null; return count;",
  'return await new Promise((_, reject) => reject(new TypeError("x"))).catch((e) => e.message);',
  "return await Promise.all([]);",
  "return await Promise.all(5);",
  "return await Promise.race([Promise.resolve(1), 2]);",
  "return await Promise.any([]).catch((e) => [e.name, e.errors.length]);",
  "return await Promise.any([Promise.reject(1), Promise.reject(2)]).catch((e) => e.errors);",
  'return await Promise.resolve(1).finally(() => { throw 2; }).catch((e) => "finally threw " + e);',
  "return await Promise.reject(1).finally(() => 5).catch((e) => e);",
  "return await Promise.resolve(1).then(2);",
  "return await Promise.resolve(Promise.resolve(3));",
  "const p = Promise.resolve(1); return Promise.resolve(p) === p; await 0;",
  "let r; const p = new Promise((f) => (r = f)); r(p); return await p.catch((e) => e.name);",
  "new Promise()",
  "Promise(() => {})",
  "Promise.resolve.call(1, 2)",
  "Promise.prototype.then.call({})",
  "class P extends Promise {} const p = P.resolve(1); return [p instanceof P, p.then(() => {}) instanceof P, await p];",
  "class P extends Promise { static get [Symbol.species]() { return Promise; } } return P.resolve(1).then(() => {}) instanceof P; await 0;",
  'const log = []; class P extends Promise { constructor(f) { log.push("new"); super(f); } } await P.all([P.resolve(1)]); return log;',
  'const log = []; const thenable = { get then() { log.push("get then"); return undefined; } }; await thenable; return log;',
  'const log = []; const old = { then: (f) => { log.push("called"); f("v"); f("w"); } }; return [await old, log];',
  'return await { then() { throw new RangeError("x"); } };',
  "return await Promise.all([{ then: (f) => f(1) }, 2]);",
  "const { promise, resolve } = Promise.withResolvers ? Promise.withResolvers() : { promise: Promise.resolve(1), resolve() {} }; resolve(1); return await promise;",
  "const seen = []; for await (const x of [Promise.resolve(1), 2]) seen.push(x); return seen;",
  "const it = { [Symbol.iterator]() { return { n: 0, next() { return { done: this.n > 1, value: this.n++ }; }, return() { return {}; } }; } }; return await Promise.all(it);",
  // Async functions with and without an await, called in all ways.
  'const log = []; const f = async (x) => x + 1; f(1).then((v) => log.push(v)); Promise.resolve().then(() => log.push("a")).then(() => log.push("b")); log.push("sync"); for (let i = 0; i < 4; i++) await null; return log;',
  'const log = []; async function f(x) { log.push("body"); if (x) throw x; return Promise.resolve(1); } f(0).then((v) => log.push(v)); f(2).catch((v) => log.push("caught " + v)); Promise.resolve().then(() => log.push("a")).then(() => log.push("b")).then(() => log.push("c")); for (let i = 0; i < 6; i++) await null; return log;',
  "const f = async (a = (() => { throw 1; })()) => a; const p = f(); return [p instanceof Promise, await p.catch((e) => e), await f(2)];",
  "async function f() { return [this?.n, arguments.length, new.target]; } return [await f(1, 2), await f.call({ n: 1 }), await [0].map(f)[0], await Reflect.apply(f, { n: 2 }, [1])];",
  "const o = { async m(a, ...rest) { return [this === o, a, rest]; }, get g() { return (async () => this === o)(); } }; return [await o.m(1, 2, 3), await o.g, await o.m?.(), await (o.m)(5)];",
  "async function f() {} return [await f(), new Promise((r) => r(f())) instanceof Promise, Object.getPrototypeOf(f()) === Promise.prototype];",
  "async function f() {} return new f();",
  "class A { async m() { return super.toString(); } static async s() { return this === A; } } return [await new A().m(), await A.s()];",
  "const f = async function named() { return typeof named; }; return await f();",
  // Awaited values.
  'const log = []; (async () => { log.push(await 1); log.push(await undefined); })(); Promise.resolve().then(() => log.push("a")).then(() => log.push("b")).then(() => log.push("c")); for (let i = 0; i < 5; i++) await null; return log;',
  'const log = []; const p = Promise.resolve(1); Object.defineProperty(p, "constructor", { get() { log.push("constructor"); return Promise; } }); log.push(await p); log.push(await Promise.resolve(p)); return log;',
  'const log = []; const p = Promise.resolve(1); p.constructor = Object; p.then = (f) => { log.push("then"); f(2); }; (async () => log.push(await p))(); Promise.resolve().then(() => log.push("a")).then(() => log.push("b")).then(() => log.push("c")); for (let i = 0; i < 6; i++) await null; return log;',
  "class P extends Promise {} const log = []; (async () => log.push(await P.resolve(1)))(); Promise.resolve().then(() => log.push(2)).then(() => log.push(3)).then(() => log.push(4)); for (let i = 0; i < 6; i++) await null; return log;",
  "const log = []; let r; const p = new Promise((f) => (r = f)); (async () => log.push(await p, 1))(); p.then(() => log.push(2)); (async () => log.push(await p, 3))(); r(0); await p; return log;",
  "const log = []; let r; const p = new Promise((_, f) => (r = f)); p.then(1, () => log.push(1)); p.catch(() => log.push(2)).then(() => log.push(3)); r(0); await p.catch(() => log.push(4)); await null; return log;",
];

test.each(rows)("order of promise jobs: %s", async (row) => {
  await expectAgreement(/\breturn\b/.test(row) ? row : `return ${row};`);
});

test.each([
  "new Promise(() => { throw 1; }).catch(() => count++)",
  "Promise.try(() => { throw 1; }).catch(() => count++)",
  "Promise.resolve().then(() => { throw 1; }).catch(() => count++)",
  "Promise.resolve({ then() { throw 1; } }).catch(() => count++)",
  "Promise.resolve({ get then() { throw 1; } }).catch(() => count++)",
  "Promise.all({ [Symbol.iterator]() { throw 1; } }).catch(() => count++)",
  "(async () => { throw 1; })().catch(() => count++)",
  "(async (a = (() => { throw 1; })()) => a)().catch(() => count++)",
  "(async () => { await null; throw 1; })().catch(() => count++)",
  "(async function* () { throw 1; })().next().catch(() => count++)",
])("after an exception became a rejection, the call depth is as before: %s", async (expression) => {
  const code = `let count = 0; for (let i = 0; i < 2_000; i++) { ${expression}; } for (let i = 0; i < 9; i++) await null; count`;
  expect(await valueOf(code)).toBe(2_000);
});
