import { eraseTypeScript } from "@smolts/interpreter/erase-types";
import { describe, expect, test } from "vitest";
import { runBlock, textOf } from "./open-session.ts";

const programs: readonly (readonly [title: string, code: string, text: string])[] = [
  [
    "annotations of variables",
    "const n: number = 41; let list: Array<string> | null = null; [n + 1, list]",
    "[ 42, null ]",
  ],
  [
    "annotations of parameters and results",
    "function add(a: number, b?: number): number { return a + (b ?? 1) } add(41)",
    "42",
  ],
  [
    "rest parameters and defaults",
    "const f = (a: number = 40, ...rest: number[]): number => a + rest.length; f(40, 1, 1)",
    "42",
  ],
  ["async arrows", "const f = async (n: number): Promise<number> => n; await f(42)", "42"],
  [
    "interfaces and aliases",
    "interface A { n: number }\ntype B = A & { m?: string };\nconst b: B = { n: 42 }; b.n",
    "42",
  ],
  ["as and satisfies", "const x = ({ n: 42 } as unknown) as { n: number }; (x satisfies object).n", "42"],
  [
    "index signatures in types",
    "const x = { n: 42 } as { readonly [key: string]: unknown }; (x as { [key: string]: number })['n']",
    "42",
  ],
  ["as const", 'const all = ["a", "b"] as const; all.length', "2"],
  ["non-null marks", "const m = new Map([[1, 42]]); m.get(1)!.toFixed(0)", "42"],
  ["angle-bracket assertions", "const x = <number>42; x", "42"],
  ["generic functions", "function id<T extends object>(x: T): T { return x } id<{ n: number }>({ n: 1 })", "{ n: 1 }"],
  ["generic arrows", "const id = <T,>(x: T): T => x; id(42)", "42"],
  ["type arguments that could be comparisons", 'const s = new Set<string>(["a", "a"]); s.size', "1"],
  ["type arguments of calls", 'const m = new Map<string, number[]>(); m.set("a", [1]); m.get("a")?.length', "1"],
  [
    "classes",
    "abstract class A<T> { private readonly n: number = 41; declare x: T; abstract m(): void; protected get(): number { return this.n } }\nclass B extends A<string> implements I { override m(): void {} public plus(): number { return this.get() + 1 } }\nnew B().plus()",
    "42",
  ],
  [
    "optional and definite members",
    "class A { a?: number; b!: string; c? = 1 } Object.keys(new A())",
    "[ 'a', 'b', 'c' ]",
  ],
  [
    "overloads",
    "function f(a: string): string;\nfunction f(a: number): number;\nfunction f(a: any): any { return a }\nf(42)",
    "42",
  ],
  ["declarations of what is elsewhere", "declare const other: string; declare function g(): void; 42", "42"],
  ["a parameter this", "const o = { n: 42, get(this: { n: number }): number { return this.n } }; o.get()", "42"],
  ["types of patterns", "const { a, b }: { a: number; b: number } = { a: 40, b: 2 }; a + b", "42"],
  [
    "a caught unknown",
    "let said = ''; try { throw new Error('x') } catch (error: unknown) { said = (error as Error).message } said",
    "x",
  ],
  ["type imports", 'import type { A } from "a"; const n: number = 42; n', "42"],
  ["imports of types alone", 'import { type A, type B } from "a"; const n: number = 42; n', "42"],
  ["a statement without semicolon before a type", "const a = 1\ninterface A {}\n;[a]", "[ 1 ]"],
];

test.each(programs)("ignores %s", async (_title, code, text) => {
  expect(await textOf(code)).toBe(text);
});

const refused: readonly (readonly [code: string, message: string, hint: string])[] = [
  ["enum Color { Red }", "an enum is not available\nline 2, column 1:", "write const Color = { Red: 0 };"],
  [
    "const enum Color { Red = 2, Green, Blue = 'b', }",
    "an enum is not available\nline 2, column 1:",
    "write const Color = { Red: 2, Green: 3, Blue: 'b' };",
  ],
  ["namespace N { export const a = 1 }", "a namespace is not available\nline 2, column 1:", "use an object instead"],
  [
    "class A { constructor(n: number, private readonly m = 2) {} }",
    "a parameter cannot declare a property\nline 2, column 34:",
    "declare it in the class and assign it: class A { m; constructor(m) { this.m = m; } }",
  ],
  ["class A { @log m() {} }", "a decorator is not available\nline 2, column 11:", "leave it out"],
  ['import fs = require("fs")', '"import =" is not available\nline 2, column 1:', 'import * as name from "module"'],
];

