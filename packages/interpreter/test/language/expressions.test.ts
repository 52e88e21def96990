import { test } from "vitest";
import { expectAgreement } from "./agree.ts";

const bodies: readonly string[] = [
  "return [{ get a() { return 1; }, ...{ a: 2 } }, { set a(v) {}, ...{ a: 3 } }, { __proto__: { set a(v) { throw v; } }, ...{ a: 4 } }].map((o) => Object.entries(o));",
  "let n = 0; const o = { a: 1, get b() { n++; delete o.c; return 2; }, c: 3, d: 4 }; return [{ ...o }, n];",
  // operators
  "return [1 + 2, 7 % 3, -7 % 3, 2 ** 10, 1 / 0, -1 / 0, 0 / 0, 5 & 3, 5 | 3, 5 ^ 3, 1 << 5, -8 >> 1, -8 >>> 28];",
  "return ['a' + 1, 1 + 'a', 'a' + null, 'a' + undefined, [] + [], [1, 2] + 3, ({}) + 'x'];",
  "return [1n + 2n, 2n ** 64n, 7n / 2n, -7n % 3n, 5n & 3n, 1n << 70n, -(5n), ~5n];",
  "return 1n + 1;",
  "return +1n;",
  "return 1n / 0n;",
  "return [1 < 2, '10' < '9', 10 < '9', null >= 0, undefined < 1, NaN < NaN, 1n < 2, 2 > 1n, '2' > 1n];",
  "return [1 == '1', null == undefined, null == 0, '' == 0, [1] == 1, NaN == NaN, 1n == 1, 'a' == new String('a'), true == 1];",
  "return [1 === 1, '1' === 1, NaN === NaN, 0 === -0, null === undefined];",
  "return [1 != '1', 1 !== '1', null != 0];",
  "return [typeof 1, typeof 'x', typeof null, typeof undefined, typeof {}, typeof (() => 1), typeof class {}, typeof 1n, typeof Symbol(), typeof nobody];",
  "return [!0, !'', !'a', -'3', +'4', ~7, void 0, -null, +[], +{}, +true];",
  "return [0 || 1, 0 && 1, null ?? 2, 0 ?? 2, 1 || x, false && x];",
  "return [1 ? 'a' : 'b', 0 ? 'a' : 'b'];",
  "let a = 1; a += 2; a -= 1; a *= 10; a /= 4; a %= 3; a **= 3; a <<= 2; a >>= 1; a >>>= 0; a |= 8; a &= 12; a ^= 5; return a;",
  "let a = null, b = 0, c = 5; a ??= 1; b ||= 2; c &&= 3; b ??= 9; return [a, b, c];",
  "let i = 5; return [i++, i, ++i, i--, --i, i];",
  "let i = '5'; i++; let j = 5n; j++; return [i, j];",
  "const o = { n: 1 }; return [o.n++, ++o.n, o.n--, o['n'] += 5, o.n];",
  "return (1, 2, 3);",
  "return ['a' in { a: 1 }, 'b' in { a: 1 }, 0 in [1], 'length' in []];",
  "return 'a' in 'abc';",
  "class A {} class B extends A {} return [new B() instanceof A, {} instanceof A, [] instanceof Array, (() => 1) instanceof Function];",
  "const proxied = new Proxy([], {}); function F() {} const b = F.bind(null); const before = new F(); F.prototype = {}; return [proxied instanceof Array, Object.create(null) instanceof Object, new RangeError() instanceof Error, new F() instanceof b, before instanceof F, Promise.resolve() instanceof Object, Object(1) instanceof Number];",
  "return {} instanceof 5;",
  "return 1 instanceof { [Symbol.hasInstance]: (v) => v === 1 };",
  // evaluation order
  "const log = []; const f = (x) => (log.push(x), x); f(1) + f(2) * f(3); return log;",
  "const log = []; const o = () => (log.push('o'), {}); const k = () => (log.push('k'), 'x'); const v = () => (log.push('v'), 1); o()[k()] = v(); return log;",
  "const log = []; const o = { get a() { log.push('get'); return (x) => log.push('call' + x); } }; o.a((log.push('arg'), 1)); return log;",
  "const log = []; const k = { toString() { log.push('key'); return 'x'; } }; const o = {}; o[k] = (log.push('value'), 1); return [log, o];",
  "let a = 1; a += (a = 5, 10); return a;",
  "let a = 1; const f = () => { a = 100; return 1; }; return [a + f(), a];",
  "const log = []; ({ [(log.push(1), 'a')]: log.push(2), [(log.push(3), 'b')]: log.push(4) }); return log;",
  "let x = 1; return [x, x++, x, ++x, x];",
  "const o = { valueOf() { return 5; }, toString() { return 'six'; } }; return [o + 1, `${o}`, o * 2, o + '', o > 4, [o] + ''];",
  "const o = { [Symbol.toPrimitive](hint) { return hint; } }; return [`${o}`, o + '', o * 1];",
  "return `${Symbol('x')}`;",
  "return ({ valueOf() { return {}; }, toString() { return {}; } }) + 1;",
  // members and chains
  "const o = { a: { b: { c: 5 } } }; return [o.a.b.c, o['a']['b'].c, o.x?.y.z, o?.a?.b?.c, o.x?.[1].q(), o.a.b.d?.()];",
  "return undefined.x;",
  "return null[0];",
  "const f = undefined; return f();",
  "const o = {}; return o.missing();",
  "const o = { f() { return this.v; }, v: 7 }; return [o.f(), o?.f(), (o.f)(), (o?.f)(), o['f'](), (0, o.f)?.call({ v: 8 })];",
  "const log = []; const o = null; o?.[log.push(1)]; o?.f(log.push(2)); return log;",
  "const o = { a: 1 }; return [delete o.a, delete o?.b, o, delete null?.x];",
  "const o = Object.freeze({ a: 1 }); delete o.a;",
  "const o = Object.freeze({ a: 1 }); o.a = 2;",
  "const o = Object.freeze([1]); o[0] = 2;",
  "const o = Object.freeze([1]); o.push(2);",
  "const o = { get x() { return 1; } }; o.x = 2;",
  "'abc'.x = 1;",
  "null.x = 1;",
  "return ['abc'.length, 'abc'[1], 'abc'[5], 'abc'['length'], (5).toFixed(1), true.toString()];",
  "const a = [1, 2, 3]; a[5] = 6; a.length = 4; return [a.length, 3 in a, a];",
  "const a = []; a.length = -1;",
  "const a = [1]; a['1'] = 2; a[-1] = 3; a['01'] = 4; return [a.length, Object.keys(a)];",
  "const o = {}; o[1.5] = 'a'; o[-0] = 'b'; o[1e21] = 'c'; o[null] = 'd'; return Object.keys(o);",
  // literals
  "return [[1, , 3].length, 1 in [1, , 3], [...'ab', ...[1, 2], 3], [...new Set([1, 1, 2])]];",
  "return [...5];",
  "const a = 1, b = 2; return { a, b, c: 3, 'd e': 4, 5: 6, [`x${a}`]: 7, g: 1 };",
  "const o = { a: 1, get b() { return this.a + 1; }, set b(v) { this.a = v; } }; o.b = 10; return [o.b, o.a, Object.keys(o)];",
  "return Object.keys({ z: 1, 2: 1, a: 1, 1: 1, [Symbol.iterator]: 1 });",
  "return { ...{ a: 1, b: 2 }, b: 3, ...null, ...'hi', ...[9] };",
  "const o = { __proto__: { x: 1 } }; return [o.x, Object.keys(o), Object.keys({ ['__proto__']: 1 })];",
  "const __proto__ = 5; return Object.keys({ __proto__ });",
  "const p = { f() { return 'p'; } }; const o = { __proto__: p, f() { return 'o' + super.f(); } }; return o.f();",
  "return [{ f() {} }.f.name, { f: () => {} }.f.name, { ['a' + 'b']: function () {} }.ab.name, { [Symbol('s')]: () => 1 }[Object.getOwnPropertySymbols({})[0]]];",
  "return [`a${1}b${2}c`, `${[1, 2]}`, `\\u{41}`, `line\\nfeed`, ``];",
  "const tag = (s, ...v) => [s.join('|'), s.raw.join('|'), v]; return tag`a${1}\\n${2}c`;",
  "const same = (s) => s; const f = () => same`x`; return [f() === f(), Object.isFrozen(f())];",
  "const o = { tag(s) { return this.v + s[0]; }, v: 'v' }; return o.tag`x`;",
  "return ((s) => s[0])`\\unicode`;",
  "return [0x10, 0b11, 0o17, 1_000, .5, 5e3, 1e-3];",
  "return ['\\x41', '\\u0041', '\\u{1F600}', 'a\\\nb'];",
  "return [/a(b)?/g.source, /x/gi.flags, /a+/.exec('baaa')[0], 'aXbX'.replace(/X/g, '-')];",
  // functions as values
  "return [(function () {}).name, (() => {}).name, (function foo() {}).name, (class {}).name, (class C {}).name];",
  "const a = function () {}, b = () => {}, c = class {}; let d; d = () => {}; return [a.name, b.name, c.name, d.name];",
  "const { x = () => {} } = {}; const [y = function () {}] = []; return [x.name, y.name];",
  "const f = (0, () => {}); return f.name;",
  "return [((a, b, c) => {}).length, ((a, b = 1, c) => {}).length, ((...r) => {}).length, (function (a, [b], { c }) {}).length];",
  "const f = function () {}; return [Object.getOwnPropertyNames(f), Object.getOwnPropertyNames(() => {}), Object.getOwnPropertyNames(class { static m() {} })];",
  "const f = function g(a) {}; const d = Object.getOwnPropertyDescriptor(f, 'name'); delete f.name; return [d, f.name, Object.getOwnPropertyDescriptor(f, 'length')];",
  "const f = () => 1; f.x = 5; return [f.x, Object.keys(f), 'name' in f, f.hasOwnProperty('name'), 'prototype' in f];",
  "const f = () => {}; f.name = 'x';",
  "const f = function () {}; f.prototype = { a: 1 }; return new f().a;",
  "function f() {} return [f.prototype.constructor === f, Object.keys(f.prototype), Object.getPrototypeOf(new f()) === f.prototype];",
  "return [(function () { return 1; }).toString(), ((a, b) => a + b).toString(), (class A { m() {} }).toString(), ({ m() { return 1; } }).m.toString()];",
  "function f() { return new.target; } return [f() === undefined, new f() instanceof f, Reflect.construct(f, [], Array) === undefined];",
  "return new (() => {})();",
  "return new ({ m() {} }).m();",
  "return new 5();",
  "function F(a) { this.a = a; } const o = new F(3); function G() { return { b: 1 }; } function H() { return 5; } return [o.a, new G(), new H() instanceof H];",
  "return (function () { return this; })();",
  "return [(function () { return typeof this; }).call(5), (function () { return this; }).call('x'), (() => typeof this)()];",
  "return typeof eval;",
];

