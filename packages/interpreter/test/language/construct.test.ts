// From the second `new` of a constructor on, construction takes a fast path. So each case
// constructs more than once.

import { test } from "vitest";
import { expectAgreement } from "./agree.ts";

const bodies: readonly string[] = [
  "class P { constructor(x, y) { this.x = x; this.y = y; } } const made = []; for (let i = 0; i < 3; i++) made.push({ ...new P(i, -i) }); return made;",
  "class P { constructor(x, y, z) { this.all = [x, y, z]; } } const made = []; for (let i = 0; i < 3; i++) made.push(new P().all, new P(1).all, new P(1, 2, 3, 4).all); return made;",
  "function F(x) { this.x = x; } const before = new F(1); new F(2); F.prototype = { changed: true }; const after = new F(3); return [before.changed, after.changed, after.x, after instanceof F, before instanceof F];",
  "function F(x) { if (x === 1) return { other: x }; if (x === 2) return x; this.x = x; } return [0, 1, 2, 3].map((x) => ({ ...new F(x) }));",
  "class P { n = 5; constructor(x) { this.x = x; } } return [1, 2, 3].map((x) => { const p = new P(x); return [p.n, p.x]; });",
  "class P { constructor(x) { this.x = x; } } class Q extends P { constructor(x) { super(x); this.k = 1; } } const made = []; for (let i = 0; i < 3; i++) { const q = new Q(i); made.push(q.x, q.k, q instanceof Q, q.constructor === Q); } return made;",
  "class P { constructor(x) { this.kind = new.target.name; this.x = x; } } class Q extends P {} return [1, 2, 3].flatMap((x) => [new P(x).kind, new Q(x).kind]);",
  "class P { constructor(x) { this.x = x; } } const target = function () {}; target.prototype = { tagged: true }; return [1, 2, 3].map((x) => { const p = Reflect.construct(P, [x], target); return [p.x, p.tagged, p instanceof P]; });",
  "class P { constructor(x) { if (x === 2) throw new RangeError('two'); this.x = x; } } const log = []; for (let i = 0; i < 4; i++) { try { log.push(new P(i).x); } catch (error) { log.push(error.message); } } return log;",
  "class A { constructor(x) { this.x = x; } } class B { constructor(x) { this.y = x; } } class C extends A { constructor(x) { super(x); } } const log = []; for (let i = 0; i < 4; i++) { if (i === 2) Object.setPrototypeOf(C, B); log.push({ ...new C(i) }); } return log;",
  "const log = []; class P { constructor(a, b) { log.push(a, b); } } for (let i = 0; i < 2; i++) new (log.push('callee'), P)(log.push('first'), log.push('second')); return log;",
];

test.each(bodies)("constructs like the host: %s", expectAgreement);
