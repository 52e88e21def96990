// Programs that use a promise as if it were its value, in sandboxes that have tools.

import { openSandbox } from "@smolts/interpreter";
import { describe, expect, test } from "vitest";
import { openSession, type TestTool } from "./open-session.ts";

const tools: { readonly [name: string]: TestTool } = {
  price: () => 10,
  users: () => [{ name: "Ann" }, { name: "Bob" }],
  isPrime: () => false,
  nobody: () => null,
};

async function resultOf(code: string) {
  await using session = await openSession(tools);
  return (await session.run(code)).result;
}

describe("a use of a promise that cannot work is an error with the place and a hint", () => {
  const misuses: [code: string, message: RegExp, hint: RegExp][] = [
    [
      "`it is ${price()}`",
      /the promise of price\(\.\.\.\) was used as if it were its value\nline 1, column 1/,
      /await price/,
    ],
    ["1;\nprice() * 2", /used as if it were its value\nline 2, column 1/, /await price/],
    ["price() < 3", /used as if it were its value/, /await price/],
    ["price() == 3", /used as if it were its value/, /await price/],
    ["const p = price();\np === 3", /was compared with a value that is not a promise\nline 2, column 1/, /await price/],
    ["switch (price()) { case 10: 1 }", /was compared with a value that is not a promise/, /await price/],
    [
      "const list = users();\nlist.length",
      /was asked for "length", which promises do not have\nline 2, column 1/,
      /list is a promise; write await/,
    ],
    ["const { name } = users()", /was asked for "name"/, /users returns a promise; write await users/],
    ["users().map((user) => user.name)", /was asked for "map"/, /users\(\) is a promise/],
    ["({ ...users() })", /was copied as if it were its value/, /await users/],
    ["const { ...rest } = users()", /was copied/, /await users/],
    ["Object.keys(users())", /was asked for its properties/, /await users/],
    ["for (const key in users()) key", /was asked for its properties/, /await users/],
    ["JSON.stringify({ p: price() })", /was passed to JSON\.stringify/, /await price/],
    ["JSON.stringify([1], () => price())", /was passed to JSON\.stringify/, /await price/],
    ["JSON.stringify({ toJSON: async () => await price() })", /was passed to JSON\.stringify/, /write await/],
    ["price().toString()", /was asked for "toString"/, /await/],
    ["[1, 2].map(() => price()).join()", /used as if it were its value/, /Promise\.all/],
    ["[2, 1].sort(async (a, b) => a - b)", /a promise was used as if it were its value/, /write await/],
    [
      "const cost = async () => (await price()) / 2;\n`${cost()}`",
      /a promise was used as if it were its value\nline 2/,
      /write await/,
    ],
  ];
  test.each(misuses)("%j", async (code, message, hint) => {
    const result = await resultOf(code);
    expect(result).toMatchObject({ type: "error", error: { code: "code-execution", name: "TypeError" } });
    expect(result.type === "error" && result.error.message).toMatch(message);
    expect(result.type === "error" && result.error.hint).toMatch(hint);
  });
});

