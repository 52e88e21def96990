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

describe("an error says what happened, where, with the line and a caret", () => {
  test("for a method that is not there", async () => {
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

  test("in one long line, only around the place", async () => {
    const { message } = await errorOf(`${"1;".repeat(5_000)}nope;${"1;".repeat(5_000)}`);
    expect(message.length).toBeLessThan(250);
    expect(message).toContain("line 1, column 10001:");
    const [, , line, caret] = message.split("\n");
    expect(line?.slice(caret?.indexOf("^"), (caret?.indexOf("^") ?? 0) + 4)).toBe("nope");
  });

  test("with its causes", async () => {
    const { message } = await errorOf("try { null.x } catch (cause) { throw new Error('outer', { cause }) }");
    expect(message).toContain('caused by TypeError: cannot read property "x" of null');
  });

  test("of a tool, where it was awaited", async () => {
    const { message } = await errorOf("const a = 1;\nawait fail()");
    expect(message).toContain("Error: no such page\nline 2, column 1:\n  await fail()");
  });

  test("cut when it is long", async () => {
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
    ["a b", /^SyntaxError: unexpected "b"\nline 1, column 3/],
    ["foo({\n  a: [1, 2\n", /^SyntaxError: the code ends too early: "\[" of line 2 is not closed/],
    ["1 = 2", /^SyntaxError: what stands on the left cannot be assigned to/],
    ["break", /^SyntaxError: "break" has no loop around it/],
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
    ["const [first] = search();", /search gives a promise; write await search/],
    ["const totals = { a: 1 }; for (const [k, v] of totals) {}", /Object\.entries\(totals\)/],
    ["const rows = await search(); rows[0].titel.length", /did you mean rows\[0\]\.title/],
    ["const row = [].find((r) => r.id === 1); row.title", /row\?\.title/],
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
    ["JSON.parse('<html>')", /JSON\.parse/],
    ["def f(x):\n  return x", /JavaScript, not Python/],
    ["for x in rows:\n  print(x)", /JavaScript, not Python/],
    ["function f() { await search(); }", /async/],
    ["let s = 'a\nb'", /backticks/],
    ["return 5", /finalAnswer/],
    ["const s = “x”", /straight quotes/],
  ];
  test.each(hints)("%j", async (code, hint) => expect((await errorOf(code)).hint).toMatch(hint));
});

test("no error text tells of the host", async () => {
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