test.each(refused)("refuses %s and says what to write instead", async (code, message, hint) => {
  const { result } = await runBlock(`const typed: number = 1;\n${code}`);
  expect(result).toMatchObject({ type: "error", error: { name: "SyntaxError" } });
  expect(result.type === "error" && result.error.message).toContain(message);
  expect(result.type === "error" && result.error.hint).toContain(hint);
});

describe("a typed program", () => {
  test("fails at its own line and column", async () => {
    const { result } = await runBlock("const n: number = 1;\nconst m = (n as any).a.b;");
    expect(result.type === "error" && result.error.message).toContain("const m = (n as any).a.b;");
  });

  const broken: readonly (readonly [what: string, code: string, message: string])[] = [
    ["that is none", "const n = = 1;", 'unexpected "="\nline 1, column 11:'],
    [
      "with a mistake below its types",
      "interface A { n: number }\nconst m: A = = 2;",
      'unexpected "="\nline 2, column 14:',
    ],
    ["that is cut", "const n: number = 1;\nconst f = (x: string) => {", 'the code ends too early: "{" of line 2'],
    ["with a name twice", "let n: number = 1;\nlet n = 2;", '"n" has already been declared\nline 2, column 5:'],
    [
      "that awaits in a plain function",
      "function f(): void {\n  await 1;\n}",
      '"await" outside an async function\nline 2',
    ],
    [
      "that looks typed but is not TypeScript",
      "const a = new Map<string>();\nconst b = ;",
      'unexpected ";"\nline 2, column 11:',
    ],
    ["that only looks typed", "const s = a<b>(c) d;", 'unexpected "d"\nline 1, column 19:'],
    ["with a mistake before a type", "const a = [1;\nconst b: number = 1;", 'unexpected ";"\nline 1, column 13:'],
  ];
  test.each(broken)("%s fails at the place of its mistake", async (_what, code, message) => {
    const { result } = await runBlock(code);
    expect(result).toMatchObject({ type: "error", error: { name: "SyntaxError" } });
    expect(result.type === "error" && result.error.message).toContain(message);
  });

  test("calls tools and is replayed like any other", async () => {
    const { printed, result } = await runBlock("const n: number = await plus(41); console.log(n as number); n", {
      plus: (n) => (n as number) + 1,
    });
    expect([printed, result.type === "value" && result.output?.text]).toEqual(["42", "42"]);
  });

  test("leaves comparisons alone", async () => {
    expect(await textOf("const a = 1, b = 2, c = 3; [a < b, b > (c)]")).toBe("[ true, false ]");
  });

  test("with many nested ambiguities is parsed quickly", async () => {
    const { result } = await runBlock(`${"async<T>(a=".repeat(60)}1${")".repeat(60)}`);
    expect(result.type).toBe("error");
  });
});

describe("a TypeScript file of the host", () => {
  test("keeps its lines and columns when its types are removed", () => {
    const text = 'import type { A } from "./a.ts";\nexport const n = (x as { [key: string]: A }).n satisfies A;';
    expect(eraseTypeScript(text, "a.ts").split("\n")).toEqual([
      ";".padEnd(32),
      `export const n = (x${" ".repeat(24)}).n${" ".repeat(12)};`,
    ]);
  });

  test("with an enum is refused with the place and the object to write instead", () => {
    const code = "\n  enum Unit { Metric, Imperial = 7 }";
    expect(() => eraseTypeScript(code, "units.ts")).toThrow(
      expect.objectContaining({
        code: "parsing",
        message: "units.ts:2:3: an enum is not available",
        hint: "write const Unit = { Metric: 0, Imperial: 7 };",
      }),
    );
  });

  test("that is not TypeScript is refused with the place of the error", () => {
    expect(() => eraseTypeScript("const = 1", "a.ts")).toThrow(/^a\.ts:1:7: /);
  });
});
