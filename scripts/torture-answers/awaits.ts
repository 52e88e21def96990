// Programs with and without missing awaits. `answer` is what the task's author would get; a program that lacks an await must not answer anything else.

/** A program, and what a run of it must not miss. */
export interface AwaitProgram {
  readonly id: string;
  readonly code: string;
  /** The right answer. */
  readonly answer: unknown;
}

/** The tools that the programs call. */
export const awaitTools: { readonly [name: string]: (input: { readonly [key: string]: unknown }) => unknown } = {
  getWeather: ({ city }) => `sunny in ${city}`,
  listUsers: () => [
    { name: "Ann", age: 31 },
    { name: "Bob", age: 27 },
  ],
  findUser: ({ name }) => (name === "Ann" ? { name: "Ann", age: 31 } : null),
  isPrime: ({ n }) => [2, 3, 5, 7, 11, 13].includes(n as number),
  price: ({ item }) => ({ a: 10, b: 4, c: 7 })[item as "a"] ?? 0,
  countWords: ({ text }) => String(text).split(" ").length,
  notify: () => null,
};

/** Programs that lack an await: their answer is wrong, or right by luck. */
export const lackingAwait: readonly AwaitProgram[] = [
  { id: "template", code: 'finalAnswer(`Now: ${getWeather({ city: "Oslo" })}`)', answer: "Now: sunny in Oslo" },
  { id: "concat-left", code: 'finalAnswer(getWeather({ city: "Oslo" }) + "!")', answer: "sunny in Oslo!" },
  { id: "plus-equals", code: 'let total = 1; total += price({ item: "a" }); finalAnswer(total)', answer: 11 },
  { id: "minus", code: 'finalAnswer(price({ item: "a" }) - price({ item: "b" }))', answer: 6 },
  { id: "unary-plus", code: 'finalAnswer(+price({ item: "a" }))', answer: 10 },
  { id: "less", code: 'finalAnswer(price({ item: "a" }) < price({ item: "b" }) ? "a" : "b")', answer: "b" },
  {
    id: "less-number",
    code: 'const p = price({ item: "a" });\nfinalAnswer(p < 20 ? "cheap" : "dear")',
    answer: "cheap",
  },
  { id: "strict-true", code: 'finalAnswer(isPrime({ n: 7 }) === true ? "prime" : "not")', answer: "prime" },
  { id: "strict-not", code: 'finalAnswer(isPrime({ n: 7 }) !== true ? "not" : "prime")', answer: "prime" },
  { id: "loose-text", code: 'finalAnswer(getWeather({ city: "P" }) == "sunny in P")', answer: true },
  { id: "strict-null", code: 'finalAnswer(findUser({ name: "Zoe" }) === null ? "nobody" : "found")', answer: "nobody" },
  {
    id: "not-null",
    code: 'if (findUser({ name: "Zoe" }) != null) finalAnswer("found"); else finalAnswer("nobody")',
    answer: "nobody",
  },
  { id: "ternary", code: 'const p = isPrime({ n: 8 });\nfinalAnswer(p ? "prime" : "not prime")', answer: "not prime" },
  { id: "and", code: 'finalAnswer(isPrime({ n: 8 }) && "prime")', answer: false },
  {
    id: "and-both",
    code: 'if (isPrime({ n: 8 }) && isPrime({ n: 9 })) finalAnswer("both"); else finalAnswer("no")',
    answer: "no",
  },
  {
    id: "and-await",
    code: 'if (isPrime({ n: 8 }) && (await isPrime({ n: 7 }))) finalAnswer("both"); else finalAnswer("no")',
    answer: "no",
  },
  { id: "not-not", code: "finalAnswer(!!isPrime({ n: 8 }))", answer: false },
  { id: "boolean", code: "finalAnswer(Boolean(isPrime({ n: 8 })))", answer: false },
  {
    id: "else-if",
    code: 'const n = 9;\nif (n > 10) finalAnswer("big");\nelse if (isPrime({ n })) finalAnswer("prime");\nelse finalAnswer("neither")',
    answer: "neither",
  },
  {
    id: "switch",
    code: 'switch (getWeather({ city: "P" })) {\n  case "sunny in P": finalAnswer("sun"); break;\n  default: finalAnswer("rain");\n}',
    answer: "sun",
  },
  {
    id: "switch-await",
    code: 'switch (getWeather({ city: "P" })) {\n  case await getWeather({ city: "P" }): finalAnswer("sun"); break;\n  default: finalAnswer("rain");\n}',
    answer: "sun",
  },
  { id: "length", code: "finalAnswer(listUsers().length)", answer: 2 },
  { id: "destructured", code: 'const { name } = findUser({ name: "Ann" });\nfinalAnswer(name)', answer: "Ann" },
  { id: "destructured-default", code: 'const { age = 0 } = findUser({ name: "Ann" });\nfinalAnswer(age)', answer: 31 },
  {
    id: "rest",
    code: 'const { ...user } = findUser({ name: "Ann" });\nfinalAnswer(user)',
    answer: { name: "Ann", age: 31 },
  },
  { id: "optional", code: 'finalAnswer(findUser({ name: "Ann" })?.age ?? "unknown")', answer: 31 },
  { id: "index", code: "finalAnswer(listUsers()[0])", answer: { name: "Ann", age: 31 } },
  {
    id: "of",
    code: "const names = [];\nfor (const user of listUsers()) names.push(user.name);\nfinalAnswer(names)",
    answer: ["Ann", "Bob"],
  },
  {
    id: "in",
    code: 'const names = [];\nfor (const key in findUser({ name: "Ann" })) names.push(key);\nfinalAnswer(names)',
    answer: ["name", "age"],
  },
  { id: "in-operator", code: 'finalAnswer("age" in findUser({ name: "Ann" }))', answer: true },
  {
    id: "spread-object",
    code: 'finalAnswer({ ...findUser({ name: "Ann" }), city: "Oslo" })',
    answer: { name: "Ann", age: 31, city: "Oslo" },
  },
  { id: "spread-array", code: "finalAnswer([...listUsers()].length)", answer: 2 },
  { id: "keys", code: 'finalAnswer(Object.keys(findUser({ name: "Ann" })))', answer: ["name", "age"] },
  { id: "entries", code: 'finalAnswer(Object.entries(findUser({ name: "Ann" })).length)', answer: 2 },
  { id: "assign", code: 'finalAnswer(Object.assign({}, findUser({ name: "Ann" })))', answer: { name: "Ann", age: 31 } },
  { id: "json", code: "finalAnswer(JSON.stringify(listUsers().map((u) => u.name)))", answer: '["Ann","Bob"]' },
  {
    id: "json-nested",
    code: 'const report = { price: price({ item: "a" }) };\nfinalAnswer(JSON.stringify(report))',
    answer: '{"price":10}',
  },
  {
    id: "json-map",
    code: 'const prices = ["a", "b"].map((item) => price({ item }));\nfinalAnswer(JSON.stringify(prices))',
    answer: "[10,4]",
  },
  { id: "map-join", code: 'finalAnswer(["a", "b"].map((item) => price({ item })).join(", "))', answer: "10, 4" },
  {
    id: "map-template",
    code: 'finalAnswer(["a", "b"].map((item) => `${item}: ${price({ item })}`).join("; "))',
    answer: "a: 10; b: 4",
  },
  { id: "map-max", code: 'finalAnswer(Math.max(...["a", "b"].map((item) => price({ item }))))', answer: 10 },
  {
    id: "map-sum",
    code: 'const prices = ["a", "b"].map((item) => price({ item }));\nfinalAnswer(prices.reduce((sum, p) => sum + p, 0))',
    answer: 14,
  },
  {
    id: "map-sort",
    code: 'const prices = ["b", "a"].map((item) => price({ item }));\nprices.sort((x, y) => y - x);\nfinalAnswer(prices[0])',
    answer: 10,
  },
  { id: "map-filter", code: "finalAnswer([4, 7].map((n) => isPrime({ n })).filter(Boolean).length)", answer: 1 },
  {
    id: "map-filter-arrow",
    code: "const flags = [4, 7].map((n) => isPrime({ n }));\nfinalAnswer(flags.filter((flag) => flag).length)",
    answer: 1,
  },
  {
    id: "map-includes",
    code: "const flags = [4, 8].map((n) => isPrime({ n }));\nfinalAnswer(flags.includes(true))",
    answer: false,
  },
  {
    id: "map-every",
    code: "finalAnswer([4, 7].map((n) => isPrime({ n })).every((flag) => flag === true))",
    answer: false,
  },
  { id: "filter-sync", code: "finalAnswer([4, 7, 8].filter((n) => isPrime({ n })))", answer: [7] },
  { id: "filter-not", code: "finalAnswer([4, 7, 8].filter((n) => !isPrime({ n })))", answer: [4, 8] },
  { id: "every-async", code: "finalAnswer([4, 7].every(async (n) => await isPrime({ n })))", answer: false },
  { id: "find-async", code: "finalAnswer([4, 8, 7].find(async (n) => await isPrime({ n })))", answer: 7 },
  { id: "find-index", code: "finalAnswer([4, 8, 7].findIndex((n) => isPrime({ n })))", answer: 2 },
  { id: "find-last", code: "finalAnswer([7, 4, 8].findLast(async (n) => isPrime({ n })))", answer: 7 },
  {
    id: "for-each",
    code: 'let total = 0;\n["a", "b"].forEach(async (item) => { total += await price({ item }); });\nfinalAnswer(total)',
    answer: 14,
  },
  {
    id: "for-each-push",
    code: 'const found = [];\n["a", "b"].forEach(async (item) => {\n  const p = await price({ item });\n  found.push(p);\n});\nfinalAnswer(found)',
    answer: [10, 4],
  },
  {
    id: "map-side-effect",
    code: 'const prices = {};\n["a", "b"].map(async (item) => { prices[item] = await price({ item }); });\nfinalAnswer(prices)',
    answer: { a: 10, b: 4 },
  },
  {
    id: "then-total",
    code: 'let p = 0;\nprice({ item: "a" }).then((value) => { p = value; });\nfinalAnswer(p)',
    answer: 10,
  },
  {
    id: "helper-unawaited",
    code: 'let best = null;\nasync function load() { best = await price({ item: "a" }); }\nload();\nfinalAnswer(best)',
    answer: 10,
  },
  {
    id: "helper-template",
    code: "async function count() { return (await listUsers()).length; }\nfinalAnswer(`${count()} users`)",
    answer: "2 users",
  },
  {
    id: "helper-condition",
    code: 'const isCheap = async (item) => (await price({ item })) < 5;\nfinalAnswer(isCheap("a") ? "cheap" : "dear")',
    answer: "dear",
  },
  {
    id: "helper-property",
    code: 'const user = async () => await findUser({ name: "Ann" });\nfinalAnswer(user().age)',
    answer: 31,
  },
  {
    id: "helper-wait-first",
    code: 'async function slow() { await new Promise((done) => setTimeout(done, 5)); return price({ item: "a" }); }\nfinalAnswer("p: " + slow())',
    answer: "p: 10",
  },
  {
    id: "own-async",
    code: 'async function area(r) { return 3 * r * r; }\nfinalAnswer("area " + area(2))',
    answer: "area 12",
  },
  {
    id: "all-length",
    code: 'const prices = Promise.all(["a", "b"].map((item) => price({ item })));\nfinalAnswer(prices.length)',
    answer: 2,
  },
  {
    id: "all-index",
    code: 'const prices = Promise.all([price({ item: "a" })]);\nfinalAnswer(prices[0] + 1)',
    answer: 11,
  },
  { id: "number", code: 'finalAnswer(Number(price({ item: "a" })))', answer: 10 },
  { id: "parse-int", code: 'finalAnswer(parseInt(price({ item: "a" }), 10))', answer: 10 },
  { id: "string", code: 'finalAnswer(String(price({ item: "a" })))', answer: "10" },
  { id: "to-string", code: 'finalAnswer(price({ item: "a" }).toString())', answer: "10" },
  { id: "to-fixed", code: 'finalAnswer(price({ item: "a" }).toFixed(2))', answer: "10.00" },
  { id: "upper", code: 'finalAnswer(getWeather({ city: "P" }).toUpperCase())', answer: "SUNNY IN P" },
  { id: "includes-text", code: 'finalAnswer("it is sunny in P".includes(getWeather({ city: "P" })))', answer: true },
  { id: "includes", code: 'finalAnswer([10, 4].includes(price({ item: "a" })))', answer: true },
  { id: "index-of", code: 'finalAnswer([4, 10].indexOf(price({ item: "a" })))', answer: 1 },
  { id: "set-has", code: 'finalAnswer(new Set([10]).has(price({ item: "a" })))', answer: true },
  { id: "map-get", code: 'finalAnswer(new Map([[10, "ten"]]).get(price({ item: "a" })) ?? "none")', answer: "ten" },
  { id: "key", code: 'const names = { 10: "ten" };\nfinalAnswer(names[price({ item: "a" })])', answer: "ten" },
  { id: "typeof", code: 'finalAnswer(typeof price({ item: "a" }))', answer: "number" },
  { id: "is-array", code: 'finalAnswer(Array.isArray(listUsers()) ? "list" : "no list")', answer: "list" },
  { id: "is-integer", code: 'finalAnswer(Number.isInteger(price({ item: "a" })))', answer: true },
  { id: "date", code: 'finalAnswer(new Date(price({ item: "a" })).getTime())', answer: 10 },
  { id: "repeat", code: 'finalAnswer("x".repeat(price({ item: "b" })))', answer: "xxxx" },
  { id: "argument", code: 'finalAnswer(await countWords({ text: getWeather({ city: "P" }) }))', answer: 3 },
  {
    id: "argument-template",
    code: 'finalAnswer(await countWords({ text: `Now ${getWeather({ city: "P" })}` }))',
    answer: 4,
  },
  { id: "nested-answer", code: 'finalAnswer({ price: price({ item: "a" }) })', answer: { price: 10 } },
  { id: "list-answer", code: 'finalAnswer([price({ item: "a" }), price({ item: "b" })])', answer: [10, 4] },
  {
    id: "caught",
    code: 'try {\n  const users = listUsers();\n  finalAnswer(`There are ${users.length}`);\n} catch (error) {\n  finalAnswer("could not count: " + error.message);\n}',
    answer: "There are 2",
  },
  {
    id: "caught-quietly",
    code: "let count = 0;\ntry { count = listUsers().length; } catch {}\nfinalAnswer(count)",
    answer: 2,
  },
  { id: "while", code: "let n = 8;\nwhile (!isPrime({ n })) n++;\nfinalAnswer(n)", answer: 11 },
  {
    id: "class",
    code: 'class Shop { cost(item) { return price({ item }) * 2; } }\nfinalAnswer(new Shop().cost("a"))',
    answer: 20,
  },
  { id: "await-outside", code: 'finalAnswer(await price({ item: "a" }) + price({ item: "b" }))', answer: 14 },
  {
    id: "await-array",
    code: 'const prices = await ["a", "b"].map((item) => price({ item }));\nfinalAnswer(prices[0] + prices[1])',
    answer: 14,
  },
  {
    id: "later-block",
    code: 'const user = findUser({ name: "Ann" });\nfinalAnswer(user.name + " is " + user.age)',
    answer: "Ann is 31",
  },
  {
    id: "typed",
    code: 'const user: { age: number } = findUser({ name: "Ann" }) as any;\nfinalAnswer(user.age + 1)',
    answer: 32,
  },
];

