// Attacks through the hooks that built-ins call: proxy traps, accessors, iterators, conversions,
// `Symbol.species`. A sweep calls every built-in that can be reached with one kind of hostile
// object, as `this` or as an argument. The sweep collects all objects that the hooks receive, and
// tries to escape through each of them.

import { type Attack, type AttackKind, payload } from "./run-attack.ts";

// Collects all functions that can be reached from the global object and from a few literals. The
// functions that this code itself needs are stored first, because an attack may replace them.
const reach = `
const { ownKeys, getOwnPropertyDescriptor: read, getPrototypeOf: up, apply, construct } = Reflect;
const seen = new Set(), add = Set.prototype.add, list = [];
const note = (...all) => { for (const value of all) if ((typeof value === 'object' && value !== null) || typeof value === 'function') apply(add, seen, [value]); return all[0]; };
const known = new Set([globalThis]), waiting = [globalThis];
const meet = (value) => { if (((typeof value === 'object' && value !== null) || typeof value === 'function') && !known.has(value)) { known.add(value); waiting.push(value); } };
[function* () {}, async () => {}, async function* () {}, (function* () {})(), (async function* () {})(), [].values(), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g), [].values().map((x) => x), Iterator.from({ next() {} }), new Intl.NumberFormat(), new Intl.DateTimeFormat(), new Intl.Segmenter().segment('a'), Promise.withResolvers(), Proxy.revocable({}, {}), new URL('https://a.b').searchParams].forEach(meet);
while (waiting.length > 0) { const value = waiting.pop(); if (typeof value === 'function') list.push(value); meet(up(value)); for (const key of ownKeys(value)) { const { value: inner, get, set } = read(value, key); meet(inner); meet(get); meet(set); } }
const left = new Set([setTimeout, setInterval]);
`;

// For each object that a hook received: tries to change the last prototype of its chain, and to run
// code with its constructors.
const tryAll = `
const found = [];
for (const value of seen) {
  let top = value;
  for (let hops = 0; hops < 20 && up(top) !== null; hops++) top = up(top);
  try { top.polluted = 1 } catch {}
  for (const f of [value, value.constructor, value.constructor?.constructor]) { try { found.push(f(${payload})()) } catch {} }
}
return found;
`;

/** Kinds of hostile objects. Each expression creates an object from `target`. */
const spies: { readonly [kind: string]: string } = {
  "proxy of a function":
    "new Proxy(function () {}, new Proxy({}, { get: (_, trap) => (...all) => { note(...all); return Reflect[trap](...all) } }))",
  "proxy of an array":
    "new Proxy([1, [2], 'x'], new Proxy({}, { get: (_, trap) => (...all) => { note(...all); return Reflect[trap](...all) } }))",
  "proxy whose traps throw what they see":
    "new Proxy([1], new Proxy({}, { get: () => (...all) => { note(...all); throw all } }))",
  "proxy that answers with itself":
    "new Proxy(function () {}, { get: (t, k, r) => (k in t ? Reflect.get(t, k) : r), apply: (...all) => note(...all), construct: (...all) => note(...all) && {} })",
  conversions:
    "({ length: 1, 0: 1, [Symbol.toPrimitive](...all) { note(this, all, arguments); return 'constructor' }, toString() { note(this); return '__proto__' }, valueOf() { note(this); return 1 }, toJSON(...all) { note(this, ...all); return this } })",
  accessors:
    "Object.defineProperties({}, Object.fromEntries(['length', 'then', 'next', 'done', 'value', 'constructor', 'index', 'lastIndex', 'flags', 'exec', 'groups', 'raw', 'size', 'has', 'keys', 'get', 'set', 'return', 'message', 'cause', 'stack', 'name', 'locale', 'timeZone', 0, Symbol.iterator, Symbol.asyncIterator, Symbol.species, Symbol.isConcatSpreadable, Symbol.match, Symbol.replace, Symbol.split, Symbol.toStringTag, Symbol.hasInstance].map((key) => [key, { get() { note(this, arguments); return function (...all) { note(this, ...all); return this } } }])))",
  iterator:
    "({ [Symbol.iterator]() { note(this); let n = 0; return { next(...all) { note(this, ...all); return n++ < 2 ? { value: ['k' + n, n], done: false } : { done: true } }, return(...all) { note(this, ...all); return null }, throw(...all) { note(this, ...all); throw this } } }, get [Symbol.asyncIterator]() { note(this) } })",
  thenable:
    "({ then(...all) { note(this, ...all); all[0]?.({ then: (...more) => { note(...more); more[1]?.(this) } }) } })",
  species:
    "(() => { const o = Object.assign([3, 1, 2], { constructor: { [Symbol.species]: function (...all) { note(this, new.target, ...all); return new Proxy([], { defineProperty: (...more) => { note(...more); return Reflect.defineProperty(...more) }, set: (...more) => { note(...more); return Reflect.set(...more) } }) } } }); return o })()",
  "one that takes itself apart":
    "(() => { const o = { length: 3, get 0() { delete o[1]; Object.setPrototypeOf(o, function () {}); return note(this) }, get 1() { o.length = 0; return note(this) }, 2: 2, valueOf() { Object.freeze(o); return 1 } }; return o })()",
  "wrong kinds of answers":
    "new Proxy({}, { get: (t, k) => (typeof k === 'symbol' ? () => Symbol() : 2n), has: () => 1n, ownKeys: () => ['a', Symbol.iterator], getOwnPropertyDescriptor: (...all) => { note(...all); return { value: note, configurable: true, enumerable: true } }, getPrototypeOf: () => note })",
};

