import { describe, expect, test } from "vitest";
import { runBlock, textOf, valueOf } from "./open-session.ts";

const printed = async (code: string): Promise<string> => (await runBlock(code, { search: () => 1 })).printed;

describe("a value reads", () => {
  const values: [code: string, text: string][] = [
    ["'plain text'", "plain text"],
    ["['text']", "[ 'text' ]"],
    ["[`it's`, 'say \"hi\"', `it's \"both\"`]", '[ "it\'s", \'say "hi"\', `it\'s "both"` ]'],
    ["['a\\nb\\t\\x1b\\\\']", "[ 'a\\nb\\t\\x1B\\\\' ]"],
    ["['\\u202e', '\\ud800']", "[ '\\u202e', '\\ud800' ]"],
    ["-0", "-0"],
    ["[0, -0, NaN, 1e21, 0.1]", "[ 0, -0, NaN, 1e+21, 0.1 ]"],
    ["10n ** 20n", "100000000000000000000n"],
    ["[null, undefined, true]", "[ null, undefined, true ]"],
    ["Symbol('s')", "Symbol(s)"],
    ["({})", "{}"],
    ["[]", "[]"],
    ["({ a: 1, 'b-c': 2, [Symbol('k')]: 3, 4: 5 })", "{ '4': 5, a: 1, 'b-c': 2, [Symbol(k)]: 3 }"],
    ["({ a: { b: { c: {} } } })", "{ a: { b: { c: {} } } }"],
    ["[1, , 3, , ,]", "[ 1, <1 empty item>, 3, <2 empty items> ]"],
    ["const a = [1]; a.x = 2; a", "[ 1, x: 2 ]"],
    ["new Array(5)", "[ <5 empty items> ]"],
    ["const a = []; a[4294967290] = 1; a", "[ <4294967290 empty items>, 1 ]"],
    ["(function named() {})", "[Function: named]"],
    ["(() => {})", "[Function (anonymous)]"],
    ["(async () => {})", "[AsyncFunction (anonymous)]"],
    ["(function* g() {})", "[GeneratorFunction: g]"],
    ["(async function* g() {})", "[AsyncGeneratorFunction: g]"],
    ["const f = () => {}; f.x = 1; f", "[Function: f] { x: 1 }"],
    ["class A {}; class B extends A { static n = 1 }; [A, B]", "[ [class A], [class B extends A] { n: 1 } ]"],
    ["Math.max", "[Function: max]"],
    ["class Point { x = 1; #hidden = 2 }; new Point()", "Point { x: 1 }"],
    ["Object.create(null, { a: { value: 1, enumerable: true } })", "[Object: null prototype] { a: 1 }"],
    ["({ [Symbol.toStringTag]: 'Tag' })", "{ [Symbol(Symbol.toStringTag)]: 'Tag' }"],
    [
      "({ get a() { throw 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} })",
      "{ a: [Getter], b: [Setter], c: [Getter/Setter] }",
    ],
    ["const o = { n: 1 }; o.self = o; o", "<ref *1> { n: 1, self: [Circular *1] }"],
    [
      "const o = {}; o.list = [o]; [o, o]",
      "[\n  <ref *1> { list: [ [Circular *1] ] },\n  <ref *1> { list: [ [Circular *1] ] }\n]",
    ],
    ["new Error('broken')", "Error: broken"],
    ["[new TypeError('broken')]", "[ [TypeError: broken] ]"],
    ["class MyError extends Error {}; new MyError('mine')", "MyError: mine"],
    ["Object.assign(new Error('x'), { code: 7 })", "Error: x { code: 7 }"],
    ["new Error('outer', { cause: new Error('inner') })", "Error: outer { [cause]: [Error: inner] }"],
    ["({ p: Promise.resolve(1) })", "{ p: Promise { 1 } }"],
    [
      "[Promise.reject(new Error('no')), 1].map((p) => (p.catch?.(() => {}), p))",
      "[ Promise { <rejected> [Error: no] }, 1 ]",
    ],
    ["Object('text')", "[String: 'text']"],
    ["[Object(1), Object(true), Object(1n)]", "[ [Number: 1], [Boolean: true], [BigInt: 1n] ]"],
    ["new Proxy({ a: 1 }, { get() { throw 1 }, ownKeys() { throw 1 } })", "{ a: 1 }"],
    ["new Map([['a', 1], [{ k: 1 }, [2]]])", "Map(2) { 'a' => 1, { k: 1 } => [ 2 ] }"],
    ["new Set([1, 'a'])", "Set(2) { 1, 'a' }"],
    ["class Stock extends Map {}; new Stock([['tea', 4]])", "Stock(1) [Map] { 'tea' => 4 }"],
    ["class Tags extends Set {}; new Tags(['new'])", "Tags(1) [Set] { 'new' }"],
    ["new Map()", "Map(0) {}"],
    ["new WeakMap()", "WeakMap { <items unknown> }"],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["[new Date(NaN)]", "[ Invalid Date ]"],
    ["/a+/gi", "/a+/gi"],
    ["new Uint8Array([1, 2])", "Uint8Array(2) [ 1, 2 ]"],
    ["new Float64Array(2)", "Float64Array(2) [ 0, 0 ]"],
    ["new ArrayBuffer(3)", "ArrayBuffer { [Uint8Contents]: <00 00 00>, byteLength: 3 }"],
    [
      "new DataView(new Uint8Array([1, 255]).buffer, 1)",
      "DataView {\n  byteLength: 1,\n  byteOffset: 1,\n  buffer: ArrayBuffer { [Uint8Contents]: <01 ff>, byteLength: 2 }\n}",
    ],
    [
      "const m = new Map([[1, 2]]); [m.keys(), m.values(), m.entries(), new Set(['a']).values()]",
      "[\n  [Map Iterator] { 1 },\n  [Map Iterator] { 2 },\n  [Map Entries] { [ 1, 2 ] },\n  [Set Iterator] { 'a' }\n]",
    ],
    [
      "const rest = new Set([1, 2, 3]).values(); rest.next(); const shown = [rest]; shown",
      "[ [Set Iterator] { 2, 3 } ]",
    ],
    ["new URLSearchParams('a=1&b=x y')", "URLSearchParams { 'a' => '1', 'b' => 'x y' }"],
    [
      "new URL('https://me:pw@example.org:81/a?b=1#c')",
      "URL {\n  href: 'https://me:pw@example.org:81/a?b=1#c',\n  origin: 'https://example.org:81',\n  protocol: 'https:',\n  username: 'me',\n  password: 'pw',\n  host: 'example.org:81',\n  hostname: 'example.org',\n  port: '81',\n  pathname: '/a',\n  search: '?b=1',\n  searchParams: URLSearchParams { 'b' => '1' },\n  hash: '#c'\n}",
    ],
    ["(function () { return arguments })(1, 'a')", "[Arguments] { '0': 1, '1': 'a' }"],
    ["Object.setPrototypeOf([1], null)", "[Array(1): null prototype] [ 1 ]"],
    ["({ ['__proto__']: 1, $: 2, _: 3 })", "{ ['__proto__']: 1, '$': 2, _: 3 }"],
    [
      "[[[[[[], {}, new Date(0), /x/, [1], { a: 1 }]]]]]",
      "[\n  [\n    [\n      [ [ [], {}, 1970-01-01T00:00:00.000Z, /x/, [Array], [Object] ] ]\n    ]\n  ]\n]",
    ],
    [
      "({ poem: 'a line of text\\nand another one that makes both together longer than one line can be' })",
      "{\n  poem: 'a line of text\\n' +\n    'and another one that makes both together longer than one line can be'\n}",
    ],
    ["['x', 'longer', 3, null, true, 'y', 'z']", "[ 'x', 'longer', 3, null, true, 'y', 'z' ]"],
    ["['日本', '中国', '한국', 'a', 'b', 'c', 'd']", "[\n  '日本', '中国',\n  '한국', 'a',\n  'b',    'c',\n  'd'\n]"],
    ["new Uint8Array([1, 20, 255, 0, 0, 0, 7])", "Uint8Array(7) [\n  1, 20, 255, 0,\n  0,  0,   7\n]"],
    ["(function* g() {})()", "Object [Generator] {}"],
    ["({ deep: { b: { c: { d: { e: { f: 1 } } } } } })", "{\n  deep: {\n    b: { c: { d: { e: [Object] } } }\n  }\n}"],
    [
      "Array.from({ length: 3 }, (_, id) => ({ id, title: `a title that is long enough ${id}` }))",
      "[\n  { id: 0, title: 'a title that is long enough 0' },\n  { id: 1, title: 'a title that is long enough 1' },\n  { id: 2, title: 'a title that is long enough 2' }\n]",
    ],
    [
      "Array.from({ length: 30 }, (_, n) => n * 1000)",
      "[\n      0,  1000,  2000,  3000,  4000,\n   5000,  6000,  7000,  8000,  9000,\n  10000, 11000, 12000, 13000, 14000,\n  15000, 16000, 17000, 18000, 19000,\n  20000, 21000, 22000, 23000, 24000,\n  25000, 26000, 27000, 28000, 29000\n]",
    ],
  ];
  test.each(values)("%s", async (code, text) => expect(await textOf(code)).toBe(text));

  test("cut to 100 elements, with the number of omitted ones", async () => {
    const text = await textOf("Array.from({ length: 250 }, (_, n) => n)");
    expect(text).toMatch(/ 99,\s+\.\.\. 150 more items\n\]$/);
    expect(text).not.toContain("100");
  });

  test("cut to 10,000 characters of a string in an object, uncut alone", async () => {
    expect(await textOf("['x'.repeat(10_005)]")).toContain("'... 5 more characters ]".replace(" ]", ""));
    expect(await textOf("'x'.repeat(25_000)")).toBe("x".repeat(25_000));
  });

  test("bounded if each part is small and the whole is huge", async () => {
    const text = await textOf(
      "const row = Array(100).fill(1); const page = Array(100).fill(row); const book = Array(100).fill(page); [book]",
    );
    expect(text.length).toBeLessThan(200_000);
  });
});

