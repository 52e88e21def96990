import { describe, expect, test, vi } from "vitest";
import { type BlockRun, openSession, type TestSession } from "./open-session.ts";

const mebi = 2 ** 20;
const limits = { memoryBytes: 4 * mebi };
const dropped = "let n = 0; for (; n < 100_000; n++) ({ n, text: 'row ' + n }); n";
const kept = "let n = 0; const all = []; for (;; n++) all.push('x'.repeat(100) + n);";
const notReported = (): number => Number.POSITIVE_INFINITY;

const runWith = async (code: string, heldBytes: () => number): Promise<BlockRun> => {
  await using session = await openSession({}, limits, { heldBytes });
  return await session.run(code);
};

/** Runs a block with a clock that stands still, so that the size of the heap is never checked. */
const runAtOnce = async (session: TestSession, code: string): Promise<BlockRun["result"]> => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const { result } = await session.run(code);
  clock.mockRestore();
  return result;
};

const runAtOnceWith = async (code: string, heldBytes: () => number): Promise<BlockRun["result"]> => {
  await using session = await openSession({}, limits, { heldBytes });
  return await runAtOnce(session, code);
};

describe("the memory limit", () => {
  test("does not stop a program that freed its memory, if the platform reports the held bytes", async () => {
    expect((await runWith(dropped, () => mebi)).result).toMatchObject({ type: "value", output: { value: 100_000 } });
  });

  test("limits all allocations if the platform does not report the held bytes", async () => {
    expect((await runWith(dropped, notReported)).result).toMatchObject({ type: "stopped", reason: "memory" });
  });

  test("stops a program that holds more, even if little of it was counted", async () => {
    let held = 50 * mebi; // the host itself holds this much
    const result = await runAtOnceWith(dropped, () => {
      held += 2 * mebi; // allocated since the last check
      return held;
    });
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    expect(held).toBeLessThan(60 * mebi);
  });

  test("does not stop a program early because of other data in the heap", async () => {
    const heldElsewhere = await runAtOnceWith(kept, () => 500 * mebi);
    const unreported = await runAtOnceWith(kept, notReported);
    expect(heldElsewhere).toMatchObject({ type: "stopped", reason: "memory" });
    expect(heldElsewhere.operations).toBeGreaterThanOrEqual(unreported.operations);
  });

  test("counts what earlier blocks added to the heap, even if little of it was counted", async () => {
    let held = 2 * mebi; // the host itself holds this much
    const tools = {
      hoard: () => {
        held += 2 * mebi; // as if the next turn had added this much
        return "text";
      },
    };
    await using session = await openSession(tools, limits, { heldBytes: () => held });
    // The kept texts are short. So only the heap shows that the pieces keep long texts in memory.
    const keep = "var kept; kept = [kept, 'x'.repeat(1_000_000).slice(7, 30), await hoard()]; 1";
    const results: string[] = [];
    for (let blocks = 0; blocks < 8; blocks++) results.push((await session.run(keep)).result.type);
    expect(results[0]).toBe("value");
    expect(results.at(-1)).toBe("stopped");
    held = 2 * mebi;
    expect((await session.run("kept = null; 'x'.repeat(1_000_000).length")).result).toMatchObject({ type: "value" });
  });

  test("asks for a collection before it stops a program, because the heap may hold garbage", async () => {
    let held = 0;
    const heldBytes = (collects?: boolean): number => {
      held = collects ? 0 : held + mebi;
      return held;
    };
    const result = await runAtOnceWith(dropped.replace("100_000", "300_000"), heldBytes);
    expect(result).toMatchObject({ type: "value", output: { value: 300_000 } });
  });

  test("does not collect garbage in a heap that is much larger than the limit", async () => {
    let collections = 0;
    const heldBytes = (collects?: boolean): number => {
      if (collects) collections++;
      return 500 * mebi;
    };
    expect(await runAtOnceWith(kept, heldBytes)).toMatchObject({ type: "stopped", reason: "memory" });
    expect(collections).toBe(0);
  });

  test("does not stop a program for memory that others allocated during their turns", async () => {
    let held = 0;
    await using other = await openSession({}, limits);
    const elsewhere = async (): Promise<void> => {
      await other.run("1");
      held += 20 * mebi;
    };
    await using session = await openSession({ elsewhere }, limits, { heldBytes: () => held });
    const some = "for (let n = 0; n < 15_000; n++) ({ n });";
    const { result } = await session.run(`${some} await elsewhere(); ${some} 7`);
    expect(result).toMatchObject({ type: "value", output: { value: 7 } });
  });

  test("stops a replay at the same place as the recorded run, whatever is held then", async () => {
    let looks = 0;
    await using live = await openSession({}, limits, { heldBytes: () => (++looks > 40 ? 9 : 1) * mebi });
    const { result } = await live.run(kept);
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    if (result.type !== "stopped") return;
    for (const heldBytes of [() => 0, () => 400 * mebi, notReported]) {
      await using again = await openSession({}, limits, { heldBytes });
      const replayStop = { reason: result.reason, operations: result.operations };
      const replayed = await again.replay(kept, [], { replayStop });
      expect(JSON.stringify(replayed.result)).toBe(JSON.stringify(result));
      // Run "n" without checks of the heap. Such a check would stop the block, because both
      // sessions hold too much.
      expect(await runAtOnce(again, "n")).toEqual(await runAtOnce(live, "n"));
    }
  });

  test("stops a growing list before the host allocates its larger copy", async () => {
    await using session = await openSession({}, limits, { heldBytes: notReported });
    const { result } = await session.run("const all = []; for (;;) all.push(1);");
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    const bytesOfOneAndAHalfMore = 20;
    const { result: end } = await session.run(`all.length * ${bytesOfOneAndAHalfMore} < ${limits.memoryBytes}`);
    expect(end).toMatchObject({ output: { value: true } });
  });

  test.each(["new Intl.Segmenter().segment('abc')", "new Intl.Locale('en')", "new TextDecoder()", "resized()"])(
    "counts memory that the host keeps outside its heap, also after the block: %s",
    async (make) => {
      await using session = await openSession({}, limits, { heldBytes: () => 0 });
      const { result } =
        await session.run(`function resized() { const buffer = new ArrayBuffer(8, { maxByteLength: 9_000 }); buffer.resize(9_000); return buffer }
        var all = [], count = 0; for (;; count++) all.push(${make});`);
      expect(result).toMatchObject({ type: "stopped", reason: "memory" });
      const half = `for (let n = count / 2; n > 0; n--) all.push(${make});`;
      expect((await session.run(half)).result).toMatchObject({ type: "stopped", reason: "memory" });
      await session.run("all = []");
      expect((await session.run(half)).result).toMatchObject({ type: "value" });
    },
  );

  test.each([
    ["a property with a symbol", "{ [Symbol()]: data() }"],
    ["a hidden property", "Object.defineProperty({}, 'data', { value: data() })"],
    ["a getter", "((kept) => ({ get data() { return kept; } }))(data())"],
    ["a method of a class", "((kept) => class { data() { return kept; } })(data())"],
    ["a private field", "new (class { #data = data(); read() { return this.#data; } })()"],
    ["a WeakMap", "((key) => [key, new WeakMap([[key, data()]])])({})"],
    ["the cause of an error", "new Error('kept', { cause: data() })"],
    ["a bound function", "((value) => value).bind(null, data())"],
    ["an iterator of a list", "data().values()"],
    ["an iterator of a Map", "new Map([[1, data()]]).values()"],
    ["an iterator helper", "((kept) => [1].values().map(() => kept))(data())"],
    ["a generator", "(function* (kept) { yield kept; })(data())"],
    ["an async generator", "(async function* (kept) { yield kept; })(data())"],
    [
      "an async function that waits",
      "((kept) => { const never = new Promise(() => {}); (async () => { await never; kept; })(); return never; })(data())",
    ],
    [
      "a callback of a promise",
      "((kept) => { const never = new Promise(() => {}); never.then(() => kept); return never; })(data())",
    ],
    [
      "a list of promises that are not settled",
      "((never) => { Promise.all([data(), never]); return never; })(new Promise(() => {}))",
    ],
    [
      "a function that resolves a promise",
      "((kept) => { const { promise, resolve } = Promise.withResolvers(); promise.then(() => kept); return resolve; })(data())",
    ],
    ["the prototype of a list", "Object.setPrototypeOf(Array(2_000).fill(0), { data: data() })"],
    ["a built-in object", "(Math['data' + count] = data(), 1)"],
    [
      "a list with holes below a proxy",
      "Object.setPrototypeOf(Object.assign(Array(2_000), { 5: data() }), new Proxy([], new Proxy({}, { get() { for (;;); } })))",
    ],
    ["a proxy whose traps do not end", "new Proxy({ data: data() }, new Proxy({}, { get() { for (;;); } }))"],
    ["a function that revokes a proxy", "Proxy.revocable({ data: data() }, {}).revoke"],
  ])("counts what is kept between blocks in %s", async (_place, keep) => {
    await using session = await openSession({}, limits, { heldBytes: notReported });
    await session.run("var all = [], count = 0; const data = () => 'x'.repeat(60_000).split('');");
    const keepOne = `count++; all.push(${keep});`;
    const reasons: string[] = [];
    for (let blocks = 0; blocks < 20; blocks++) reasons.push((await session.run(keepOne)).result.type);
    expect(reasons.at(-1)).toBe("stopped");
    await using other = await openSession({}, limits, { heldBytes: notReported });
    await other.run("var all = [], count = 0; const data = () => [1];");
    const dropOne = `'x'.repeat(60_000).split(''); all = []; ${keepOne}`;
    for (let blocks = 0; blocks < 20; blocks++) expect((await other.run(dropOne)).result.type).toBe("value");
  });

  test.each(["'a,b'.split(/,\\s*/)", "[...'a1 b2'.matchAll(/[a-z]\\d/g)]", "new RegExp('ab' + (n % 10)).test('ab1')"])(
    "counts a pattern only once if a program makes it repeatedly: %s",
    async (make) => {
      const code = `let n = 0; for (; n < 2_500; n++) ${make}; n`;
      const results = [await runWith(code, notReported), await runWith(code, notReported)].map(({ result }) => result);
      expect(results[0]).toMatchObject({ type: "value", output: { value: 2_500 } });
      expect(results[1]).toEqual(results[0]);
    },
  );

  // Measured on Node 20 after a full collection. The sizes include the value's entry in the list.
  const sizes: readonly [what: string, make: string, bytes: number][] = [
    ["errors", "new Error('a')", 130],
    ["errors that are thrown", "(() => { try { null.x } catch (error) { return error } })()", 397],
    ["dates", "new Date(0)", 81],
    ["numbers as objects", "new Number(1)", 81],
    ["weak references", "new WeakRef(all)", 82],
    ["parsed objects", "JSON.parse('{}')", 116],
    ["objects with computed keys", "({ ['a' + all.length]: 1 })", 271],
    ["objects with an accessor", "({ get m() { return 1 } })", 557],
    ["objects with another prototype", "({ __proto__: {} })", 469],
    ["arrays with holes", "(() => { const list = []; list[17] = 1; return list })()", 404],
    ["arguments", "(function () { return arguments })(1, 2)", 270],
    ["classes with fields", "class { x = 1; static y = 2; #z = 3 }", 2_421],
    ["generators that have started", "(() => { const g = (function* () { yield 1 })(); g.next(); return g })()", 417],
    ["async generators", "(async function* () {})()", 661],
    ["functions that wait", "(async () => { await new Promise(() => {}) })()", 583],
    ["patterns that were used", "(() => { const p = new RegExp('a' + all.length); p.test('a1'); return p })()", 2_705],
    ["objects with whole numbers as keys", "({ 0: 1 })", 270],
    ["bigints", "~(2n ** 128n)", 49],
    ["symbols as keys", "({ [Symbol()]: 1 })", 261],
    ["random UUIDs", "crypto.randomUUID()", 65],
    ["decoders", "new TextDecoder()", 180],
    ["formatters", "new Intl.NumberFormat('en')", 99],
    ["options of formatters", "new Intl.NumberFormat('en').resolvedOptions()", 181],
    ["options of formatters of dates", "new Intl.DateTimeFormat('en').resolvedOptions()", 238],
    ["helpers of iterators", "all.values().take(1)", 493],
  ];
  test.each(sizes)("counts all bytes that the host holds for %s", async (_what, make, bytes) => {
    await using session = await openSession({}, limits, { heldBytes: notReported });
    await session.run(`var all = []; for (;;) all.push(${make});`);
    const { result } = await session.run("var count = all.length; all = null; count");
    const count = Number(result.type === "value" && result.output?.value);
    expect(count).toBeGreaterThan(100);
    expect(count * bytes).toBeLessThan(1.1 * limits.memoryBytes);
  });

  // Measured in the same way as `sizes`.
  const objects: readonly [what: string, make: string, bytes: number][] = [
    ["literals of many properties", `({ ${Array.from({ length: 30 }, (_, index) => `p${index}: 1`)} })`, 1_640],
    ["copies of many properties", "({ ...many })", 1_640],
    ["assigned properties", "Object.assign({}, many)", 1_645],
    ["parsed properties", "JSON.parse(text)", 1_640],
    ["properties stored one by one", "store({}, names)", 1_640],
    ["whole numbers stored one by one", "store({}, numbers)", 1_175],
    ["properties that a change adds", "change({})", 117],
    ["objects with a key of their own", "store({}, ['key' + all.length])", 193],
    ["objects of which a property was deleted", "removed({ a: 1, b: 2 })", 300],
    ["objects with fields", "new Fields()", 300],
    ["texts of numbers", "String(1e6 + all.length)", 33],
    ["texts of fractions", "(all.length / 7).toFixed(3)", 43],
    ["parts of texts", "text.slice(all.length % 100, all.length % 100 + 30)", 41],
    ["characters", "'\u0436\u0437\u0438'.charAt(all.length % 3)", 35],
    ["texts of repeated parts", "'ab'.repeat(10 + (all.length & 1))", 123],
    ["lists of some elements", "[1, 2, 3, 4, 5]", 245],
    ["parsed lists", "JSON.parse('[1,2,3,4,5]')", 243],
  ];
  const setup = `var names = Array.from({ length: 30 }, (_, index) => "p" + index);
    var many = Object.fromEntries(names.map((name) => [name, 1])), text = JSON.stringify(many);
    var numbers = Array.from({ length: 100 }, (_, index) => index);
    function store(object, keys) { for (const key of keys) object[key] = 1; return object }
    function removed(object) { delete object.a; return object }
    function change(object) { ${Array.from({ length: 10 }, (_, index) => `object.p${index} ??= 1;`).join(" ")} return object }
    class Fields { ${Array.from({ length: 30 }, (_, index) => `p${index} = 1;`).join(" ")} }`;
  test.each(objects)("counts about as many bytes as the host holds for %s", async (_what, make, bytes) => {
    await using session = await openSession({}, limits, { heldBytes: notReported });
    await session.run(`${setup} var all = []; for (;;) all.push(${make});`);
    const { result } = await session.run("var count = all.length; all = null; count");
    const count = Number(result.type === "value" && result.output?.value);
    expect(count * bytes).toBeLessThan(limits.memoryBytes / 0.7);
    expect(count * bytes).toBeGreaterThan(limits.memoryBytes / 2.1);
  });

  test("counts nothing for a store to an existing key", async () => {
    const code = "const counts = {}; for (let n = 0; n < 600_000; n++) counts['k' + (n & 1)] = counts[7] = n; 1";
    const bytesOfKeys = 34 * 600_000;
    await using session = await openSession({}, { memoryBytes: bytesOfKeys + 4 * mebi }, { heldBytes: notReported });
    expect((await session.run(code)).result).toMatchObject({ type: "value" });
  });
});
