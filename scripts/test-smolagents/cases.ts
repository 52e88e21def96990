// The cases: known behaviour of smolagents, with code for each side in its own language.

import type { JsonValue } from "@smolts/protocol";
import type { Answer, Case } from "./case.ts";

const code = (text: string): string => `Thought: I write code.\n<code>\n${text}\n</code>`;
const call = (name: string, input: JsonValue): Answer => ({ toolCalls: [{ name, input }] });
const answerCall = (answer: JsonValue): Answer => call("finalAnswer", { answer });
const done = code("finalAnswer(0)");

/** Creates the answers for a block in JavaScript, and for the same block in Python. */
const block = (javascript: string, python: string): Pick<Case, "agent" | "answers" | "python"> => ({
  agent: "code",
  answers: [code(javascript), done],
  python: [code(python), done],
});

const loop: readonly Case[] = [
  {
    numbers: [1],
    title: "an answer in the first step",
    ...block("finalAnswer('This is it')", "final_answer('This is it')"),
  },
  {
    numbers: [2, 46],
    title: "a number of two steps stays a number",
    agent: "code",
    answers: [code("const x = 2 * 3.6452; x"), code("finalAnswer(x)")],
    python: [code("x = 2 * 3.6452"), code("final_answer(x)")],
    shows: ["7\\.2904"],
  },
  {
    numbers: [3],
    title: "a second task remembers the first",
    agent: "code",
    isFollowed: true,
    answers: [code("finalAnswer(1)")],
  },
  {
    numbers: [4, 10, 23],
    title: "an answer is forced at the last step",
    agent: "code",
    maxSteps: 2,
    answers: [code("1 + 1"), code("1 + 2"), "It is three."],
    python: [code("1 + 1"), code("1 + 2"), "It is three."],
  },
  {
    numbers: [4],
    title: "a forced answer of an agent that calls",
    agent: "calls",
    maxSteps: 1,
    tools: ["add"],
    answers: [call("add", { a: 1, b: 2 }), "It is three."],
  },
  {
    numbers: [4],
    title: "a forced answer that is written as code",
    agent: "code",
    maxSteps: 1,
    answers: [code("1 + 1"), code("finalAnswer(42)")],
    difference: "there the answer is the text with its tags; here it is the value in the call of finalAnswer",
  },
  {
    numbers: [9],
    title: "values given with the task are variables",
    additionalArgs: { instruction: "Remember this." },
    ...block("finalAnswer(instruction)", "final_answer(instruction)"),
    shows: ["Remember this|instruction"],
  },
  {
    numbers: [11],
    title: "a check that throws",
    check: "throws",
    maxSteps: 2,
    agent: "code",
    answers: [code("finalAnswer(1)"), code("finalAnswer(1)"), "none"],
    shows: ["Error raised in check"],
  },
  {
    numbers: [12],
    title: "a check that passes the second answer",
    check: "failsOnce",
    ...block("finalAnswer(1)", "final_answer(1)"),
  },
  {
    numbers: [14],
    title: "a check that never passes",
    check: "fails",
    maxSteps: 2,
    agent: "code",
    answers: [code("finalAnswer(1)"), code("finalAnswer(1)"), "none"],
  },
  {
    numbers: [15],
    title: "an answer within a function",
    ...block(
      "function deep() { return () => finalAnswer('Correct!'); }\ndeep()()",
      "def deep():\n    return final_answer('Correct!')\ndeep()",
    ),
  },
  {
    numbers: [16],
    title: "an answer within try",
    ...block(
      "try { finalAnswer(1) } catch { finalAnswer(2) }",
      "try:\n    final_answer(1)\nexcept Exception:\n    final_answer(2)",
    ),
  },
  {
    numbers: [17],
    title: "an answer tool of one's own, in code",
    tools: ["finalAnswer"],
    ...block("finalAnswer({ first: 'a', second: 'b' })", "final_answer(first='a', second='b')"),
  },
  {
    numbers: [17],
    title: "an answer tool of one's own, by a call",
    agent: "calls",
    tools: ["finalAnswer"],
    answers: [call("finalAnswer", { first: "a", second: "b" })],
  },
  {
    numbers: [24],
    title: "a plan every two steps",
    planningInterval: 2,
    agent: "code",
    answers: [code("1"), code("2"), code("3"), code("finalAnswer(4)")],
  },
  {
    numbers: [25],
    title: "a plan at every step",
    planningInterval: 1,
    agent: "code",
    answers: [code("1"), code("finalAnswer(4)")],
  },
];