test("properties are read, stored and called correctly, even with more names than there are copies of the code", async () => {
  const names = Array.from({ length: 120 }, (_name, index) => `property${index}`);
  const stores = names.map((name, index) => `o.${name} = ${index}; f.${name} = (x) => x + o.${name};`).join("\n");
  const reads = names.map((name) => `o.${name} + f.${name}(1)`).join(" + ");
  await expectAgreement(`const o = {}, f = {};\n${stores}\nreturn ${reads};`);
});

test("changing a member reads it once and stores it once, in every kind of object and place", async () => {
  await expectAgreement(
    "const log = []; const key = { toString: () => 'n' }; const o = { get n() { log.push('get'); return 1; }, set n(v) { log.push(v); } }; o[key]++; o[key] += 2; --o[key]; o.n *= 5; return log;",
  );
  await expectAgreement("let u; try { u.x++; } catch (e) { return e.name; }");
  await expectAgreement("const o = Object.freeze({ n: 1 }); o.n += 1;");
  await expectAgreement(
    "let b = { n: 5n }; b.n++; b.n -= 2n; const a = [1]; a[0]++; a[1] = a[0] ??= 7; a.length += 1; return [b.n, a, a[0]--, a];",
  );
});

test.each(bodies)("%s", expectAgreement);
