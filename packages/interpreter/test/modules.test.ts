import {
  checkModules,
  guestModule,
  hostModule,
  type InterpreterOptions,
  interpreter,
  isAuthorizedImport,
} from "@smolts/interpreter";
import type { ExecutionResult } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { type BlockRun, openSession, type TestTool } from "./open-session.ts";

const counter = guestModule("export let count = 0;\nexport function increase() { count += 1; }");

async function run(
  code: string,
  modules: NonNullable<InterpreterOptions["modules"]>,
  more: Omit<InterpreterOptions, "modules"> = {},
  tools: { readonly [name: string]: TestTool } = {},
): Promise<BlockRun> {
  await using session = await openSession(tools, {}, { modules, ...more });
  return await session.run(code);
}

const textOf = (result: ExecutionResult): string =>
  result.type === "value" ? (result.output?.text ?? "undefined") : JSON.stringify(result);

const errorOf = (result: ExecutionResult) => {
  if (result.type !== "error") throw new Error(JSON.stringify(result));
  return result.error;
};

test("the options of a dynamic import are read and ignored", async () => {
  const code = 'const { a } = await import("m", { with: { type: "json" } }); a';
  expect(textOf((await run(code, { m: guestModule("export const a = 5") })).result)).toBe("5");
});

describe("guest modules", () => {
  const facts: [what: string, source: string | { readonly [path: string]: string }, code: string, text: string][] = [
    ["named exports", "export const one = 1, two = 2", 'import { one, two as zwei } from "m"; [one, zwei]', "[ 1, 2 ]"],
    [
      "a default function",
      "export default function () { return 7 }",
      'import f from "m"; [f(), f.name]',
      "[ 7, 'default' ]",
    ],
    ["a default class", "export default class { n = 3 }", 'import C from "m"; [new C().n, C.name]', "[ 3, 'default' ]"],
    ["a default expression", "export default [1].concat(2)", 'import list from "m"; list', "[ 1, 2 ]"],
    ["a named default", "export default function twice(n) { return 2 * n }", 'import t from "m"; t(4)', "8"],
    ["both forms at once", "export default 1; export const b = 2", 'import a, { b } from "m"; a + b', "3"],
    [
      "the namespace",
      "export const b = 2; export const a = 1",
      'import * as m from "m"; Object.keys(m)',
      "[ 'a', 'b' ]",
    ],
    ["names that are not identifiers", 'const x = 5; export { x as "a b" }', 'import { "a b" as y } from "m"; y', "5"],
    ["patterns", "export const { a, b: [c] } = { a: 1, b: [2] }", 'import { a, c } from "m"; a + c', "3"],
    ["callbacks", "export const apply = (f, x) => f(x)", 'import { apply } from "m"; apply((n) => n * 3, 5)', "15"],
    ["imports for their effect", "globalThis.seen = true", 'import "m"; globalThis.seen', "true"],
    ["dynamic imports", "export const a = 1", 'const { a } = await import("m"); a', "1"],
    ["a dynamic import by a computed name", "export const a = 1", 'const n = "m"; (await import(await n)).a', "1"],
    ["modules that wait", "export const a = await Promise.resolve(4)", 'import { a } from "m"; a', "4"],
    [
      "the rest of a waiting module",
      "export const a = await null ?? 4; export const b = a + 1",
      'import { b } from "m"; b',
      "5",
    ],
    ["TypeScript in the program", "export const a = 1", 'import { a } from "m"; const b: number = a; b', "1"],
    [
      "TypeScript",
      "export interface Row { n: number }\nexport const sum = (rows: Row[]): number => rows.reduce((all, { n }) => all + n, 0);",
      'import { sum } from "m"; sum([{ n: 1 }, { n: 2 }])',
      "3",
    ],
    ["TypeScript to a dynamic import", "export const n: number = 4", 'const name = "m"; (await import(name)).n', "4"],
    [
      "files of TypeScript, that name each other as what they become, and import types like values",
      {
        "index.js": 'export * from "./rows.ts"',
        "rows.ts":
          'import { Row, make } from "./row.js"; import Other from "absent"; export const rows: Row[] = [make(1) as Other]',
        "row.ts": "export interface Row { n: number }\nexport function make(n: number): Row { return { n } }",
      },
      'import { rows } from "m"; rows',
      "[ { n: 1 } ]",
    ],
    [
      "files that import each other",
      {
        "index.js": 'export { add } from "./lib/add.js"; export * from "./lib/more"',
        "lib/add.js": 'import { one } from "../one.js"; export const add = (n) => n + one',
        "lib/more.js": "export const more = 2; export default 9",
        "one.js": "export const one = 1",
      },
      'import { add, more } from "m"; [add(1), more]',
      "[ 2, 2 ]",
    ],
    [
      "files of a module by their path",
      { "index.js": "", "lib/add.js": "export const add = (a, b) => a + b" },
      'import { add } from "m/lib/add.js"; import * as again from "m/lib/add"; [add(1, 2), again.add === add]',
      "[ 3, true ]",
    ],
    [
      "cycles of functions",
      {
        "index.js":
          'import { odd } from "./odd.js"; export function even(n) { return n === 0 || odd(n - 1) }; export const ten = even(10)',
        "odd.js":
          'import { even } from "./index.js"; export function odd(n) { return n !== 0 && even(n - 1) }; export const early = even(4)',
      },
      'import { even, ten } from "m"; import { early } from "m/odd.js"; [even(7), ten, early]',
      "[ false, true, true ]",
    ],
    [
      "namespaces passed on",
      {
        "index.js": 'export * as inner from "./inner.js"; import * as own from "./inner.js"; export { own }',
        "inner.js": "export const x = 1",
      },
      'import { inner, own } from "m"; inner === own && inner.x',
      "1",
    ],
    [
      "itself, dynamically",
      "export const a = 1; export const load = () => import('m')",
      'import { load } from "m"; (await load()).a',
      "1",
    ],
  ];
  test.each(facts)("give %s", async (_what, source, code, text) => {
    const { result } = await run(code, { m: guestModule(source) });
    expect(textOf(result)).toBe(text);
  });

  test("show importers the current value of a variable", async () => {
    const code =
      'import { count, increase } from "m"; import * as m from "m"; increase(); increase(); [count, m.count]';
    expect(textOf((await run(code, { m: counter })).result)).toBe("[ 2, 2 ]");
  });

  test("run once in a session, and imported names stay for later blocks", async () => {
    await using session = await openSession({}, {}, { modules: { m: counter } });
    await session.run('import { count, increase } from "m"; increase();');
    expect(textOf((await session.run("increase(); count")).result)).toBe("2");
    expect(textOf((await session.run('import * as again from "m"; again.count')).result)).toBe("2");
    expect(textOf((await session.run("const count = 10; count")).result)).toBe("10");
    expect(textOf((await session.run('import { count } from "m"; count')).result)).toBe("2");
  });

  const refusals: [what: string, code: string, message: RegExp][] = [
    ["assigning to an import", 'import { count } from "m"; count = 1', /cannot assign to "count"/],
    ["assigning to the namespace", 'import * as m from "m"; m.count = 1', /cannot assign to property/],
    ["adding to the namespace", 'import * as m from "m"; m.other = 1', /cannot assign to property/],
    ["deleting from the namespace", 'import * as m from "m"; delete m.count', /cannot delete property/],
    [
      "redefining in the namespace",
      'import * as m from "m"; Object.defineProperty(m, "count", { value: 5 })',
      /cannot define/,
    ],
    ["names it does not export", 'import { cuont } from "m"; 1', /has no export "cuont"/],
    ["passing on what another exports", 'export { count } from "m"', /cannot export from other modules/],
  ];
  test.each(refusals)("refuse %s", async (_what, code, message) => {
    expect(errorOf((await run(code, { m: counter })).result).message).toMatch(message);
  });

  test("cannot be assigned to from a later block either", async () => {
    await using session = await openSession({}, {}, { modules: { m: counter } });
    await session.run('import { count } from "m"');
    expect(errorOf((await session.run("count = 5")).result).message).toContain(
      'cannot assign to "count": it is imported',
    );
  });

  test("say which name was probably meant", async () => {
    expect(errorOf((await run('import { incraese } from "m"', { m: counter })).result).hint).toBe(
      "did you mean increase?",
    );
    expect(errorOf((await run('import counter from "m"', { m: counter })).result).hint).toBe(
      'write import * as name from "m", or import { name } from "m"',
    );
  });

  test("cannot see the program's variables and tools, and cannot create variables by assigning", async () => {
    const m = guestModule(
      "export const seen = [typeof secret, typeof search, typeof finalAnswer]; export const make = () => { leaked = 1 }",
    );
    const { result } = await run(
      'const secret = 1; import { seen, make } from "m"; let error; try { make() } catch (e) { error = e.name } [seen, error]',
      { m },
      {},
      { search: () => 1 },
    );
    expect(textOf(result)).toBe("[ [ 'undefined', 'undefined', 'undefined' ], 'ReferenceError' ]");
  });

  test("show the module and its line when they fail", async () => {
    const m = guestModule({ "index.js": 'export * from "./deep.js"', "deep.js": "\nexport const f = () => null.x" });
    const { message } = errorOf((await run('import { f } from "m"; f()', { m })).result);
    expect(message).toContain("line 2, column 24 of m/deep.js:\n  export const f = () => null.x");
  });

  test("that are not modules show where the error is", async () => {
    const m = guestModule("export const = 1");
    const { message } = errorOf((await run('import "m"', { m })).result);
    expect(message).toContain("line 1, column 14 of m:");
    const dynamic = await run('try { await import("m") } catch (error) { error.name }', { m });
    expect(textOf(dynamic.result)).toBe("SyntaxError");
  });

  test("in TypeScript show an error at its line, and what to write instead of syntax that is more than a type", async () => {
    const m = guestModule("type N = number;\nexport const f = (n: N): number => n.x.y;\n");
    const failed = errorOf((await run('import { f } from "m"; f(1)', { m })).result);
    expect(failed.message).toContain("line 2, column 36 of m:\n  export const f = (n: N): number => n.x.y;");
    const color = guestModule("export const n: number = 1;\nexport enum Color { Red, Blue = 'b' }");
    for (const code of ['import "color"', 'await import("color")']) {
      const refused = errorOf((await run(code, { color })).result);
      expect(refused.message).toContain("an enum is not available\nline 2, column 8 of color:");
      expect(refused.hint).toBe("write const Color = { Red: 0, Blue: 'b' };");
    }
  });

  test("can give their files other names, and names that only their own files can use", async () => {
    const files = { "index.js": 'export * from "#part"', "lib/part.js": "export const part = 1" };
    const m = guestModule(files, { subpaths: { part: "lib/part.js", "#part": "lib/part.js" } });
    const code = 'import { part } from "m"; import * as same from "m/part"; [part, same.part]';
    expect(textOf((await run(code, { m })).result)).toBe("[ 1, 1 ]");
    const refused = errorOf((await run('import "m/prat"', { m })).result);
    expect(refused).toMatchObject({ code: "import-refused", hint: 'did you mean "m/part"?' });
  });

  test("that throw while they run throw for each import", async () => {
    const m = guestModule('throw new Error("broken")');
    await using session = await openSession({}, {}, { modules: { m } });
    for (let time = 0; time < 2; time++)
      expect(errorOf((await session.run('import "m"')).result).message).toContain("broken");
  });

  test("count against the limits, and are started again after a stop", async () => {
    const m = guestModule("export let rounds = 0; for (let i = 0; i < 300; i++) rounds++;");
    await using session = await openSession({}, { operations: 200 }, { modules: { m } });
    expect((await session.run('import { rounds } from "m"')).result).toMatchObject({
      type: "stopped",
      reason: "operations",
    });
    expect((await session.run('import { rounds } from "m"')).result).toMatchObject({
      type: "stopped",
      reason: "operations",
    });
  });

  test("run again from the record", async () => {
    const m = guestModule(
      "export const roll = () => Math.random(); export const at = Date.now(); export const first = roll();",
    );
    const code =
      'import { roll, at, first } from "m"; print(at, first); [roll(), await import("m").then((m) => m.first)]';
    const [one, two] = [await run(code, { m }), await run(code, { m })];
    expect(two.result).toEqual(one.result);
    expect(two.printed).toBe(one.printed);
  });
});

