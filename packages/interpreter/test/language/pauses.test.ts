// Statements that await or yield at one place are run by the list that they stand in.

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
  // what stands around the one place
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
  // loops: heads that suspend, and iterators that are closed
  "const log = []; for (let i = await 0; i < (await 3); i += await 1) { log.push(() => i); } return log.map((f) => f());",
  "const log = []; let i = 0; do { log.push(i); } while (++i < (await 3)); while (await i--) log.push(i); return log;",
  "const log = []; for (const [a, b = await 5] of [[1], [2, 3]]) log.push(a, b); for (const k in await { x: 1, y: 2 }) { await 0; log.push(k); } return log;",
  "const log = []; const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return: () => (log.push('closed'), {}) }) }; for (const x of it) { await x; break; } try { for (const x of it) { await x; throw 'out'; } } catch (error) { log.push(error); } try { for (const { y } of it) { await y; log.push(y); break; } for (const x of it) { log.push(x.y.z); await 0; } } catch (error) { log.push(error.name); } return log;",
  "const o = { a: 1, b: 2, c: 3 }; const log = []; for (const k in o) { await 0; delete o.b; log.push(k); } return log;",
  "function* g() { try { for (const x of [1, 2, 3]) yield x; } finally { yield 'last'; } } const it = g(); return [it.next(), it.return('r'), it.next(), it.next()];",
];

test.each(bodies)("pauses as the host does: %s", expectAgreement);
