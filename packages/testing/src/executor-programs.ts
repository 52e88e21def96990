// The programs of the executor contract, each in JavaScript and in Python.

import type { ExecutorFactory } from "@smolts/protocol";

/** The name of a program: what it does, or what a case uses it for. */
type ProgramName =
  | "lastValue"
  | "two"
  | "bind"
  | "rebind"
  | "given"
  | "fails"
  | "answers"
  | "answersWithin"
  | "prints"
  | "callsInOrder"
  | "threeCalls"
  | "becomesIdle"
  | "catches"
  | "unawaited"
  | "waits"
  | "answersEarly"
  | "printsNext"
  | "callsNow"
  | "manyCalls"
  | "megabyte"
  | "values"
  | "cycle"
  | "floods"
  | "declares"
  | "mistyped";

/** All programs in one language. */
export type Programs = { readonly [Name in ProgramName]: string };

/** Returns the programs in one language, keyed by name. */
export function programsIn(language: ExecutorFactory["language"]): Programs {
  // The cast is safe: each program keeps its name.
  return Object.fromEntries(Object.entries(programs).map(([name, texts]) => [name, texts[language]])) as Programs;
}

const programs: { readonly [Name in ProgramName]: { readonly javascript: string; readonly python: string } } = {
  lastValue: { javascript: "const n = 6;\nn * 7", python: "n = 6\nn * 7" },
  two: { javascript: "1 + 1", python: "1 + 1" },
  bind: { javascript: "const kept = { n: 41 };\nkept.n", python: 'kept = {"n": 41}\nkept["n"]' },
  rebind: { javascript: "kept.n += 1;\nkept.n", python: 'kept["n"] += 1\nkept["n"]' },
  given: { javascript: "String(given[0]) + given[1]", python: "str(given[0]) + str(given[1])" },
  fails: { javascript: 'throw new TypeError("odd");', python: 'raise TypeError("odd")' },
  answers: {
    javascript: 'finalAnswer(42);\nconsole.log("after");\nfinalAnswer(43)',
    python: 'final_answer(42)\nprint("after")\nfinal_answer(43)',
  },
  answersWithin: {
    javascript: [
      "const deep = async (n) => (n === 0 ? finalAnswer('deep') : await deep(n - 1));",
      "try { await deep(5); } catch { console.log('caught') }",
      'console.log("after");\nfinalAnswer("second")',
    ].join("\n"),
    python: [
      "def deep(n):",
      "    return final_answer('deep') if n == 0 else deep(n - 1)",
      "try:\n    deep(5)\nexcept Exception:\n    print('caught')",
      'print("after")\nfinal_answer("second")',
    ].join("\n"),
  },
  prints: {
    javascript: 'console.log("a", 1);\nconsole.error("b");\n0',
    python: 'import sys\nprint("a", 1)\nprint("b", file=sys.stderr)\n0',
  },
  callsInOrder: {
    javascript:
      'const at = { n: 1 };\nconst open = [echo(at), other("b")];\nat.n = 2;\n(await Promise.all(open)).length',
    python: [
      "import asyncio",
      'at = {"n": 1}',
      'asked = [echo.aio(at), other.aio("b")]',
      'at["n"] = 2',
      "len(await asyncio.gather(*asked))",
    ].join("\n"),
  },
  threeCalls: {
    javascript: [
      "const show = (text) => { console.log(text); return text };",
      'const all = Promise.all([echo("a").then(show), echo("b").then(show), echo("c").then(show)]);',
      '(await all).join("")',
    ].join("\n"),
    python: [
      "import asyncio",
      "async def show(text):",
      "    print(await echo.aio(text))",
      "    return text",
      '"".join(await asyncio.gather(show("a"), show("b"), show("c")))',
    ].join("\n"),
  },
  becomesIdle: {
    javascript: [
      'const first = echo("a");',
      "for (let n = 0; n < 50; n++) await null;",
      'console.log("went on");',
      '(await Promise.all([first, echo("b")])).join("")',
    ].join("\n"),
    python: [
      "import asyncio",
      'first = asyncio.ensure_future(echo.aio("a"))',
      "for n in range(50):",
      "    await asyncio.sleep(0)",
      'print("went on")',
      '"".join(await asyncio.gather(first, echo.aio("b")))',
    ].join("\n"),
  },
  catches: {
    javascript: 'let said = "";\ntry { await echo(1) } catch (error) { said = error.message }\nsaid',
    python: 'said = ""\ntry:\n    echo(1)\nexcept Exception as error:\n    said = str(error)\nsaid',
  },
  unawaited: {
    javascript: 'echo("late").then((text) => console.log(text));\n"done"',
    python: [
      "import asyncio",
      "async def late():",
      '    print(await echo.aio("late"))',
      "task = asyncio.ensure_future(late())",
      "await asyncio.sleep(0)",
      '"done"',
    ].join("\n"),
  },
  waits: { javascript: "await echo(1)", python: "echo(1)" },
  answersEarly: {
    javascript: 'echo("late").then((text) => console.log(text));\nfinalAnswer("done")',
    python: [
      "import asyncio",
      "async def late():",
      '    print(await echo.aio("late"))',
      "task = asyncio.ensure_future(late())",
      "await asyncio.sleep(0)",
      'final_answer("done")',
    ].join("\n"),
  },
  printsNext: { javascript: "print('next');\n1", python: "print('next')\n1" },
  callsNow: { javascript: 'await echo("now")', python: 'echo("now")' },
  manyCalls: {
    javascript:
      "const numbers = Array.from({ length: 200 }, (_, n) => n);\n(await Promise.all(numbers.map((n) => echo(n)))).reduce((sum, n) => sum + n, 0)",
    python: "import asyncio\nsum(await asyncio.gather(*[echo.aio(n) for n in range(200)]))",
  },
  megabyte: {
    javascript: 'const big = await echo("x".repeat(1_000_000));\nbig.length',
    python: 'big = echo("x" * 1_000_000)\nlen(big)',
  },
  values: {
    javascript: [
      "const shared = [1];",
      "await echo({ when: new Date(0), bytes: new Uint8Array([1, 2]), set: new Set([1]), nan: NaN, pair: [shared, shared] })",
    ].join("\n"),
    python: [
      "import datetime",
      "shared = [1]",
      "when = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)",
      'echo({"when": when, "bytes": b"\\x01\\x02", "set": {1}, "nan": float("nan"), "pair": [shared, shared]})',
    ].join("\n"),
  },
  cycle: {
    javascript: "const ring = {};\nring.self = ring;\nawait echo(ring)",
    python: 'ring = {}\nring["self"] = ring\necho(ring)',
  },
  floods: {
    javascript: 'for (;;) console.log("x".repeat(1_000));',
    python: 'while True:\n    print("x" * 1_000)',
  },
  declares: { javascript: "const names = ['a', 'b'];\nlet total = 3;", python: "names = ['a', 'b']\ntotal = 3" },
  mistyped: { javascript: "let = = 3", python: "let = = 3" },
};