describe("host modules", () => {
  const stats = hostModule({ mean: () => 0 }, { effects: "none" });
  const tools = { "stats.mean": (values: unknown) => (values as number[]).reduce((a, b) => a + b, 0) / 3 };

  test("are host calls named by module and function", async () => {
    const { result, calls } = await run('import { mean } from "stats"; await mean([1, 2, 6])', { stats }, {}, tools);
    expect(textOf(result)).toBe("3");
    expect(calls).toEqual([{ callIndex: 1, execution: 1, name: "stats.mean", args: [[1, 2, 6]] }]);
  });

  test("have a default export with all functions", async () => {
    const { result } = await run('import stats from "stats"; await stats.mean([0, 0, 3])', { stats }, {}, tools);
    expect(textOf(result)).toBe("1");
  });

  test("refuse callbacks", async () => {
    const { result, calls } = await run('import { mean } from "stats"; await mean(() => 1)', { stats }, {}, tools);
    expect(errorOf(result).message).toContain("argument 1 of stats.mean: value is a function, which cannot be copied");
    expect(calls).toEqual([]);
  });

  test("are answered from the record", async () => {
    const code = 'import { mean } from "stats"; const m = await mean([1, 2, 3]); m + 1';
    await using live = await openSession(tools, {}, { modules: { stats } });
    const run = await live.run(code);
    await using later = await openSession({}, {}, { modules: { stats } });
    expect((await later.replay(code, run.deliveries)).result).toEqual(run.result);
  });
});

