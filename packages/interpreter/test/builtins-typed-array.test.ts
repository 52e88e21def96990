import { expect, test } from "vitest";
import { expectAgreement } from "./language/agree.ts";
import { valueOf } from "./open-session.ts";

const all = `[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array]`;
const withBuffer =
  "const buffer = new ArrayBuffer(16); const bytes = new Uint8Array(buffer); for (let i = 0; i < 16; i++) bytes[i] = i;";

const bodies: readonly string[] = [
  // construction
  `return ${all}.map((T) => [T.name, T.length, T.BYTES_PER_ELEMENT, new T(2).length, String(new T([1.7, -1, 300]))]);`,
  "return [String(new BigInt64Array([1n, -1n])), String(new BigUint64Array([1n, -1n]))];",
  "return [new Uint8Array().length, new Uint8Array(undefined).length, new Uint8Array(null).length, new Uint8Array('3').length];",
  "return [...new Uint8Array(new Set([1, 2, 3]))];",
  "return [...new Uint8Array({ length: 2, 0: 5, 1: '6' })];",
  "return [...new Int16Array(new Float32Array([1.5, -2.5]))];",
  "return [...Uint8Array.from('123', (digit, index) => digit * index), ...Uint8Array.of(7, 8)];",
  "return new Uint8Array(-1);",
  "return Uint8Array(1);",
  "return new (Object.getPrototypeOf(Uint8Array))();",
  "return new Uint8Array(new BigInt64Array(1));",
  "return new BigInt64Array([1]);",
  "return new BigInt64Array(1).fill('x');",
  "class Bytes extends Uint8Array { sum() { return this.reduce((a, b) => a + b, 0); } } const b = new Bytes([1, 2, 3]); return [b.sum(), b.map((x) => x * 2).sum(), b.slice(1) instanceof Bytes, b.length];",
  // elements
  "const u = new Uint8Array(2); u[0] = 257; u[1] = -1; u[2] = 9; u[-1] = 9; u['1.5'] = 9; u.name = 'x'; return [u[0], u[1], u[2], u[-1], u['1.5'], u.name, Object.keys(u)];",
  "const u = new Uint8Array(3); u[0] = '7'; u[1] = { valueOf: () => 8 }; u[2] = undefined; return [...u];",
  "const u = new Uint8Array(1); u['0'] = { valueOf: () => 8 }; u.NaN = { valueOf() { u[0]++; return 1; } }; return [u[0], u.NaN];",
  "new BigInt64Array(1)[0] = 1;",
  "new BigInt64Array(1)[0] = 'x';",
  "new BigInt64Array(1)['0'] = 'x';",
  "new BigInt64Array(1).NaN = 'x';",
  "new Uint8Array(1)[0] = 1n;",
  "new Uint8Array(1)[0] = Symbol();",
  "const b = new BigUint64Array(1); b[0] = -1n; b[0] += 2n; return b[0];",
  "const f = new Float32Array(1); f[0] = 0.1; return [f[0], f[0] === 0.1];",
  "const c = new Uint8ClampedArray([0.5, 1.5, 2.5, -3, 300, NaN]); return [...c];",
  "const u = new Uint8Array([1]); return [0 in u, 1 in u, '-0' in u, delete u.x, Reflect.deleteProperty(u, 0), Reflect.deleteProperty(u, 5)];",
  "delete new Uint8Array(1)[0];",
  "const u = new Uint8Array(2); return [Reflect.set(u, 0, 3), Reflect.set(u, 9, 3), u[0], Reflect.defineProperty(u, 0, { value: 4 }), Reflect.defineProperty(u, 9, { value: 4 }), Reflect.defineProperty(u, 1, { value: 5, writable: false }), u[0], u[1]];",
  "Object.defineProperty(new Uint8Array(1), 0, { get() { return 1; } });",
  "Object.freeze(new Uint8Array(1));",
  "return Object.isFrozen(Object.freeze(new Uint8Array(0)));",
  "return [Object.getOwnPropertyDescriptor(new Uint8Array([5]), 0), Object.entries(new Uint8Array([5, 6])), JSON.stringify(new Uint8Array([5, 6])), JSON.stringify({ ...new Uint8Array([1]) })];",
  "const log = []; for (const key in new Uint8Array(2)) log.push(key); for (const value of new Uint8Array([3, 4])) log.push(value); return log;",
  // prototype
  "return [Object.prototype.toString.call(new Int8Array(1)), Uint8Array.prototype[Symbol.toStringTag], Uint8Array.prototype.length === undefined];",
  "const T = Object.getPrototypeOf(Uint8Array); return [T.name, T.length, T.prototype[Symbol.iterator] === T.prototype.values, T.prototype.toString === Array.prototype.toString, Object.keys(T.prototype)];",
  "const T = Object.getPrototypeOf(Uint8Array); return Object.getOwnPropertyNames(T.prototype).sort().filter((name) => typeof Object.getOwnPropertyDescriptor(T.prototype, name).value === 'function' && name !== 'constructor').map((name) => [name, T.prototype[name].length]);",
  "return Object.getPrototypeOf(Uint8Array).prototype.length;",
  "return Uint8Array.prototype.at.call([1], 0);",
  // reading methods
  "const u = new Uint8Array([1, 2, 3, 2]); return [u.at(-1), u.at(9), u.at(-9), u.indexOf(2), u.indexOf(2, -1), u.lastIndexOf(2), u.lastIndexOf(2, -2), u.includes(3), u.includes(3, 3), u.indexOf('2'), u.includes(undefined)];",
  "const f = new Float64Array([NaN, -0]); return [f.indexOf(NaN), f.includes(NaN), f.indexOf(0), f.includes(0), Object.is(f.at(1), -0)];",
  "const u = new Uint8Array([5, 6]); return [u.join(), u.join('-'), String(u), u.toLocaleString(), [...u.keys()], [...u.entries()], [...u.values()]];",
  "const u = new Uint8Array([1, 2, 3]); const log = []; u.forEach((value, index, array) => log.push([value, index, array === u])); return [log, u.every((x) => x > 0), u.some((x) => x > 2), u.find((x) => x > 1), u.findIndex((x) => x > 1), u.findLast((x) => x < 3), u.findLastIndex((x) => x > 9)];",
  "const u = new Uint8Array([1, 2, 3]); return [u.reduce((a, b) => a + '/' + b), u.reduceRight((a, b) => a + '/' + b), u.reduce((a, b) => a + b, 10), new Uint8Array().reduce((a) => a, 'start')];",
  "new Uint8Array().reduce((a) => a);",
  "new Uint8Array(1).map(5);",
  "const u = new Uint8Array([1]); return u.map(function () { return this.n; }, { n: 7 })[0];",
  // changing methods
  "const u = new Uint8Array([1, 2, 3, 4, 5]); return [[...u.copyWithin(0, 3)], [...u.fill(9, 1, -1)], [...u.reverse()], [...u.fill(1)]];",
  "const u = new Uint8Array(4); u.set([1, 2], 1); u.set(new Uint8Array([7]), 3); u.set('9'); return [...u];",
  "new Uint8Array(2).set([1, 2], 1);",
  "new Uint8Array(2).set([1], -1);",
  "new Uint8Array(2).set(new BigInt64Array(1));",
  "const u = new Uint8Array([1, 2, 3, 4]); u.set(u.subarray(0, 3), 1); return [...u];",
  "return [[...new Float64Array([3, -0, 0, NaN, -1, Infinity]).sort()].map((x) => Object.is(x, -0) ? '-0' : x), [...new Uint8Array([10, 9, 1]).sort()], [...new Uint8Array([1, 2, 3]).sort((a, b) => b - a)], [...new BigInt64Array([2n, -1n]).sort()]];",
  "const pairs = new Uint16Array([31, 11, 32, 12, 33, 13]); return [...pairs.sort((a, b) => (a % 10) - (b % 10))];",
  "new Uint8Array(2).sort('x');",
  "return [...new Uint8Array([2, 1]).sort(() => NaN)];",
  // copying methods
  "const u = new Uint8Array([1, 2, 3, 4]); const s = u.slice(1, -1); s[0] = 9; return [[...u], [...s], [...u.slice()], [...u.slice(3, 1)]];",
  "const u = new Uint8Array([1, 2, 3, 4]); const s = u.subarray(1, 3); s[0] = 9; return [[...u], [...s], s.byteOffset, s.buffer === u.buffer, u.subarray(-2).length, u.subarray(9).length];",
  "const u = new Uint8Array([1, 2, 3, 4]); return [[...u.filter((x) => x % 2)], [...u.map((x) => x * 100)], [...u.toReversed()], [...u.toSorted((a, b) => b - a)], [...u.with(1, 9)], [...u.with(-1, '8')], [...u]];",
  "new Uint8Array(1).with(1, 0);",
  "const u = new Uint8Array([1]); u.constructor = { [Symbol.species]: Float32Array }; return [u.map((x) => x / 2).constructor.name, u.slice()[0]];",
  "const u = new Uint8Array([1]); u.constructor = { [Symbol.species]: Array }; return u.map((x) => x);",
  "const u = new Uint8Array([1]); u.constructor = { [Symbol.species]: BigInt64Array }; return u.slice();",
  // buffers
  "const b = new ArrayBuffer(8); return [b.byteLength, ArrayBuffer.name, ArrayBuffer.length, ArrayBuffer.isView(b), ArrayBuffer.isView(new Uint8Array(b)), ArrayBuffer.isView(new DataView(b)), ArrayBuffer.isView(new Proxy(new Uint8Array(b), {})), String(b)];",
  `${withBuffer} return [[...new Uint16Array(buffer, 2, 2)], new Uint32Array(buffer, 4).length, new Float64Array(buffer)[0] > 0, new Uint8Array(buffer, 16).length];`,
  `${withBuffer} return new Uint16Array(buffer, 1);`,
  `${withBuffer} return new Uint16Array(buffer, 0, 9);`,
  `${withBuffer} return new Uint8Array(buffer, 17);`,
  "return new Uint16Array(new ArrayBuffer(3));",
  `${withBuffer} const copy = buffer.slice(2, -10); bytes[2] = 99; return [copy.byteLength, ...new Uint8Array(copy)];`,
  "return new ArrayBuffer(-1);",
  "return new ArrayBuffer(2 ** 53);",
  "return ArrayBuffer(1);",
  "return ArrayBuffer.prototype.slice.call({});",
  "return Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get.call(new Uint8Array(1));",
  "const b = new ArrayBuffer(4, { maxByteLength: 8 }); const u = new Uint8Array(b); const f = new Uint8Array(b, 2, 2); const lengths = [u.length, f.length]; b.resize(3); lengths.push(u.length, f.length, f.byteOffset); b.resize(8); return [...lengths, u.length, f.length, b.resizable, b.maxByteLength];",
  "const b = new ArrayBuffer(4, { maxByteLength: 8 }); const f = new Uint8Array(b, 2, 2); b.resize(3); return f.at(0);",
  "new ArrayBuffer(4).resize(2);",
  "new ArrayBuffer(4, { maxByteLength: 2 });",
  ...["Object.create(view)", "Object.create(Object.create(view))", "{}", "Object.freeze({ 1: 0 })"].flatMap((object) =>
    [1, 100].map(
      (key) =>
        `const view = new Int32Array(2); let calls = 0; const value = { valueOf: () => (calls++, 7) }; return [Reflect.set(${object}, ${key}, value, view), calls, ...view];`,
    ),
  ),
  // DataView
  "const v = new DataView(new ArrayBuffer(16)); v.setInt16(0, -2); v.setUint32(2, 0xdeadbeef, true); v.setFloat32(6, 1.5); v.setBigInt64(8, -3n); return [v.getUint8(0), v.getInt16(0), v.getUint16(0, true), v.getUint32(2, true).toString(16), v.getFloat32(6), v.getBigInt64(8), v.getBigUint64(8), v.byteLength, v.byteOffset];",
  "const v = new DataView(new ArrayBuffer(8), 2, 4); return [v.byteLength, v.byteOffset, v.buffer.byteLength, String(v), v.setFloat64.length, v.getInt8.length];",
  "new DataView(new ArrayBuffer(4)).getInt32(1);",
  "new DataView(new ArrayBuffer(4)).setInt8(4, 1);",
  "new DataView(new ArrayBuffer(4)).getInt8(-1);",
  "new DataView(new ArrayBuffer(4), 5);",
  "new DataView(new ArrayBuffer(4), 2, 3);",
  "new DataView({});",
  "DataView(new ArrayBuffer(1));",
  "new DataView(new ArrayBuffer(8)).setBigInt64(0, 1);",
  "const log = []; const v = new DataView(new ArrayBuffer(1)); try { v.setInt8({ valueOf() { log.push('index'); return 9; } }, { valueOf() { log.push('value'); return 1; } }); } catch (error) { log.push(error.name); } return log;",
];

test.each(bodies)("agrees with the host: %s", (body) => expectAgreement(body));

test("views that track a buffer can start at any of its lengths, as the specification says, even where the host refuses", async () => {
  const lengths = `
    const buffer = new ArrayBuffer(11, { maxByteLength: 20 });
    new Uint8Array(buffer).set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const view = new Float64Array(buffer);
    const lengths = [view.length, new Int32Array(buffer, 4).length, new Int16Array(buffer, 10).length];
    buffer.resize(16);
    [...lengths, view.length, ...new Uint8Array(buffer, 8, 3)]`;
  expect(await valueOf(lengths)).toEqual([1, 1, 0, 2, 9, 10, 11]);
});
