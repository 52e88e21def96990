import { decodeValue, type EncodedValue, encodeValue } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { openSession, runBlock, valueOf } from "./open-session.ts";

const shared = { n: 1 };
const sparse: unknown[] = [];
sparse[3] = "x";

describe("a value is copied in and out unchanged", () => {
  const values: [what: string, value: unknown][] = [
    ["primitives", [1, -0, Number.NaN, Number.POSITIVE_INFINITY, "text", true, null, undefined, 10n ** 30n]],
    ["objects", { a: { b: [{ c: 1 }] }, "": 0, $: "marker", constructor: 1, toString: 2, then: 3 }],
    ["an array with holes", sparse],
    [
      "a Map",
      new Map<unknown, unknown>([
        ["a", 1],
        [{ k: 1 }, new Set([1])],
      ]),
    ],
    ["a Set", new Set([1, "a", null])],
    ["a Date", [new Date(86_400_000), new Date(Number.NaN)]],
    ["bytes", new Uint8Array([1, 2, 255])],
    ["nesting", Array.from({ length: 300 }).reduce((inner: unknown) => [inner], 1)],
  ];
  test.each(values)("%s", async (_what, value) => {
    const { result, calls } = await runBlock("const value = await give(); take(value); value", {
      give: () => value,
      take: () => {},
    });
    if (result.type !== "value") throw new Error(JSON.stringify(result));
    expect(decodeValue(result.output?.value as EncodedValue)).toEqual(value);
    expect(calls[1]?.args[0]).toEqual(encodeValue(value));
  });

  test("sharing is kept", async () => {
    const value = (await valueOf("const v = await give(); v.push(v[0] === v[1]); v", {
      give: () => [shared, shared],
    })) as unknown[];
    expect(value).toEqual([shared, shared, true]);
    expect(value[0]).toBe(value[1]);
  });
});

describe("values that were copied in belong to the guest", () => {
  const facts: [code: string, value: unknown][] = [
    ["Object.getPrototypeOf(v) === Object.prototype", true],
    ["v.list instanceof Array && Array.isArray(v.list)", true],
    ["v.map instanceof Map && v.set instanceof Set && v.date instanceof Date && v.bytes instanceof Uint8Array", true],
    ["v.constructor === Object && v.list.constructor === Array && v.map.constructor === Map", true],
    ["v.list.map((x) => x + 1)", [2, 3]],
    ["v.map.get('k')", 1],
    ["v.date.getTime()", 5],
    ["v.bytes[0]", 7],
    ["v.list.push(3); v.list.length", 3],
  ];
  test.each(facts)("%s", async (code, value) => {
    const give = () => ({
      list: [1, 2],
      map: new Map([["k", 1]]),
      set: new Set([1]),
      date: new Date(5),
      bytes: new Uint8Array([7]),
    });
    expect(await valueOf(`const v = await give(); ${code}`, { give })).toEqual(value);
  });
});

describe("an argument that cannot be copied is a TypeError with its path", () => {
  const refused: [argument: string, message: RegExp][] = [
    ["() => 1", /argument 1 of take: value is a function/],
    ["{ a: [1, () => 1] }", /argument 1 of take: value\["a"\]\[1\] is a function/],
    ["1, Symbol('x')", /argument 2 of take: value is a symbol/],
    ["{ get a() { return 1 } }", /value\["a"\] is an accessor/],
    ["new Proxy({}, {})", /value is a proxy/],
    ["new (class Point { x = 1 })()", /value is an instance of Point/],
    ["Promise.resolve(1)", /value is a promise \(write await before it\)/],
    ["{ rows: take() }", /value\["rows"\] is a promise/],
    ["new Error('x')", /value is an error/],
    ["(() => { const o = {}; o.self = o; return o })()", /value\["self"\] is a cycle/],
    ["JSON.parse('{\"__proto__\": 1}')", /"__proto__"/],
    ["/x/", /value is an instance of RegExp/],
    ["Object(1)", /value is a number object/],
    ["Object.assign([1], { x: 1 })", /named property "x"/],
    ["(() => { let o = {}; for (let n = 0; n < 2000; n++) o = { o }; return o })()", /nested more than/],
  ];
  test.each(refused)("%s", async (argument, message) => {
    const { result, calls } = await runBlock(
      `try { take(${argument}); 'taken' } catch (e) { e instanceof TypeError && e.message }`,
      { take: () => {} },
    );
    expect(result).toMatchObject({ type: "value", output: { text: expect.stringMatching(message) } });
    expect(calls.filter(({ args }) => args.length > 0)).toEqual([]);
  });
});

