import { type NodeWorkerOptions, worker } from "@smolts/executor-worker";
import { guestModule, hostModule } from "@smolts/interpreter";
import {
  type ConsoleLine,
  type ExecuteOptions,
  type ExecutionResult,
  type Executor,
  encodeValue,
} from "@smolts/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledGuest } from "./bundled-guest.ts";

let entry: URL;
const opened: Disposable[] = [];
beforeAll(async () => {
  entry = await bundledGuest("guest.node");
});
afterAll(() => {
  for (const factory of opened) factory[Symbol.dispose]();
});

const off = { guestTimeMs: 0, operations: 0, memoryBytes: 0, microtasks: 0 };

async function open(options: NodeWorkerOptions = {}): Promise<Executor> {
  const factory = worker({ entry, pool: 0, ...options });
  opened.push(factory);
  const executor = await factory.open({ signal: new AbortController().signal });
  await executor.start({ tools: ["echo", "finalAnswer"] });
  return executor;
}

/** Runs a block. The tool `echo` returns its input. */
async function run(
  executor: Executor,
  code: string,
  { lines = [], ...options }: Partial<ExecuteOptions> & { lines?: ConsoleLine[] } = {},
): Promise<ExecutionResult> {
  return await executor.execute(code, {
    signal: new AbortController().signal,
    time: 1_000,
    seed: "seed",
    onConsole: (line) => lines.push(line),
    onCall: ({ callIndex, args }) =>
      void executor.deliver(callIndex, { type: "ok", value: args[0] ?? null }, 2_000 + callIndex),
    ...options,
  });
}

const valueIn = (result: ExecutionResult): unknown => (result.type === "value" ? result.output?.value : result);

