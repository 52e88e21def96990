// Lists everything that a program can reach from globalThis: own keys, prototypes, getter
// functions, and the results of a few calls.

import { expect, test } from "vitest";
import { evaluateGuest } from "./language/evaluate-guest.ts";

// Runs in the guest. Finds functions of the host: they do not have the guest's Function.prototype
// in their prototype chain. `typeof` and `toString` do not tell them apart from guest functions.
const walk = `
const found = [];
const seen = new Set();
const queue = [["globalThis", globalThis]];
const add = (path, value) => {
  if ((typeof value === "object" && value !== null) || typeof value === "function") if (!seen.has(value)) { seen.add(value); queue.push([path, value]); }
};
seen.add(globalThis);
add("generator", function* () {}); add("generator object", (function* () {})()); add("async", async () => {}); add("async generator", async function* () {});
add("async generator object", (async function* () {})()); add("array iterator", [][Symbol.iterator]()); add("map iterator", new Map().entries()); add("set iterator", new Set().values());
add("string iterator", ""[Symbol.iterator]()); add("match", /(?<a>a)/d.exec("a")); add("match iterator", "a".matchAll(/a/g)); add("promise", Promise.resolve(1));
add("error", (() => { try { null.x; } catch (error) { return error; } })()); add("range error", (() => { try { [].length = -1; } catch (error) { return error; } })());
add("class", class A extends Array { #x = 1; static y = 2; }); add("bound", (() => {}).bind()); add("proxy", Proxy.revocable({}, {})); add("date", new Date(0));
add("arguments", (function () { return arguments; })()); add("template", ((strings) => strings)\`a\${1}b\`); add("typed array", new Uint8Array(2)); add("buffer", new Uint8Array(2).buffer);
add("url", new URL("https://a.b/?c=d")); add("clone", structuredClone({ a: new Map() })); add("parts", new Intl.NumberFormat().formatToParts(1)); add("options", new Intl.DateTimeFormat().resolvedOptions());
add("helper", [1].values().map((x) => x)); add("wrapped", Iterator.from({ next() { return { done: true }; } })); add("encoded", new TextEncoder().encode("a")); add("groups", Object.groupBy([1], () => "a"));
add("json", JSON.parse('{"a":[{}]}')); add("json error", (() => { try { JSON.parse("{"); } catch (error) { return error; } })()); add("regexp error", (() => { try { new RegExp("["); } catch (error) { return error; } })());
add("settled", await Promise.allSettled([Promise.reject(new Error("x"))])); add("aggregate", await Promise.any([Promise.reject(1)]).catch((error) => error)); add("descriptor", Object.getOwnPropertyDescriptor({ get a() { return 1; } }, "a"));
const roots = new Set([Object.prototype, null]);
while (queue.length > 0) {
  const [path, value] = queue.pop();
  let top = value; let hops = 0;
  while (Object.getPrototypeOf(top) !== null && hops++ < 50) top = Object.getPrototypeOf(top);
  if (!roots.has(top) && Object.getPrototypeOf(top) === null && top !== value) found.push(path + ": its chain ends elsewhere");
  if (typeof value === "function" && !(value instanceof Function) && value !== Function.prototype) found.push(path + ": is not a guest function");
  add(path + ".__proto__", Object.getPrototypeOf(value));
  for (const key of Reflect.ownKeys(value)) {
    const name = path + "." + String(key);
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    add(name, descriptor.value); add(name + " get", descriptor.get); add(name + " set", descriptor.set);
  }
}
`;

test("every function and prototype that a program can reach is the guest's own", async () => {
  expect(await evaluateGuest(`${walk}; found`)).toEqual([]);
  expect(await evaluateGuest(`${walk}; seen.size > 600`)).toBe(true);
});

const constructors = [
  "(() => {}).constructor",
  "(async () => {}).constructor",
  "(function* () {}).constructor",
  "(async function* () {}).constructor",
  "Math.max.constructor",
  "[].map.constructor",
  "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.constructor",
  "(class {}).constructor",
  "Promise.resolve().then.constructor",
  "new Proxy(() => {}, {}).constructor",
];
test.each(constructors)("code in a string is never run: %s", async (expression) => {
  const code = `try { (${expression})("return 1")(); "ran" } catch (error) { error instanceof Error && error.constructor.name.endsWith("Error") ? "refused" : "odd" }`;
  expect(await evaluateGuest(code)).toBe("refused");
});

const absent = [
  "process",
  "require",
  "module",
  "Buffer",
  "fetch",
  "WebAssembly",
  "SharedArrayBuffer",
  "Atomics",
  "FinalizationRegistry",
  "ShadowRealm",
];
test.each(absent)("%s does not exist", async (name) => {
  expect(await evaluateGuest(`typeof ${name} + typeof globalThis["${name}"]`)).toBe("undefinedundefined");
});

// If a program changes its own built-ins, the built-ins of the host and of the next session must
// stay the same.
const pollution = [
  "Object.prototype.polluted = 1; ({}).polluted",
  "Array.prototype.push = () => 1; [].push(5)",
  "Map.prototype.has = Set.prototype.has = () => 1; new Map().has(5)",
  "String.prototype.split = () => 1; ''.split()",
  "({}).__proto__.toString = () => 'x'; 1",
  "({}).constructor.prototype.polluted = 1; [].polluted",
  'JSON.parse(\'{"__proto__": {"polluted": 1}}\').__proto__.polluted',
  "Function.prototype.call = () => 1; (() => 2).call()",
  "Promise.prototype.then = () => 1; Promise.resolve().then()",
  "Reflect.ownKeys = Object.keys = () => 1; Object.keys()",
  "Object.defineProperty(Object.prototype, 'x', { set() {}, configurable: true }); const o = {}; o.x = 1; 1",
  "Error.prototype.name = 'polluted'; 1",
];
test.each(pollution)("the host and other sessions keep their built-ins after %s", async (code) => {
  await evaluateGuest(code);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect([1].push(2)).toBe(2);
  const intact =
    "[[].push(5), new Map().has(1), 'a,b'.split(',').length, ({}).polluted, (() => 2).call(), new Error('x').name, Object.keys({ a: 1 }).length]";
  expect(await evaluateGuest(intact)).toEqual([1, false, 2, undefined, 2, "Error", 1]);
});