/** Programs that are right as they are, though they handle promises. */
export const rightPrograms: readonly AwaitProgram[] = [
  { id: "plain", code: 'finalAnswer(await getWeather({ city: "P" }))', answer: "sunny in P" },
  { id: "answer-promise", code: 'finalAnswer(getWeather({ city: "P" }))', answer: "sunny in P" },
  { id: "answer-all", code: 'finalAnswer(Promise.all(["a", "b"].map((item) => price({ item }))))', answer: [10, 4] },
  {
    id: "all",
    code: 'const prices = await Promise.all(["a", "b"].map((item) => price({ item })));\nfinalAnswer(prices[0] + prices[1])',
    answer: 14,
  },
  {
    id: "all-async",
    code: 'const lines = await Promise.all(["a", "b"].map(async (item) => `${item}=${await price({ item })}`));\nfinalAnswer(lines.join())',
    answer: "a=10,b=4",
  },
  {
    id: "all-settled",
    code: 'const settled = await Promise.allSettled([price({ item: "a" }), Promise.reject(new Error("no"))]);\nfinalAnswer(settled.map(({ status }) => status))',
    answer: ["fulfilled", "rejected"],
  },
  {
    id: "race",
    code: 'finalAnswer(await Promise.race([price({ item: "a" }), new Promise((done) => setTimeout(done, 60_000))]))',
    answer: 10,
  },
  {
    id: "any",
    code: 'finalAnswer(await Promise.any([Promise.reject(new Error("no")), price({ item: "a" })]))',
    answer: 10,
  },
  {
    id: "later",
    code: 'const first = price({ item: "a" });\nconst second = price({ item: "b" });\nfinalAnswer((await first) + (await second))',
    answer: 14,
  },
  {
    id: "list-later",
    code: 'const asked = [];\nfor (const item of ["a", "b", "c"]) asked.push(price({ item }));\nlet sum = 0;\nfor (const promise of asked) sum += await promise;\nfinalAnswer(sum)',
    answer: 21,
  },
  {
    id: "for-await",
    code: 'let sum = 0;\nfor await (const p of ["a", "b"].map((item) => price({ item }))) sum += p;\nfinalAnswer(sum)',
    answer: 14,
  },
  {
    id: "object-later",
    code: 'const asked = { a: price({ item: "a" }), b: price({ item: "b" }) };\nfinalAnswer({ a: await asked.a, b: await asked.b })',
    answer: { a: 10, b: 4 },
  },
  {
    id: "keys-of-asked",
    code: 'const asked = { a: price({ item: "a" }) };\nconst out = {};\nfor (const key of Object.keys(asked)) out[key] = await asked[key];\nfinalAnswer(out)',
    answer: { a: 10 },
  },
  {
    id: "entries-all",
    code: 'const entries = await Promise.all(["a", "b"].map(async (item) => [item, await price({ item })]));\nfinalAnswer(Object.fromEntries(entries))',
    answer: { a: 10, b: 4 },
  },
  { id: "then", code: 'finalAnswer(await price({ item: "a" }).then((p) => p * 2))', answer: 20 },
  {
    id: "then-chain",
    code: 'finalAnswer(await listUsers().then((users) => users.map((u) => u.name)).then((names) => names.join("+")))',
    answer: "Ann+Bob",
  },
  { id: "then-answer", code: 'price({ item: "a" }).then((p) => finalAnswer(p + 1))', answer: 11 },
  { id: "catch", code: 'finalAnswer(await price({ item: "a" }).catch(() => 0))', answer: 10 },
  {
    id: "finally",
    code: 'let done = false;\nconst p = await price({ item: "a" }).finally(() => { done = true; });\nfinalAnswer([p, done])',
    answer: [10, true],
  },
  {
    id: "memo",
    code: 'const known = new Map();\nfunction cost(item) {\n  if (!known.has(item)) known.set(item, price({ item }));\n  return known.get(item);\n}\nfinalAnswer((await cost("a")) + (await cost("a")))',
    answer: 20,
  },
  {
    id: "memo-condition",
    code: 'const known = new Map();\nasync function cost(item) {\n  const hit = known.get(item);\n  if (hit) return hit;\n  const asked = price({ item });\n  known.set(item, asked);\n  return asked;\n}\nfinalAnswer((await cost("a")) + (await cost("a")))',
    answer: 20,
  },
  {
    id: "lazy",
    code: "let users;\nconst load = () => (users ||= listUsers());\nawait load();\nfinalAnswer((await load()).length)",
    answer: 2,
  },
  {
    id: "lazy-nullish",
    code: "let users = null;\nconst load = () => (users ??= listUsers());\nfinalAnswer([(await load()).length, (await load())[0].name])",
    answer: [2, "Ann"],
  },
  {
    id: "lazy-if",
    code: 'let asked = null;\nfor (const n of [1, 2]) {\n  if (asked === null) asked = price({ item: "a" });\n}\nfinalAnswer(await asked)',
    answer: 10,
  },
  {
    id: "undefined-check",
    code: 'const cache = {};\nasync function cost(item) {\n  if (cache[item] === undefined) cache[item] = price({ item });\n  return (await cache[item]) + 1;\n}\nfinalAnswer([await cost("a"), await cost("a")])',
    answer: [11, 11],
  },
  {
    id: "null-check",
    code: 'function maybe(n) { return n > 1 ? price({ item: "a" }) : null; }\nconst p = maybe(2);\nfinalAnswer(p == null ? "none" : await p)',
    answer: 10,
  },
  {
    id: "optional-promise",
    code: 'const jobs = { a: price({ item: "a" }) };\nfinalAnswer((await jobs.b) ?? (await jobs.a))',
    answer: 10,
  },
  {
    id: "nullish-promise",
    code: 'const given = undefined;\nfinalAnswer(await (given ?? price({ item: "a" })))',
    answer: 10,
  },
  { id: "or-promise", code: 'const given = null;\nfinalAnswer(await (given || price({ item: "b" })))', answer: 4 },
  {
    id: "same",
    code: 'const p = price({ item: "a" });\nconst q = p;\nfinalAnswer([p === q, await p])',
    answer: [true, 10],
  },
  {
    id: "not-same",
    code: 'const p = price({ item: "a" });\nconst q = price({ item: "a" });\nfinalAnswer([p === q, await p, await q])',
    answer: [false, 10, 10],
  },
  {
    id: "in-set",
    code: 'const open = new Set();\nconst p = price({ item: "a" });\nopen.add(p);\nconst had = open.has(p);\nconst value = await p;\nopen.delete(p);\nfinalAnswer([had, value, open.size])',
    answer: [true, 10, 0],
  },
  {
    id: "pool",
    code: 'const open = [];\nlet sum = 0;\nfor (const item of ["a", "b", "c"]) {\n  const p = price({ item }).then((value) => { sum += value; open.splice(open.indexOf(p), 1); });\n  open.push(p);\n  if (open.length >= 2) await Promise.race(open);\n}\nawait Promise.all(open);\nfinalAnswer(sum)',
    answer: 21,
  },
  {
    id: "filter-tasks",
    code: 'const tasks = [price({ item: "a" }), null, price({ item: "b" })];\nconst prices = await Promise.all(tasks.filter(Boolean));\nfinalAnswer(prices)',
    answer: [10, 4],
  },
  {
    id: "filter-awaited",
    code: "const numbers = [4, 7, 8];\nconst flags = await Promise.all(numbers.map((n) => isPrime({ n })));\nfinalAnswer(numbers.filter((_, i) => flags[i]))",
    answer: [7],
  },
  {
    id: "some-awaited",
    code: "finalAnswer((await Promise.all([4, 8].map((n) => isPrime({ n })))).some(Boolean))",
    answer: false,
  },
  {
    id: "reduce-async",
    code: 'finalAnswer(await ["a", "b"].reduce(async (sum, item) => (await sum) + (await price({ item })), 0))',
    answer: 14,
  },
  {
    id: "reduce-then",
    code: 'finalAnswer(await ["a", "b"].reduce((chain, item) => chain.then((sum) => price({ item }).then((p) => sum + p)), Promise.resolve(0)))',
    answer: 14,
  },
  {
    id: "helper",
    code: "async function count() { const users = await listUsers(); return users.length; }\nfinalAnswer(`${await count()} users`)",
    answer: "2 users",
  },
  {
    id: "main",
    code: 'async function main() {\n  const p = await price({ item: "a" });\n  finalAnswer(p);\n}\nmain();',
    answer: 10,
  },
  {
    id: "main-iife",
    code: "(async () => {\n  const users = await listUsers();\n  finalAnswer(users.length);\n})();",
    answer: 2,
  },
  { id: "fire-and-forget", code: 'notify({ text: "started" });\nfinalAnswer("done")', answer: "done" },
  {
    id: "fire-and-forget-void",
    code: 'void notify({ text: "x" });\nfinalAnswer(await price({ item: "a" }))',
    answer: 10,
  },
  {
    id: "fire-and-forget-async",
    code: 'async function log(text) { await notify({ text }); console.log("sent"); }\nlog("started");\nfinalAnswer("done")',
    answer: "done",
  },
  { id: "fire-and-forget-catch", code: 'notify({ text: "x" }).catch(() => {});\nfinalAnswer("done")', answer: "done" },
  {
    id: "fire-and-forget-each",
    code: '["a", "b"].forEach((text) => notify({ text }));\nfinalAnswer("done")',
    answer: "done",
  },
  {
    id: "awaited-each",
    code: 'let sum = 0;\nfor (const item of ["a", "b"]) sum += await price({ item });\nfinalAnswer(sum)',
    answer: 14,
  },
  {
    id: "timeout",
    code: 'const late = new Promise((done) => setTimeout(() => done("late"), 50_000));\nfinalAnswer(await Promise.race([late, getWeather({ city: "P" })]))',
    answer: "sunny in P",
  },
  {
    id: "sleep",
    code: 'const sleep = (ms) => new Promise((done) => setTimeout(done, ms));\nawait sleep(5);\nfinalAnswer(await price({ item: "b" }))',
    answer: 4,
  },
  { id: "printed", code: 'const p = price({ item: "a" });\nconsole.log(p);\nfinalAnswer(await p)', answer: 10 },
  {
    id: "is-thenable",
    code: 'const resolveValue = async (x) => (x && typeof x.then === "function" ? await x : x);\nfinalAnswer([await resolveValue(price({ item: "a" })), await resolveValue(3)])',
    answer: [10, 3],
  },
  {
    id: "instanceof",
    code: 'const p = price({ item: "a" });\nfinalAnswer([p instanceof Promise, await p])',
    answer: [true, 10],
  },
  {
    id: "as-list",
    code: 'const asList = (x) => (Array.isArray(x) ? x : [x]);\nfinalAnswer(await Promise.all(asList(price({ item: "a" }))))',
    answer: [10],
  },
  {
    id: "own-property",
    code: 'const p = price({ item: "a" });\np.label = "a";\nfinalAnswer(`${p.label}: ${await p}`)',
    answer: "a: 10",
  },
  {
    id: "map-of-promises",
    code: 'const asked = new Map(["a", "b"].map((item) => [item, price({ item })]));\nconst out = [];\nfor (const [item, promise] of asked) out.push(`${item}${await promise}`);\nfinalAnswer(out)',
    answer: ["a10", "b4"],
  },
  {
    id: "count-asked",
    code: 'const asked = ["a", "b"].map((item) => price({ item }));\nconst count = asked.length;\nawait Promise.all(asked);\nfinalAnswer(count)',
    answer: 2,
  },
  {
    id: "queue",
    code: 'let last = Promise.resolve(0);\nfor (const item of ["a", "b"]) last = last.then(async (sum) => sum + (await price({ item })));\nfinalAnswer(await last)',
    answer: 14,
  },
  {
    id: "deferred",
    code: 'const { promise, resolve } = Promise.withResolvers();\nprice({ item: "a" }).then(resolve);\nfinalAnswer(await promise)',
    answer: 10,
  },
  {
    id: "async-iterator",
    code: 'async function* prices() { for (const item of ["a", "b"]) yield await price({ item }); }\nlet sum = 0;\nfor await (const p of prices()) sum += p;\nfinalAnswer(sum)',
    answer: 14,
  },
  {
    id: "from-async",
    code: 'finalAnswer(await Array.fromAsync(["a", "b"], (item) => price({ item })))',
    answer: [10, 4],
  },
  {
    id: "text-only",
    code: 'const text = "The promise: " + "kept";\nconst n = 3;\nif (n === 3 && text) finalAnswer(text)',
    answer: "The promise: kept",
  },
  {
    id: "started-early",
    code: 'const weather = getWeather({ city: "P" });\nconst users = await listUsers();\nfinalAnswer(`${users.length} users, ${await weather}`)',
    answer: "2 users, sunny in P",
  },
  {
    id: "try-catch",
    code: 'try {\n  const user = await findUser({ name: "Zoe" });\n  finalAnswer(user.name);\n} catch {\n  finalAnswer("nobody");\n}',
    answer: "nobody",
  },
  {
    id: "conditional-promise",
    code: 'const item = "a";\nconst asked = item === "a" ? price({ item }) : Promise.resolve(0);\nfinalAnswer(await asked)',
    answer: 10,
  },
  {
    id: "sort-awaited",
    code: 'const items = ["a", "b", "c"];\nconst prices = Object.fromEntries(await Promise.all(items.map(async (i) => [i, await price({ item: i })])));\nitems.sort((x, y) => prices[x] - prices[y]);\nfinalAnswer(items)',
    answer: ["b", "c", "a"],
  },
];
