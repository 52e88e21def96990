import type { SerializedError } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { openSession, runBlock } from "./open-session.ts";

const tools = {
  search: () => [{ title: "a" }],
  fail: (): never => {
    throw new Error("no such page");
  },
};

async function errorOf(code: string): Promise<SerializedError> {
  const { result } = await runBlock(code, tools);
  if (result.type !== "error") throw new Error(`no error: ${JSON.stringify(result)}`);
  return result.error;
}

describe("an error says what happened and where, with the line and a caret", () => {
  test("for a missing method", async () => {
    expect(await errorOf("const rows = [1];\nconst ids = rows.mapp((row) => row.id);")).toEqual({
      code: "code-execution",
      name: "TypeError",
      message:
        'TypeError: "rows.mapp" is not a function\nline 2, column 13:\n  const ids = rows.mapp((row) => row.id);\n              ^',
      hint: "did you mean rows.map?",
    });
  });

  const messages: [code: string, message: string][] = [
    ["\n\nnull.x", 'TypeError: cannot read property "x" of null ("null" is null)\nline 3, column 1:\n  null.x\n  ^'],
    ["let a = 1;\n  nope + a", 'ReferenceError: "nope" is not defined\nline 2, column 3:\n  nope + a\n  ^'],
    [
      "throw new RangeError('too far')",
      "RangeError: too far\nline 1, column 7:\n  throw new RangeError('too far')\n        ^",
    ],
    ["throw { code: 5 }", "the code threw { code: 5 }\nline 1, column 1:\n  throw { code: 5 }\n  ^"],
    ["throw 'text'", "the code threw 'text'\nline 1, column 1:\n  throw 'text'\n  ^"],
    [
      "const f = () => {\n  const x = undefined;\n  return x.y;\n};\nf()",
      'TypeError: cannot read property "y" of undefined ("x" is undefined)\nline 3, column 10:\n  return x.y;\n         ^',
    ],
  ];
  test.each(messages)("%j", async (code, message) => expect((await errorOf(code)).message).toBe(message));

  test("for a function of an earlier block", async () => {
    await using session = await openSession();
    await session.run("1;\nfunction check(x) { return x.y; }");
    const { result } = await session.run("check()");
    expect(result).toMatchObject({
      error: { message: expect.stringContaining("line 2, column 28 of block 1:\n  function check") },
    });
  });

  test("in one long line, of which only the part around the place is shown", async () => {
    const { message } = await errorOf(`${"1;".repeat(5_000)}nope;${"1;".repeat(5_000)}`);
    expect(message.length).toBeLessThan(250);
    expect(message).toContain("line 1, column 10001:");
    const [, , line, caret] = message.split("\n");
    expect(line?.slice(caret?.indexOf("^"), (caret?.indexOf("^") ?? 0) + 4)).toBe("nope");
  });

  test("of JSON, with the place and the text there", async () => {
    const { message } = await errorOf('JSON.parse(\'{"a": 1,\\n "b": [1, 2,, 3]}\')');
    expect(message).toContain('unexpected "," at line 2, column 13, near `"a": 1,\\n "b": [1, 2,, 3]}`');
  });

  test("of a value that cannot be destructured, with the wanted property", async () => {
    const { message } = await errorOf("[{}].map(({ user: { name } }) => name)");
    expect(message).toContain('cannot destructure undefined: it has no property "name"\nline 1, column 19:');
  });

  test("with the errors of an AggregateError", async () => {
    const { message } = await errorOf("await Promise.any([fail(), Promise.reject(new TypeError('b'))])");
    expect(message).toContain("\none of them: Error: no such page\none of them: TypeError: b");
  });

  test("of a variable whose declaration an earlier block did not reach", async () => {
    await using session = await openSession();
    await session.run("throw new Error('x'); const rows = []");
    const { result } = await session.run("rows.length");
    expect(result).toMatchObject({ error: { hint: expect.stringContaining("declare it again") } });
  });

  test("of calls that nest too deep, with the function that was called last", async () => {
    await using session = await openSession({}, { callDepth: 50 });
    const nesting: [code: string, message: string][] = [
      [
        "1;\nfunction fact(n) { return n * fact(n - 1) }\nfact(5)",
        "a call of fact\nline 2, column 1:\n  function fact(n)",
      ],
      ["await (async function crawl() { await crawl() })()", "a call of crawl\nline 1, column 8:"],
      ["[1].map(function () { return [1].map(() => fact(1)) })", "a call of fact\nline 2, column 1 of block 1:"],
      ["class A { get a() { return this.a } } new A().a", "a call of this function\nline 1, column 11:"],
    ];
    for (const [code, message] of nesting) {
      const { result } = await session.run(code);
      expect(result).toMatchObject({ type: "stopped", error: { message: expect.stringContaining(message) } });
    }
  });

  test("with its causes", async () => {
    const { message } = await errorOf("try { null.x } catch (cause) { throw new Error('outer', { cause }) }");
    expect(message).toContain('caused by TypeError: cannot read property "x" of null');
  });

  test("of a tool, at the place where it was awaited", async () => {
    const { message } = await errorOf("const a = 1;\nawait fail()");
    expect(message).toContain("Error: no such page\nline 2, column 1:\n  await fail()");
  });

  test("and a long message is cut", async () => {
    expect((await errorOf("throw new Error('x'.repeat(100_000))")).message.length).toBeLessThan(2_300);
  });
});

