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
];

test.each(bodies)("pauses as the host does: %s", expectAgreement);