const uses: { readonly [use: string]: string } = {
  receiver: "apply(f, spy, [1, 2, 3])",
  "receiver, in the other order": "apply(list[list.length - 1 - index], spy, [1, 2, 3])",
  argument: "apply(f, [3, 1, 2], [spy, spy, spy])",
  "receiver and argument": "apply(f, spy, [spy, () => spy, spy])",
  "new.target": "(construct(f, [spy], spy), construct(f, [spy, spy, spy]))",
};

const sweeps = Object.values(spies).flatMap((spy) =>
  Object.values(uses).map(
    (use) =>
      `${reach} for (const [index, f] of list.entries()) { if (left.has(f)) continue; const spy = ${spy}; try { note(${use}) } catch (e) { note(e) } } await null; ${tryAll}`,
  ),
);

/**
 * Getters, callbacks and conversions that change an object while a built-in works on it. `use`
 * tries to escape through the result.
 */
const changers: readonly string[] = [
  "const a = [3, 1, 2]; const r = a.sort((x, y) => { a.length = 0; Object.setPrototypeOf(a, () => 0); return x - y })",
  "const a = [1, 2, 3]; const r = a.splice({ valueOf() { a.length = 0; return 0 } }, { valueOf() { a.constructor = (() => 0).constructor; return 2 } })",
  "const a = [1, 2, 3]; const r = a.copyWithin({ valueOf() { a.length = 1; return 0 } }, { valueOf() { Object.freeze(a); return 1 } })",
  "const a = [1, { get [Symbol.isConcatSpreadable]() { a.constructor = (() => 0).constructor; return true }, length: 2 ** 32 }]; const r = a.concat(a[1])",
  "const a = [[1]]; const r = a.flatMap((x) => { a.push(a); Object.setPrototypeOf(x, null); return [x, () => 0] })",
  "const o = { a: { toJSON() { delete o.b; Object.defineProperty(o, 'c', { get: () => o, enumerable: true }); return () => 0 } }, b: 1, c: 2 }; const r = JSON.stringify(o)",
  "const r = JSON.parse('{\"a\":{\"b\":1},\"c\":[1]}', function (k, v) { if (k === 'b') this.__proto__ = () => 0; if (k === 'a') Object.defineProperty(this, 'c', { value: hostAdd }); return v })",
  "const o = { get a() { Object.defineProperty(o, 'b', { get: () => hostAdd, enumerable: true }); return 1 }, b: 2 }; const r = structuredClone(o)",
  "const m = new Map([[1, { get a() { m.clear(); m.set(2, m); return 1 } }]]); const r = structuredClone(m)",
  "const x = /(a)(b)?/g; x.exec = function (t) { this.lastIndex = { valueOf() { return 2 ** 53 } }; return Object.assign([hostAdd], { index: -1, groups: { get a() { return this } } }) }; let n = 0; Object.defineProperty(x, 'global', { get: () => n++ > 0 }); const r = 'abab'.replace(x, '$<a>$1$0')",
  "const r = 'abc'.replace(/(?<x>b)/, (...all) => { all.at(-1).x = hostAdd; RegExp.prototype.exec = () => all; return all })",
  "const x = /,/; x.constructor = { [Symbol.species]: function () { return { exec: () => Object.assign([() => 0], { index: 0 }), get lastIndex() { return 1 }, set lastIndex(v) { this.v = v } } } }; const r = 'a,b'.split(x)",
  "const u = new Uint8Array(8); const r = u.subarray(0).map((x, n) => { if (n === 1) u.buffer.transfer(); return { valueOf: () => u.length } })",
  "const b = new ArrayBuffer(8, { maxByteLength: 16 }), u = new Uint32Array(b); const r = u.fill({ valueOf() { b.resize(2); return 7 } }); u.sort(() => { b.resize(16); return 1 })",
  "const u = new Uint8Array(4); const r = new DataView(u.buffer, { valueOf() { u.buffer.transfer(0); return 0 } })",
  "const r = Array.from({ length: 3 }, function (v, n) { Object.setPrototypeOf(Array.prototype, { constructor: () => 0 }); return this })",
  "const r = Array.from.call(function () { return new Proxy([], { defineProperty: (t, k, d) => Reflect.defineProperty(t, k, { ...d, get: undefined, value: () => 0 }) }) }, [1, 2])",
  "const r = Object.fromEntries([{ get 0() { Object.prototype.a = 1; return '__proto__' }, get 1() { return () => 0 } }])",
  "const r = Object.groupBy([1, 2], () => ({ toString() { return '__proto__' } }))",
  "const r = Object.assign({}, { get ['__proto__']() { return () => 0 } }, JSON.parse('{\"__proto__\": {\"constructor\": 1}}'))",
  "const s = new Set([1, 2, 3]); const r = s.union({ size: 3, has: () => true, keys() { s.clear(); return { next() { return { get done() { s.add(this); return s.size > 3 }, value: s } } } } })",
  "const m = new Map(); const r = Map.groupBy({ *[Symbol.iterator]() { Map.prototype.set = () => hostAdd; yield 1; yield m } }, (x) => x)",
  "const r = await Promise.all({ [Symbol.iterator]: () => ({ next: () => ({ get done() { Promise.resolve = () => ({ then: (f) => f(() => 0) }); return false }, get value() { return this } , }), return() { throw () => 0 } }) }).catch((e) => e)",
  "class P extends Promise { static resolve() { return { then: (a, b) => { a(() => 0); b(a) } } } } const r = await P.any([1, 2]).catch((e) => e)",
  "const r = await { get then() { return function (a, b) { a({ get then() { throw a } }) } } }.then",
  "const p = Promise.resolve(1); p.constructor = function (f) { f((v) => { this.v = v }, () => 0) }; p.constructor[Symbol.species] = p.constructor; const r = p.then(() => p)",
  "function* g() { try { yield 1 } finally { yield* { [Symbol.iterator]: () => ({ next: () => ({ value: () => 0, done: false }), get return() { return (v) => ({ value: hostAdd, done: false }) } }) } } } const i = g(); i.next(); const r = i.return(1)",
  "async function* g() { try { yield { then: (f) => f(() => 0) } } finally { await { then: (f) => f(g) } } } const i = g(); const r = [await i.next(), await i.return({ get then() { return undefined } })]",
  "const [r] = { [Symbol.iterator]: () => ({ next: () => ({ done: false, get value() { return () => 0 } }), return: () => 1 }) }",
  "const { ...r } = new Proxy({}, { ownKeys: () => ['__proto__', 'constructor'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: () => () => 0 })",
  "class A { static [(() => { A_ = () => 0; return 'x' })()] = 1 } var A_; const r = A",
  "class A { constructor() { return new Proxy(this, { defineProperty: () => true, has: () => true }) } } class B extends A { #x = () => 0; static read(o) { return o.#x } } const r = B.read(new B())",
  "const r = ((strings, ...rest) => { strings.raw.__proto__ = () => 0; return [strings, rest] })`a${() => 0}b`",
  "const r = new Intl.NumberFormat('en', new Proxy({}, { get: (t, k) => (k === 'style' ? { toString: () => 'decimal' } : undefined) })).formatToParts({ [Symbol.toPrimitive]: () => 1n })",
  "const r = new Date({ [Symbol.toPrimitive](hint) { return Object(hint).constructor.constructor } })",
  "const r = new Error('x', { get cause() { return () => 0 } }); Object.defineProperty(r, 'stack', { get() { return this } }); r.name = { toString: () => () => 0 }",
  "const e = new AggregateError({ *[Symbol.iterator]() { yield () => 0; Error.prototype.toString = () => e } }); const r = e.errors",
  "const r = Reflect.construct(Error, ['x'], new Proxy(function () {}, { get: () => null }))",
  "const r = Function.prototype.bind.call(new Proxy(hostAdd, { get: () => Symbol('x'), has: () => true, getOwnPropertyDescriptor: () => undefined }), null, 1)",
  "const r = Object.getOwnPropertyDescriptors(new Proxy(hostAdd, { ownKeys: (t) => Reflect.ownKeys(t), getOwnPropertyDescriptor: (t, k) => ({ get: () => t, configurable: true, enumerable: true }) }))",
];
const use = `const all = [r, r?.constructor, r?.[0], r?.then, r?.value, Object(r).__proto__]; const found = []; for (const f of all) { try { found.push(f(${payload})()) } catch {} try { found.push(f.constructor.constructor(${payload})()) } catch {} } return [found, r]`;