describe("a syntax error has line, source line and caret", () => {
  const errors: [code: string, message: RegExp][] = [
    ["const a = 1;\nconst b = ;", /^SyntaxError: .+\nline 2, column 11:\n {2}const b = ;\n {12}\^$/],
    ["let x = 'abc", /^SyntaxError: .*line 1, column 9/s],
    ["let a = 1; let a = 2;", /^SyntaxError: identifier "a" .*line 1, column 16/s],
    ["if (true) {\n", /^SyntaxError: .*line 2, column 1/s],
    ["with (a) {}", /^SyntaxError/],
    [
      "let n = 1;\nconst search = await search({});",
      /^SyntaxError: cannot redefine the tool "search".*line 2, column 7/s,
    ],
    ["const { search } = { search: 5 };", /^SyntaxError: cannot redefine the tool "search".*line 1, column 9/s],
    ["a b", /^SyntaxError: unexpected "b"\nline 1, column 3/],
    ["foo({\n  a: [1, 2\n", /^SyntaxError: the code ends too early: "\[" of line 2 is not closed/],
    ["1 = 2", /^SyntaxError: the left side cannot be assigned to/],
    ["break", /^SyntaxError: "break" is not inside a loop/],
    ["`abc", /^SyntaxError: unterminated template/],
  ];
  test.each(errors)("%j", async (code, message) => {
    const error = await errorOf(code);
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ code: "code-execution", name: "SyntaxError" });
    expect(error.message).not.toMatch(/node_modules|acorn|\(\d+:\d+\)/);
  });
});

