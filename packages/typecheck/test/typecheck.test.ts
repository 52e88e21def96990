import { typecheck } from "@smolts/typecheck";
import { expect, test } from "vitest";

const declarations = `/** Weather of the next days. */
declare function getWeather(input: { location: string; celsius?: boolean }): Promise<{ celsius: number; wind: { speed: number } }>;
declare function listOrders(input?: { state?: "open" | "unknown" }): Promise<unknown>;
declare function webSearch(input: { query: string }): Promise<string>;
declare function isPrime(input: { n: number }): Promise<boolean>;
declare function listUsers(): Promise<string[]>;
declare function notify(input: { text: string }): Promise<null>;`;

const check = typecheck();
const { signal } = new AbortController();
const variables = [{ name: "rows", type: "{ a: number }[]", preview: "" }];

const problemsIn = (code: string) => check({ code, declarations, variables }, { signal });

const wrong: [what: string, code: string, message: RegExp][] = [
  ["an argument that does not exist", 'await getWeather({ city: "Paris" })', /'city' does not exist/],
  ["an argument of the wrong type", "await getWeather({ location: 4 })", /'number' is not assignable to type 'string'/],
  ["an argument that is missing", "await getWeather({ celsius: true })", /'location' is missing/],
  ["no arguments where one is needed", "await webSearch()", /Expected 1 arguments, but got 0/],
  ["a value outside of an enum", 'await listOrders({ state: "closed" })', /'"closed"' is not assignable/],
  [
    "a property that a result does not have",
    "(await webSearch({ query: 'x' })).title",
    /'title' does not exist on type 'string'/,
  ],
  ["a property deep in a result", "const w = await getWeather({ location: 'x' }); w.wind.sped", /Did you mean 'speed'/],
  ["a destructured property", "const { temp } = await getWeather({ location: 'x' })", /'temp' does not exist/],
  [
    "a property of the elements of many results",
    "const all = await Promise.all(['a'].map((location) => getWeather({ location }))); all[0].temp",
    /'temp'/,
  ],
  [
    "a call that was not awaited",
    "const w = getWeather({ location: 'x' }); print(w.celsius)",
    /promise: await it first/,
  ],
  ["a misspelt function", "await getWether({ location: 'x' })", /Did you mean 'getWeather'/],
  ["a method that the language does not have", "'a,b'.split(',').mapp((x) => x)", /Did you mean 'map'/],
];

test.each(wrong)("finds %s", async (_what, code, message) => {
  const problems = await problemsIn(code);
  expect(problems.map((problem) => problem.message).join("\n")).toMatch(message);
  expect(problems).toHaveLength(1);
});

const fine: [what: string, code: string][] = [
  ["a correct call", "const w = await getWeather({ location: 'Paris' }); print(w.celsius, w.wind.speed)"],
  ["results of unknown type", "const o = await listOrders(); print(o.length, o[0].x); for (const one of o) one.y"],
  ["the word unknown as a value", 'await listOrders({ state: "unknown" })'],
  ["a positional call, which has different rules", "await webSearch('cats'); await getWeather('Paris', true)"],
  [
    "an object that gets its properties later",
    "const o = {}; o.a = 1; let x = null; x = { a: 1 }; x.b = 2; print(x.b)",
  ],
  ["a variable that changes its type", "let total = 0; total = 'none'; let list = []; list.push(1); list = 'a'"],
  ["a match that may be null", "print('abc'.match(/b/)[0])"],
  [
    "a variable that contains a text first and an object later",
    "let page = await webSearch({ query: 'x' }); page = JSON.parse(page); print(page.title, page.links[0].href)",
  ],
  [
    "a variable assigned in a pattern",
    "let page = await webSearch({ query: 'x' }); [page] = [JSON.parse(page)]; ({ page } = { page }); print(page.title)",
  ],
  ["parameters that are assigned", "(await listUsers()).map((user) => { user = JSON.parse(user); return user.name })"],
  [
    "properties that a result gets from the code",
    "const w = await getWeather({ location: 'x' }); w.label = 'warm'; w['note'] = 1; Object.assign(w, { score: 2 }); print(w.label, w.note, w.score)",
  ],
  ["variables of earlier blocks", "const names = rows.map((row) => row.name); print(names.length)"],
  ["a variable of an earlier block declared again", "const rows = 3; print(rows)"],
  [
    "additional properties of an error",
    "const e = new Error('x'); e.code = 5; try {} catch (err) { print(err.code, e.code) }",
  ],
  ["objects of the platform", "structuredClone({}); new URL('https://example.com'); setTimeout(() => {}, 1)"],
  ["types, which are allowed", "interface P { x: number } const p: P = { x: 1 }; print(p.x as number)"],
  ["new methods of the language", "[1, 2].toSorted(); Object.groupBy([1], String); new Set([1]).union(new Set())"],
  [
    "a function of the program with optional arguments",
    "function area(w, h) { return w * (h ?? w) } area(2); area(2, 3, 4)",
  ],
  ["numbers computed from strings", "const n = '3' * 2; const d = new Date() - 5"],
  ["answers of any kind", "finalAnswer({ a: 1 }); final_answer()"],
  ["code that cannot be parsed, which the sandbox reports", "const = ;"],
];