const parsing: readonly Case[] = [
  {
    numbers: [32],
    title: "a text without code is asked again",
    agent: "code",
    answers: ["I think about it for a while.", done],
    shows: ["I think about it"],
  },
  {
    numbers: [33],
    title: "spaces after the tag",
    agent: "code",
    answers: ["<code>  \n\n  finalAnswer(5)  \n\n</code>"],
    python: ["<code>  \n\nfinal_answer(5)  \n\n</code>"],
  },
  {
    numbers: [34],
    title: "of three blocks of one message the first one runs, for its closing tag is a stop sequence",
    agent: "code",
    answers: [
      "<code>\na = 1\n</code>\nand\n<code>\na = 2\n</code>\nand\n<code>\na = 3\n</code>",
      code("finalAnswer(a)"),
    ],
  },
  {
    numbers: [35],
    title: "a fence instead of the tags",
    agent: "code",
    answers: ["```js\nfinalAnswer(7)\n```"],
    python: ["```python\nfinal_answer(7)\n```"],
  },
  {
    numbers: [36],
    title: "code and nothing else",
    agent: "code",
    answers: ["finalAnswer(8)"],
    difference: "version 1.26 wants tags or a fence; here code alone is a program when it reads as one",
  },
  {
    numbers: [37],
    title: "words of the final answer without code",
    agent: "code",
    answers: ["The final answer is 9.", code("finalAnswer(9)")],
    shows: ["final_?[aA]nswer\\("],
  },
  { numbers: [38], title: "a closing tag that is missing", agent: "code", answers: ["<code>\nfinalAnswer(10)"] },
  {
    numbers: [40],
    title: "the closing tag within a text",
    ...block('const tag = "</" + "code>"; finalAnswer(tag)', 'tag = "</" + "code>"\nfinal_answer(tag)'),
  },
  {
    numbers: [42],
    title: "a variable named as the answer",
    ...block("let finalAnswer_ = 3; finalAnswer(finalAnswer_)", "final_answer = 3\nfinal_answer(final_answer)"),
  },
  {
    numbers: [42],
    title: "the name of the answer as a variable",
    ...block("const finalAnswer = 3;\nfinalAnswer(finalAnswer)", "final_answer = 3\nfinal_answer(final_answer)"),
  },
];