describe("a use of a promise that may be intended is a doubt about the answer", () => {
  const doubtful: [code: string, doubt: RegExp][] = [
    ["finalAnswer([1, 2].flatMap(() => users()).length)", /was returned to flatMap/],
    ["finalAnswer([].concat(users()).length)", /was passed to concat/],
    ["finalAnswer(new Array(price()).length)", /was used as the length of an array/],
    ["finalAnswer(Object.hasOwn(users(), 'name'))", /was asked for one of its own properties/],
    ["finalAnswer(isPrime() || 'not prime')", /was on the left side of \|\|, where a promise is never replaced/],
    ["const is = isPrime() || 'no'; finalAnswer(await is)", /was on the left side of \|\|/],
    ["finalAnswer(await (isPrime() || price()))", /was on the left side of \|\|/],
    ["finalAnswer(nobody() ?? 'nobody')", /was on the left side of \?\?/],
    ["let user = nobody(); user ??= await price(); finalAnswer(await user)", /was on the left side of \?\?/],
    ["let is = isPrime(); is ||= await price(); finalAnswer(await is)", /was on the left side of \|\|/],
    [
      "const kept = { user: nobody() }; kept.user ??= await price(); finalAnswer(await kept.user)",
      /was on the left side of \?\?/,
    ],
    ["const user = nobody(); finalAnswer(await (user ?? (await price())))", /was on the left side of \?\?/],
    ["let is = isPrime(); is &&= await price(); finalAnswer(1)", /as a condition/],
    ['if (isPrime()) finalAnswer("yes")', /isPrime\(\.\.\.\) was used as a condition.*\nline 1, column 5/],
    ["finalAnswer(!isPrime())", /as a condition/],
    ['finalAnswer(isPrime() && "yes")', /as a condition/],
    ['if (isPrime() && (await isPrime())) finalAnswer(1); else finalAnswer("no")', /as a condition/],
    ['finalAnswer(isPrime() != null ? "yes" : "no")', /was compared with null/],
    ["finalAnswer(typeof price())", /asked for its type/],
    ["finalAnswer([4, 8].some(async (n) => await isPrime(n)))", /was returned to some.*await Promise\.all/],
    ["finalAnswer([4, 8].values().filter((n) => isPrime(n)).toArray())", /was returned to filter/],
    [
      "let sum = 0; [1].forEach(async () => { sum += await price(); }); finalAnswer(sum)",
      /was returned to forEach.*for \(const item of items\)/,
    ],
    [
      "let p = 0; price().then((value) => { p = value; }); finalAnswer(p)",
      /still to run when the answer was given, and changes p: await it first\nline 1, column 25/,
    ],
    ["let x = 0; setTimeout(async () => { x = await price(); }); finalAnswer(x)", /changes x: .*\nline 1, column 23/],
    ["let x = 0; queueMicrotask(() => { x = 1; }); finalAnswer(x)", /changes x/],
    [
      "let x = 0; const set = async () => { x = await price(); }; setTimeout(() => set(), 1); finalAnswer(x)",
      /changes x/,
    ],
    [
      "let x = 0; Promise.resolve().then(() => price()).then((p) => { x = p; }).catch(() => {}); finalAnswer(x)",
      /changes x/,
    ],
    ["let x = 0; price().finally(() => { x = 1; }); finalAnswer(x)", /changes x/],
    ["let x = 0; Promise.all([1].map(async () => { x = await price(); })); finalAnswer(x)", /changes x/],
    [
      "let x = 0; const set = async () => { x = await price(); }; const main = async () => { await set(); }; main(); finalAnswer(x)",
      /changes x/,
    ],
    [
      "class Cart { sum = 0; async add() { this.sum += await price(); } } const cart = new Cart(); cart.add(); finalAnswer(cart.sum)",
      /changes \.sum/,
    ],
    [
      "const fill = async (list) => { list.push(await price()); }; const found = []; fill(found); finalAnswer(found)",
      /changes found/,
    ],
    [
      "let is = false; isPrime().then((yes) => { is = yes; }); if (is) finalAnswer('yes'); else finalAnswer('no')",
      /changes is/,
    ],
    ["if (isPrime()) { await price(); finalAnswer('yes') } else finalAnswer('no')", /as a condition/],
    [
      "const ask = async () => { if (isPrime()) { await price(); return 'yes' } return 'no' }; finalAnswer(await ask())",
      /as a condition/,
    ],
    ["function* odd() { if (isPrime()) yield 1 } finalAnswer([...odd()])", /as a condition/],
    ["if ((await price()) && isPrime()) finalAnswer('yes')", /as a condition/],
    [
      "async function* all() { yield await price() } let n = 0; try { n = [...all()].length } catch {} finalAnswer(n)",
      /an async iterator was asked for its items without await: write for await/,
    ],
    ["let n = 0; try { n = users().length } catch {} finalAnswer(n)", /was asked for "length"/],
  ];
  test.each(doubtful)("%j", async (code, doubt) => {
    const result = await resultOf(code);
    expect(result.type).toBe("final-answer");
    expect(result.doubts?.join("\n")).toMatch(doubt);
  });

  const sound: string[] = [
    "finalAnswer(await (price() || 0))",
    "finalAnswer(await (isPrime() ?? true))",
    "finalAnswer(await Promise.all([1, 2].flatMap(() => [price(), price()])))",
    "finalAnswer(await Promise.all([price()].concat(isPrime())))",
    "const kept = {}; const ask = (key) => kept[key] || (kept[key] = isPrime()); await ask(1); finalAnswer(await ask(1))",
    "const kept = new Map(); const ask = () => kept.get(1); kept.set(1, isPrime()); finalAnswer(await (ask() || price()))",
    "const p = price(); const q = p; finalAnswer([p === q, await p])",
    "const known = new Map(); const cost = async (item) => { const hit = known.get(item); if (hit) return hit; known.set(item, price()); return known.get(item) }; finalAnswer([await cost(1), await cost(1)])",
    "let asked; asked ??= price(); if (asked) finalAnswer(await asked)",
    "let n = 0; setTimeout(async () => { await price(); n++; }, 5); finalAnswer('done')",
    "let n = 0; price().then(() => { n++; }); finalAnswer(await isPrime())",
    "let n = 0; const main = async () => { n += await price(); finalAnswer(n); }; main().then(() => { n = 5; });",
    "let n = 0; const timer = setTimeout(() => { n = 1; }, 50); await price(); clearTimeout(timer); finalAnswer(n)",
    "let n = 0; await Promise.all([1].map(async () => { n = await price(); })); finalAnswer(n)",
    "let first; const ask = async () => { const p = await price(); first ??= p; }; await Promise.race([ask(), ask()]); finalAnswer(first)",
    "const kept = {}; const ask = (key) => (kept[key] ||= isPrime()); await ask(1); finalAnswer(await ask(1))",
    "let p = price(); p ||= await isPrime(); finalAnswer(await p)",
    "const tasks = [price(), null]; finalAnswer(await Promise.all(tasks.filter(Boolean)))",
    "price(); finalAnswer('started')",
    "async function tell() { await price(); console.log('told') } tell(); finalAnswer('started')",
    "finalAnswer(price())",
    "const p = price(); p.label = 'a'; finalAnswer([p.label, await p, p instanceof Promise])",
    "finalAnswer([Object.getPrototypeOf(Promise.prototype) === Object.prototype, 'then' in price(), 'x' in {}])",
  ];
  test.each(sound)("%j causes no doubt", async (code) => {
    const result = await resultOf(code);
    expect(result.type).toBe("final-answer");
    expect(result.doubts).toBeUndefined();
  });
});

test("a program that is long or nests deep is searched in bounded time", async () => {
  const sum = Array.from({ length: 400 }, () => "1").join(" + ");
  const late = "let x = 0; setTimeout(() => { x = 1; }, 1);";
  const deep = await resultOf(`${late} const y = ${sum}; finalAnswer(y)`);
  expect([deep.type, deep.doubts]).toEqual(["final-answer", undefined]);
  const many = Array.from({ length: 2_000 }, (_, at) => `if (a${at}) a${at} = [${at}, b];`).join("\n");
  const names = Array.from({ length: 2_000 }, (_, at) => `a${at} = 0`).join(", ");
  const long = await resultOf(`${late} let b = 0, ${names};\n${many}\nfinalAnswer(x)`);
  expect(long.doubts?.join()).toMatch(/changes x/);
});

test("a sandbox without host functions does not watch promises", async () => {
  await using sandbox = await openSandbox();
  expect(await sandbox.run("const p = Promise.resolve(1); [`${p}`, p.length, p == 1]")).toMatchObject({
    value: ["[object Promise]", undefined, false],
  });
});