describe("a thread without its own limits is ended from outside, and the session continues", () => {
  const heapFillers = {
    arrays: "const all = []; for (;;) all.push([1, 2, 3]);",
    objects: "const all = {}; for (let i = 0; ; i++) all[i] = { i };",
    closures: "let all = null; for (;;) { const before = all; all = () => before; }",
  };
  for (const [title, code] of Object.entries(heapFillers)) {
    test(`a heap full of ${title} ends the block as "memory"`, async () => {
      await using executor = await open({ heapMb: 32, limits: off });
      await run(executor, "let kept = await echo(41)");
      expect(await run(executor, code)).toMatchObject({ type: "stopped", reason: "memory", operations: 0 });
      expect(valueIn(await run(executor, "kept + 1"))).toBe(42);
    });
  }

  const endless: { readonly [title: string]: string } = {
    calls: "const down = (n) => down(n + 1) + 1; down(0)",
    "calls through the host's functions": "const down = () => [1].map(down); down()",
    getters: "const o = { get a() { return this.a } }; o.a",
    "an endless structure": "let all = []; for (let n = 0; n < 1e5; n++) all = [all]; JSON.stringify(all)",
  };
  for (const [title, code] of Object.entries(endless)) {
    test(`the end of the stack in ${title} ends the block, and the thread lives`, async () => {
      await using executor = await open({ limits: { ...off, callDepth: 0 } });
      await run(executor, "let kept = 41");
      const result = await run(executor, code);
      expect(result).toMatchObject({ type: "stopped", reason: "call-depth" });
      expect(result.operations).toBeGreaterThan(0);
      expect(valueIn(await run(executor, "kept + 1"))).toBe(42);
    });
  }

  test("a loop that exceeds its time limit ends, and the thread survives", async () => {
    await using executor = await open({ limits: { ...off, guestTimeMs: 50 } });
    const result = await run(executor, "for (;;);");
    expect(result).toMatchObject({ type: "stopped", reason: "guest-time" });
    expect(result.operations).toBeGreaterThan(0);
  });

  const deaf = { entry: new URL("deaf-guest.mjs", import.meta.url) };

  test("a thread that does not react is killed a second after the time limit", async () => {
    await using executor = await open({ ...deaf, limits: { guestTimeMs: 50 } });
    const result = await run(executor, "0");
    expect(result).toMatchObject({ type: "stopped", reason: "guest-time", operations: 0 });
  });

  test("requests to a thread that does not react end, too", async () => {
    await using executor = await open({ ...deaf, limits: { guestTimeMs: 50 } });
    expect(await executor.variables?.()).toEqual([]);
    expect(await executor.isProgram?.("hello there")).toBe(true);
  });

  test("a thread that is slow to start is not killed", async () => {
    const startedLate = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500); await import("${entry}");`;
    const slow = new URL(`data:text/javascript,${encodeURIComponent(startedLate)}`);
    await using executor = await open({ entry: slow, limits: { ...off, guestTimeMs: 50 } });
    expect(valueIn(await run(executor, "6 * 7"))).toBe(42);
  });

  test("a thread that ignores an abort is killed", async () => {
    await using executor = await open({ ...deaf, limits: off });
    const result = await run(executor, "0", { signal: AbortSignal.timeout(10) });
    expect(result).toMatchObject({ type: "stopped", reason: "aborted", operations: 0 });
  });

  test("a thread that cannot start is an error of the sandbox", async () => {
    await using executor = await open({ entry: new URL("no-such-guest.mjs", import.meta.url) });
    await expect(run(executor, "0")).rejects.toMatchObject({ code: "executor" });
  });
});

describe("an abort", () => {
  const loops = {
    "an endless loop": "for (;;);",
    "an endless chain of jobs": "const again = () => Promise.resolve().then(again); await again();",
    "a native that loops": "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "a catastrophic regex": '/^(a+)+$/.test("a".repeat(64) + "b")',
    "a wait for a call": "await new Promise(() => {}), await echo(1)",
  };
  for (const [title, code] of Object.entries(loops)) {
    test(`ends ${title}, and variables from before it stay`, async () => {
      await using executor = await open({ limits: off });
      await run(executor, "let kept = 41");
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      const options = { signal: controller.signal, onCall: () => {} };
      const result = await run(executor, code, options);
      // The block may have ended with an error first, because nothing could settle its promise.
      if (result.type !== "error") expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
      expect(valueIn(await run(executor, "kept + 1"))).toBe(42);
    });
  }

  test("before the block runs no code", async () => {
    await using executor = await open();
    const lines: ConsoleLine[] = [];
    const result = await run(executor, 'console.log("ran")', { signal: AbortSignal.abort(), lines });
    expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
    expect(lines).toEqual([]);
  });
});

test("after a kill, the earlier blocks are repeated without calling or printing again", async () => {
  await using executor = await open({ heapMb: 32, limits: off });
  await run(executor, 'let count = 0; const said = await echo("hello"); console.log(said); count += 1');
  await run(executor, "const dice = Math.random(); count += 1");
  const before = valueIn(await run(executor, "[count, said, dice, Date.now()]"));
  await run(executor, "count = 99; const all = []; for (;;) all.push([0]);");
  const calls: unknown[] = [];
  const lines: ConsoleLine[] = [];
  const after = await run(executor, "[count, said, dice, Date.now()]", { onCall: (call) => calls.push(call), lines });
  expect(valueIn(after)).toEqual(before);
  expect([calls, lines]).toEqual([[], []]);
});

test("a kill while calls are pending ends the block, and their later outcomes are ignored", async () => {
  await using executor = await open({ heapMb: 32, limits: off });
  await run(executor, "let kept = await echo(41); let late = 0");
  const pending: number[] = [];
  const code =
    "for (let n = 0; n < 50; n++) echo(n).then(() => { late++ }); await echo(50); const all = []; for (;;) all.push([1]);";
  const result = await run(executor, code, {
    onCall({ callIndex }) {
      if (pending.push(callIndex) <= 50) return;
      void executor.deliver(callIndex, { type: "ok", value: 0 }, 2_000);
    },
  });
  expect(result).toMatchObject({ type: "stopped", reason: "memory" });
  expect(pending).toHaveLength(51);
  for (const callIndex of pending) await executor.deliver(callIndex, { type: "ok", value: 0 }, 3_000);
  expect(valueIn(await run(executor, "[kept, late, await echo(1)]"))).toEqual([41, 0, 1]);
});

test("after a kill, earlier blocks that took long are repeated before anything else", async () => {
  await using executor = await open({ heapMb: 32, limits: off });
  await run(executor, 'const typed: string = await echo("types"); let rounds = 0;');
  await run(executor, "for (; rounds < 50_000; rounds++) await null;");
  await run(executor, "const all = []; for (;;) all.push([0]);");
  const told = await executor.variables?.({ previews: true });
  expect(told?.map(({ name, preview }) => [name, preview])).toEqual([
    ["typed", "'types'"],
    ["rounds", "50000"],
  ]);
  expect(valueIn(await run(executor, "[typed, rounds]"))).toEqual(["types", 50_000]);
});

test("a killed block has the same result when its record is replayed", async () => {
  await using live = await open({ heapMb: 32, limits: off });
  const code = "var first = 1; const all = []; for (;;) all.push([0]);";
  const killed = await run(live, code);
  if (killed.type !== "stopped") throw new Error(JSON.stringify(killed));
  const after = await run(live, "typeof first");
  await using replayed = await open({ heapMb: 32, limits: off });
  const { reason, operations } = killed;
  expect(await run(replayed, code, { replay: true, replayStop: { reason, operations } })).toMatchObject({ reason });
  expect(valueIn(await run(replayed, "typeof first"))).toEqual(valueIn(after));
});

test("code in the thread cannot reach the environment, the arguments or the thread's globals", async () => {
  await using executor = await open();
  const names = ["process", "require", "Worker", "postMessage", "fetch", "self", "window", "onmessage"];
  const result = await run(executor, `[${names.map((name) => `typeof ${name}`).join(", ")}]`);
  expect(valueIn(result)).toEqual(names.map(() => "undefined"));
});

test("a value is never taken for a message", async () => {
  await using executor = await open();
  const value = { type: "ended", execution: 1, toJSON: 1 };
  const result = await run(executor, "await echo(given)", { variables: { given: encodeValue(value) } });
  expect(valueIn(result)).toEqual(encodeValue(value));
});

test("refuses heaps and pools that are not whole numbers, and unknown limits", () => {
  expect(() => worker({ heapMb: 1 })).toThrow("heapMb is 1");
  expect(() => worker({ pool: 0.5 })).toThrow("pool is 0.5");
  expect(() => worker({ limits: { steps: 1 } as never })).toThrow('no option "limits.steps"');
});

test("refuses a heap that is too small for the memory limit, and says which size is enough", () => {
  const limits = { memoryBytes: 64 * 2 ** 20 };
  expect(() => worker({ heapMb: 64, limits })).toThrow("expected at most 34603008 with heapMb: 64");
  expect(() => worker({ heapMb: 64, limits })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("heapMb: 108") }),
  );
  worker({ heapMb: 108, limits })[Symbol.dispose]();
});

test("lists variables and recognises programs", async () => {
  await using executor = await open();
  await run(executor, "const names = ['a', 'b']");
  expect(await executor.variables?.()).toMatchObject([{ name: "names", type: "string[]" }]);
  expect(await executor.variables?.({ previews: false })).toMatchObject([{ name: "names", preview: "" }]);
  expect(await executor.isProgram?.("1 + 1")).toBe(true);
  expect(await executor.isProgram?.("hello there")).toBe(false);
});

test("modules exist in each thread, and imported names exist again after a kill", async () => {
  const modules = {
    tally: guestModule("export let count = 0; export const add = (n) => { count += n; };"),
    stats: hostModule({ double: () => 0 }, { effects: "none" }),
  };
  await using executor = await open({ heapMb: 32, limits: off, modules });
  const first = await run(
    executor,
    'import { add, count } from "tally"; import { double } from "stats"; add(await double(4)); count',
  );
  expect(valueIn(first)).toBe(4); // the tool `echo` answers the calls of the host module
  expect(await run(executor, "const all = []; for (;;) all.push([1, 2, 3]);")).toMatchObject({ reason: "memory" });
  expect(valueIn(await run(executor, "add(1); count"))).toBe(5);
  expect(await run(executor, 'import "fs"')).toMatchObject({ type: "error", error: { code: "import-refused" } });
});
