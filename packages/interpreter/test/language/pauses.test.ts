// Tests statements that await or yield in only one place. The interpreter has a fast path for them:
// the code that runs the surrounding list of statements also runs such a statement.

import { test } from "vitest";
import { expectAgreement } from "./agree.ts";

const bodies: readonly string[] = [
  "const a = await 1; let b = await Promise.resolve(2); var c = await { then(f) { f(3); } }; await null; return [a, b, c];",
  "const { a, b: [c] } = await { a: 1, b: [2] }; return [a, c];",
  "try { const x = await Promise.reject(new RangeError('no')); return x; } catch (error) { return [error.name, error.message]; }",
  "const log = []; for (let i = 0; i < 3; i++) { const x = await i; log.push(() => x); } return log.map((f) => f());",
  "const log = []; for (const p of [1, 2, 3]) { if (p === 2) continue; await p; log.push(p); } return log;",
  "const log = []; try { log.push(typeof x); const x = await 1; } catch (error) { log.push(error.name); } return log;",
  "const log = []; outer: for (const a of [1, 2]) { for (const b of [1, 2]) { await b; if (b === 2) continue outer; log.push([a, b]); } } return log;",
  "{ await 1; function inner() { return 'hoisted'; } var kept = inner(); } return kept;",
  "function* g() { for (let i = 0; i < 3; i++) yield i; } return [...g()];",
  "function* g() { const x = yield 1; yield x * 2; yield; } const it = g(); return [it.next(), it.next(21), it.next(), it.next()];",
  "const log = []; function* g() { try { yield 1; yield 2; } catch (error) { log.push(error); yield 'caught'; } finally { log.push('finally'); } } const it = g(); return [it.next(), it.throw('thrown'), it.next(), log];",
  "const log = []; function* g() { try { yield 1; log.push('unreached'); } finally { log.push('finally'); } } for (const x of g()) { log.push(x); break; } return log;",
  "const log = []; async function* g() { yield 1; await 2; yield 3; } for await (const x of g()) log.push(x); return log;",
  // expressions around the `await`
  "let s = 1; const f = async () => { s = 10; return 5; }; s += await f(); return s;",
  "let s = 'a'; s += await 1; s += await 'b'; let n = 2; n **= await 3; let b = 1n; b += await 2n; return [s, n, b];",
  "let s = 1; try { s += await Promise.reject('no'); } catch (error) { return [error, s]; }",
  "const o = { x: 1 }; o.x = 1 + (await 2) * 3; o.y = (await { z: [7] }).z[0]; return o;",
  "const log = []; const at = (v) => (log.push(v), v); const x = at(1) + (await at(2)) + at(3); return [x, log];",
  "const log = []; const at = (v) => (log.push(v), v); const x = at(await at(1)) - -(await at(2)); return [x, log];",
  "const f = async (x) => { if (x) return await x; return 1 + (await 2); }; return [await f(5), await f(0)];",
  "const f = async () => { try { return await Promise.reject(1); } catch (error) { return ['caught', error]; } finally { await null; } }; return await f();",
  "const x = typeof (await 'text') + !(await 0); return x;",
  "function* g() { let s = 0; s += yield s; s += 1 + (yield s); return yield s; } const it = g(); return [it.next(), it.next(5), it.next(6), it.next(7)];",
  "function* g() { return yield* [1, 2]; } function* h() { const r = yield* g(); return [r, yield 3]; } const it = h(); return [it.next(), it.next(), it.next(), it.next('x')];",
  "const c = 1; c += await 2;",
  "x += await 1; let x;",
  // literals and templates
  "const log = []; const at = (v) => (log.push(v), v); const x = [at(1), ...[at(2)], await at(3), , ...[at(4)]]; return [x, x.length, log];",
  "const log = []; const at = (v) => (log.push(v), v); const x = [at(1), ...(await [at(2), 3]), at(4)]; return [x, log];",
  "const log = []; const at = (v) => (log.push(v), v); const x = { a: at(1), ...{ b: at(2) }, c: await at(3), [at('d')]: at(4), m() { return super.toString === Object.prototype.toString; } }; return [JSON.stringify(x), x.m(), log];",
  "const x = { a: 1, ...(await { a: 2, b: 3 }), get c() { return this.a; } }; return [JSON.stringify(x), Object.keys(await (async () => ({ [await 'k']: 1, f: async () => await 2 }))())];",
  "const log = []; const at = (v) => ({ toString: () => (log.push(v), v) }); const x = `${at('a')}-${at(await 'b')}-${at('c')}`; return [x, log];",
  "try { return `${await Promise.reject('no')}`; } catch (e) { return e; }",
  "try { return [`${await Symbol()}`]; } catch (e) { return e.name; }",
  "const p = Promise.all([1, 2].map(async (n) => ({ n, list: [n, await n], text: `<${await n}>` }))); return await p;",
  "function* g() { return [yield 1, { a: yield 2 }, `${yield 3}`, [...(yield 4)]]; } const it = g(); it.next(); it.next('a'); it.next('b'); it.next('c'); return it.next('de');",
  // branches
  "const f = async (n) => n === 0 ? 'none' : n > 1 ? `${await f(n - 1)}+` : await 'one'; return await Promise.all([0, 1, 3].map(f));",
  "const f = async (n) => (await n) ? 1 : 2; return [await f(0), await f(1)];",
  "const log = []; for (const n of [0, 1, 2, 3]) { if (n === 0) log.push(await 'zero'); else if (n === 1) { const x = await n; log.push(() => x); } else if (n === 2) continue; else { await null; break; } log.push(n); } return log.map(String);",
  "const f = async (n) => { if (n) { return await n; } else throw await 'zero'; }; return [await f(1), await f(0).catch((e) => e)];",
  "const f = async (n) => { if (n > 1) { let r = await n; { let r = 9; } r++; return () => r; } if (n) ; else await 0; }; return [(await f(2))(), await f(0), await f(1)];",
  // chains
  "const o = { f: (x) => [x], n: null }; return await (async () => [o?.f(await 1), o.n?.f(await 2), o.n?.[await 'k'].x, (await o)?.f(3), (await o.n)?.f(4), o?.f?.(await 5)[await 0]])();",
  "const log = []; let o; const gone = [delete o?.[(log.push('key'), await 'k')], delete (await o)?.k, delete o?.k[await 'k']]; o = { k: 1, l: 2, m: {} }; return [gone, log, delete o?.[await 'k'], delete (await o).l, delete o.m[await 'x'], o];",
  "const o = { n: 3, m() { return this?.n; } }; return [((await o)?.m)(), (o?.[await 'm'])(), ((await null)?.m)?.()];",
  // tags are read before the values of their templates
  "let tag = (s, ...values) => ['first', s.raw, values]; return tag`a${(await 0, (tag = null), 1)}b${await 2}`;",
  "const log = []; const o = { n: 4, get tag() { log.push('tag'); return function (s, v) { return [this.n, v]; }; } }; return [o.tag`${(log.push('value'), await 1)}`, (await o)?.['tag'](0, await 2), (await o).tag`${2}`, log];",
  "const tag = (s) => s; const f = async () => tag`${await 1}`; return [(await f()) === (await f()), await (async () => 1`${await 2}`)().catch((e) => e.name)];",
  // classes
  "const log = []; const key = (k) => ({ toString: () => (log.push(k), k) }); class A { [key('a')]() {} [(log.push('second'), await key('b'))]() {} static [key('c')] = log.push('static'); } return [log, Object.getOwnPropertyNames(A.prototype)];",
  "for (const i of [1, 2]) { class A extends (await class { x = i; }) { static self = () => [A.name, i]; [await 'm']() { return A; } } if (i === 2) return [new A().x, A.self(), new A().m() === A]; }",
  "const A = class { [await 'k']() {} }; let B; B ??= class extends (await Object) {}; const { C = class { static [await 'k'] = 1; } } = {}; return [A.name, B.name, C.name, C.k];",
  "const log = []; const A = 1; try { class A { [(log.push('before'), A, await 'k')]() {} } } catch (error) { log.push(error.name); } return log;",
  // calls with one argument that suspends, methods of an awaited value, arrow functions without a
  // block
  "const log = []; log.push(await 1); log.push(0, await 2, 3); log.push(...(await [4]), await 5); return log;",
  "let f = (x) => ['old', x]; const p = (async () => f(await 1))(); f = () => 'new'; return await p;",
  "const o = { n: 1, m(...args) { return [this.n, args]; } }; const p = (async () => o.m(o.n, await 2, o.n))(); o.n = 5; return [await p, await (async () => o['m'](await 3))(), (o.m)(await 4), (0, o.m.bind({ n: 9 }))(await 5)];",
  "const log = []; const at = (v) => (log.push(v), v); const f = (...all) => all; const x = f(at(1), () => 4, await at(2), at(3), () => 5, at(6)); return [x.map(String), log];",
  "const log = []; try { nobody(log.push('not')); } catch (e) { log.push(e.name); } try { const o = {}; o.x(await log.push('argument')); } catch (e) { log.push(e.name); } try { nobody(await log.push('never')); } catch (e) { log.push(e.name); } return log;",
  "const f = (x) => { throw new RangeError(x); }; try { return f(await 'thrown'); } catch (e) { return [e.name, e.message]; }",
  "try { return String(await Promise.reject('no')); } catch (e) { return ['caught', e]; }",
  "return (await [3, 1, 2]).map((x) => x * 2).filter((x) => x > 2).join((await 'k').repeat(2));",
  "return [(await 'text').toUpperCase(), (await [1])['at'](0), (await { m() { return this.n; }, n: 7 }).m(), (await 5).toFixed(1)];",
  "const o = { a: { b: async (x) => ({ c: (y) => x + y }) } }; return (await o.a.b(1)).c(2) + Number(await o.a.b(3).then((v) => v.c(4)));",
  "class A { #p = 2; m(x) { return this.#p * x; } async n() { return [this.#m2(await 1), this.m(await 2), (await this).#p]; } #m2(x) { return this.#p + x; } } class B extends A { async n() { return [super.m(await 10), ...(await super.n())]; } } return await new B().n();",
  "const f = async (x) => await x; const g = async (x) => (await x) + 1; const h = async (x) => Math.max(await x, await f(3)); const k = async () => ({ a: await 1 }); return [await f(1), await g(2), await h(2), await k()];",
  "const f = async (x) => x?.y(await 1); return [await f(null), await f({ y: (v) => v })];",
  "const f = async (g) => g?.(await 1); return [await f(null), await f((v) => v)];",
  "const o = { f: null }; return [await (async () => (o?.f)?.(await 1))(), await (async () => { try { return (o?.f)(await 1); } catch (e) { return e.name; } })()];",
  "const fact = async (n) => (n < 2 ? 1 : n * (await fact(n - 1))); const sum = async (n) => n === 0 ? 0 : Number(await sum(n - 1)) + n; return [await fact(6), await sum(20)];",
  "const add = (a, b) => a + b; const log = []; for (let i = 0; i < 3; i++) { log.push(() => i, add(await i, i)); } return log.map((x) => (typeof x === 'function' ? x() : x));",
  "function* g() { const log = []; log.push(yield 1); log.push('x', yield 2); return String(yield log); } const it = g(); return [it.next(), it.next('a'), it.next('b'), it.next('c')];",
  "const make = () => { class E extends Error {} return E; }; try { throw new (make())(await 'm'); } catch (e) { return e.message; }",
  "return JSON.stringify(await { a: [1] }) + parseInt(await '12px');",
  // loops: heads that suspend, and iterators that are closed
  "const log = []; for (let i = await 0; i < (await 3); i += await 1) { log.push(() => i); } return log.map((f) => f());",
  "const log = []; let i = 0; do { log.push(i); } while (++i < (await 3)); while (await i--) log.push(i); return log;",
  "const log = []; for (const [a, b = await 5] of [[1], [2, 3]]) log.push(a, b); for (const k in await { x: 1, y: 2 }) { await 0; log.push(k); } return log;",
  "const log = []; const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return: () => (log.push('closed'), {}) }) }; for (const x of it) { await x; break; } try { for (const x of it) { await x; throw 'out'; } } catch (error) { log.push(error); } try { for (const { y } of it) { await y; log.push(y); break; } for (const x of it) { log.push(x.y.z); await 0; } } catch (error) { log.push(error.name); } return log;",
  "const o = { a: 1, b: 2, c: 3 }; const log = []; for (const k in o) { await 0; delete o.b; log.push(k); } return log;",
  "function* g() { try { for (const x of [1, 2, 3]) yield x; } finally { yield 'last'; } } const it = g(); return [it.next(), it.return('r'), it.next(), it.next()];",
];

test.each(bodies)("pauses like the host: %s", expectAgreement);
