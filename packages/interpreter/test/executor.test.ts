import { type InterpreterLimits, interpreter, interpreterDefaults } from "@smolts/interpreter";
import { decodeValue, type ExecutionResult, encodeValue, type HostCall, type StopReason } from "@smolts/protocol";
import { describe, expect, test, vi } from "vitest";
import { hang, openSession, runBlock, textOf, valueOf } from "./open-session.ts";

const double = (value: unknown): number => Number(value) * 2;
const answerOf = (result: ExecutionResult): unknown =>
  result.type === "final-answer" ? result.args.map((argument) => decodeValue(argument)) : result;

describe("a block", () => {
  const values: [code: string, value: unknown][] = [
    ["1 + 1", 2],
    ["const x = 3; x * x", 9],
    ["const total = [1, 2, 3].reduce((a, b) => a + b, 0);", 6],
    ["let x; x = 5;", 5],
    ["await Promise.resolve(7)", 7],
    ["Promise.resolve(8)", 8],
    ["(async () => { await null; return 9; })()", 9],
    ["const later = Promise.resolve(10);", 10],
    ["await double(21)", 42],
    ["double(21)", 42],
    ["(await Promise.all([1, 2, 3].map((n) => double(n)))).join()", "2,4,6"],
    ["const results = []; for (const n of [1, 2]) results.push(await double(n)); results", [2, 4]],
    ["undefined", undefined],
    ["", undefined],
    ["const x = 4; return x * 2", 8],
    ["if (true) { return 'big'; } print('small')", "big"],
    ["for (const n of [1, 2, 3]) { await null; if (n > 1) return n; }", 2],
    ["return double(21)", 42],
    ["try { return await double(4); } finally { print('done'); }", 8],
    ["const n: number = 5; return n", 5],
    ["1; return", undefined],
  ];
  test.each(values)("%s", async (code, value) => expect(await valueOf(code, { double })).toEqual(value));

  test("fails if a promise that it returns is rejected", async () => {
    const { result } = await runBlock("return Promise.reject(new TypeError('no'))");
    expect(result).toMatchObject({ type: "error", error: { message: expect.stringContaining("TypeError: no") } });
  });

  test.each(["class A { static { return 1; } }", "export default return 1"])(
    "is not valid if it contains %s",
    async (code) => {
      expect((await runBlock(code)).result).toMatchObject({ type: "error", error: { code: "code-execution" } });
    },
  );

  test.each(["const double = 5", "function double() {}", "class double {}"])(
    "that declares %s is refused: the name belongs to a tool",
    async (code) => {
      const { result } = await runBlock(code, { double });
      expect(result).toMatchObject({
        error: {
          message: expect.stringContaining('cannot redefine the tool "double"'),
          hint: '"double" is always the declared tool; choose another name for your own variable or function',
        },
      });
    },
  );

  test("keeps its top-level variables for later blocks, which may declare them again", async () => {
    await using session = await openSession();
    await session.run("const rate = 2; let count = 1; function twice(x) { return x * rate; } class Box { v = 5 }");
    expect((await session.run("count += 1; twice(count) + new Box().v")).result).toMatchObject({
      output: { value: 9 },
    });
    expect((await session.run("const rate = 10; twice(1)")).result).toMatchObject({ output: { value: 10 } });
  });

  test("sees the variables that are passed in", async () => {
    await using session = await openSession();
    const { result } = await session.run("rows.length + name.length", {
      variables: { rows: encodeValue([1, 2]), name: encodeValue("abc") },
    });
    expect(result).toMatchObject({ type: "value", output: { text: "5", value: 5 } });
  });

  test("has its value only as text if copying it would take the host long", async () => {
    await using session = await openSession({}, { memoryBytes: 0 });
    const made = await session.run("var lists = Array.from({ length: 450_000 }, () => []); 1");
    expect(made.result).toMatchObject({ type: "value" });
    const { result } = await session.run("lists");
    expect(result.type === "value" && Object.keys(result.output ?? {})).toEqual(["text"]);
    const { result: copied } = await session.run("lists.slice(0, 20_000)");
    expect(copied.type === "value" && copied.output?.value).toHaveLength(20_000);
  });

  test("has null as output when its value is undefined", async () => {
    expect((await runBlock("print('x')")).result).toMatchObject({ type: "value", output: null });
  });

  test("shows a function as text, without a copy", async () => {
    const { result } = await runBlock("(function area() {})");
    expect(result).toEqual({
      type: "value",
      output: { text: "[Function: area]" },
      operations: expect.any(Number),
      unawaited: [],
    });
  });

  test("keeps the lines that were printed before it failed", async () => {
    const { result, printed } = await runBlock("print('Flag!'); null.x");
    expect(printed).toBe("Flag!");
    expect(result).toMatchObject({ type: "error", error: { code: "code-execution", name: "TypeError" } });
  });
});

