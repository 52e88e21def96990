import { CodeAgent } from "@smolts/core";
import { quickjs } from "@smolts/executor-quickjs";
import type { ExecutionResult, Executor } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectRefused } from "../../executor-remote/test/sending-agents.ts";

const limits = { guestTimeMs: 60_000, memoryBytes: 64_000_000, outputCharacters: 10_000, pendingCalls: 20 };
const factory = quickjs({ pool: 1, limits });
/**
 * A factory with a short time limit, for tests that wait until the limit is reached. The limit also
 * applies to the later blocks of such a test.
 */
const hasty = quickjs({ pool: 0, limits: { ...limits, guestTimeMs: 3_000 } });
afterAll(() => Promise.all([factory, hasty].map((each) => each[Symbol.asyncDispose]())));

let sandbox: Executor;
beforeEach(async () => {
  sandbox = await opened(factory);
});
afterEach(() => sandbox[Symbol.asyncDispose]());

async function opened(from: typeof factory): Promise<Executor> {
  const executor = await from.open({ signal: new AbortController().signal });
  await executor.start({ tools: ["echo", "finalAnswer"] });
  return executor;
}

async function useHasty(): Promise<void> {
  await sandbox[Symbol.asyncDispose]();
  sandbox = await opened(hasty);
}

async function run(code: string, signal = new AbortController().signal) {
  const calls: string[] = [];
  const lines: string[] = [];
  const result = await sandbox.execute(code, {
    signal,
    time: 0,
    seed: "seed",
    onConsole: ({ text }) => void lines.push(text),
    onCall: ({ name, callIndex, args }) => {
      calls.push(name);
      if (args[0] !== null) void sandbox.deliver(callIndex, { type: "ok", value: args[0] ?? null }, 0);
    },
  });
  return { result, calls, lines };
}

const valueIn = (result: ExecutionResult): unknown => (result.type === "value" ? result.output?.value : result);
const messageIn = (result: ExecutionResult): string => ("error" in result ? result.error.message : "");
const two = async (): Promise<unknown> => valueIn((await run("1 + 1")).result);

test.each([
  [
    "{ a: 1, b: [1, 2, { c: 'x' }], d: new Map([['k', new Set([1])]]) }",
    "{ a: 1, b: [ 1, 2, { c: 'x' } ], d: Map(1) { 'k' => Set(1) { 1 } } }",
  ],
  [
    "[undefined, null, -0, 10n, Symbol('s'), () => 1]",
    "[ undefined, null, -0, 10n, Symbol(s), [Function (anonymous)] ]",
  ],
  ["new (class Point { x = 1 })()", "Point { x: 1 }"],
  ["const ring = { name: 'r' }; ring.self = ring; ring", "{ name: 'r', self: [Circular *1] }"],
  ["new Uint8Array([1, 2])", "Uint8Array(2) [ 1, 2 ]"],
  ["`it's`", "it's"],
  ["[`it's`]", '[ "it\'s" ]'],
])("%s is shown as in Node", async (code, text) => {
  const { result } = await run(code.startsWith("{") ? `(${code})` : code);
  expect(result.type === "value" && result.output?.text).toBe(text);
});

test("printing replaces format placeholders", async () => {
  expect((await run('console.log("%s has %d of %j", "Ada", 3, { a: 1 }, "more")')).lines).toEqual([
    'Ada has 3 of {"a":1} more',
  ]);
});

test("functions and classes stay, and see the values that later blocks assign", async () => {
  await run("let count = 1;\nfunction next() { return ++count }\nclass Box { size = count }");
  await run("count = 10;");
  expect(valueIn((await run("[next(), new Box().size, count]")).result)).toEqual([11, 11, 11]);
});

test("types of TypeScript are removed", async () => {
  expect(valueIn((await run("const n: number = 6;\ninterface A { a: string }\nn * 7")).result)).toBe(42);
});

test("an error names its line", async () => {
  const message = messageIn((await run("const a = 1;\nconst b = null;\nb.size")).result);
  expect(message).toMatch(/TypeError/);
  expect(message).toMatch(/line 3, .*\n\s*b\.size/);
});

test("imports are refused with a separate error code", async () => {
  const { result } = await run('import fs from "node:fs";\nfs');
  expect(result).toMatchObject({ type: "error", error: { code: "import-refused" } });
});

test("timers run while the block waits for them", async () => {
  expect(valueIn((await run("await new Promise((done) => setTimeout(() => done(7), 5))")).result)).toBe(7);
});

test("a promise that nothing settles is an error instead of a hang", async () => {
  expect(messageIn((await run("await new Promise(() => {})")).result)).toMatch(/nothing will ever settle/);
  expect(await two()).toBe(2);
});

