import { expect, test } from "vitest";
import { expectAgreement } from "./agree.ts";
import { evaluateGuest } from "./evaluate-guest.ts";

const bodies: readonly string[] = [
  "return await 1 + await Promise.resolve(2);",
  "const f = async (x) => x * 2; return [await f(2), f(1) instanceof Promise];",
  "const f = async () => { throw new TypeError('x'); }; try { await f(); } catch (e) { return e.message; }",
  "await Promise.reject(new RangeError('x'));",
  "const log = []; const f = async () => { log.push(1); await null; log.push(3); }; const p = f(); log.push(2); await p; log.push(4); return log;",
  "const log = []; const a = async () => { for (let i = 0; i < 3; i++) { log.push('a' + i); await 0; } }; const b = async () => { for (let i = 0; i < 3; i++) { log.push('b' + i); await 0; } }; await Promise.all([a(), b()]); return log;",
  "const log = []; Promise.resolve().then(() => log.push('then1')).then(() => log.push('then2')); (async () => { await null; log.push('await1'); await null; log.push('await2'); })(); await new Promise((r) => { let n = 0; const t = () => (++n > 8 ? r() : Promise.resolve().then(t)); t(); }); return log;",
  "return await Promise.all([1, Promise.resolve(2), (async () => 3)()]);",
  "return await Promise.allSettled([1, Promise.reject('no')]);",
  "return await Promise.race([new Promise(() => {}), Promise.resolve('fast')]);",
  "return await Promise.any([Promise.reject(1), Promise.resolve(2)]);",
  "try { await Promise.any([Promise.reject(1)]); } catch (e) { return [e.name, e.errors]; }",
  "return await { then(resolve) { resolve('thenable'); } };",
  "return await { then(_, reject) { reject('no'); } };",
  "const log = []; try { await Promise.reject(1); } catch (e) { log.push(e); } finally { log.push(await 2); } return log;",
  "const f = async () => { try { return await Promise.reject('x'); } catch (e) { return 'caught ' + e; } }; return await f();",
  "const f = async ({ a }) => a; try { f(null).catch(() => {}); return 'no throw'; } catch { return 'threw'; } await 0;",
  "const f = async (a = (() => { throw 'default'; })()) => a; return await f().catch((e) => 'rejected ' + e);",
  "let x = 1; const f = async () => { x += await 5; }; const p = f(); x = 100; await p; return x;",
  "const o = { async m() { return this.v; }, v: 4 }; return await o.m();",
  "class A { async m() { return await super.toString(); } static async s() { return 's'; } } return [await new A().m(), await A.s()];",
  "const f = async function () { return [arguments.length, await (async () => arguments[0])()]; }; return await f(7, 8);",
  "const out = []; for (const x of [1, 2, 3]) { out.push(await x); } return out;",
  "const out = []; for (const p of [Promise.resolve(1), 2]) out.push((await p) * 2); return out;",
  "let i = 0; while (await Promise.resolve(i < 3)) i++; return i;",
  "const r = (await Promise.resolve([1, 2])).map((x) => x * 2); return r;",
  "const { a, b = await 5 } = await { a: 1 }; return [a, b];",
  "return [await 1, ...(await [2, 3])];",
  "const f = async (n) => (n === 0 ? 'end' : await f(n - 1)); return await f(20);",
  "return await (async () => { for (;;) { try { await 0; break; } finally { await 1; } } return 'left'; })();",
  "const fs = []; for (let i = 0; i < 3; i++) { await 0; fs.push(() => i); } return fs.map((f) => f());",
  "switch (await 2) { case await 1: return 'one'; case await 2: return 'two'; }",
  "const results = await Promise.all([1, 2, 3].map(async (x) => { await null; return x * 10; })); return results;",
  "const p = new Promise((resolve) => resolve(5)); return [await p, await p.then((x) => x + 1), await p.finally(() => 9)];",
  "return await new Promise((resolve, reject) => { resolve(1); reject(2); resolve(3); });",
  "return await new Promise(() => { throw 'executor'; }).catch((e) => e);",
  "const p = Promise.resolve(1); return [Promise.resolve(p) === p, await p.then(() => { throw 'x'; }).catch((e) => e).then((v) => v + 'y')];",
  // for await and async generators
  "const out = []; for await (const x of [1, Promise.resolve(2)]) out.push(x); return out;",
  "async function* g() { yield 1; await null; yield Promise.resolve(2); return 3; } const out = []; for await (const x of g()) out.push(x); return out;",
  "async function* g() { yield 1; return 5; } const i = g(); return [await i.next(), await i.next(), await i.next()];",
  "async function* g() { const a = yield 1; return a; } const i = g(); await i.next(); return await i.next('sent');",
  "async function* g() { yield 1; yield 2; } const i = g(); return await Promise.all([i.next(), i.next(), i.next()]);",
  "const log = []; async function* g() { try { yield 1; yield 2; } finally { log.push('closed'); await 0; log.push('after'); } } for await (const x of g()) break; return log;",
  "async function* g() { yield 1; throw 'x'; } const out = []; try { for await (const x of g()) out.push(x); } catch (e) { out.push(e); } return out;",
  "async function* g() { yield 1; } const i = g(); await i.next(); return [await i.return('r'), await i.next()];",
  "async function* g() { try { yield 1; } catch (e) { yield 'caught ' + e; } } const i = g(); await i.next(); return await i.throw('t');",
  "async function* g() { try { yield 1; } finally { yield 'cleanup'; } } const i = g(); await i.next(); return [await i.return(5), await i.next()];",
  "async function* g() { yield Promise.reject('no'); } try { await g().next(); } catch (e) { return e; }",
  "async function* g() { yield* [1, 2]; yield* (async function* () { yield 3; return 4; })(); } const out = []; for await (const x of g()) out.push(x); return out;",
  "async function* g() { const r = yield* (async function* () { yield 1; return 'r'; })(); yield r; } const out = []; for await (const x of g()) out.push(x); return out;",
  "const log = []; const src = { [Symbol.asyncIterator]() { let i = 0; return { next: async () => ({ value: i, done: i++ > 3 }), return: async () => { log.push('return'); return {}; } }; } }; for await (const x of src) if (x === 1) break; return log;",
  "const log = []; const src = { [Symbol.asyncIterator]: () => ({ next: () => ({ value: 1, done: false }), return: () => { log.push('return'); return {}; } }) }; try { for await (const x of src) throw 'body'; } catch (e) { log.push(e); } return log;",
  // leaving `for await` early takes one job
  "const log = []; const ticks = (async () => { for (let i = 0; i < 6; i++) { await null; log.push(i); } })(); for await (const x of [1]) break; log.push('left'); await ticks; return log;",
  "const log = []; const ticks = (async () => { for (let i = 0; i < 9; i++) { await null; log.push(i); } })(); const g = (async function* () { yield* [1, 2]; })(); await g.next(); await g.return(3); log.push('left'); await ticks; return log;",
  "for await (const x of 5) {}",
  "for await (const { a, b = await 2 } of [{ a: 1 }]) return [a, b];",
  "const g = async function* () {}; return [Object.prototype.toString.call(g()), typeof g.prototype, await g().next()];",
  "const o = { async *g() { yield this.v; }, v: 3 }; for await (const x of o.g()) return x;",
  "async function* g() { await 0; return; } return await g().next();",
  "async function* count(n) { for (let i = 0; i < n; i++) { await null; yield i; } } let s = 0; for await (const x of count(50)) s += x; return s;",
  "await 0; return (async () => {}).constructor === (async function () {}).constructor;",
  "await 0; const AF = (async () => {}).constructor; return Object.prototype.toString.call(async () => {});",
];

test.each(bodies)("%s", expectAgreement);

// Each call that waits uses host stack. It uses more if its body is nested more deeply, and before
// the host has compiled the code. The depths below are therefore lower than the interpreter's own
// limit of 1,000 nested calls.
const recursions: readonly [what: string, depth: number, code: string][] = [
  ["async functions", 600, "async function f(n) { if (n > 0) { const x = await f(n - 1); return x + 1; } return 0; }"],
  ["async arrow functions of one line", 600, "const f = async (n) => (n === 0 ? 0 : 1 + (await f(n - 1)));"],
  ["templates", 400, "const f = async (n) => n === 0 ? 0 : Number(`${(await f(n - 1)) + 1}`.slice(0, 3));"],
  [
    "loops and blocks",
    300,
    "const f = async (n) => { for (const i of [n]) { try { if (i > 0) { const { x } = { x: await f(i - 1) }; return x + 1; } } finally { n = 0; } } return 0; };",
  ],
];
test.each(recursions)("%s can wait for themselves %d calls deep", async (_what, depth, code) => {
  expect(await evaluateGuest(`${code} await f(${depth})`)).toBe(depth);
});