describe("calls", () => {
  test("reach the host immediately, numbered from 1 in each block, with copies of their arguments", async () => {
    await using session = await openSession({ look: hang });
    const calls: HostCall[] = [];
    const options = { signal: new AbortController().signal, time: 0, seed: "", onConsole: () => {} };
    const execution = session.executor.execute(
      "const a = { n: 1 }; const p = look(a, 'x'); a.n = 2; await look(a); await p",
      {
        ...options,
        onCall: (call) => calls.push(call),
      },
    );
    expect(calls).toEqual([
      { callIndex: 1, execution: 1, name: "look", args: [{ n: 1 }, "x"] },
      { callIndex: 2, execution: 1, name: "look", args: [{ n: 2 }] },
    ]);
    await session.executor.deliver(2, { type: "ok", value: 2 }, 1);
    await session.executor.deliver(1, { type: "ok", value: 1 }, 2);
    expect(await execution).toMatchObject({ type: "value", output: { value: 1 } });
  });

  test("may be answered inside onCall", async () => {
    await using session = await openSession({ look: hang });
    const result = await session.executor.execute("[await look(1), await look(2)]", {
      signal: new AbortController().signal,
      time: 0,
      seed: "",
      onConsole: () => {},
      onCall: ({ callIndex }) => void session.executor.deliver(callIndex, { type: "ok", value: callIndex }, 0),
    });
    expect(result).toMatchObject({ type: "value", output: { value: [1, 2] } });
  });

  test("are delivered one at a time, each when the guest is idle", async () => {
    await using session = await openSession({ look: hang });
    const lines: string[] = [];
    const execution = session.executor.execute(
      "const wait = async (n) => { const v = await look(n); print('got', v); await null; await null; print('done', v); };" +
        "await Promise.all([wait(1), wait(2)])",
      {
        signal: new AbortController().signal,
        time: 0,
        seed: "",
        onCall: () => {},
        onConsole: ({ text }) => lines.push(text),
      },
    );
    await Promise.all([
      session.executor.deliver(2, { type: "ok", value: "b" }, 0),
      session.executor.deliver(1, { type: "ok", value: "a" }, 0),
    ]);
    await execution;
    expect(lines).toEqual(["got b", "done b", "got a", "done a"]);
  });

  test("are delivered in the order of their outcomes, each after the timers that were due earlier", async () => {
    await using session = await openSession({ ask: hang });
    const lines: string[] = [];
    const block = session.executor.execute(
      `const say = async (n) => console.log(n, await ask(n));
      setTimeout(() => console.log("timer"), 10);
      setTimeout(() => console.log("late timer"), 25);
      await Promise.all([say(1), say(2), say(3), say(4)]);`,
      {
        signal: new AbortController().signal,
        time: 1_000,
        seed: "",
        onCall() {},
        onConsole: ({ text }) => void lines.push(text),
      },
    );
    const given: readonly [callIndex: number, time: number][] = [
      [2, 1_005],
      [4, 1_020],
      [3, 1_021],
      [1, 1_030],
    ];
    for (const [callIndex, time] of given) {
      await session.executor.deliver(callIndex, { type: "ok", value: `answer ${callIndex}` }, time);
    }
    await block;
    expect(lines).toEqual(["2 answer 2", "timer", "4 answer 4", "3 answer 3", "late timer", "1 answer 1"]);
  });

  test("that were not awaited are completed and reported", async () => {
    const { result, printed } = await runBlock("[1, 2].forEach(async (n) => print(await double(n))); 'end'", {
      double,
    });
    expect(result).toMatchObject({ type: "value", output: { value: "end" }, unawaited: [1, 2] });
    expect(printed).toBe("2\n4");
  });

  test("that end before the program are not reported", async () => {
    const { result } = await runBlock("const p = double(1); await double(2); await p", { double });
    expect(result).toMatchObject({ output: { value: 2 }, unawaited: [] });
  });

  test("that fail throw a guest error with name, message and code", async () => {
    const fail = (): never => {
      throw new RangeError("no such page");
    };
    expect(
      await valueOf(
        "try { await fail() } catch (e) { [e instanceof RangeError, e instanceof Error, e.name, e.message, e.code, typeof e.constructor] }",
        { fail },
      ),
    ).toEqual([true, true, "RangeError", "no such page", "tool-execution", "function"]);
  });

  test("that fail without being awaited fail the block, unless it failed already", async () => {
    const fail = (): never => {
      throw new Error("no such page");
    };
    const floating = (await runBlock("fail(); 1", { fail })).result;
    expect(floating).toMatchObject({ type: "error", error: { message: expect.stringContaining("no such page") } });
    expect(floating).toMatchObject({
      error: { message: expect.stringContaining("call of fail, which nothing awaited") },
    });
    const own = (await runBlock("fail(); throw new Error('mine')", { fail })).result;
    expect(own).toMatchObject({ type: "error", error: { message: expect.stringContaining("mine") } });
  });

  test("of an execution that has ended are ignored", async () => {
    await using session = await openSession({ look: hang });
    await session.run("const stale = look(1); finalAnswer(0)");
    await session.executor.deliver(1, { type: "ok", value: 1 }, 0);
    const { result } = await session.run("1");
    await session.executor.deliver(1, { type: "ok", value: 1 }, 0);
    expect(result).toMatchObject({ type: "value" });
    expect((await session.run("await stale")).result).toMatchObject({
      type: "error",
      error: { message: expect.stringContaining("nothing will ever settle") },
    });
  });
});