describe("no guest code runs while values are copied", () => {
  test("no getter, trap, toJSON, then or coercion runs on the way out", async () => {
    expect(
      await valueOf(
        `let ran = 0; const run = () => { ran++; return 1 };
        const tries = [{ get a() { return run() } }, new Proxy({}, { get: run, ownKeys: run, getOwnPropertyDescriptor: run, getPrototypeOf: run }),
          { toJSON: 1, then: 1 }, Object.create({ get inherited() { return run() } }), new (class { get [Symbol.toStringTag]() { return run() } })()];
        for (const value of tries) { try { take(value) } catch {} }
        ran`,
        { take: () => {} },
      ),
    ).toBe(0);
  });

  test("no setter of a changed prototype runs on the way in", async () => {
    expect(
      await valueOf(
        `let ran = 0;
        Object.defineProperty(Object.prototype, 'title', { set() { ran++ }, get() { return 'evil' }, configurable: true });
        Object.defineProperty(Array.prototype, 0, { set() { ran++ }, configurable: true });
        const rows = await give();
        [ran, Object.keys(rows[0]), rows[0].title, rows instanceof Array]`,
        { give: () => [{ title: "a" }] },
      ),
    ).toEqual([0, ["title"], "a", true]);
  });

  test('a field named "then" of a result is only data', async () => {
    expect(await valueOf("const v = await give(); v.list.then", { give: () => ({ list: { then: 5 } }) })).toBe(5);
  });
});

describe("a copy is charged before it is made", () => {
  test("references shared a million times are cheap", async () => {
    const code = "const o = {}; take(new Array(1000).fill(new Array(1000).fill(o))); 'ok'";
    expect(await valueOf(code, { take: () => {} })).toBe("ok");
  });

  test("an array is charged for its holes, too, because its reader may visit them", async () => {
    const { result, calls } = await runBlock("const a = []; a.length = 4e9; take(a)", { take: () => {} });
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    expect(calls).toEqual([]);
  });

  test("a large value reaches the memory limit", async () => {
    const { result, calls } = await runBlock(
      "const rows = new Array(3_000_000).fill(0); take(rows)", // 24 MB, and another 24 MB for the copy
      { take: () => {} },
      { memoryBytes: 40_000_000 },
    );
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    expect(calls).toEqual([]);
  });
});

test("no value of a guest changes what a host value inherits", async () => {
  await using session = await openSession({ take: () => {} });
  const { calls } = await session.run(
    `for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const direct = {}; Object.defineProperty(direct, key, { value: { isAdmin: true }, enumerable: true });
      for (const value of [direct, JSON.parse('{"' + key + '": {"isAdmin": true}}'), new Map([[key, { isAdmin: true }]])]) {
        try { take(value) } catch {}
      }
    }`,
  );
  for (const { args } of calls) {
    const copy = decodeValue(args[0] as EncodedValue) as { isAdmin?: unknown };
    expect(copy.isAdmin).toBe(undefined);
    const prototype: unknown = Object.getPrototypeOf(copy);
    expect(prototype === Object.prototype || prototype === Map.prototype).toBe(true);
  }
  expect(calls.length).toBeGreaterThan(4);
  expect(({} as { isAdmin?: unknown }).isAdmin).toBe(undefined);
});