test("an agent can use it, with tools on the host", async () => {
  const agent = new CodeAgent({
    model: scriptedModel([
      "<code>\nlet sum = 0;\nfor (const n of [1, 2, 3]) sum += await double({ n });\nfinalAnswer(sum)\n</code>",
    ]),
    tools: [tool({ name: "double", description: "Doubles.", input: { n: "number" }, execute: ({ n }) => n * 2 })],
    executor: factory,
  });
  expect(await agent.run("Go.")).toBe(12);
});

describe("hostile programs", () => {
  test.each([
    ["an endless loop", "for (;;) {}"],
    // This loop needs little memory. A loop that fills the memory could reach the memory limit
    // before the time limit.
    ["an endless loop of jobs", "for (;;) await null;"],
  ])("%s is stopped, and the session continues", async (_what, code) => {
    await useHasty();
    expect((await run(code)).result).toMatchObject({ type: "stopped", reason: "guest-time" });
    expect(await two()).toBe(2);
  });

  test("variables are kept when a loop is stopped", async () => {
    await useHasty();
    await run("const kept = 41;");
    expect((await run("for (;;) {}")).result).toMatchObject({ type: "stopped", reason: "guest-time" });
    expect(valueIn((await run("kept + 1")).result)).toBe(42);
  });

  test.each([
    ["a flood of prints", 'for (;;) console.log("x".repeat(1_000))', "output"],
    ["too many calls", "await Promise.all(Array.from({ length: 100 }, () => echo(null)))", "pending-calls"],
  ])("%s is stopped, and the session continues", async (_what, code, reason) => {
    expect((await run(code)).result).toMatchObject({ type: "stopped", reason });
    expect(await two()).toBe(2);
  });

  test.each([
    ["full memory", "const all = []; for (;;) all.push('x'.repeat(1_000_000) + all.length)"],
    ["endless recursion", "(function deep() { deep(); })()"],
  ])("%s is an error of the program or a stop, and the session continues", async (_what, code) => {
    await useHasty();
    const { result } = await run(code);
    expect(["error", "stopped"]).toContain(result.type);
    expect(await two()).toBe(2);
  });

  test("a value that throws when it is inspected is shown nevertheless", async () => {
    const { result } = await run("new Proxy({}, { ownKeys() { throw new Error('no') } })");
    expect(result.type === "value" && result.output?.text).toMatch(/cannot be shown: Error: no/);
  });

  test("an abort ends a loop immediately", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 50);
    expect((await run("for (;;) {}", controller.signal)).result).toMatchObject({ type: "stopped", reason: "aborted" });
  });

  test("the program cannot reach the host", async () => {
    const names = [
      "process",
      "require",
      "fetch",
      "WebAssembly",
      "Worker",
      "SharedArrayBuffer_",
      "std",
      "os",
      "bjson",
      "scriptArgs",
    ];
    const code = `${JSON.stringify(names)}.filter((name) => name in globalThis)`;
    expect(valueIn((await run(code)).result)).toEqual([]);
    const way = 'echo.constructor.constructor("return this")() === globalThis';
    expect(valueIn((await run(way)).result)).toBe(true);
  });

  test.each([
    [
      "JSON.stringify",
      'JSON.stringify = () => "{\\"type\\":\\"failed\\"}"; Array.prototype.map = () => [1]; Object.entries = () => []; await echo(1)',
    ],
    ["Map.prototype", "Map.prototype.set = Map.prototype.get = () => { throw new Error('no') }; await echo(1)"],
    ["Promise", "Promise.prototype.then = () => {}; await echo(1)"],
    [
      "encoded values",
      'Array.prototype.push = Array.prototype.map = function () { return [{ $: "evil" }] }; await echo(new Set([1]))',
    ],
  ])("a program that changes %s harms only itself", async (_what, code) => {
    const outcome = await run(code).then(
      ({ result, calls }) => [result.type, calls.every((name) => name === "echo")],
      (error: { readonly code?: string }) => [error.code, true],
    );
    expect([
      ["value", true],
      ["error", true],
      ["stopped", true],
      ["executor", true],
    ]).toContainEqual(outcome);
  });

  test("jobs that a stopped block left do not run in the next one", async () => {
    await useHasty();
    await run("globalThis.spins = 0; (async () => { for (;;) { await null; spins++ } })(); for (;;) {}");
    const before = valueIn((await run("typeof spins")).result);
    expect(["number", "undefined"]).toContain(before);
    expect(await two()).toBe(2);
  });
});

test("a resumed run is refused, since its variables ended with its process, and continues without them only on request", () =>
  expectRefused(factory, { asks: 'await send({ text: "hello" })', answers: 'finalAnswer("again")' }));