/** Programs that pass hostile values to host functions. */
const borders: readonly string[] = [
  "return [await hostAsync({ get a() { globalThis.seen = this } }).catch(String), typeof seen]",
  "return await hostAsync(new Proxy([1], { get() { globalThis.__pwned = true } })).catch(String)",
  "const a = [1]; Object.defineProperty(a, 1, { get: () => hostAdd, enumerable: true }); return await hostAsync(a).catch(String)",
  "class A { a = 1; toJSON() { return hostAdd } } return await hostAsync(new A()).catch(String)",
  'return (await hostAsync(JSON.parse(\'{"__proto__": {"x": 1}, "constructor": {"prototype": 1}}\'))).x',
  "const o = {}; o.o = o; return await hostAsync(o).catch(String)",
  "return await hostAsync(Object.assign(Object.create({ get inherited() { return 1 } }), { a: 1 })).catch(String)",
  "return await hostAsync(new Map([[{ toString: () => 'x' }, new Set([new Map()])]])).catch(String)",
  "return await hostAsync([undefined, , NaN, -0, Infinity, 1n, new Date(NaN), Symbol.iterator]).catch(String)",
  "return await hostAsync({ [Symbol('s')]: () => 0, a: 1 }).catch(String)",
  "Object.prototype.toJSON = () => hostAdd; Array.prototype.toJSON = () => hostAdd; return await hostAsync([{ a: 1 }])",
  "Object.defineProperty(Object.prototype, 'a', { set(v) { globalThis.seen = v } }); return [await hostAsync({ b: { a: 1 } }), await hostAsync([{ a: () => 0 }]).catch(String)]",
  "Object.defineProperty(Array.prototype, 0, { set(v) { globalThis.seen = this }, get: () => hostAdd }); return await hostAsync([[1, 2]])",
  "Array.prototype[Symbol.iterator] = function* () { yield () => 0 }; return await hostAsync([1, 2])",
  "Map.prototype.set = Set.prototype.add = () => hostAdd; return await hostAsync(new Map([[1, 2]])).catch(String)",
  "Promise.prototype.then = function (f) { return f(this) }; return await hostAsync({ then: 1 })",
  "Object.prototype.then = function (f) { f({ constructor: 1 }) }; return await hostAsync({ a: 1 })",
  "Error.prototype.constructor = () => 0; Object.defineProperty(Error.prototype, 'message', { get() { return this } }); return await hostThrow().catch((e) => [e, e.constructor, e.message])",
  "TypeError = RangeError = Error = function () { return () => 0 }; return await hostThrow().catch((e) => e.constructor)",
  "return await Promise.all([hostAdd, hostAsync, hostThrow].map((f) => f.call(f, f, this).catch((e) => [e.name, e.message, e.stack])))",
  "return [await Reflect.apply(hostAsync, hostAdd, [1]), await new hostAsync(1)].map(String)",
  "return await hostAsync.bind(hostAdd, { a: 1 })().then((x) => [x, x.constructor.name])",
  "hostAsync.constructor = hostAsync.__proto__ = null; Object.defineProperty(hostAdd, 'name', { get: () => () => 0 }); return await hostAdd(1, 2)",
  "for (const v of [hostObj, hostObj.list, hostObj.nested]) { v.__proto__.polluted = 1; Object.defineProperty(v, 'x', { get: () => hostAdd }) } return await hostAsync(hostObj).catch(String)",
  "finalAnswer({ get a() { return 1 } })",
  "finalAnswer(new Proxy({}, {}))",
  "finalAnswer({ then: (f) => f(() => 0) })",
  "finalAnswer(new Promise((f) => f({ then: (g) => g(Object.create(null, { x: { get: () => hostAdd, enumerable: true } })) })))",
  "Object.prototype.args = [1]; Object.prototype.type = 'value'; finalAnswer(1, 2, 3)",
  "await finalAnswer.call(hostAdd, await hostAsync(1)); globalThis.__pwned = hostAdd",
];