describe("printing", () => {
  const lines: [code: string, text: string][] = [
    ["print('a', 1, [2], null)", "a 1 [ 2 ] null"],
    ["print()", ""],
    ["console.log('%s is %d%%', 'x', 42, 'rest')", "x is 42% rest"],
    ["console.log('%i %f %o %j', 4.9, '1.5', { a: 1 }, [1])", "4 1.5 { a: 1 } [1]"],
    ["console.log('%s')", "%s"],
    ["console.log('100%', 1)", "100% 1"],
    ["console.log('%s', { a: { b: { c: 1 } } })", "{ a: { b: [Object] } }"],
    ["console.log('%d', 5n)", "5n"],
    ["console.log('%c styled', 'color: red')", " styled"],
    ["console.group('g'); console.log('in\\nside'); console.groupEnd(); console.log('out')", "g\n  in\n  side\nout"],
    ["console.groupCollapsed('g'); console.log('in'); console.groupEnd(); console.dirxml('out')", "g\n  in\nout"],
    ["console.assert(false, 'why %d', 5); console.assert(true, 'not')", "Assertion failed: why 5"],
    ["console.assert(0); console.assert(null, { a: 1 })", "Assertion failed\nAssertion failed { a: 1 }"],
    ["console.count(); console.countReset(); console.count()", "default: 1\ndefault: 1"],
    ["console.time('t'); console.timeLog('t', 'so far', [1]); console.timeEnd('t')", "t: 0ms so far [ 1 ]\nt: 0ms"],
    [
      "console.dir({ a: { b: {} } }, { depth: 0 }); console.dir([[[[[[[1]]]]]]], { depth: null })",
      "{ a: [Object] }\n[\n  [\n    [\n      [\n        [ [ [ 1 ] ] ]\n      ]\n    ]\n  ]\n]",
    ],
    ["console.count(); console.count(); console.count('x')", "default: 1\ndefault: 2\nx: 1"],
    [
      "console.table([{ a: 1, b: 'x' }, { a: 2, c: [3] }])",
      "| (index) | a | b | c |\n| --- | --- | --- | --- |\n| 0 | 1 | x |  |\n| 1 | 2 |  | [ 3 ] |",
    ],
    ["console.table([{ a: 1, b: 2 }], ['b'])", "| (index) | b |\n| --- | --- |\n| 0 | 2 |"],
    ["console.table(['x|y', 5])", "| (index) | Values |\n| --- | --- |\n| 0 | x\\|y |\n| 1 | 5 |"],
    [
      "console.table(new Map([['k', { a: 1 }], [2, 'x']]))",
      "| (iteration index) | Key | Values |\n| --- | --- | --- |\n| 0 | k | { a: 1 } |\n| 1 | 2 | x |",
    ],
    ["console.table(new Set(['v']))", "| (iteration index) | Values |\n| --- | --- |\n| 0 | v |"],
    ["console.table(5)", "5"],
    ["console.group('g'); console.clear(); print('out')", "g\nout"],
    ["print([new DOMException('gone', 'AbortError')])", "[ [AbortError: gone] ]"],
    ["print(search())", "Promise { <pending: result of search, write await> }"],
    ["const { log } = console; log('free')", "free"],
  ];
  test.each(lines)("%s", async (code, text) => expect(await printed(code)).toBe(text));

  test("has the level of the method", async () => {
    const { lines } = await runBlock(
      "console.log(1); console.info(2); console.warn(3); console.error(4); console.debug(5); print(6)",
    );
    expect(lines.map(({ level }) => level)).toEqual(["log", "info", "warn", "error", "debug", "log"]);
  });

  test("runs no guest code", async () => {
    expect(
      await valueOf(
        `let ran = 0; const run = () => { ran++; return 'x' };
        const all = { get a() { return run() }, toString: run, toJSON: run, valueOf: run, [Symbol.toPrimitive]: run, then: run,
          [Symbol.for('nodejs.util.inspect.custom')]: run, inspect: run };
        const handler = new Proxy({}, { get() { run() } });
        class Loud { get [Symbol.toStringTag]() { return run() } static get name() { return run() } }
        print(all, [all], new Proxy(all, handler), new Loud(), Loud); console.log('%s %o %d', all, all, all); console.table([all]);
        ran`,
      ),
    ).toBe(0);
  });
});
