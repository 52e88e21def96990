import { expect, test } from "vitest";
import { evaluateGuest } from "./language/evaluate-guest.ts";
import { expectWebAgreement } from "./web-agree.ts";

const rows: readonly string[] = [
  "structuredClone({ a: 1, b: [1, , 3], c: { d: null } })",
  "const o = { n: 1 }; const c = structuredClone([o, o]); return [c[0] === c[1], c[0] !== o];",
  "const o = {}; o.self = o; const c = structuredClone(o); return c.self === c && c !== o;",
  "[...structuredClone(new Map([[{ k: 1 }, new Set([1, 2])]]))].map(([key, value]) => [key, [...value]])",
  "const d = structuredClone(new Date(5)); return [d.getTime(), d instanceof Date];",
  "const r = structuredClone(/a(b)/gi); return [r.source, r.flags, r.lastIndex];",
  "const e = structuredClone(new TypeError('no')); return [e.name, e.message, e instanceof TypeError];",
  "const u = new Uint8Array([1, 2, 3, 4]); const [a, b] = structuredClone([u, u.subarray(1)]); a[1] = 9; return [[...a], [...b], a.buffer === b.buffer, [...u]];",
  "const v = structuredClone(new DataView(new Uint8Array([1, 2, 3]).buffer, 1)); return [v.getUint8(0), v.byteLength, v.byteOffset];",
  "[...new Uint8Array(structuredClone(new Uint8Array([7]).buffer))]",
  "structuredClone(new BigInt64Array([5n]))[0] === 5n",
  "[structuredClone('x'), structuredClone(undefined) === undefined, structuredClone(null)]",
  "structuredClone(Object(1n)).valueOf() === 1n",
  "class P { constructor() { this.x = 1; } get y() { return 2; } } const c = structuredClone(new P()); return [c, c instanceof P];",
  "structuredClone({ get a() { return 5; } })",
  "Object.keys(structuredClone(Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })))",
  "structuredClone({ [Symbol.iterator]: 1 })",
  "const b = new Uint8Array([1, 2]).buffer; const c = structuredClone({ b }, { transfer: [b] }).b; return [b.byteLength, ...new Uint8Array(c)];",
  "const b = new ArrayBuffer(2); structuredClone(null, { transfer: new Set([b]) }); return b.byteLength;",
  "const b = new ArrayBuffer(2); structuredClone(null, { transfer: [b, b] }); return b;",
  "try { structuredClone(() => {}); } catch (error) { return [error.name, error.code, error instanceof DOMException, error instanceof Error]; }",
  "const e = new DOMException('m', 'AbortError'); return [e.name, e.message, e.code, String(e), Object.prototype.toString.call(e), Object.keys(e), typeof e.stack];",
  "const e = new DOMException(undefined, { name: 'DataError', cause: 1 }); return [e.name, e.message, e.code, e.cause, new DOMException().name, new DOMException('m', undefined).name];",
  "DOMException('m')",
  "class Stop extends DOMException {} const e = new Stop('m', 'TimeoutError'); return [e instanceof Stop, e instanceof DOMException, e.code];",
];

test.each(rows)("agrees with the host: %s", (row) => expectWebAgreement(row));

test.each(["() => 1", "Symbol()", "{ f() {} }", "Promise.resolve()", "new WeakMap()", "new Proxy({}, {})"])(
  "refuses %s",
  async (value) => {
    const code = `try { structuredClone(${value.startsWith("{") ? `(${value})` : value}); } catch (error) { String(error) }`;
    expect(await evaluateGuest(code)).toMatch(/^DataCloneError: .* cannot be cloned/);
  },
);