describe("finalAnswer", () => {
  const answers: [what: string, code: string, args: unknown[]][] = [
    ["ends the block", "finalAnswer(1); print('late')", [1]],
    ["has another spelling", "final_answer({ a: [1] })", [{ a: [1] }]],
    ["takes no argument", "finalAnswer()", []],
    [
      "works in a nested function",
      "function f() { function g() { finalAnswer('Correct!') } g(); } f(); 2",
      ["Correct!"],
    ],
    ["is not caught", "try { finalAnswer(1) } catch { finalAnswer(2) }", [1]],
    ["runs no finally", "try { finalAnswer(1) } finally { print('finally'); finalAnswer(2) }", [1]],
    ["works in a callback of a built-in", "[1, 2].map((n) => finalAnswer(n))", [1]],
    [
      "works in a promise's callback",
      "Promise.resolve(3).then((n) => finalAnswer(n)); await new Promise(() => {})",
      [3],
    ],
    ["works in an async function that nobody awaits", "(async () => { await null; finalAnswer(4) })(); 1", [4]],
    ["awaits a promise", "await finalAnswer(double(4)); print('late')", [8]],
    ["awaits a promise even when nobody awaits it", "finalAnswer(double(4)); print('before')", [8]],
    ["the first wins over a later one", "finalAnswer(double(1)); finalAnswer(99)", [2]],
    ["is a name of its own beside a variable", "const finalAnswer = 3; finalAnswer(finalAnswer)", [3]],
    ["is a name of its own beside an assigned variable", "final_answer = 3; final_answer(final_answer)", [3]],
    ["leaves properties of that name alone", "const o = {}; o.finalAnswer = 5; finalAnswer(o.finalAnswer)", [5]],
    ["copies at the call", "const o = { n: 1 }; const p = double(1); finalAnswer(o, p); o.n = 2", [{ n: 2 }, 2]],
  ];
  test.each(answers)("%s: %s", async (_what, code, args) => {
    const { result, printed } = await runBlock(code, { double });
    expect(answerOf(result)).toEqual(args);
    expect(printed.includes("late") || printed.includes("finally")).toBe(false);
  });

  test("with a value that cannot be copied is an error that the program can catch", async () => {
    const { result } = await runBlock("try { finalAnswer({ f() {} }) } catch (e) { finalAnswer(e.message) }");
    expect(answerOf(result)).toEqual([expect.stringContaining('value["f"] is a function')]);
  });

  test("leaves the session unchanged", async () => {
    await using session = await openSession({ double });
    await session.run("let n = 1; try { finalAnswer(0) } finally { n = 2 }");
    expect((await session.run("n")).result).toMatchObject({ output: { value: 1 } });
  });
});