/** Programs that print, throw or return something hostile. */
const shown: readonly string[] = [
  "console.log({ get a() { globalThis.__pwned = true; return 1 }, [Symbol.toStringTag]: { toString() { throw 1 } } })",
  "console.log(new Proxy({}, { get() { throw new Error(hostAdd) }, ownKeys() { throw 1 }, getPrototypeOf() { throw 2 } }))",
  "console.log(Object.create({ constructor: { get name() { return () => 0 } } }), Object.create({ get constructor() { throw 1 } }))",
  "console.log('%s %d %o %O %j %c %i', { toString() { throw 1 } }, Symbol(), new Proxy(() => 0, {}), hostAdd, 1n)",
  "console.table(new Proxy([{ get a() { throw 1 } }], { get() { throw 2 } }))",
  "console.dir(hostAdd, { depth: { valueOf() { throw 1 } }, get showHidden() { throw 2 } })",
  "console.error(Object.assign(new Error('x'), { stack: { toString: () => 'file://x' }, message: () => 0, name: Symbol() }))",
  "const e = new Error('x'); e.cause = e; console.log(e); throw e",
  "class E extends Error { get name() { throw 1 } get message() { throw 2 } get stack() { throw 3 } } throw new E()",
  "throw new Proxy(new Error('x'), { get() { throw 1 } })",
  "throw Object.create(Error.prototype, { stack: { get() { return this } }, message: { get() { globalThis.__pwned = true } } })",
  "throw Object.assign(() => 0, { toString: () => hostAdd + '' })",
  "throw Symbol('x')",
  "throw null",
  "throw { message: { toString() { globalThis.__pwned = true } }, name: 1, code: 'executor', hint: () => 0 }",
  "throw new AggregateError([new Error('a', { cause: hostAdd }), hostThrow, await hostReject().catch((x) => x)], 'x')",
  "await Promise.reject(Object.assign(new Error('x'), { constructor: { name: 'AgentError' }, code: 'executor' }))",
  "const e = await hostReject().catch((x) => x); e.message += new Error('y').stack; e.stack += '\\n    at file://x'; throw e",
  "return Object.assign(Object.create(null), { __proto__: null, get a() { return hostAdd } })",
  "return new (class extends Map { get size() { throw 1 } entries() { throw 2 } [Symbol.iterator]() { throw 3 } })([[1, hostAdd]])",
  "return new (class extends Array { get length() { throw 1 } map() { throw 2 } })(1, 2)",
  "return new (class extends Date { toISOString() { throw 1 } getTime() { throw 2 } })(0)",
  "return new (class extends Uint8Array { get length() { throw 1 } get [Symbol.toStringTag]() { throw 2 } })(4)",
  "return (class { static name() {} static toString() { throw 1 } static get prototype_() { throw 2 } })",
  "return [new Proxy(() => 0, { apply() { throw 1 } }), Promise.reject(1).catch(() => 0), new WeakMap(), Symbol.iterator, (function* () {})()]",
  "try { (() => { const f = () => [f()].map(f); f() })() } catch (e) { return e.stack }",
  "return [1, 2, 3].map((_, n) => { try { [() => null.x, () => new Intl.Locale('!'), () => new Uint8Array(-1)][n]() } catch (e) { return [e.stack, e.message, Object.keys(e)] } })",
];