const execution: readonly Case[] = [
  {
    numbers: [43],
    title: "what was printed before an error is shown",
    ...block("console.log('Flag!'); null.x", "print('Flag!')\nNone.x"),
    shows: ["Flag!"],
  },
  { numbers: [44], title: "a syntax error", ...block("let = = 3", "x = = 3"), shows: ["SyntaxError"] },
  {
    numbers: [45, 54],
    title: "the value of an assignment is shown",
    ...block("const a = 1, b = 222", "a = 1\nb = 222"),
    shows: ["222"],
  },
  {
    numbers: [46],
    title: "functions stay",
    agent: "code",
    answers: [code("const twice = (n) => n * 2"), code("finalAnswer(twice(4))")],
    python: [code("def twice(n):\n    return n * 2"), code("final_answer(twice(4))")],
  },
  {
    numbers: [48, 75],
    title: "an import that is not allowed",
    ...block('import fs from "node:fs";', "import os"),
    shows: ["import"],
  },
  {
    numbers: [49],
    title: "60,000 printed characters are cut",
    ...block("console.log('y'.repeat(60000))", "print('y' * 60000)"),
    shows: ["left out|truncated"],
  },
  {
    numbers: [50],
    title: "a last value of 25,000 characters is cut",
    ...block("'z'.repeat(25000)", "'z' * 25000"),
    shows: ["left out|truncated"],
  },
  { numbers: [55], title: "a tool's name is not a variable's", tools: ["add"], ...block("const add = 5;", "add = 5") },
  {
    numbers: [55],
    title: "a function with the name of a tool",
    tools: ["add"],
    ...block("function add() { return 1; }", "def add():\n    return 1"),
    difference:
      "there the definition is ignored in silence, and the tool is called later; here the program is refused with what to do",
  },
  { numbers: [56], title: "a function that nobody declared", ...block("nothingThere(1)", "nothing_there(1)") },
  {
    numbers: [57],
    title: "recursion",
    ...block(
      "const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); finalAnswer(fib(6))",
      "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfinal_answer(fib(6))",
    ),
  },
  { numbers: [58], title: "a loop without end", ...block("while (true) {}", "while True:\n    pass") },
  {
    numbers: [59],
    title: "loops within loops",
    ...block(
      "let n = 0; for (const a of [1, 2, 3]) { if (a === 2) continue; for (const b of [1, 2, 3]) { if (b === 3) break; n += a * b } } finalAnswer(n)",
      "n = 0\nfor a in [1, 2, 3]:\n    if a == 2:\n        continue\n    for b in [1, 2, 3]:\n        if b == 3:\n            break\n        n += a * b\nfinal_answer(n)",
    ),
  },
  { numbers: [60], title: "a number is not spread", ...block("const [...all] = 5", "all = [*5]") },
  {
    numbers: [61],
    title: "classes that inherit",
    ...block(
      "class A { size() { return 2; } } class B extends A { size() { return super.size() + 1; } } finalAnswer(new B().size())",
      "class A:\n    def size(self):\n        return 2\nclass B(A):\n    def size(self):\n        return A.size(self) + 1\nfinal_answer(B().size())",
    ),
  },
  {
    numbers: [62],
    title: "a counter in a closure",
    ...block(
      "const counter = () => { let n = 0; return () => ++n; }; const next = counter(); next(); finalAnswer(next())",
      "def counter():\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n        return n\n    return inc\nnext_one = counter()\nnext_one()\nfinal_answer(next_one())",
    ),
    difference: "smolagents' interpreter has no nonlocal; here a closure changes what it captured",
  },
  {
    numbers: [63],
    title: "return within try",
    ...block(
      "function f() { try { return 1; } catch { return 2; } } finalAnswer(f())",
      "def f():\n    try:\n        return 1\n    except Exception:\n        return 2\nfinal_answer(f())",
    ),
    difference: "there except catches the return; here it returns",
  },
  {
    numbers: [64],
    title: "rest parameters",
    ...block(
      "const f = (a, ...rest) => rest.length; finalAnswer(f(1, 2, 3))",
      "def f(a, *rest):\n    return len(rest)\nfinal_answer(f(1, 2, 3))",
    ),
    difference: "there the rest has all arguments; here only the remaining ones",
  },
  {
    numbers: [65],
    title: "and, or, and a condition as a value",
    ...block(
      "finalAnswer([0 || 'a', 1 && 'b', true ? 'c' : 'd'])",
      "final_answer([0 or 'a', 1 and 'b', 'c' if True else 'd'])",
    ),
  },
  {
    numbers: [66],
    title: "texts with values in them",
    ...block("finalAnswer(`${(3.14159).toFixed(2)} is ${'pi'}`)", "final_answer(f\"{3.14159:.2f} is {'pi'}\")"),
  },
  {
    numbers: [67],
    title: "parameters with defaults",
    ...block(
      "const f = (a, b = a + 1) => a + b; finalAnswer(f(1) + f(1, 1))",
      "def f(a, b=2):\n    return a + b\nfinal_answer(f(1) + f(1, 1))",
    ),
  },
  {
    numbers: [68],
    title: "an endless generator is read as far as needed",
    ...block(
      "function* all() { let n = 0; for (;;) yield n++; } const found = []; for (const n of all()) { if (n > 3) break; found.push(n * n); } finalAnswer(found)",
      "def all_numbers():\n    n = 0\n    while True:\n        yield n\n        n += 1\nfound = []\nfor n in all_numbers():\n    if n > 3:\n        break\n    found.append(n * n)\nfinal_answer(found)",
    ),
    difference: "smolagents' interpreter has no yield",
  },
  {
    numbers: [70],
    title: "a key that is not there",
    ...block(
      "const capitals = { Bhutan: 'Thimphu' }; capitals.Butan.length",
      "capitals = {'Bhutan': 'Thimphu'}\ncapitals['Butan']",
    ),
    shows: ["Bhutan"],
  },
  {
    numbers: [71],
    title: "a name that is nearly a variable's",
    ...block("const result = 5; finalAnswer(resul)", "result = 5\nfinal_answer(resul)"),
    difference: "there the variable of a like name is taken; here the name is an error that suggests it",
    shows: ["did you mean"],
  },
  {
    numbers: [71],
    title: "adding to a name that nothing has",
    ...block("zzz += 3; finalAnswer(zzz)", "zzz += 3\nfinal_answer(zzz)"),
    difference: "there it counts from 0; here it is an error",
  },
  {
    numbers: [74],
    title: "prints stay in order, apart from the value",
    ...block("console.log('one'); console.log('two'); 3", "print('one')\nprint('two')\n3"),
    shows: ["one\\\\+ntwo"],
  },
  {
    numbers: [78],
    title: "no way to the host by constructors",
    ...block("({}).constructor.constructor('return process')()", "().__class__.__bases__[0].__subclasses__()"),
  },
  { numbers: [78], title: "no eval", ...block("eval('1 + 1')", "eval('1 + 1')") },
  {
    numbers: [80],
    title: "a refused import that the code would swallow",
    ...block(
      "try { await import('node:fs'); } catch {} finalAnswer('swallowed')",
      "try:\n    import os\nexcept Exception:\n    pass\nfinal_answer('swallowed')",
    ),
    difference: "there the code continues as if nothing had been refused; here a refused import ends the block",
  },
  {
    numbers: [83],
    title: "a tool that throws, in code",
    tools: ["fail"],
    ...block("await fail({ word: 'x' })", "fail(word='x')"),
    shows: ["the line is dead"],
  },
  {
    numbers: [79],
    title: "a tool in code",
    tools: ["add"],
    ...block("finalAnswer(await add({ a: 20, b: 22 }))", "final_answer(add(a=20, b=22))"),
  },
];