const promises: readonly (readonly [what: string, code: string, use: RegExp])[] = [
  ...[
    'if (isPrime({ n: 8 })) finalAnswer("8 is prime")',
    'finalAnswer(isPrime({ n: 8 }) ? "prime" : "not")',
    'isPrime({ n: 8 }) && finalAnswer("prime")',
    'isPrime({ n: 8 }) || finalAnswer("not prime")',
    'if (!isPrime({ n: 8 })) finalAnswer("not prime")',
    'if ((isPrime({ n: 8 }) as any)) finalAnswer("prime")',
    'const n = 8; if (n > 1 && isPrime({ n })) finalAnswer("prime")',
    "while (isPrime({ n: 8 })) break",
    "do { break } while (isPrime({ n: 8 }))",
    "for (let n = 8; isPrime({ n }); n++) break",
    "const odd = [7, 8].filter((n) => !isPrime({ n }))",
    'const isBig = async (n) => n > 5; if (isBig(4)) finalAnswer("big")',
    "async function isBig(n) { return n > 5 }\nif (isBig(4)) print('big')",
    'const prime = isPrime({ n: 8 }); if (prime) finalAnswer("prime"); else finalAnswer("not")',
    'if (Promise.all([isPrime({ n: 8 })])) finalAnswer("all")',
    'if (isPrime({ n: 8 }).then((is) => is)) finalAnswer("prime")',
  ].map((code) => ["a promise as a condition", code, /as a condition, where every promise/] as const),
  ...[
    'finalAnswer(webSearch({ query: "x" }) + "!")',
    'let text = ""; text += webSearch({ query: "x" })',
    'finalAnswer(2 * webSearch({ query: "x" }))',
    'finalAnswer(-webSearch({ query: "x" }))',
    'const found = webSearch({ query: "x" });\nfinalAnswer("found " + found)',
  ].map((code) => ["a promise in arithmetic", code, /in arithmetic/] as const),
  ...[
    'finalAnswer(webSearch({ query: "x" }) === "y")',
    'finalAnswer("y" != webSearch({ query: "x" }))',
    'finalAnswer(webSearch({ query: "x" }) === null)',
    'finalAnswer(webSearch({ query: "x" }) > 3)',
  ].map((code) => ["a promise in a comparison", code, /is compared/] as const),
  ["a promise in a text", 'finalAnswer(`found ${webSearch({ query: "x" })}`)', /is put into a text/],
];

test.each(promises)("finds %s: %s", async (_what, code, use) => {
  const problems = await problemsIn(code);
  expect(problems.map(({ message }) => message).join("\n")).toMatch(use);
  expect(problems).toHaveLength(1);
});