describe("a hint says what to do", () => {
  const hints: [code: string, hint: RegExp][] = [
    ["const rows = search(); rows.map((r) => r)", /rows is a promise; write await/],
    ["const data = search(); data.results.length", /data is a promise; write await/],
    ["const rows = search(); for (const r of rows) {}", /rows is a promise; write await/],
    ["const [first] = search();", /search returns a promise; write await search/],
    ["const totals = { a: 1 }; for (const [k, v] of totals) {}", /Object\.entries\(totals\)/],
    ["const rows = await search(); rows[0].titel.length", /did you mean rows\[0\]\.title/],
    ["const row = [].find((r) => r.id === 1); row.title", /row\?\.title/],
    ["(await search()).map((row) => row.titel.length)", /did you mean row\.title\?/],
    ["(await search()).map((row) => row.title.toUppercase())", /did you mean row\.title\.toUpperCase\?/],
    ["function show(user) { return user.adress.city } show({ address: {} })", /did you mean user\.address\?/],
    ["const show = (user) => user.profile.name; await (async () => show({ id: 1 }))()", /user has id$/],
    ["await Promise.all([1].map(async (id) => { const row = { id }; return row.data.x }))", /row has id$/],
    [
      "class A { constructor() { this.rows = [] } f() { return this.row[0] } } new A().f()",
      /did you mean this\.rows\?/,
    ],
    ["[1.5].map((price) => price.replace('$', ''))", /price is already a number; .*String\(price\)\.replace/],
    ["const price = '1.5'; price.toFixed(2)", /Number\(price\)\.toFixed/],
    ["const day = '2026-01-31'; day.getFullYear()", /new Date\(day\)\.getFullYear/],
    ["const names = 'a,b'; names.map((name) => name)", /names\.split\(separator\)\.map/],
    ["const text = '{\"rows\": []}'; text.rows.length", /text is a JSON string: write JSON\.parse\(text\)/],
    ["const text = '[{\"id\": 1}]'; for (const row of text.rows);", /JSON\.parse\(text\)/],
    ["const found = await search(); found.results.map((row) => row)", /found is an array of 1: use the element itself/],
    [
      "const found = await search(); for (const row of found.results);",
      /use the element itself; its elements have title/,
    ],
    ["const page = { rows: [1], next: 2 }; page.map((row) => row)", /its array is page\.rows: write page\.rows\.map/],
    ["const rows = [1, 2].map(() => search()); rows.titles.length", /await Promise\.all\(rows\)/],
    ["const count = 5; count()", /count is a number: use it without \(\)/],
    ["const list = [1]; list(0)", /write list\[index\]/],
    ["const f = () => 1; new f()", /cannot be called with new/],
    ["class A {} A()", /write new before it/],
    ["await Promise.all(search(), search())", /Promise\.all\(\[a, b\]\)/],
    ["this.search()", /write await search/],
    ["class A { v = 1; f() { return this.v } } const { f } = new A(); f()", /loses its this/],
    [
      "async function main() { const search = await search() } await main()",
      /search is both a tool and a variable here/,
    ],
    ["search = 5", /another name/],
    ["for (const [key] of { a: 1 });", /Object\.entries/],
    ["const [, digits] = /x(\\d)/.exec('a')", /match and exec return null/],
    ["[].reduce((a, b) => a + b)", /pass an initial value/],
    ["JSON.parse('{a: 1}')", /names in double quotes/],
    ["JSON.parse('{\"a\": NaN}')", /not NaN/],
    ["JSON.parse('{\"a\": 1 // one\\n}')", /does not allow comments/],
    ['JSON.parse(\'{"a": 1 "b": 2}\')', /a comma or a colon is missing/],
    ['JSON.parse(\'{"a": "b\\nc"}\')', /line break or tab inside a string/],
    ["JSON.parse('Here it is: {}')", /words before the JSON/],
    ["JSON.parse('[1,,2]')", /a missing value/],
    ["new RegExp('C++ (')", /RegExp\.escape\(text\)/],
    ["/(?i)abc/.test('')", /flags come after the pattern/],
    ["/(?P<x>a)/.test('')", /\(\?<name>\.\.\.\)/],
    ["new Date().toLocaleString('en', { timeZone: 'Mars/Base' })", /Europe\/Paris/],
    ["(5).toLocaleString('en', { style: 'currency' })", /currency: "EUR"/],
    ["BigInt(1.5)", /Math\.trunc/],
    ["'a' in 'abc'", /text\.includes/],
    ["let text = 'abc'; text[0] = 'x'", /cannot be changed in place/],
    ["const text = 'a'; text.toUppercase()", /did you mean text\.toUpperCase/],
    ["const list = []; list.append(1)", /push/],
    ["((items) => items.append(1))([])", /push/],
    ["const myVariable = 1; myVarible + 1", /did you mean myVariable\?/],
    ["serch('x')", /did you mean search\?/],
    ["conosle.log(1)", /did you mean console\?/],
    ["len([1])", /value\.length/],
    ["None", /null/],
    ["require('fs')", /no modules/],
    ["import fs from 'fs'", /functions that were declared/],
    ["await fetch('https://example.org')", /tools/],
    ["process.env", /sandbox/],
    ["document.title", /browser/],
    ["1n + 1", /BigInt/],
    ["JSON.parse('<html>')", /HTML or XML/],
    ["JSON.parse(undefined)", /is undefined/],
    ["JSON.parse({ a: 1 })", /is already an object/],
    ["JSON.parse(search())", /await/],
    [`JSON.parse("{'a': 1}")`, /double quotes/],
    ["JSON.parse('[1,]')", /a comma before a closing bracket/],
    ["JSON.parse('```json')", /fence/],
    ["JSON.parse('[1, 2')", /was cut/],
    ["const x = 1; x = 2", /let x = /],
    ["const { title } = search(); title.length", /search returns a promise; write await/],
    ["search().map((row) => row.title)", /search\(\) is a promise/],
    ["const find = async () => [1]; find().map((n) => n)", /find\(\) is a promise/],
    ["(await search()).then((rows) => rows)", /awaited already/],
    ["const user = { name: null }; user.name.length", /user\.name\?\.length/],
    ["const user = {}; user.address.city", /user has no properties/],
    ["const rows = [{ id: 1 }]; rows.id.length", /array of 1; its elements have id: write rows\[0\]\.id/],
    ["[1].length()", /length is not a function; write it without/],
    ["const row = { name: 'a' }; row.name()", /row\.name is not a function/],
    ["const m = new Map([['a', 1]]); m['a'].toFixed()", /m is a Map; write m\.get\("a"\)/],
    ["const m = new Map(); m.length.toFixed()", /m\.size/],
    ["const s = new Set([1]); s.map((n) => n)", /\[\.\.\.s\]\.map/],
    ["const o = { a: 1 }; o.map((n) => n)", /Object\.entries\(o\)\.map/],
    ["const n = 5; n.split(',')", /n is already a number/],
    ["const rows = 3; for (const row of rows) {}", /rows is a number; write for/],
    ["'a'.toUppercase()", /'a'\.toUpperCase/],
    ["'abc'.match(/x/)[1]", /nothing matched.*\?\.\[1\]/],
    ["Math.sum([1, 2])", /reduce/],
    ["function f({ a }) {} f()", /default/],
    ["const o = { a: 1 }\n(function () {})()", /a semicolon is missing/],
    ["use(1); const use = 2", /above its first use/],
    ["const o = {}; o.self = o; JSON.stringify(o)", /remove the circular references/],
    ["Object.freeze([1]).push(2)", /copy/],
    ["new Date('nope').toISOString()", /not a date/],
    ["cheerio.load('<a>')", /HTML is text here/],
    ["pd.read_csv('a')", /no library/],
    ["prompt('name?')", /there is nobody to ask here/],
    ["tools.search()", /tools are plain functions/],
    ["new AbortController()", /nothing can be aborted/],
    ["new Worker('x.js')", /one thread/],
    ["new FormData()", /no network access/],
    ["new Blob(['x'])", /Uint8Array/],
    ["new FinalizationRegistry(() => {})", /WeakRef/],
    ["class Feed extends EventTarget {}", /list of functions/],
    ["await sleep(5)", /setTimeout/],
    ["Temporal.Now", /new Date/],
    ["```js\nprint(1)\n```", /without ```/],
    ["<code>\nprint(1)\n</code>", /without tags/],
    ["Here is the code:\nprint(1)", /put words in comments/],
    ["Thought: I should search first\nprint(1)", /put words in comments/],
    ["const s = 'it's broken'", /a quote inside a string/],
    ["const o = { a: 1 b: 2 }", /a comma or an operator/],
    ["# count\nlet n = 1", /\/\/ begins a comment/],
    ["const s = f'{n} items'", /`text \$\{value\}`/],
    ["const xs = [n * 2 for n in rows]", /filter.*map/],
    ["if (true and false) {}", /&& for and/],
    ["if (not true) {}", /! for not/],
    ["const y = 1 if true else 2", /condition \? a : b/],
    ["const f = lambda x: x", /=>/],
    ["import json\ndata = json.loads('{}')", /not Python/],
    ["try:\n  f()", /catch/],
    ["if x > 1:\n  f()", /if \(condition\)/],
    ["def f(x):\n  return x", /JavaScript, not Python/],
    ["for x in rows:\n  print(x)", /JavaScript, not Python/],
    ["function f() { await search(); }", /async/],
    ["let s = 'a\nb'", /backticks/],
    ["export { rows }", /leave the export out/],
    ['{ "name": "x", "value": 1 }', /write \(\{ name: value \}\)/],
    ["<!-- a comment -->", /HTML is text here/],
    ["const element = <div>hi</div>;", /HTML is text here/],
    ["**Step 1**\nprint(1)", /put words in comments/],
    ["if (1 > 2 { print(1) }", /closing parenthesis is missing/],
    ["const o = { a: 1; b: 2 };", /separate the properties/],
    ["const o = { a = 1 };", /write name: value/],
    ["const my-name = 5;", /no dashes/],
    ["const class = 5;", /use another name/],
    ["const 2nd = 5;", /cannot begin with a digit/],
    ["5.toFixed(2);", /\(5\)\.toFixed/],
    ["if (true) let x = 1;", /declaration in braces/],
    ["const f = (x)\n  => x;", /same line as its parameters/],
    ["const s = `a ${1 + } b`;", /a value is missing before it/],
    ["print(1));", /never opened/],
    ["if (x) { } elif (y) { }", /else if/],
    ["const list = [1, 2]; print(list[1:])", /array\.slice/],
    ["const a, b = 1, 2;", /const \[a, b\] = \[1, 2\]/],
    ["if (x is None) { }", /===/],
    ["if ('a' not in list) { }", /!list\.includes/],
    ["const a = 1 # one", /\/\/ begins a comment/],
    ['const s = """a\nb""";', /backticks/],
    ["raise ValueError('x')", /throw new Error/],
    ["assert 1 == 2", /if \(!condition\)/],
    ["const n = 010;", /octal/],
    ["const o = {}; o?.a = 1;", /if \(object\)/],
    ["module.exports = 1", /top-level names stay/],
    ["pass", /a block may be empty/],
    ["globalThis.fetch('x')", /no network access/],
    ["const s = “x”", /straight quotes/],
  ];
  test.each(hints)("%j", async (code, hint) => expect((await errorOf(code)).hint).toMatch(hint));

  const notMisled: [code: string, hint: RegExp][] = [
    ["const data = { rows: [{ id: 1 }] }; data.rows[3].id", /^data\.rows is an array of 1: it has no element 3$/],
    ["const data = { a: undefined, ab: 1 }; data.a.b", /^data\.a exists, but has no value$/],
    ["const o = { get a() { return undefined } }; o.a.b", /^o\.a exists, but has no value$/],
    ["const o = { cb: null }; o.cb()", /^o\.cb exists, but is not a function$/],
    ["const m = new Map(); m.push(1)", /^m is a Map; write m\.set\(key, value\)$/],
    ["const m = new Map(); m.add(1)", /m\.set\(key, value\)$/],
    ["const s = new Set(); s.push(1)", /^s is a Set; write s\.add\(value\)$/],
    ["const s = new Set(); s.set(1)", /s\.add\(value\)$/],
    ["const s = new Set(); s.get(1)", /s\.has\(value\)$/],
    ["const s = new Set([1]); s[0].id", /^s is a Set; write \[\.\.\.s\]\[0\]$/],
    ["const page = '[link](https://a.example)'; page.title.length", /^page is a string$/],
    ["const log = '[2024-01-01] start'; log.foo()", /^log is a string$/],
    ["const s = 'abc'; s.push('d')", /write s \+ more$/],
    ["const u = new Uint8Array(3); u.push(1)", /\[\.\.\.Array\.from\(u\), value\]$/],
    ["const o = {}; o.push(1)", /write o\[key\] = value$/],
    ["(function () { return arguments.map((x) => x) })(1)", /Array\.from\(arguments\)\.map\(\.\.\.\)$/],
    ["const a = { length: 1, 0: 'a' }; a.map((x) => x)", /Array\.from\(a\)\.map\(\.\.\.\)$/],
    ["const o = { 'a-b': { c: 1 } }; o['a_b'].c", /^did you mean o\["a-b"\]\?$/],
    ["const rows = {}; const f = (rows) => { for (const row of rows) {} }; f(3)", /Array\.from\(\{ length: n \}/],
    [
      "const rows = 5; const f = (rows) => { for (const row of rows) {} }; f({})",
      /^iterate over Object\.entries\(object\)/,
    ],
    [
      "const rows = search(); const f = (rows) => { for (const row of rows) {} }; f({})",
      /^iterate over Object\.entries/,
    ],
    ["JSON.parse('Not found')", /or there is no JSON: print the text/],
    [`if (0) {}${" else if (0) {}".repeat(2_000)}`, /^put parts of it into variables/],
  ];
  const slipsBesideTexts: readonly string[] = [
    "const re = /(?<n>a)(?<n>b)/;",
    "const m = /(?<year>\\d+)/.exec('2024'));",
    'print("Title: <b>x</b>"));',
    "const same = <T>(value: T) => value value",
    'print("None found"));',
  ];
  test.each(slipsBesideTexts)("and none about HTML or Python inside a string: %j", async (code) => {
    expect((await errorOf(code)).hint ?? "").not.toMatch(/HTML|Python/);
  });

  test.each(notMisled)("and none that is misleading: %j", async (code, hint) => {
    expect((await errorOf(code)).hint).toMatch(hint);
  });

  test("without running a getter of the program again", async () => {
    await using session = await openSession(tools);
    await session.run(
      "let reads = 0; Object.defineProperty(globalThis, 'page', { get() { reads++; return { body: {} } } })",
    );
    expect((await session.run("page.body.titel.length")).result).toMatchObject({ type: "error" });
    expect((await session.run("reads")).result).toMatchObject({ output: { text: "1" } });
  });
});

test("no error text reveals anything about the host", async () => {
  const codes = [
    "null.x",
    "nope",
    "new Array(-1)",
    "'x'.repeat(-1)",
    "BigInt('x')",
    "JSON.parse('{')",
    "[].reduce((a) => a)",
    "Symbol() + ''",
    "decodeURIComponent('%')",
    "new Proxy({}, null)",
    "Object.defineProperty(1, 'a', {})",
    "class A { constructor() { this.x = 1 } } A()",
  ];
  for (const code of codes) {
    const { message: shown } = await errorOf(`try { ${code} } catch (e) { throw new Error(e.stack + e.message + e) }`);
    expect(shown).not.toMatch(/node:|\.ts\b|\.js\b|\/packages\/|at Object\.|execution/);
  }
});

describe("printing a property that a Map or a Set does not have adds a hint:", () => {
  test.each([
    ["const m = new Map([['a', 1]]); console.log(m.a)", "undefined\nm is a Map: write m.get('a')"],
    ["const m = new Map([['a', 1]]); print('x', m['a b'])", "x undefined\nm is a Map: write m.get('a b')"],
    ["const m = new Map([[7, 1]]), key = 7; console.log(m[key])", "undefined\nm is a Map: write m.get(7)"],
    ["const m = new Map([['a', 1]]); console.log(m.length)", "undefined\nm is a Map: write m.size"],
    ["const s = new Set(['a']); console.error(s.a, s.a)", "undefined undefined\ns is a Set: write s.has('a')"],
    ["const m = new Map([['a', undefined]]); console.log(m.get('a'), m.size)", "undefined 1"],
    ["const m = Object.assign(new Map(), { a: undefined }); console.log(m.a)", "undefined"],
    ["const o = { a: 1 }; console.log(o.b)", "undefined"],
  ])("%s", async (code, text) => {
    expect((await runBlock(code)).printed).toBe(text);
  });
});

describe("a stop names a line even if only promise jobs ran:", () => {
  test.each([
    ["queueMicrotask", "const f = () => queueMicrotask(f);\nf();\nawait new Promise(() => {});", 1],
    ["then", "const p = Promise.resolve();\nconst f = () => void p.then(f);\nf();\nawait new Promise(() => {});", 2],
    ["timers", "\nconst f = () => setTimeout(f);\nf();\nawait new Promise(() => {});", 2],
    ["async functions", "\n\nconst f = async () => { await null; f(); };\nf();\nawait new Promise(() => {});", 3],
  ])("%s", async (_name, code, line) => {
    await using session = await openSession({}, { microtasks: 5_000, memoryBytes: 0 });
    const { result } = await session.run(code);
    expect(result).toMatchObject({ type: "stopped", reason: "microtasks" });
    expect(result.type === "stopped" && result.error.message).toContain(`line ${line}, column`);
  });
});

test.each([
  "throw Object.assign(new Error('x'.repeat(1e6)), { name: 'n'.repeat(1e6), hint: 'h'.repeat(1e6) })",
  "throw new Error('x', { cause: Object.assign(new Error('y'), { name: 'n'.repeat(1e6) }) })",
  "const o = { ['n'.repeat(1e6)]() {} }; o.missing()",
  "const f = { ['n'.repeat(1e6)]() { f.x.y } }; f['n'.repeat(1e6)]()",
])("an error stays short, however long its texts are: %s", async (code) => {
  const { result } = await runBlock(code);
  expect(result.type).toBe("error");
  expect(JSON.stringify(result).length).toBeLessThan(10_000);
});