/**
 * Programs that try to continue their work after they have ended. An attack succeeds if it calls a
 * tool after its program has ended.
 */
const late: readonly string[] = [
  "const again = () => { hostAsync(1).then(again) }; again(); for (;;);",
  "setTimeout(() => hostAdd(1, 1), 0); for (;;);",
  "try { for (;;); } finally { hostAdd(1, 1) }",
  "try { finalAnswer(1) } finally { hostAdd(1, 1) }",
  "try { finalAnswer(1) } catch { hostAdd(1, 1) }",
  "try { const f = () => f(); f() } catch { hostAdd(1, 1) } finally { hostAdd(2, 2) }",
  "try { for (const all = []; ; ) all.push(new Uint8Array(1_000_000)) } finally { hostAdd(1, 1) }",
  "const g = (function* () { try { yield 1 } finally { hostAdd(1, 1) } })(); for (const x of g) finalAnswer(x)",
  "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return() { hostAdd(1, 1); return {} } }) }) for (;;);",
  "for await (const x of { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), async return() { hostAdd(1, 1); return {} } }) }) finalAnswer(1)",
  "const [a] = { [Symbol.iterator]: () => ({ next() { for (;;); }, return() { hostAdd(1, 1) } }) }",
  "(async () => { await hostAsync(1); hostAdd(1, 1) })(); finalAnswer(1)",
  "(async () => { try { await new Promise(() => 0) } finally { hostAdd(1, 1) } })(); finalAnswer(1)",
  "Promise.reject(1).finally(() => hostAdd(1, 1)); finalAnswer(1)",
  "queueMicrotask(() => { for (;;) hostAdd(1, 1) }); finalAnswer(1)",
  "[3, 1, 2].sort(() => { finalAnswer(1); return 0 }); hostAdd(1, 1)",
  "JSON.stringify({ toJSON() { finalAnswer(1) }, get a() { return hostAdd(1, 1) } })",
  "'aaa'.replace(/a/g, (x, n) => (n === 0 ? finalAnswer(1) : hostAdd(1, 1)))",
  "new Proxy({}, { get() { finalAnswer(1) }, set() { hostAdd(1, 1) } }).x += 1",
  "await Promise.race([hostAsync(1).then(() => finalAnswer(1)), hostAsync(2).then(() => { for (;;) hostAdd(1, 1) })])",
  "const o = { then() { finalAnswer(1); hostAdd(1, 1) } }; await o",
  "class A { static { try { finalAnswer(1) } finally { hostAdd(1, 1) } } static x = hostAdd(1, 1) }",
  "console.log({ toString() { hostAdd(1, 1) } }); label: try { finalAnswer(1) } finally { break label } hostAdd(1, 1)",
  "const f = () => { try { for (;;); } finally { return f() } }; f()",
];

// A sweep takes a third of a second, so a normal test run includes only every fourth sweep.
const oneOf = 4;

/** All attacks of this file. */
export const hookAttacks: readonly Attack[] = [
  ...sweeps.map(as("pollution", "sweep")).map((attack, index) => ({ ...attack, isLong: index % oneOf !== 0 })),
  ...changers.map((code) => `${code}; ${use}`).map(as("escape", "change")),
  ...borders.map(as("escape", "border")),
  ...shown.map(as("leak", "shown")),
  ...late.map(as("escape", "late")),
];

function as(kind: AttackKind, family: string): (code: string, index: number) => Attack {
  return (code, index) => ({ id: `hook-${family}-${index + 1}`, kind, code: `return (async () => { ${code} })()` });
}
