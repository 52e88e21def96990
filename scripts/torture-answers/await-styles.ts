// More programs with and without missing awaits: other styles than plain calls, and programs that
// still have work to do when they answer.

import type { AwaitProgram } from "./awaits.ts";

type Row = readonly [id: string, code: string, answer: unknown];

const programs = (rows: readonly Row[]): readonly AwaitProgram[] =>
  rows.map(([id, code, answer]) => ({ id, code, answer }));

/** Programs with a missing await. */
export const missingAwaitInStyles: readonly AwaitProgram[] = programs([
  // The answer depends on timers, microtasks or promise chains.
  ["late-timeout", `let x = 0;\nsetTimeout(async () => { x = await price({ item: "a" }); });\nfinalAnswer(x)`, 10],
  [
    "late-timeout-0",
    `let x = null;\nsetTimeout(async () => { x = await price({ item: "a" }); }, 0);\nfinalAnswer({ x })`,
    { x: 10 },
  ],
  [
    "late-timeout-sync",
    `let label = "none";\nsetTimeout(() => { label = "set"; }, 10);\nconst p = await price({ item: "a" });\nfinalAnswer(label + p)`,
    "set10",
  ],
  [
    "late-timeout-named",
    `let x = 0;\nasync function load() { x = await price({ item: "a" }); }\nsetTimeout(load, 5);\nfinalAnswer(x)`,
    10,
  ],
  [
    "late-timeout-calls",
    `let x = 0;\nasync function load() { x = await price({ item: "a" }); }\nsetTimeout(() => load(), 5);\nfinalAnswer(x)`,
    10,
  ],
  [
    "late-immediate",
    `const out = [];\nsetImmediate(async () => { out.push(await price({ item: "a" })); });\nfinalAnswer(out)`,
    [10],
  ],
  [
    "late-microtask",
    `let x = 0;\nqueueMicrotask(async () => { x = await price({ item: "a" }); });\nfinalAnswer(x)`,
    10,
  ],
  [
    "late-microtask-sync",
    `let done = false;\nqueueMicrotask(() => { done = true; });\nfinalAnswer(done ? "done" : "not done")`,
    "done",
  ],
  [
    "late-resolved-then",
    `let x = 0;\nPromise.resolve().then(() => price({ item: "a" })).then((p) => { x = p; });\nfinalAnswer(x)`,
    10,
  ],
  [
    "late-then-chain",
    `let name = "?";\nlistUsers().then((users) => users[0]).then((user) => { name = user.name; }).catch(() => {});\nfinalAnswer(name)`,
    "Ann",
  ],
  [
    "late-then-async",
    `const prices = {};\nPromise.resolve(["a", "b"]).then(async (items) => { for (const item of items) prices[item] = await price({ item }); });\nfinalAnswer(prices)`,
    { a: 10, b: 4 },
  ],
  [
    "late-finally",
    `let state = "busy";\nprice({ item: "a" }).finally(() => { state = "ready"; });\nfinalAnswer(state)`,
    "ready",
  ],
  [
    "late-all-unawaited",
    `let total = 0;\nPromise.all(["a", "b"].map(async (item) => { total += await price({ item }); }));\nfinalAnswer(total)`,
    14,
  ],
  [
    "late-settled-unawaited",
    `const rows = [];\nPromise.allSettled(["a", "b"].map(async (item) => { rows.push(await price({ item })); }));\nfinalAnswer(rows)`,
    [10, 4],
  ],
  [
    "late-all-then",
    `let sum = 0;\nPromise.all(["a", "b"].map((item) => price({ item }))).then((ps) => { sum = ps.reduce((a, b) => a + b); });\nfinalAnswer(sum)`,
    14,
  ],
  [
    "late-wrapper",
    `let total = 0;\nasync function add(item) { total += await price({ item }); }\nasync function addAll() { await add("a"); await add("b"); }\naddAll();\nfinalAnswer(total)`,
    14,
  ],
  [
    "late-second-await",
    `let name = "?";\nasync function load() { const users = await listUsers(); const user = await findUser({ name: users[0].name }); name = user.name; }\nload();\nfinalAnswer(name)`,
    "Ann",
  ],
  [
    "late-sleep-first",
    `let x = 0;\nconst sleep = (ms) => new Promise((done) => setTimeout(done, ms));\nasync function load() { await sleep(10); x = await price({ item: "a" }); }\nload();\nfinalAnswer(x)`,
    10,
  ],
  ["late-null-first", `let x = 0;\n(async () => { await null; x = 5; })();\nfinalAnswer(x)`, 5],
  ["late-iife", `let users = [];\n(async () => { users = await listUsers(); })();\nfinalAnswer(users.length)`, 2],
  [
    "late-class-field",
    `class Cart { total = 0; async add(item) { this.total += await price({ item }); } }\nconst cart = new Cart();\ncart.add("a");\ncart.add("b");\nfinalAnswer(cart.total)`,
    14,
  ],
  [
    "late-class-list",
    `class Log { rows = []; async load() { for (const u of await listUsers()) this.rows.push(u.name); } }\nconst log = new Log();\nlog.load();\nfinalAnswer(log.rows)`,
    ["Ann", "Bob"],
  ],
  [
    "late-constructor",
    `class Shop { constructor() { this.ready = this.load(); } async load() { this.cost = await price({ item: "a" }); } }\nconst shop = new Shop();\nfinalAnswer(shop.cost ?? "unknown")`,
    10,
  ],
  [
    "late-private",
    `class Shop { #cost = 0; async load() { this.#cost = await price({ item: "a" }); } get cost() { return this.#cost; } }\nconst shop = new Shop();\nshop.load();\nfinalAnswer(shop.cost)`,
    10,
  ],
  [
    "late-parameter",
    `async function fill(list) { list.push(await price({ item: "a" })); }\nconst found = [];\nfill(found);\nfinalAnswer(found)`,
    [10],
  ],
  [
    "late-parameter-field",
    `const enrich = async (user) => { user.cost = await price({ item: "a" }); };\nconst ann = { name: "Ann" };\nenrich(ann);\nfinalAnswer(ann)`,
    { name: "Ann", cost: 10 },
  ],
  [
    "late-map-parameter",
    `const users = [{ name: "Ann" }];\nusers.map(async (user) => { user.age = (await findUser({ name: user.name })).age; });\nfinalAnswer(users)`,
    [{ name: "Ann", age: 31 }],
  ],
  [
    "late-map-set",
    `const ages = new Map();\nfor (const name of ["Ann"]) findUser({ name }).then((u) => ages.set(name, u.age));\nfinalAnswer(Object.fromEntries(ages))`,
    { Ann: 31 },
  ],
  [
    "late-condition",
    `let found = false;\nisPrime({ n: 7 }).then((is) => { if (is) found = true; });\nif (found) finalAnswer("prime"); else finalAnswer("not prime")`,
    "prime",
  ],
  [
    "late-derived",
    `let a = 0;\nprice({ item: "a" }).then((p) => { a = p; });\nconst report = { cost: a * 2 };\nfinalAnswer(report)`,
    { cost: 20 },
  ],
  [
    "late-function-read",
    `let cost = 0;\nsetTimeout(async () => { cost = await price({ item: "a" }); }, 1);\nconst report = () => "cost " + cost;\nfinalAnswer(report())`,
    "cost 10",
  ],
  [
    "late-reduce",
    `let best = null;\n["a", "b"].reduce(async (before, item) => { await before; const p = await price({ item }); if (best === null || p > best) best = p; }, Promise.resolve());\nfinalAnswer(best)`,
    10,
  ],
  [
    "late-interval",
    `let ticks = 0;\nconst timer = setInterval(async () => { ticks += await price({ item: "b" }); clearInterval(timer); }, 5);\nfinalAnswer(ticks)`,
    4,
  ],
  [
    "late-destructured",
    `let name, age;\nfindUser({ name: "Ann" }).then((user) => { ({ name, age } = user); });\nfinalAnswer([name ?? null, age ?? null])`,
    ["Ann", 31],
  ],
  [
    "late-assign",
    `const report = {};\nfindUser({ name: "Ann" }).then((user) => Object.assign(report, user));\nfinalAnswer(report)`,
    { name: "Ann", age: 31 },
  ],
  [
    "late-counter",
    `let primes = 0;\nfor (const n of [4, 7, 11]) isPrime({ n }).then((is) => { if (is) primes++; });\nfinalAnswer(primes)`,
    2,
  ],
  [
    "late-for-await",
    `const names = [];\n(async () => { for await (const u of [findUser({ name: "Ann" })]) names.push(u.name); })();\nfinalAnswer(names)`,
    ["Ann"],
  ],
  [
    "late-catch",
    `let error = null;\nasync function check() { try { const u = await findUser({ name: "Zoe" }); u.name; } catch (e) { error = "missing"; } }\ncheck();\nfinalAnswer(error ?? "fine")`,
    "missing",
  ],
  // Promises are used as if they were values, in less common styles such as getters and static
  // methods.
  [
    "style-getter",
    `class User { constructor(name) { this.name = name; } get age() { return findUser({ name: this.name }).then((u) => u.age); } }\nconst ann = new User("Ann");\nfinalAnswer(ann.age > 18 ? "adult" : "minor")`,
    "adult",
  ],
  [
    "style-async-getter-text",
    `const shop = { get cost() { return price({ item: "a" }); } };\nfinalAnswer("It costs " + shop.cost)`,
    "It costs 10",
  ],
  [
    "style-static",
    `class Prices { static async of(item) { return await price({ item }); } }\nfinalAnswer(Prices.of("a") + 1)`,
    11,
  ],
  [
    "style-static-template",
    "class Prices { static of(item) { return price({ item }); } }\nfinalAnswer(`cost: ${Prices.of('a')}`)",
    "cost: 10",
  ],
  [
    "style-generator-spread",
    `function* prices() { yield price({ item: "a" }); yield price({ item: "b" }); }\nfinalAnswer([...prices()].reduce((s, p) => s + p, 0))`,
    14,
  ],
  [
    "style-generator-next",
    `function* users() { yield findUser({ name: "Ann" }); }\nfinalAnswer(users().next().value.age)`,
    31,
  ],
  ["style-default", `const { age = 0 } = findUser({ name: "Ann" });\nfinalAnswer(age + 1)`, 32],
  ["style-array-default", `const [first = { name: "?" }] = listUsers();\nfinalAnswer(first.name)`, "Ann"],
  ["style-nested-destructure", `const { user: { age } } = { user: findUser({ name: "Ann" }) };\nfinalAnswer(age)`, 31],
  [
    "style-parameter-destructure",
    `const show = ({ name, age }) => name + age;\nfinalAnswer(show(findUser({ name: "Ann" })))`,
    "Ann31",
  ],
  [
    "style-tagged",
    "const html = (parts, ...values) => parts.reduce((out, part, i) => out + part + (values[i] ?? ''), '');\nfinalAnswer(html`<b>${price({ item: 'a' })}</b>`)",
    "<b>10</b>",
  ],
  [
    "style-logical-assignment",
    `let user = findUser({ name: "Zoe" });\nuser ||= await findUser({ name: "Ann" });\nfinalAnswer((await user)?.name ?? "nobody")`,
    "Ann",
  ],
  [
    "style-spread-async-generator",
    `async function* names() { for (const user of await listUsers()) yield user.name; }\nlet all = [];\ntry { all = [...names()]; } catch { all = ["nobody"]; }\nfinalAnswer(all)`,
    ["Ann", "Bob"],
  ],
  ["style-optional-call", `finalAnswer(listUsers()?.map?.((u) => u.name) ?? [])`, ["Ann", "Bob"]],
  ["style-optional-chain", `finalAnswer(findUser({ name: "Zoe" })?.name ?? "nobody")`, "nobody"],
  ["style-optional-index", `finalAnswer(listUsers()?.[0]?.name ?? "none")`, "Ann"],
  [
    "style-race",
    `const first = Promise.race([price({ item: "a" }), price({ item: "b" })]);\nfinalAnswer(first > 5 ? "dear" : "cheap")`,
    "dear",
  ],
  ["style-any", `const any = Promise.any([price({ item: "a" })]);\nfinalAnswer("cost " + any)`, "cost 10"],
  [
    "style-all-template",
    "const both = Promise.all([price({ item: 'a' }), price({ item: 'b' })]);\nfinalAnswer(`${both}`)",
    "10,4",
  ],
  [
    "style-all-destructure",
    `const [a, b] = Promise.all([price({ item: "a" }), price({ item: "b" })]);\nfinalAnswer(a + b)`,
    14,
  ],
  [
    "style-settled-filter",
    `const rows = Promise.allSettled([price({ item: "a" })]);\nfinalAnswer(rows.filter((r) => r.status === "fulfilled").length)`,
    1,
  ],
  [
    "style-reduce-chain",
    `finalAnswer(["a", "b"].map((item) => price({ item })).reduce((max, p) => Math.max(max, p), 0))`,
    10,
  ],
  [
    "style-reduce-object",
    `finalAnswer(["a", "b"].reduce((out, item) => ({ ...out, [item]: price({ item }) + 1 }), {}))`,
    { a: 11, b: 5 },
  ],
  ["style-reduce-right", `finalAnswer(["a", "b"].reduceRight((s, item) => s + price({ item }), 0))`, 14],
  [
    "style-map-construct",
    `const ages = new Map(listUsers().map((u) => [u.name, u.age]));\nfinalAnswer(ages.get("Ann"))`,
    31,
  ],
  ["style-map-of-promise", `finalAnswer(new Map(listUsers()).size)`, 2],
  ["style-set-of-promise", `finalAnswer(new Set(listUsers()).size)`, 2],
  ["style-array-from", `finalAnswer(Array.from(listUsers()).length)`, 2],
  [
    "style-array-of-sum",
    `finalAnswer(Array.of(price({ item: "a" }), price({ item: "b" })).reduce((x, y) => x + y))`,
    14,
  ],
  [
    "style-json-pretty",
    `finalAnswer(JSON.stringify({ users: listUsers() }, null, 2))`,
    `{\n  "users": [\n    {\n      "name": "Ann",\n      "age": 31\n    },\n    {\n      "name": "Bob",\n      "age": 27\n    }\n  ]\n}`,
  ],
  ["style-json-parse", `finalAnswer(JSON.parse(getWeather({ city: "P" })))`, "sunny in P"],
  [
    "style-json-replacer",
    `finalAnswer(JSON.stringify(["a"], (key, value) => (value === "a" ? price({ item: value }) : value)))`,
    "[10]",
  ],
  [
    "style-switch-true",
    `switch (true) { case isPrime({ n: 8 }): finalAnswer("prime"); break; default: finalAnswer("not"); }`,
    "not",
  ],
  [
    "style-label",
    `let n = 8;\nouter: for (;;) { for (const d of [0, 1]) { if (isPrime({ n: n + d })) { n += d; break outer; } } n += 2; }\nfinalAnswer(n)`,
    11,
  ],
  [
    "style-ternaries",
    `const n = 9;\nfinalAnswer(n > 10 ? "big" : isPrime({ n }) ? "prime" : "composite")`,
    "composite",
  ],
  [
    "style-comparator-local",
    `const items = ["a", "b", "c"];\nitems.sort((x, y) => { const px = price({ item: x }); const py = price({ item: y }); return px < py ? -1 : 1; });\nfinalAnswer(items)`,
    ["b", "c", "a"],
  ],
  [
    "style-comparator-locale",
    `finalAnswer(["x", "y"].sort((a, b) => getWeather({ city: b }).localeCompare(getWeather({ city: a }))))`,
    ["y", "x"],
  ],
  [
    "style-nested-template",
    "finalAnswer({ report: { line: `Weather: ${getWeather({ city: 'P' })}` } })",
    { report: { line: "Weather: sunny in P" } },
  ],
  [
    "style-nested-array-template",
    "finalAnswer(['a', 'b'].map((item) => ({ item, text: `${item}=${price({ item })}` })))",
    [
      { item: "a", text: "a=10" },
      { item: "b", text: "b=4" },
    ],
  ],
  ["style-wrapped", `const withTax = (item) => price({ item }) * 1.5;\nfinalAnswer(withTax("b"))`, 6],
  ["style-bind", `const costOfA = price.bind(null, { item: "a" });\nfinalAnswer(costOfA() + 1)`, 11],
  ["style-apply", `finalAnswer(price.apply(null, [{ item: "a" }]) / 2)`, 5],
  ["style-comma", `let p;\nfinalAnswer((p = price({ item: "a" }), p * 2))`, 20],
  ["style-chained-methods", `finalAnswer(getWeather({ city: "P" }).split(" ").length)`, 3],
  ["style-regexp", `finalAnswer(/sunny/.test(getWeather({ city: "P" })) ? "sun" : "rain")`, "sun"],
  ["style-match", `finalAnswer(String(getWeather({ city: "P" })).match(/in (\\w+)/)?.[1] ?? "?")`, "P"],
  ["style-date", `finalAnswer(new Date(2020, price({ item: "b" }), 1).getMonth())`, 4],
  ["style-intl", `finalAnswer(new Intl.NumberFormat("en").format(price({ item: "a" })))`, "10"],
  ["style-min", `finalAnswer(Math.min(price({ item: "a" }), price({ item: "b" })))`, 4],
  ["style-between", `const p = price({ item: "c" });\nfinalAnswer(5 < p && p < 9)`, true],
  [
    "style-loose-null",
    `const user = findUser({ name: "Zoe" });\nfinalAnswer(user == null ? "nobody" : "somebody")`,
    "nobody",
  ],
  [
    "style-undefined",
    `const user = findUser({ name: "Zoe" });\nfinalAnswer(user === undefined || user === null ? "nobody" : "somebody")`,
    "nobody",
  ],
  [
    "style-object-if",
    `const status = { prime: isPrime({ n: 8 }) };\nfinalAnswer(status.prime ? "prime" : "not")`,
    "not",
  ],
  [
    "style-array-if",
    `const flags = [isPrime({ n: 8 }), isPrime({ n: 7 })];\nfinalAnswer(flags[0] ? "first" : flags[1] ? "second" : "none")`,
    "second",
  ],
  [
    "style-entries-loop",
    `const found = [];\nfor (const [i, user] of listUsers().entries()) found.push(i + user.name);\nfinalAnswer(found)`,
    ["0Ann", "1Bob"],
  ],
  [
    "style-object-values",
    `finalAnswer(Object.values({ a: price({ item: "a" }), b: price({ item: "b" }) }).reduce((x, y) => x + y))`,
    14,
  ],
  [
    "style-yield-condition",
    `function* primes(ns) { for (const n of ns) if (isPrime({ n })) yield n; }\nfinalAnswer([...primes([4, 7, 8])])`,
    [7],
  ],
  ["style-iterator-helper", `finalAnswer([4, 7, 8].values().filter((n) => isPrime({ n })).toArray())`, [7]],
  [
    "style-filter-map",
    `finalAnswer([4, 7].map((n) => ({ n, prime: isPrime({ n }) })).filter(({ prime }) => prime).map(({ n }) => n))`,
    [7],
  ],
  ["style-find-property", `finalAnswer([{ n: 4 }, { n: 7 }].find(({ n }) => isPrime({ n })).n)`, 7],
  [
    "style-partition",
    `const yes = [], no = [];\nfor (const n of [4, 7]) (isPrime({ n }) ? yes : no).push(n);\nfinalAnswer({ yes, no })`,
    { yes: [7], no: [4] },
  ],
  [
    "style-throw-if",
    `try { if (!isPrime({ n: 8 })) throw new Error("not prime"); finalAnswer("prime"); } catch (e) { finalAnswer(e.message); }`,
    "not prime",
  ],
  ["style-assert", `console.assert(isPrime({ n: 8 }), "not prime");\nfinalAnswer(isPrime({ n: 8 }) === false)`, true],
  [
    "style-for-await-missing",
    `let total = 0;\nfor (const p of [price({ item: "a" }), price({ item: "b" })]) total += p;\nfinalAnswer(total)`,
    14,
  ],
  [
    "style-promise-constructor",
    `const p = new Promise((resolve) => price({ item: "a" }).then(resolve));\nfinalAnswer("cost " + p)`,
    "cost 10",
  ],
  [
    "style-memo",
    `const memo = {};\nconst cost = (item) => (memo[item] ??= price({ item }));\nfinalAnswer(cost("a") + cost("a"))`,
    20,
  ],
  ["style-compose", `const double = (x) => x * 2;\nfinalAnswer(double(price({ item: "a" })))`, 20],
  [
    "style-async-callback-plain",
    `const twice = (f) => f() * 2;\nfinalAnswer(twice(async () => await price({ item: "a" })))`,
    20,
  ],
  ["style-map-answer", `finalAnswer(["a", "b"].map((item) => price({ item })))`, [10, 4]],
  // A condition with an `await` in only one of its parts.
  [
    "wait-in-branch",
    `if (isPrime({ n: 8 })) { await notify({ text: "p" }); finalAnswer("prime"); } else finalAnswer("not")`,
    "not",
  ],
  [
    "wait-in-else",
    `if (isPrime({ n: 8 })) finalAnswer("prime"); else { await notify({ text: "n" }); finalAnswer("not"); }`,
    "not",
  ],
  [
    "wait-in-else-if",
    `const n = 9;\nif (n > 10) finalAnswer("big");\nelse if (isPrime({ n })) { await notify({ text: "p" }); finalAnswer("prime"); } else finalAnswer("composite")`,
    "composite",
  ],
  [
    "wait-in-function-branch",
    `async function check(n) { if (isPrime({ n })) { await notify({ text: "p" }); return "prime"; } return "not"; }\nfinalAnswer(await check(8))`,
    "not",
  ],
  [
    "wait-in-negated",
    `async function check(n) { if (!isPrime({ n })) { await notify({ text: "n" }); return "not"; } return "prime"; }\nfinalAnswer(await check(8))`,
    "not",
  ],
  [
    "wait-in-loop-branch",
    `const found = [];\nfor (const n of [4, 7]) { if (isPrime({ n })) { await notify({ text: "p" }); found.push(n); } }\nfinalAnswer(found)`,
    [7],
  ],
  ["wait-in-ternary", `finalAnswer(isPrime({ n: 8 }) ? await price({ item: "a" }) : "none")`, "none"],
  [
    "wait-in-arrow-ternary",
    `const cost = async (n) => isPrime({ n }) ? await price({ item: "a" }) : "none";\nfinalAnswer(await cost(8))`,
    "none",
  ],
  [
    "wait-left",
    `if ((await isPrime({ n: 7 })) && isPrime({ n: 8 })) finalAnswer("both"); else finalAnswer("one")`,
    "one",
  ],
  [
    "wait-left-or",
    `if ((await isPrime({ n: 8 })) || isPrime({ n: 9 })) finalAnswer("one"); else finalAnswer("none")`,
    "none",
  ],
  [
    "wait-left-while",
    `let n = 7;\nwhile ((await isPrime({ n })) && isPrime({ n: n + 2 }) && n < 12) n++;\nfinalAnswer(n)`,
    7,
  ],
  ["wait-right-equal", `finalAnswer(price({ item: "a" }) === (await price({ item: "a" })))`, true],
  ["wait-left-equal", `finalAnswer((await price({ item: "a" })) === price({ item: "a" }))`, true],
  [
    "wait-right-unequal",
    `if (getWeather({ city: "P" }) !== (await getWeather({ city: "P" }))) finalAnswer("differ"); else finalAnswer("same")`,
    "same",
  ],
  ["wait-left-less", `finalAnswer((await price({ item: "b" })) < price({ item: "a" }))`, true],
  ["wait-in-template", "finalAnswer(`${await price({ item: 'a' })} and ${price({ item: 'b' })}`)", "10 and 4"],
  [
    "wait-in-while-body",
    `let n = 8;\nwhile (!isPrime({ n })) { await notify({ text: "no" }); n++; if (n > 20) break; }\nfinalAnswer(n)`,
    11,
  ],
  ["wait-in-for-test", `let n = 8;\nfor (; !isPrime({ n }); n++) await notify({ text: "no" });\nfinalAnswer(n)`, 11],
  [
    "wait-in-do",
    `let n = 8;\ndo { await notify({ text: "no" }); n++; } while (!isPrime({ n }) && n < 30);\nfinalAnswer(n)`,
    11,
  ],
  [
    "wait-in-switch-case",
    `switch (getWeather({ city: "P" })) { case "sunny in P": await notify({ text: "s" }); finalAnswer("sun"); break; default: await notify({ text: "r" }); finalAnswer("rain"); }`,
    "sun",
  ],
  [
    "wait-in-try-branch",
    `try { if (isPrime({ n: 8 })) { await notify({ text: "p" }); finalAnswer("prime"); } else finalAnswer("not"); } catch (e) { finalAnswer("failed"); }`,
    "not",
  ],
  [
    "wait-nullish",
    `const user = findUser({ name: "Zoe" }) ?? (await findUser({ name: "Ann" }));\nfinalAnswer((await user)?.name ?? "nobody")`,
    "Ann",
  ],
  [
    "wait-or",
    `const user = findUser({ name: "Zoe" }) || (await findUser({ name: "Ann" }));\nfinalAnswer((await user)?.name ?? "nobody")`,
    "Ann",
  ],
  [
    "wait-in-yield",
    `async function* primes(ns) { for (const n of ns) if (isPrime({ n })) yield n; }\nconst out = [];\nfor await (const n of primes([4, 7, 8])) out.push(n);\nfinalAnswer(out)`,
    [7],
  ],
  [
    "wait-in-object",
    `finalAnswer({ users: (await listUsers()).length, cost: price({ item: "a" }) * 2 })`,
    { users: 2, cost: 20 },
  ],
  [
    "wait-in-call",
    `const sum = (a, b) => a + b;\nfinalAnswer(sum(await price({ item: "a" }), price({ item: "b" })))`,
    14,
  ],
  ["wait-in-index", `finalAnswer(["w", "x", "y", "z", (await listUsers()).length][price({ item: "b" })])`, 2],
  [
    "style-return-ternary",
    `async function cheapest() { return price({ item: "a" }) < price({ item: "b" }) ? "a" : "b"; }\nfinalAnswer(await cheapest())`,
    "b",
  ],
]);