describe("limits", () => {
  const stops: [reason: StopReason, limits: InterpreterLimits, code: string][] = [
    ["operations", { operations: 100_000 }, "for (;;);"],
    ["operations", { operations: 100_000 }, "try { for (;;); } catch { print('caught') } finally { print('finally') }"],
    ["call-depth", { operations: 100_000 }, "function f() { try { f() } finally { f() } } f()"],
    ["operations", { operations: 100_000 }, "[1].map(() => { for (;;); })"],
    ["operations", { operations: 100_000 }, "await null; while (true) {}"],
    ["guest-time", { guestTimeMs: 300, operations: 0 }, "for (;;);"],
    ["guest-time", { guestTimeMs: 300, operations: 0, microtasks: 0 }, "for (;;) await null;"],
    ["memory", { memoryBytes: 4_000_000 }, "const a = []; for (;;) a.push('x'.repeat(1000) + a.length);"],
    ["memory", { memoryBytes: 4_000_000 }, "'x'.repeat(100_000_000)"],
    ["call-depth", { callDepth: 100 }, "function f() { return f() + 1 } f()"],
    ["call-depth", {}, "function f() { return f() + 1 } f()"],
    ["call-depth", {}, "const o = { get a() { return this.a } }; o.a"],
    ["output", { outputCharacters: 1_000 }, "for (;;) print('0123456789');"],
    ["microtasks", { microtasks: 1_000 }, "const f = () => Promise.resolve().then(f); await f()"],
    [
      "microtasks",
      { microtasks: 1_000 },
      "const tick = () => setTimeout(tick, 1); tick(); await new Promise(() => {})",
    ],
    ["pending-calls", { pendingCalls: 5 }, "for (let n = 0; n < 10; n++) double(n);"],
    ["source-size", { sourceCharacters: 10 }, "1 + 1 + 1 + 1 + 1"],
  ];
  test.each(stops)("stop for %s under %o: %s", async (reason, limits, code) => {
    await using session = await openSession({ double }, limits);
    const { result, printed } = await session.run(code);
    expect(result).toMatchObject({
      type: "stopped",
      reason,
      error: { code: "code-execution", hint: expect.any(String) },
    });
    expect(printed).not.toMatch(/caught|finally/);
    const after = (await session.run("6 * 7", {})).result;
    expect(after).toMatchObject({ type: "value", output: { value: 42 } });
  });

  test("each have a different message", async () => {
    const messages = new Set<string>();
    for (const [, limits, code] of stops) {
      const { result } = await runBlock(code, { double }, limits);
      if (result.type === "stopped") messages.add(`${result.reason} ${result.error.message.split(/, the last|\n/)[0]}`);
    }
    expect(messages.size).toBe(new Set(stops.map(([reason]) => reason)).size);
  });

  const places: [what: string, code: string, place: string][] = [
    ["a loop", "let n = 0;\nwhile (true) n++;", "line 2, column 1:\n  while (true) n++;"],
    ["the inner one of two loops", "for (const x of [1]) {\n  for (;;) {}\n}", "line 2, column 3:"],
    ["a loop that awaits", "let n = 0;\nfor (;;) if (++n < 0) await n;", "line 2, column 1:"],
    ["a built-in", 'let text = "ab";\nfor (let i = 0; i < 100; i++)\n  text = text.repeat(10);', "line 3, column 10:"],
    ["a loop in a callback", "[1].map(() => {\n  while (1);\n})", "line 2, column 3:"],
    ["a function", "const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2));\nf(90)", "line 1, column 11:"],
  ];
  test.each(places)("name the line of %s", async (_what, code, place) => {
    const { result } = await runBlock(code, { double }, { operations: 100_000 });
    expect(result).toMatchObject({ type: "stopped", error: { message: expect.stringContaining(place) } });
  });

  test("can be turned off", async () => {
    const { result } = await runBlock(
      "let n = 0; for (let i = 0; i < 3_000_000; i++) n += i; n",
      {},
      { guestTimeMs: 0, operations: 0 },
    );
    expect(result).toMatchObject({ type: "value", output: { value: 4_499_998_500_000 } });
  });

  test("do not count the time that a call takes", async () => {
    let waitedMs = 0;
    const { now } = performance;
    const { cpuUsage } = process;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + waitedMs);
    const processor = vi.spyOn(process, "cpuUsage").mockImplementation(() => {
      const { user, system } = cpuUsage();
      return { user: user + waitedMs * 1_000, system };
    });
    const slow = async (): Promise<void> => {
      waitedMs += 60_000;
    };
    const { result } = await runBlock("await slow()", { slow });
    clock.mockRestore();
    processor.mockRestore();
    expect(result).toMatchObject({ type: "value" });
  });

  const wrong: [limits: object, message: RegExp][] = [
    [{ operations: -1 }, /limits\.operations is -1/],
    [{ operations: 1.5 }, /limits\.operations is 1\.5/],
    [{ callDepth: "9" }, /limits\.callDepth is 9/],
    [{ time: 1 }, /no option "limits\.time"/],
  ];
  test.each(wrong)("%o is refused", (limits, message) => {
    expect(() => interpreter({ limits })).toThrow(message);
  });

  test("have defaults", () => {
    expect(interpreterDefaults).toMatchObject({ guestTimeMs: 2_000, operations: 50_000_000, callDepth: 1_000 });
  });
});