const calling: readonly Case[] = [
  {
    numbers: [81],
    title: "one call",
    agent: "calls",
    tools: ["lookUp"],
    answers: [call("lookUp", { word: "test_value" }), answerCall("ok")],
    shows: ["Processed: test_value"],
  },
  {
    numbers: [81, 91],
    title: "two calls of one message",
    agent: "calls",
    tools: ["lookUp"],
    answers: [
      {
        toolCalls: [
          { name: "lookUp", input: { word: "one" } },
          { name: "lookUp", input: { word: "two" } },
        ],
      },
      answerCall("ok"),
    ],
    shows: ["Processed: one[\\s\\S]*Processed: two"],
  },
  {
    numbers: [83],
    title: "a tool that does not exist",
    agent: "calls",
    tools: ["add"],
    answers: [call("subtract", { a: 1 }), answerCall("ok")],
    shows: ["subtract"],
  },
  {
    numbers: [83, 93],
    title: "an argument of the wrong type",
    agent: "calls",
    tools: ["add"],
    answers: [call("add", { a: "one", b: 2 }), answerCall("ok")],
  },
  {
    numbers: [83, 93],
    title: "an argument that is missing",
    agent: "calls",
    tools: ["add"],
    answers: [call("add", { a: 1 }), answerCall("ok")],
  },
  {
    numbers: [83, 93],
    title: "an argument that the tool does not have",
    agent: "calls",
    tools: ["add"],
    answers: [call("add", { a: 1, b: 2, c: 3 }), answerCall("ok")],
  },
  {
    numbers: [83],
    title: "a tool that throws",
    agent: "calls",
    tools: ["fail"],
    answers: [call("fail", { word: "x" }), answerCall("ok")],
    shows: ["the line is dead"],
  },
  {
    numbers: [84],
    title: "a call in the text",
    agent: "calls",
    tools: ["add"],
    answers: ['I add them. {"name": "add", "arguments": {"a": 20, "b": 22}}', answerCall("ok")],
    shows: ["42"],
  },
  {
    numbers: [84],
    title: "a call in the text without a name",
    agent: "calls",
    tools: ["add"],
    answers: ['{"arguments": {"a": 20, "b": 22}}', answerCall("ok")],
  },
  {
    numbers: [84],
    title: "a call in the text whose arguments are a text",
    agent: "calls",
    tools: ["add"],
    answers: ['{"name": "add", "arguments": "{\\"a\\": 20, \\"b\\": 22}"}', answerCall("ok")],
    shows: ["42"],
  },
  {
    numbers: [85],
    title: "JSON that is broken",
    agent: "calls",
    tools: ["add"],
    answers: ['{"name": "add", "arguments": {"a": 20, "b": ', answerCall("ok")],
  },
  {
    numbers: [85],
    title: "a text instead of a call",
    agent: "calls",
    answers: ["The answer is four.", answerCall("ok")],
  },
  {
    numbers: [86],
    title: "the answer beside another call",
    agent: "calls",
    tools: ["add"],
    answers: [
      {
        toolCalls: [
          { name: "add", input: { a: 1, b: 2 } },
          { name: "finalAnswer", input: { answer: "early" } },
        ],
      },
      answerCall("late"),
    ],
  },
  {
    numbers: [87],
    title: "one of two calls fails",
    agent: "calls",
    tools: ["add", "fail"],
    answers: [
      {
        toolCalls: [
          { name: "add", input: { a: 20, b: 22 } },
          { name: "fail", input: { word: "x" } },
        ],
      },
      answerCall("ok"),
    ],
    shows: ["42", "the line is dead"],
    difference: "there an error hides the result of the other call; here each call has its own",
  },
  {
    numbers: [88],
    title: "two calls of one id",
    agent: "calls",
    tools: ["lookUp"],
    answers: [
      {
        toolCalls: [
          { name: "lookUp", input: { word: "one" }, id: "same" },
          { name: "lookUp", input: { word: "two" }, id: "same" },
        ],
      },
      answerCall("ok"),
    ],
    shows: ["Processed: one", "Processed: two"],
    difference: "there the second call replaces the first; here both are made",
  },
  {
    numbers: [89],
    title: "a value by its name as an argument",
    agent: "calls",
    tools: ["lookUp"],
    additionalArgs: { table: [1, 2] },
    answers: [call("lookUp", { word: { $var: "table" } }), answerCall("ok")],
    python: [call("lookUp", { word: "table" }), answerCall("ok")],
  },
  {
    numbers: [89],
    title: "a plain text that is the name of a value",
    agent: "calls",
    tools: ["lookUp"],
    additionalArgs: { table: [1, 2] },
    answers: [call("lookUp", { word: "table" }), answerCall("ok")],
    difference:
      "there a text that happens to be a name becomes the value; here a name is written { $var: name }, so that no text of a page becomes one",
  },
  {
    numbers: [89, 90],
    title: "an image that a tool made is the answer by its name",
    agent: "calls",
    tools: ["draw"],
    answers: [call("draw", { what: "cat" }), answerCall({ $var: "image1" })],
    python: [call("draw", { what: "cat" }), answerCall("image.png")],
  },
  {
    numbers: [90],
    title: "an image that a tool made is passed to another tool",
    agent: "calls",
    tools: ["draw", "lookUp"],
    answers: [call("draw", { what: "cat" }), call("lookUp", { word: { $var: "image1" } }), answerCall("ok")],
    python: [call("draw", { what: "cat" }), call("lookUp", { word: "image.png" }), answerCall("ok")],
    shows: ["Processed: data"],
  },
  {
    numbers: [94],
    title: "a result of 200,000 characters",
    agent: "calls",
    tools: ["long"],
    answers: [call("long", { word: "x" }), answerCall("ok")],
    shows: ["left out"],
    difference: "there all of it is sent with every later request; here it is cut, and can be read on",
  },
];

const managed: readonly Case[] = [
  {
    numbers: [92, 114],
    title: "a managed agent reports to a code agent",
    agent: "code",
    answers: [code("const report = await helper({ task: 'Look.' }); finalAnswer('Final report.')")],
    python: [code("report = helper(task='Look.')\nfinal_answer('Final report.')")],
    helper: { answers: [code("finalAnswer('found')")] },
  },
  {
    numbers: [92, 114],
    title: "a managed agent reports to an agent that calls",
    agent: "calls",
    answers: [call("helper", { task: "Look." }), answerCall("Final report.")],
    helper: { answers: [answerCall("found it")] },
    shows: ["found it"],
  },
];

/** All cases. */
export const cases: readonly Case[] = [...loop, ...parsing, ...execution, ...calling, ...managed];