/** Correct programs. */
export const rightInStyles: readonly AwaitProgram[] = programs([
  // Work that continues after the answer, or never runs, and does not affect the answer.
  [
    "after-log-timeout",
    `let logged = 0;\nsetTimeout(async () => { await notify({ text: "late" }); logged++; }, 10);\nfinalAnswer("done")`,
    "done",
  ],
  [
    "after-log-then",
    `let sent = false;\nnotify({ text: "x" }).then(() => { sent = true; });\nfinalAnswer(await price({ item: "a" }))`,
    10,
  ],
  [
    "after-count-unread",
    `let calls = 0;\nconst track = async (text) => { await notify({ text }); calls += 1; };\ntrack("start");\nconst p = await price({ item: "a" });\ntrack("end");\nfinalAnswer({ p })`,
    { p: 10 },
  ],
  [
    "after-cache-write",
    `const cache = new Map();\nconst load = async (item) => { const p = await price({ item }); cache.set(item, p); return p; };\nload("b");\nfinalAnswer(await load("a"))`,
    10,
  ],
  [
    "after-cleanup",
    `let open = true;\nconst p = await price({ item: "a" });\nnotify({ text: "bye" }).finally(() => { open = false; });\nfinalAnswer(p)`,
    10,
  ],
  [
    "after-timeout-guard",
    `let timedOut = false;\nconst timer = setTimeout(() => { timedOut = true; }, 60_000);\nconst p = await price({ item: "a" });\nclearTimeout(timer);\nfinalAnswer(timedOut ? "late" : p)`,
    10,
  ],
  [
    "after-race-timeout",
    `const limit = (ms) => new Promise((_, no) => setTimeout(() => no(new Error("late")), ms));\nfinalAnswer(await Promise.race([price({ item: "a" }), limit(60_000)]))`,
    10,
  ],
  [
    "after-race-loser",
    `let winner = null;\nconst ask = async (item) => { const p = await price({ item }); winner ??= item; return p; };\nconst first = await Promise.race([ask("a"), ask("b")]);\nfinalAnswer({ first: first > 0, winner: winner !== null })`,
    { first: true, winner: true },
  ],
  [
    "after-heartbeat",
    `let beats = 0;\nconst timer = setInterval(() => { beats++; notify({ text: "alive" }); }, 1_000);\nconst p = await price({ item: "a" });\nclearInterval(timer);\nfinalAnswer(p)`,
    10,
  ],
  [
    "after-heartbeat-left",
    `let beats = 0;\nsetInterval(() => { beats++; }, 1_000);\nfinalAnswer(await price({ item: "a" }))`,
    10,
  ],
  [
    "after-main-then",
    `let finished = false;\nasync function main() { finalAnswer(await price({ item: "a" })); }\nmain().then(() => { finished = true; });`,
    10,
  ],
  [
    "after-main-state",
    `let total = 0;\nasync function main() {\n  for (const item of ["a", "b"]) total += await price({ item });\n  finalAnswer(total);\n}\nmain();`,
    14,
  ],
  [
    "after-main-nested",
    `const state = { total: 0 };\nasync function add(item) { state.total += await price({ item }); }\nasync function main() { await add("a"); await add("b"); finalAnswer(state.total); }\nmain().catch((e) => console.error(e));`,
    14,
  ],
  [
    "after-then-answer",
    `let total = 0;\nPromise.all(["a", "b"].map((item) => price({ item }))).then((ps) => { total = ps[0] + ps[1]; finalAnswer(total); });`,
    14,
  ],
  [
    "after-timeout-answer",
    `let x = 0;\nsetTimeout(async () => { x = await price({ item: "a" }); finalAnswer(x); }, 5);`,
    10,
  ],
  [
    "after-timeout-awaited",
    `let x = 0;\nawait new Promise((done) => setTimeout(async () => { x = await price({ item: "a" }); done(); }, 5));\nfinalAnswer(x)`,
    10,
  ],
  ["after-microtask-awaited", `let x = 0;\nqueueMicrotask(() => { x = 1; });\nawait null;\nfinalAnswer(x)`, 1],
  ["after-then-awaited", `let x = 0;\nawait price({ item: "a" }).then((p) => { x = p; });\nfinalAnswer(x)`, 10],
  [
    "after-then-kept",
    `let x = 0;\nconst asked = price({ item: "a" }).then((p) => { x = p; });\nawait asked;\nfinalAnswer(x)`,
    10,
  ],
  [
    "after-all-awaited",
    `let total = 0;\nawait Promise.all(["a", "b"].map(async (item) => { const p = await price({ item }); total += p; }));\nfinalAnswer(total)`,
    14,
  ],
  [
    "after-all-kept",
    `const out = {};\nconst jobs = ["a", "b"].map(async (item) => { out[item] = await price({ item }); });\nawait Promise.all(jobs);\nfinalAnswer(out)`,
    { a: 10, b: 4 },
  ],
  [
    "after-class-awaited",
    `class Cart { total = 0; async add(item) { this.total += await price({ item }); return this; } }\nconst cart = new Cart();\nawait cart.add("a");\nawait cart.add("b");\nfinalAnswer(cart.total)`,
    14,
  ],
  [
    "after-ready",
    `class Shop { constructor() { this.ready = this.load(); } async load() { this.cost = await price({ item: "a" }); } }\nconst shop = new Shop();\nawait shop.ready;\nfinalAnswer(shop.cost)`,
    10,
  ],
  [
    "after-queue",
    `const queue = []; const out = [];\nlet running = Promise.resolve();\nconst push = (item) => (running = running.then(async () => { out.push(await price({ item })); }));\npush("a"); push("b");\nawait running;\nfinalAnswer(out)`,
    [10, 4],
  ],
  [
    "after-emitter",
    `const seen = [];\nconst emit = async (event) => { seen.push(event); await notify({ text: event }); };\nemit("start");\nconst p = await price({ item: "a" });\nemit("end");\nfinalAnswer({ p, seen })`,
    { p: 10, seen: ["start", "end"] },
  ],
  [
    "after-print-late",
    `setTimeout(() => console.log("late"), 5);\nconst users = await listUsers();\nfinalAnswer(users.length)`,
    2,
  ],
  [
    "after-notify-loop",
    `const users = await listUsers();\nfor (const { name } of users) notify({ text: name }).then(() => console.log("sent to", name));\nfinalAnswer(users.length + " asked")`,
    "2 asked",
  ],
  [
    "after-own-variable",
    `async function background() { let n = 0; n += await price({ item: "a" }); console.log(n); }\nbackground();\nfinalAnswer("started")`,
    "started",
  ],
  [
    "after-metrics",
    `const metrics = { started: 0, finished: 0 };\nconst measured = async (f) => { metrics.started++; const v = await f(); metrics.finished++; return v; };\nmeasured(() => notify({ text: "x" }));\nfinalAnswer(await price({ item: "b" }))`,
    4,
  ],
  [
    "after-abort",
    `const controller = { aborted: false };\nsetTimeout(() => { controller.aborted = true; }, 1e6);\nlet n = 0;\nwhile (n < 3) n++;\nfinalAnswer(n)`,
    3,
  ],
  // Promises are awaited correctly, in less common styles such as getters and static methods.
  [
    "style-getter-awaited",
    `class User { constructor(name) { this.name = name; } get age() { return findUser({ name: this.name }).then((u) => u.age); } }\nfinalAnswer(await new User("Ann").age)`,
    31,
  ],
  [
    "style-static-awaited",
    `class Prices { static async of(item) { return await price({ item }); } }\nfinalAnswer((await Prices.of("a")) + 1)`,
    11,
  ],
  [
    "style-async-generator",
    `async function* prices(items) { for (const item of items) yield price({ item }); }\nconst out = [];\nfor await (const p of prices(["a", "b"])) out.push(p);\nfinalAnswer(out)`,
    [10, 4],
  ],
  [
    "style-for-await-array",
    `let total = 0;\nfor await (const p of ["a", "b"].map((item) => price({ item }))) total += p;\nfinalAnswer(total)`,
    14,
  ],
  [
    "style-destructure-await",
    `const { name, age = 0 } = await findUser({ name: "Ann" });\nfinalAnswer(name + age)`,
    "Ann31",
  ],
  [
    "style-tagged-await",
    "const html = (parts, ...values) => parts.reduce((out, part, i) => out + part + (values[i] ?? ''), '');\nfinalAnswer(html`<b>${await price({ item: 'a' })}</b>`)",
    "<b>10</b>",
  ],
  ["style-optional-await", `finalAnswer((await findUser({ name: "Zoe" }))?.name ?? "nobody")`, "nobody"],
  [
    "style-race-await",
    `const first = await Promise.race([price({ item: "a" })]);\nfinalAnswer(first > 5 ? "dear" : "cheap")`,
    "dear",
  ],
  ["style-any-await", `finalAnswer(await Promise.any([Promise.reject(new Error("x")), price({ item: "a" })]))`, 10],
  [
    "style-map-await",
    `const ages = new Map((await listUsers()).map((u) => [u.name, u.age]));\nfinalAnswer([...ages])`,
    [
      ["Ann", 31],
      ["Bob", 27],
    ],
  ],
  ["style-set-await", `finalAnswer(new Set(await Promise.all(["a", "a"].map((item) => price({ item })))).size)`, 1],
  [
    "style-switch-await",
    `switch (await getWeather({ city: "P" })) { case "sunny in P": finalAnswer("sun"); break; default: finalAnswer("rain"); }`,
    "sun",
  ],
  [
    "style-sort-await",
    `const rows = await Promise.all(["a", "b", "c"].map(async (item) => ({ item, p: await price({ item }) })));\nfinalAnswer(rows.sort((x, y) => x.p - y.p).map(({ item }) => item))`,
    ["b", "c", "a"],
  ],
  [
    "style-reduce-await",
    `finalAnswer(await ["a", "b"].reduce(async (sum, item) => (await sum) + (await price({ item })), Promise.resolve(0)))`,
    14,
  ],
  [
    "style-then-chain",
    `finalAnswer(await listUsers().then((users) => users.filter((u) => u.age > 30)).then((users) => users.map((u) => u.name)))`,
    ["Ann"],
  ],
  [
    "style-promise-record",
    `const asked = { a: price({ item: "a" }), b: price({ item: "b" }) };\nconst entries = await Promise.all(Object.entries(asked).map(async ([key, p]) => [key, await p]));\nfinalAnswer(Object.fromEntries(entries))`,
    { a: 10, b: 4 },
  ],
  [
    "style-pool",
    `const items = ["a", "b", "c"]; const out = new Array(3);\nlet next = 0;\nconst worker = async () => { while (next < items.length) { const i = next++; out[i] = await price({ item: items[i] }); } };\nawait Promise.all([worker(), worker()]);\nfinalAnswer(out)`,
    [10, 4, 7],
  ],
  [
    "style-retry-loop",
    `let result;\nfor (let attempt = 0; attempt < 3; attempt++) { try { result = await price({ item: "a" }); break; } catch {} }\nfinalAnswer(result)`,
    10,
  ],
  [
    "style-timeout-helper",
    `const within = (promise, ms) => { let timer; return Promise.race([promise, new Promise((_, no) => { timer = setTimeout(() => no(new Error("late")), ms); })]).finally(() => clearTimeout(timer)); };\nfinalAnswer(await within(price({ item: "a" }), 5_000))`,
    10,
  ],
  ["style-thenable", `const lazy = { then(done) { price({ item: "a" }).then(done); } };\nfinalAnswer(await lazy)`, 10],
  [
    "style-promise-set-size",
    `const running = new Set(["a", "b"].map((item) => price({ item })));\nconst count = running.size;\nawait Promise.all(running);\nfinalAnswer(count)`,
    2,
  ],
  [
    "style-if-promise",
    `const asked = Math.max(1, 2) > 1 ? price({ item: "a" }) : undefined;\nif (asked) { const p = await asked; finalAnswer(p); } else finalAnswer("none")`,
    10,
  ],
  [
    "style-once",
    `let once;\nconst users = () => (once ??= listUsers());\nfinalAnswer((await users()).length + (await users()).length)`,
    4,
  ],
  [
    "style-await-in-object",
    `finalAnswer({ weather: await getWeather({ city: "P" }), users: (await listUsers()).map(({ name }) => name) })`,
    { weather: "sunny in P", users: ["Ann", "Bob"] },
  ],
  ["style-promise-answer", `finalAnswer(Promise.all([price({ item: "a" }), price({ item: "b" })]))`, [10, 4]],
  [
    "style-async-answer",
    `const compute = async () => ({ total: (await price({ item: "a" })) + (await price({ item: "b" })) });\nfinalAnswer(compute())`,
    { total: 14 },
  ],
  ["style-then-answer", `price({ item: "a" }).then((p) => finalAnswer(p));`, 10],
  [
    "style-partition-await",
    `const yes = [], no = [];\nfor (const n of [4, 7]) ((await isPrime({ n })) ? yes : no).push(n);\nfinalAnswer({ yes, no })`,
    { yes: [7], no: [4] },
  ],
  [
    "style-with-resolvers",
    `const gate = Promise.withResolvers();\nsetTimeout(() => gate.resolve("open"), 5);\nfinalAnswer(await gate.promise)`,
    "open",
  ],
  [
    "style-delay-map",
    `const delay = (ms, v) => new Promise((done) => setTimeout(() => done(v), ms));\nfinalAnswer(await Promise.all([delay(5, "x"), delay(1, "y")]))`,
    ["x", "y"],
  ],
  [
    "style-event-target",
    `const listeners = [];\nconst on = (f) => listeners.push(f);\nlet got = null;\non((v) => { got = v; });\nconst p = await price({ item: "a" });\nfor (const f of listeners) f(p);\nfinalAnswer(got)`,
    10,
  ],
  [
    "style-debounce",
    `let timer; let runs = 0;\nconst debounce = () => { clearTimeout(timer); timer = setTimeout(() => { runs++; }, 1); };\ndebounce(); debounce();\nawait new Promise((done) => setTimeout(done, 5));\nfinalAnswer(runs)`,
    1,
  ],
]);