const promisesMeant: readonly string[] = [
  'if (await isPrime({ n: 8 })) finalAnswer("prime")',
  'if ((await isPrime({ n: 8 })) && (await isPrime({ n: 7 }))) finalAnswer("both")',
  "const started = isPrime({ n: 8 }); const other = isPrime({ n: 7 }); finalAnswer((await started) || (await other))",
  "const started = isPrime({ n: 8 }); if (started) finalAnswer(await started)",
  "const started = isPrime({ n: 8 }); if (started) print('started')",
  "let p = isPrime({ n: 8 }); p = await p; if (p) finalAnswer(p + 1)",
  "let p = isPrime({ n: 8 }); p = await p; finalAnswer(p ? 'prime' : 'not')",
  "let users = listUsers(); users = await users; finalAnswer(users.length + users[0].length)",
  "var users = listUsers(); print('wait'); users = await users; finalAnswer(users.length)",
  "const cache = new Map(); cache.set(8, isPrime({ n: 8 })); if (!cache.get(8)) print('new'); finalAnswer(await cache.get(8))",
  "const cache: Map<number, Promise<boolean>> = new Map(); if (cache.get(8)) print('old'); finalAnswer(1)",
  "const cache = {}; const look = (n) => cache[n] || (cache[n] = isPrime({ n })); finalAnswer(await look(8))",
  "const cache = {}; const look = (n) => (cache[n] ??= isPrime({ n })); finalAnswer(await look(8))",
  "const all = [isPrime({ n: 8 })]; if (all[0]) finalAnswer(await all[0])",
  "const all = [isPrime({ n: 8 })]; const first = all.find(Boolean); if (first) finalAnswer(await first)",
  "const all = [isPrime({ n: 8 })]; while (all.length) { const one = all.pop(); if (one) finalAnswer(await one) }",
  "const maybe = (n) => { if (n > 1) return isPrime({ n }) }; if (maybe(1)) print('asked'); finalAnswer(await maybe(8))",
  "const maybe = (n) => n > 1 ? isPrime({ n }) : false; const p = maybe(8); if (p) finalAnswer(await p)",
  "const one = isPrime({ n: 8 }), two = isPrime({ n: 8 }); const first = await Promise.race([one.then(() => one)]); finalAnswer(first === (await two))",
  "const a = isPrime({ n: 8 }), b = isPrime({ n: 7 }); const isSame = a === b; await Promise.all([a, b]); finalAnswer(isSame)",
  "finalAnswer(await (isPrime({ n: 8 }) || false))",
  "finalAnswer(await (isPrime({ n: 8 }) ?? false))",
  "finalAnswer(await (8 > 1 ? isPrime({ n: 8 }) : false))",
  "finalAnswer(isPrime({ n: 8 }) instanceof Promise)",
  "finalAnswer(typeof isPrime({ n: 8 }))",
  "void isPrime({ n: 8 }); finalAnswer(1)",
  "function isPrime(input) { return input.n === 7 } if (isPrime({ n: 8 })) finalAnswer('prime')",
  "{ const isPrime = (input) => input.n === 7; if (isPrime({ n: 8 })) finalAnswer('prime') }",
  "const ask = isPrime; const sum = (await ask({ n: 8 })) + 1; finalAnswer(sum)",
  "const users = await listUsers(); const found = users.find((user) => user === 'a') || users[0]; finalAnswer(found)",
  "async function* numbers() { yield 1 } const it = numbers(); if (it) for await (const n of it) finalAnswer(n)",
  "const say = (parts, ...values) => Promise.all(values); finalAnswer(await say`a ${isPrime({ n: 8 })}`)",
  "const users = await listUsers().catch(() => null) || []; finalAnswer(users.length)",
  "notify({ text: 'done' }); finalAnswer('done')",
  "const sent = notify({ text: 'done' }); finalAnswer('done')",
  "let last = null; for (const n of [7, 8]) { if (last) await last; last = isPrime({ n }) } finalAnswer(await last)",
  "let p; if (!p) p = isPrime({ n: 8 }); const again = p || isPrime({ n: 8 }); finalAnswer(await again)",
  "const setTimeOut = (f, ms) => f(ms); setTimeout(() => {}, 1); setTimeOut(print, 1); finalAnswer(1)",
];

test.each(promisesMeant)("accepts the intended use of a promise: %s", async (code) => {
  expect(await problemsIn(code)).toEqual([]);
});

test.each(fine)("lets %s pass", async (_what, code) => {
  expect(await problemsIn(code)).toEqual([]);
});

test("reports the line of each problem, in order", async () => {
  const code = "const w = await getWeather({\n  city: 'Paris',\n});\nprint(w.celsius);\nprint(w.temp);";
  expect((await problemsIn(code)).map(({ line }) => line)).toEqual([2, 5]);
});

test("an abort ends the check", async () => {
  const aborted = AbortSignal.abort(new Error("stop"));
  await expect(check({ code: "1", declarations, variables: [] }, { signal: aborted })).rejects.toThrow("stop");
});
