import { typecheck } from "@smolts/typecheck";
import { expect, test } from "vitest";

const declarations = `/** Weather of the next days. */
declare function getWeather(input: { location: string; celsius?: boolean }): Promise<{ celsius: number; wind: { speed: number } }>;
declare function listOrders(input?: { state?: "open" | "unknown" }): Promise<unknown>;
declare function webSearch(input: { query: string }): Promise<string>;`;

const check = typecheck();
const { signal } = new AbortController();
const variables = [{ name: "rows", type: "{ a: number }[]", preview: "" }];

const problemsIn = (code: string) => check({ code, declarations, variables }, { signal });

const wrong: [what: string, code: string, message: RegExp][] = [
  ["an argument that does not exist", 'await getWeather({ city: "Paris" })', /'city' does not exist/],
  ["an argument of another type", "await getWeather({ location: 4 })", /'number' is not assignable to type 'string'/],
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
  ["a positional call, which has rules of its own", "await webSearch('cats'); await getWeather('Paris', true)"],
  [
    "an object that gets its properties later",
    "const o = {}; o.a = 1; let x = null; x = { a: 1 }; x.b = 2; print(x.b)",
  ],
  ["a variable that changes its type", "let total = 0; total = 'none'; let list = []; list.push(1); list = 'a'"],
  ["a match that may be null", "print('abc'.match(/b/)[0])"],
  ["variables of earlier blocks", "const names = rows.map((row) => row.name); print(names.length)"],
  ["a variable of an earlier block declared again", "const rows = 3; print(rows)"],
  [
    "more in an error than errors have",
    "const e = new Error('x'); e.code = 5; try {} catch (err) { print(err.code, e.code) }",
  ],
  ["objects of the platform", "structuredClone({}); new URL('https://example.com'); setTimeout(() => {}, 1)"],
  ["types, which are allowed", "interface P { x: number } const p: P = { x: 1 }; print(p.x as number)"],
  ["new methods of the language", "[1, 2].toSorted(); Object.groupBy([1], String); new Set([1]).union(new Set())"],
  ["a function of its own with loose arguments", "function area(w, h) { return w * (h ?? w) } area(2); area(2, 3, 4)"],
  ["numbers made of texts", "const n = '3' * 2; const d = new Date() - 5"],
  ["answers of any kind", "finalAnswer({ a: 1 }); final_answer()"],
  ["what cannot be parsed, of which the sandbox tells", "const = ;"],
];

test.each(fine)("lets %s pass", async (_what, code) => {
  expect(await problemsIn(code)).toEqual([]);
});

test("tells the line of each problem, in order", async () => {
  const code = "const w = await getWeather({\n  city: 'Paris',\n});\nprint(w.celsius);\nprint(w.temp);";
  expect((await problemsIn(code)).map(({ line }) => line)).toEqual([2, 5]);
});

test("a warm check takes less than 300 ms", async () => {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const { user, system } = process.cpuUsage();
    await problemsIn(`const w = await getWeather({ location: "${round}" }); print(w.temp, [${round}].map(String));`);
    const after = process.cpuUsage();
    times.push((after.user + after.system - user - system) / 1_000);
  }
  expect(Math.min(...times)).toBeLessThan(300);
});

test("an abort is heard", async () => {
  const aborted = AbortSignal.abort(new Error("stop"));
  await expect(check({ code: "1", declarations, variables: [] }, { signal: aborted })).rejects.toThrow("stop");
});