describe("authorised imports", () => {
  const rows: [name: string, authorized: string[], isAllowed: boolean][] = [
    ["os.path", ["os"], false],
    ["os.path", ["os.*"], true],
    ["os", ["os.path"], true],
    ["os", ["os.*"], true],
    ["anything/at/all", ["*"], true],
    ["date-fns/add", ["date-fns"], false],
    ["date-fns/add", ["date-fns/add"], true],
    ["date-fns", ["date-fns/add"], true],
    ["date-fns/add", ["date-fns/*"], true],
    ["date-fns-tz", ["date-fns.*"], false],
    ["os", [], false],
  ];
  test.each(rows)("let %s pass %j: %s", (name, authorized, isAllowed) => {
    expect(isAuthorizedImport(name, authorized)).toBe(isAllowed);
  });

  test("must be among the modules when the executor is made", () => {
    const modules = { "date-fns": guestModule("") };
    expect(() => interpreter({ modules, additionalAuthorizedImports: ["date-fns", "lodash"] })).toThrow(
      'authorised imports without a module: "lodash"',
    );
    expect(() => checkModules(modules, ["date-fns.*", "date-fns/add", "*"])).not.toThrow();
    expect(() => checkModules({}, ["os"])).toThrow('without a module: "os"');
  });

  test("are listed when an import is refused", async () => {
    const modules = { "date-fns": guestModule(""), stats: hostModule({}) };
    const open = errorOf((await run('print(1)\nimport fs from "fs"', modules)).result);
    expect(open.code).toBe("import-refused");
    expect(open.message).toBe(
      'import of "fs" is not allowed; authorised imports are: "date-fns", "stats"\nline 2, column 1:\n  import fs from "fs"\n  ^',
    );
    const narrowed = await run('import "stats"', modules, { additionalAuthorizedImports: ["date-fns"] });
    expect(errorOf(narrowed.result).message).toContain('authorised imports are: "date-fns"\n');
    expect(errorOf((await run('import "x"', {})).result).message).toContain("no module can be imported here");
    expect(errorOf((await run('import "./secret.js"', modules)).result).message).toContain(
      '"./secret.js" is not allowed',
    );
  });

  test("cannot be bypassed by programs that catch everything", async () => {
    const code =
      'try { await import("f" + "s") } catch { print("caught") } finally { print("finally") } print("after")';
    const { result, printed } = await run(code, {});
    expect(errorOf(result).code).toBe("import-refused");
    expect(printed).toBe("");
  });

  const elsewhere: readonly string[] = [
    "__proto__",
    "constructor",
    "toString",
    "m/__proto__",
    "m/constructor",
    "m/../../etc/passwd",
    "m/",
    "../m",
    "/etc/passwd",
    "file:///etc/passwd",
    "data:text/javascript,export default 1",
    "https://example.org/m.js",
    "node:fs",
    "",
  ];
  test.each(elsewhere)("lead only to files that were passed in: %j", async (specifier) => {
    const { result } = await run(`await import(${JSON.stringify(specifier)})`, { m: counter });
    expect(errorOf(result).code).toBe("import-refused");
  });

  test("convert the specifier to a string only once", async () => {
    const code = 'let n = 0; await import({ toString: () => (n++ === 0 ? "other" : "m") })';
    const modules = { m: counter, other: guestModule("") };
    expect(errorOf((await run(code, modules, { additionalAuthorizedImports: ["m"] })).result).message).toContain(
      '"other"',
    );
  });

  test("reveal nothing of the host: no prototype, no text of a function, no path", async () => {
    const code = `import * as m from "m"; import * as stats from "stats";
[Object.getPrototypeOf(m), m.constructor, typeof m.__proto__, String(stats.mean), m[Symbol.toStringTag], Object.isExtensible(m)]`;
    const { result } = await run(code, { m: counter, stats: hostModule({ mean: () => "secret" }) });
    expect(textOf(result).replaceAll(/\s+/g, " ")).toBe(
      "[ null, undefined, 'undefined', 'function mean() { [native code] }', 'Module', false ]",
    );
  });

  test("say what to write instead of require", async () => {
    const { result } = await run('const m = require("m")', { m: counter });
    expect(errorOf(result).hint).toBe(
      'write import * as name from "module" or import { name } from "module"; the modules are: "m"',
    );
  });

  test("let modules import each other, whatever programs may import", async () => {
    const modules = { a: guestModule('export { x } from "b"'), b: guestModule("export const x = 1") };
    const { result } = await run('import { x } from "a"; x', modules, { additionalAuthorizedImports: ["a"] });
    expect(textOf(result)).toBe("1");
    const lone = await run('import { x } from "a"; x', { a: guestModule('export { x } from "b"') });
    expect(errorOf(lone.result).message).toContain(
      '"b" is imported, and no such module was given\nline 1, column 1 of a:',
    );
  });
});

test("sources, names and functions are checked when modules are made", () => {
  expect(() => guestModule({ "main.js": "" })).toThrow('no file "index.js"');
  expect(guestModule({ "main.js": "" }, { entry: "main.js" }).entry).toBe("main.js");
  expect(() => guestModule({ "index.js": 1 as unknown as string })).toThrow("is not a string");
  expect(() => hostModule({ mean: 1 as unknown as () => unknown })).toThrow("is not a function");
  expect(() => interpreter({ modules: { "./m": counter } })).toThrow("is not a valid module name");
});