describe("aborting", () => {
  test("stops a block that waits for a call", async () => {
    await using session = await openSession({ look: hang });
    const abort = new AbortController();
    const running = session.run("try { await look() } finally { print('finally') }", { signal: abort.signal });
    abort.abort();
    const { result, printed } = await running;
    expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
    expect(printed).toBe("");
  });

  test("stops an endless chain of promises", async () => {
    await using session = await openSession({}, { microtasks: 0, operations: 0, guestTimeMs: 0, memoryBytes: 0 });
    const { result } = await session.run("for (;;) await null;", { signal: AbortSignal.timeout(30) });
    expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
    expect((await session.run("1")).result).toMatchObject({ type: "value" });
  });

  test("stops an endless loop when the abort comes from a callback", async () => {
    await using session = await openSession();
    const abort = new AbortController();
    const { result } = await session.run("print('x'); for (;;);", {
      signal: abort.signal,
      onConsole: () => abort.abort(),
    });
    expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
  });

  test("before the start runs no code", async () => {
    await using session = await openSession();
    const { result, printed } = await session.run("print('x')", { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ type: "stopped", reason: "aborted", operations: 0 });
    expect(printed).toBe("");
  });
});

describe("an endless wait", () => {
  const waits = [
    "await new Promise(() => {})",
    "const { promise } = Promise.withResolvers?.() ?? { promise: new Promise(() => {}) }; await promise",
  ];
  test.each(waits)("%s is an error that says so", async (code) => {
    const { result } = await runBlock(code);
    expect(result).toMatchObject({
      type: "error",
      error: { message: expect.stringContaining("nothing will ever settle") },
    });
  });

  test("for the last value alone shows the promise", async () => {
    expect(await textOf("const forever = new Promise(() => {});")).toBe("Promise { <pending> }");
  });
});

