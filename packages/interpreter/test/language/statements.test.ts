import { test } from "vitest";
import { expectAgreement } from "./agree.ts";

/** A proxy that logs each read of its keys, prototype and properties. */
const traced = `const log = []; const traced = (target) => new Proxy(target, Object.fromEntries(
  ["ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor", "has"].map((name) => [name, (of, key) => {
    log.push(name + (key ?? ""));
    return Reflect[name](of, key);
  }])));`;

const bodies: readonly string[] = [
  "let s = 0; for (let i = 0; i < 5; i++) { if (i === 1) continue; if (i === 4) break; s += i; } return s;",
  "let s = ''; outer: for (let i = 0; i < 3; i++) { for (let j = 0; j < 3; j++) { if (j === 1) continue outer; if (i === 2) break outer; s += i + '' + j + ' '; } } return s;",
  "let n = 0; do { n++; if (n === 2) continue; } while (n < 4); return n;",
  "let n = 5; while (n --> 0) if (n === 2) break; return n;",
  "block: { if (true) break block; return 'no'; } return 'yes';",
  "a: b: for (;;) { break a; } return 1;",
  "a: { b: { break a; } return 'no'; } return 'yes';",
  "let i = 0; for (;;) { if (++i > 3) break; } return i;",
  "for (var i = 0, j = 10; i < j; i++, j--); return [i, j];",
  "const k = []; for (const x in [7, 8]) k.push(x); for (const x in 'ab') k.push(x); for (const x in null) k.push(x); for (const x in 5) k.push(x); return k;",
  "const o = { a: 1, b: 2, c: 3 }; const k = []; for (const x in o) { k.push(x); delete o.b; } return k;",
  "const o = { a: 1 }; const k = []; for (const x in o) { k.push(x); o.late = 1; if (k.length > 3) break; } return k.length;",
  "class P { constructor() { this.own = 1; } m() {} } P.prototype.shared = 1; const k = []; for (const x in new P()) k.push(x); return k;",
  "const k = []; for (const x in Object.create({ a: 1, b: 2 }, { a: { value: 1 }, c: { value: 1, enumerable: true } })) k.push(x); return k;",
  ...["", "await 0; "].flatMap((pause) =>
    [
      "Object.assign(Object.create(traced({ a: 1, b: 2 })), { x: 1, b: 3 })",
      "Object.create(traced({ a: 1, b: 2 }), { a: { value: 1 }, z: { value: 1, enumerable: true } })",
      "traced(Object.create(traced({ a: 1, b: 1 }), { y: { value: 1, enumerable: true }, b: { value: 1 } }))",
    ].map((object) => `${traced} for (const k in ${object}) { ${pause}log.push(k); } return log;`),
  ),
  `${traced} const p = traced({ c: 1, d: 1 }); for (const k in Object.assign(Object.create(p), { a: 1 })) { log.push(k); delete p.c; } return log;`,
  "const o = Object.setPrototypeOf({ a: 1 }, { c: 1 }); const log = []; for (const k in o) { log.push(k); Object.setPrototypeOf(o, { d: 1 }); } return log;",
  "const o = { a: 1, b: 1 }; const log = []; for (const k in o) { log.push(k); Object.defineProperty(o, 'b', { enumerable: false }); } return log;",
  "const out = []; for (const x of 'a\\u{1F600}b') out.push(x); return out;",
  "const a = [1, 2, 3]; const out = []; for (const x of a) { out.push(x); if (a.length < 5) a.push(x * 10); } return out;",
  "const out = []; for (const x of new Map([[1, 2]])) out.push(x); for (const x of new Set([3])) out.push(x); return out;",
  "for (const x of 5) {}",
  "for (const x of { [Symbol.iterator]: () => 5 }) {}",
  "for (const x of { [Symbol.iterator]: () => ({ next: () => 5 }) }) {}",
  // switch
  "const f = (x) => { switch (x) { case 1: return 'one'; case 2: case 3: return 'few'; default: return 'many'; } }; return [1, 2, 3, 4].map(f);",
  "const f = (x) => { let s = ''; switch (x) { case 1: s += 1; default: s += 'd'; case 2: s += 2; break; case 3: s += 3; } return s; }; return [1, 2, 3, 4].map(f);",
  "const log = []; switch (3) { case (log.push(1), 1): case (log.push(3), 3): log.push('hit'); case (log.push(4), 4): } return log;",
  "switch (1) { case 1: { let a = 5; return a; } }",
  "switch (NaN) { case NaN: return 'no'; } return 'yes';",
  "for (const x of [1, 2]) { switch (x) { case 1: continue; } return x; }",
  "switch (1) { case 0: function f() { return 'hoisted'; } case 1: return f(); }",
  "let s = ''; loop: for (;;) { switch (s.length) { case 3: break loop; default: s += 'x'; } } return s;",
  // try
  "try { throw 1; } catch (e) { return e; }",
  "try { throw 1; } catch { return 'caught'; }",
  "const log = []; try { log.push('try'); } catch { log.push('catch'); } finally { log.push('finally'); } return log;",
  "const f = () => { try { return 'try'; } finally { return 'finally'; } }; return f();",
  "const f = () => { try { throw 1; } finally { return 'finally'; } }; return f();",
  "const f = () => { try { throw 1; } catch { return 'catch'; } finally { 5; } }; return f();",
  "const f = () => { for (const x of [1, 2]) { try { continue; } finally { if (x === 2) return 'last'; } } }; return f();",
  "const f = () => { l: try { return 1; } finally { break l; } return 2; }; return f();",
  "const f = () => { for (;;) { try { return 1; } finally { break; } } return 2; }; return f();",
  "const log = []; try { try { throw 'a'; } finally { log.push('inner'); } } catch (e) { log.push(e); } return log;",
  "const log = []; try { try { throw 'a'; } catch (e) { throw e + 'b'; } finally { log.push('f'); } } catch (e) { log.push(e); } return log;",
  "try { try { throw 1; } finally { throw 2; } } catch (e) { return e; }",
  "try { null.x; } catch (e) { return [e instanceof TypeError, e.constructor === TypeError, e.name]; }",
  "try { nobody; } catch (e) { return [e instanceof ReferenceError, e instanceof Error]; }",
  "try { [].reduce((a) => a); } catch (e) { return e instanceof TypeError; }",
  "try { new Array(-1); } catch (e) { return e instanceof RangeError; }",
  "try { 'x'.repeat(-1); } catch (e) { return e instanceof RangeError; }",
  "try { JSON.parse('{'); } catch (e) { return e instanceof SyntaxError; }",
  "try { decodeURIComponent('%'); } catch (e) { return e instanceof URIError; }",
  "let e = 'outer'; try { throw 'inner'; } catch (e) { e = 'changed'; } return e;",
  "try { throw [1, 2]; } catch ([a, b]) { return a + b; }",
  "const e = new Error('m', { cause: 5 }); return [e.message, e.cause, String(e), Object.keys(e), e.hasOwnProperty('message')];",
  "class MyError extends Error { constructor(m) { super(m); this.name = 'MyError'; this.extra = 1; } } try { throw new MyError('x'); } catch (e) { return [e.name, e.message, e.extra, e instanceof MyError, e instanceof Error, String(e)]; }",
  "let i = 0; const f = () => { try { return i; } finally { i = 5; } }; return [f(), i];",
  "const o = { get x() { throw 'getter'; } }; try { o.x; } catch (e) { return e; }",
  "let depth = 0; const f = () => { try { if (depth++ < 3) f(); throw depth; } finally { depth--; } }; try { f(); } catch (e) { return [e, depth]; }",
  // blocks, empty statements, ASI
  "; ; {} ; return 1",
  "let a = 1\nlet b = a\n++b\nreturn [a, b]",
  "var f = function () { return 1 }\n;[1].length\nreturn f()",
  "if (0) ; else return 'else';",
  "if (1) if (0) return 'a'; else return 'b';",
  "debugger; return 1;",
  "return\n1;",
];

test.each(bodies)("%s", expectAgreement);