describe("timers", () => {
  const programs: [what: string, code: string, value: unknown][] = [
    [
      "come in the order of their delays",
      "const log = []; setTimeout(() => log.push('b'), 20); setTimeout(() => log.push('a'), 10); await new Promise((r) => setTimeout(r, 30)); log.join('')",
      "ab",
    ],
    [
      "move the clock",
      "const start = Date.now(); await new Promise((r) => setTimeout(r, 5000)); Date.now() - start",
      5_000,
    ],
    ["pass arguments", "await new Promise((r) => setTimeout(r, 1, 'x'))", "x"],
    [
      "can be cleared",
      "let n = 0; const id = setTimeout(() => n++, 1); clearTimeout(id); await new Promise((r) => setTimeout(r, 9)); n",
      0,
    ],
    [
      "repeat until they are cleared",
      "let n = 0; await new Promise((r) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); r(); } }, 10); }); n",
      3,
    ],
    ["run after the program's end", "const seen = []; setTimeout(() => seen.push(1), 10); seen", [1]],
    ["end with the program when they repeat", "let n = 0; setInterval(() => n++, 10); 'end'", "end"],
    [
      "lose a race against a call that took less time",
      "await Promise.race([double(1), new Promise((r) => setTimeout(r, 5000, 'late'))])",
      2,
    ],
    [
      "win a race against a call that took more time",
      "await Promise.race([double(1), new Promise((r) => setTimeout(r, 10, 'first'))])",
      "first",
    ],
  ];
  test.each(programs)("%s", async (_what, code, value) => expect(await valueOf(code, { double })).toEqual(value));

  test("that throw fail the block", async () => {
    const { result } = await runBlock("setTimeout(() => { throw new Error('in the timer') }, 1); 1");
    expect(result).toMatchObject({ type: "error", error: { message: expect.stringContaining("in the timer") } });
  });
});

describe("variables", () => {
  test("are described with type, size and preview", async () => {
    await using session = await openSession({ double });
    await session.run(
      "const name = 'abc'; let rows = [{ id: 1, title: 'x' }, { id: 2, title: null }]; const none = null; var f = () => 1; const big = 10n;" +
        "class Point {} const p = new Point(); const mixed = [1, 'a']; const o = { a: 1, 'b c': [true] }; const c = double(1); await c;",
    );
    const summaries = (await session.executor.variables?.()) ?? [];
    expect(summaries.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "Point", type: "class", preview: "[class Point]" },
      { name: "big", type: "bigint", preview: "10n" },
      { name: "c", type: "Promise<number>", preview: "Promise { 2 }" },
      { name: "f", type: "function", preview: "[Function: f]" },
      { name: "mixed", type: "(number | string)[]", size: 2, preview: "[ 1, 'a' ]" },
      { name: "name", type: "string", size: 3, preview: "'abc'" },
      { name: "none", type: "null", preview: "null" },
      { name: "o", type: "{ a: number; 'b c': boolean[] }", size: 2, preview: "{ a: 1, 'b c': [ true ] }" },
      { name: "p", type: "Point", preview: "Point {}" },
      {
        name: "rows",
        type: "({ id: number; title: string } | { id: number; title: null })[]",
        size: 2,
        preview: "[ { id: 1, title: 'x' }, { id: 2, title: null } ]",
      },
    ]);
  });

  test("can be limited to the newest ones, without previews", async () => {
    await using session = await openSession();
    await session.run("const a = 1; const b = [2]; const c = 'x';");
    expect(await session.executor.variables?.({ newest: 2, previews: false })).toEqual([
      { name: "b", type: "number[]", size: 1, preview: "" },
      { name: "c", type: "string", size: 1, preview: "" },
    ]);
  });

  test("are described quickly even if they contain themselves, or the same list very often", async () => {
    await using session = await openSession();
    await session.run(
      "const cube = [[[1]]]; const loop = []; loop.push(loop); const map = new Map(); map.set(map, map); let wide = [1];" +
        "for (let level = 0; level < 60; level++) wide = [wide, wide];",
    );
    const types = (await session.executor.variables?.({ previews: false }))?.map(({ name, type }) => [name, type]);
    expect(Object.fromEntries(types ?? [])).toEqual({
      cube: "number[][][]",
      loop: "unknown[][][][]",
      map: "Map<Map<Map<Map<unknown, unknown>, Map<unknown, unknown>>, Map<Map<unknown, unknown>, Map<unknown, unknown>>>, Map<Map<Map<unknown, unknown>, Map<unknown, unknown>>, Map<Map<unknown, unknown>, Map<unknown, unknown>>>>",
      wide: "unknown[][][][]",
    });
  });

  test("are described without running guest code", async () => {
    await using session = await openSession();
    await session.run(
      "let ran = 0; const trap = { get a() { ran++; return 1 }, toString() { ran++ }, toJSON() { ran++ } }; const px = new Proxy({}, { ownKeys() { ran++; return [] }, getPrototypeOf() { ran++; return null } }); 0",
    );
    await session.executor.variables?.();
    expect((await session.run("ran")).result).toMatchObject({ output: { value: 0 } });
  });
});

describe("the contract", () => {
  const signal = new AbortController().signal;
  const options = { signal, time: 0, seed: "", onCall: () => {}, onConsole: () => {} };

  test("executing before the start, twice at once, or after disposal is refused", async () => {
    const executor = await interpreter().open({ signal });
    await expect(executor.execute("1", options)).rejects.toThrow(/is opened/);
    await executor.start({ tools: ["look"] });
    await expect(executor.start({ tools: [] })).rejects.toThrow(/already started/);
    const first = executor.execute("await look()", options);
    await expect(executor.execute("1", options)).rejects.toThrow(/another execution/);
    await executor[Symbol.asyncDispose]();
    await executor[Symbol.asyncDispose]();
    expect(await first).toMatchObject({ type: "stopped", reason: "aborted" });
    await expect(executor.execute("1", options)).rejects.toThrow(/disposed/);
  });

  test("an executor cannot be opened when the signal is aborted", async () => {
    await expect(interpreter().open({ signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test("aborting the session's signal stops the running block", async () => {
    const abort = new AbortController();
    const executor = await interpreter().open({ signal: abort.signal });
    await executor.start({ tools: ["look"] });
    const running = executor.execute("await look()", options);
    abort.abort();
    expect(await running).toMatchObject({ type: "stopped", reason: "aborted" });
  });

  test("sessions share nothing", async () => {
    await using one = await openSession();
    await using other = await openSession();
    await one.run("Array.prototype.evil = 1; globalThis.shared = 1; var own = 1");
    expect((await other.run("[typeof [].evil, typeof shared, typeof own]")).result).toMatchObject({
      output: { value: ["undefined", "undefined", "undefined"] },
    });
  });

  test("an outcome that is not an encoded value fails the execution, and the session lives on", async () => {
    await using session = await openSession({ look: hang });
    const running = session.executor.execute("await look()", options);
    await session.executor.deliver(1, { type: "ok", value: { $: "nonsense" } }, 0);
    await expect(running).rejects.toMatchObject({ code: "invalid-value" });
    expect((await session.run("1 + 1")).result).toMatchObject({ type: "value", output: { value: 2 } });
  });

  test("tools cannot be redefined", async () => {
    const { result } = await runBlock("double = 5", { double });
    expect(result).toMatchObject({
      type: "error",
      error: { message: expect.stringContaining('cannot redefine the tool "double"') },
    });
  });
});

test.each([
  ["const rows = await search();", true],
  ["for await (const x of y) {}", true],
  ["I think the answer is 2.", false],
  ["print 'hello'", false],
  ["return 5", true],
  ["", true],
  ["const n: number = 1; interface Row { id: number }", true],
  ["const rows = items as Row[]; enum Color { red }", false],
  ["import { add } from 'date-fns'", true],
  ["export const a = 1", true],
  ["export * from 'date-fns'", false],
])("isProgram returns for %j: %s", async (code, expected) => {
  await using executor = await interpreter().open({ signal: new AbortController().signal });
  expect(await executor.isProgram?.(code)).toBe(expected);
});

describe("the time limit", () => {
  test("takes effect after few operations if they are slow", async () => {
    let nowMs = 0; // 10 ms pass between two clock checks
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 10));
    const processor = vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: nowMs * 1_000, system: 0 }));
    const { result } = await runBlock("for (;;);", {}, { guestTimeMs: 40, operations: 0 });
    clock.mockRestore();
    processor.mockRestore();
    expect(result).toMatchObject({ type: "stopped", reason: "guest-time" });
    expect(result.operations).toBeLessThan(200);
  });

  test("counts CPU time, not the time of other processes", async () => {
    const idle = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 1_000, system: 0 });
    const { result } = await runBlock("for (;;);", {}, { guestTimeMs: 50, operations: 20_000_000 });
    idle.mockRestore();
    expect(result).toMatchObject({ type: "stopped", reason: "operations" });
  });

  test("does not count the time of other processes, not even before the first clock check", async () => {
    let nowMs = 0; // other processes run for 30 ms between two clock checks
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 30));
    const idle = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 1_000, system: 0 });
    const { result } = await runBlock("for (;;);", {}, { guestTimeMs: 20, operations: 20_000 });
    clock.mockRestore();
    idle.mockRestore();
    expect(result).toMatchObject({ type: "stopped", reason: "operations" });
  });

  test.each([
    ["no arguments", "", 100],
    ["long arguments", "'x'.repeat(9 * 8_192)", 10],
  ])("counts the time that the host needs to pass on calls with %s", async (_which, argument, calls) => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const unknown = vi.spyOn(process, "cpuUsage").mockImplementation(() => {
      throw new Error("process.cpuUsage is not implemented");
    });
    await using session = await openSession({ look: () => null }, { guestTimeMs: 100 }, { callMs: 1 });
    const run = await session.run(`for (;;) await look(${argument})`);
    clock.mockRestore();
    unknown.mockRestore();
    expect(run.result).toMatchObject({ type: "stopped", reason: "guest-time" });
    expect(Math.abs(run.calls.length - calls)).toBeLessThan(5);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("cannot count %s ms for a call", (callMs) => {
    expect(() => interpreter({ callMs })).toThrow(/callMs is .+; expected a number >= 0/);
  });

  describe("and the garbage collector's work in other threads", () => {
    interface Host {
      /** How many threads of the process are always busy; null if the host does not report it. */
      readonly threads: number | null;
      readonly heldBytes?: (nowMs: number) => number;
      readonly elsewhere?: () => void;
    }

    /**
     * Returns the number of ms after which a block is stopped. The clock advances by 1 ms each time
     * it is read.
     */
    async function msUntilStop(code: string, { threads, heldBytes = () => 0, elsewhere }: Host): Promise<number> {
      let nowMs = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => ++nowMs);
      const processor = vi.spyOn(process, "cpuUsage").mockImplementation(() => {
        if (threads === null) throw new Error("process.cpuUsage is not implemented");
        return { user: threads * nowMs * 1_000, system: 0 };
      });
      const options = { heldBytes: () => heldBytes(nowMs) };
      await using session = await openSession(elsewhere ? { elsewhere } : {}, { guestTimeMs: 100 }, options);
      const startMs = nowMs;
      const { result } = await session.run(code);
      const usedMs = nowMs - startMs;
      clock.mockRestore();
      processor.mockRestore();
      expect(result).toMatchObject({ type: "stopped", reason: "guest-time" });
      return usedMs;
    }

    const kept = (nowMs: number): number => nowMs * 2 ** 18;

    test.each([
      ["runs", "for (;;);"],
      ["is read", "f();".repeat(50_000)],
    ])("counts for a program that keeps much memory while it %s", async (_when, code) => {
      const alone = await msUntilStop(code, { threads: 2 });
      expect(await msUntilStop(code, { threads: 2, heldBytes: kept })).toBeLessThan(0.8 * alone);
    });

    test.each([
      ["the processor did not do it", 1],
      ["nothing says what the processor did", null],
    ])("does not count if %s", async (_where, threads) => {
      const alone = await msUntilStop("for (;;);", { threads });
      expect(await msUntilStop("for (;;);", { threads, heldBytes: kept })).toBeGreaterThan(0.8 * alone);
    });

    test("does not count for memory that others keep while the program waits", async () => {
      let held = 0;
      const code = "for (let i = 0; i < 300; i++); await elsewhere(); for (;;);";
      const waiting = (bytes: number): Promise<number> => {
        const elsewhere = (): void => {
          held += bytes;
        };
        return msUntilStop(code, { threads: 2, heldBytes: () => held, elsewhere });
      };
      expect(await waiting(100 * 2 ** 20)).toBeGreaterThan(0.8 * (await waiting(0)));
    });
  });
});
