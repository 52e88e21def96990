import type { ExecuteOptions } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { type BlockRun, hang, openSession, runBlock, type TestTool, valueOf } from "./open-session.ts";

/** Waits for a time that depends on `n`, so that results arrive out of order. */
const jitter = async (n: number): Promise<number> => {
  for (let turn = 0; turn < (n * 7) % 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return n;
};

const tools: { readonly [name: string]: TestTool } = {
  look: async (n) => ({ id: await jitter(Number(n)), tags: ["a", "b"] }),
  fail: async (n) => {
    await jitter(Number(n));
    throw new TypeError(`no page ${n}`);
  },
};

const programs: [what: string, blocks: string[]][] = [
  [
    "clock and random numbers",
    ["[Date.now(), new Date().toISOString(), Math.random(), Math.random(), performance.now()]"],
  ],
  ["identifiers", ["crypto.randomUUID()"]],
  [
    "the clock after calls",
    ["const times = [Date.now()]; await look(1); times.push(Date.now()); await look(2); times.push(Date.now()); times"],
  ],
  [
    "parallel calls",
    [
      "const done = []; await Promise.all([1, 2, 3, 4].map(async (n) => { await look(n); done.push(n); print(n) })); done.join()",
    ],
  ],
  ["a race", ["await Promise.race([look(3), look(1), look(2)])"]],
  [
    "failures",
    [
      "(await Promise.allSettled([look(1), fail(2), fail(1), look(4)])).map((r) => r.status + (r.reason?.message ?? r.value.id))",
    ],
  ],
  ["calls in two blocks", ["const all = [await look(1)]; let n = 0;", "n++; all.push(await look(2)); [all.length, n]"]],
  ["a call that nobody awaits", ["look(1).then((v) => print(v.id)); 'end'"]],
  ["an uncaught failure", ["await look(1); await fail(2); print('never')"]],
  [
    "a final answer in parallel with calls",
    ["look(4); look(1).then((v) => finalAnswer(v, Math.random())); await look(3); await new Promise(() => {})"],
  ],
  [
    "loops and strings",
    [
      "let s = ''; for (let i = 0; i < 300; i++) { s += (i * i).toString(36); if (i % 50 === 0) await look(i) } s.length",
    ],
  ],
  ["sorting by a random order", ["[1, 2, 3, 4, 5, 6, 7, 8].sort(() => Math.random() - 0.5).join()"]],
  [
    "timers and calls",
    [
      "const log = []; setTimeout(() => log.push('t1'), 500); setTimeout(() => log.push('t2'), 1500); log.push((await look(1)).id); await look(2); log.push('end', Date.now()); log",
    ],
  ],
  [
    "timers before a call, in a turn that is long enough to be interrupted",
    [
      "for (let n = 0; n < 500_000; n++); for (const ms of [5_000, 10]) await new Promise((done) => setTimeout(done, ms)); [(await look(1)).id, Date.now()]",
    ],
  ],
  [
    "timers that are due at once beside a call, in a turn that is long enough to be interrupted",
    [
      "const done = []; const wait = (ms) => new Promise((go) => setTimeout(go, ms)); await wait(5_000); look(1).then(() => done.push('call')); for (let n = 0; n < 500_000; n++); for (const ms of [0, 0]) { await wait(ms); done.push('timer') } await look(2); done",
    ],
  ],
  [
    "generators and iteration",
    [
      "async function* pages() { for (let n = 1; n < 4; n++) yield await look(n) } const ids = []; for await (const page of pages()) ids.push(page.id); ids",
    ],
  ],
  ["a syntax error", ["const = 1"]],
];

async function runAll(blocks: readonly string[]): Promise<BlockRun[]> {
  await using session = await openSession(tools);
  const runs: BlockRun[] = [];
  for (const code of blocks) runs.push(await session.run(code));
  return runs;
}

const bytesOf = ({ result, lines, calls }: BlockRun): string => JSON.stringify({ result, lines, calls });

describe("running again with the recorded outcomes has the same results", () => {
  test.each(programs)("%s", async (_what, blocks) => {
    const recorded = await runAll(blocks);
    for (let time = 0; time < 2; time++) {
      await using session = await openSession(tools);
      for (const [index, code] of blocks.entries()) {
        const record = recorded[index] as BlockRun; // there is one for each block
        const again = await session.replay(code, record.deliveries);
        expect(bytesOf(again)).toBe(bytesOf(record));
      }
    }
  });
});

describe("a stopped block is stopped at the same place in a replay", () => {
  const stopped: [what: string, code: string, limits: object, options: () => Partial<ExecuteOptions>][] = [
    ["operations", "let n = 0; for (;;) { n++; if (n % 1000 === 0) print(n); }", { operations: 20_000 }, () => ({})],
    ["operations after calls", "let n = 0; for (;;) n += (await look(n)).id + 1;", { operations: 3_000 }, () => ({})],
    ["guest time", "let n = 0; for (;;) n++;", { guestTimeMs: 300, operations: 0 }, () => ({})],
    [
      "memory",
      "let n = 0; const a = []; for (;;) { n++; a.push('x'.repeat(100) + n); }",
      { memoryBytes: 1_000_000 },
      () => ({}),
    ],
    ["output", "let n = 0; for (;;) print(++n);", { outputCharacters: 500 }, () => ({})],
    ["call depth", "let n = 0; const f = () => { n++; return f() + 1 }; f()", { callDepth: 50 }, () => ({})],
    ["microtasks", "let n = 0; for (;;) { await null; n++ }", { microtasks: 777 }, () => ({})],
    ["pending calls", "let n = 0; for (;;) { n++; look(n) }", { pendingCalls: 4 }, () => ({})],
    [
      "an abort at a print",
      "let n = 0; for (;;) { n++; print(n) }",
      {},
      () => {
        const abort = new AbortController();
        let lines = 0;
        return { signal: abort.signal, onConsole: () => void (++lines === 5 && abort.abort()) };
      },
    ],
    [
      "an abort between jobs",
      "let n = 0; for (;;) { n++; await null }",
      { microtasks: 0, operations: 0 },
      () => ({ signal: AbortSignal.timeout(25) }),
    ],
  ];
  test.each(stopped)("%s", async (_what, code, limits, options) => {
    await using live = await openSession(tools, limits);
    const record = await live.run(code, options());
    expect(record.result).toMatchObject({ type: "stopped" });
    if (record.result.type !== "stopped") return;
    const { reason, operations } = record.result;

    await using again = await openSession(tools, limits);
    const replayed = await again.replay(code, record.deliveries, { replayStop: { reason, operations } });
    expect(JSON.stringify(replayed.result)).toBe(JSON.stringify(record.result));
    expect(JSON.stringify(replayed.calls)).toBe(JSON.stringify(record.calls));
    const left = await Promise.all([live.run("n"), again.run("n")]);
    expect(bytesOf(left[1])).toBe(bytesOf(left[0]));
  });

  test("an abort while the block waits for a call", async () => {
    const code = "let n = 1; const first = look(1); n = 2; await look(2); n = 3; await hang(); n = 4";
    await using live = await openSession({ ...tools, hang });
    const abort = new AbortController();
    let printed = 0;
    const running = live.run(code, { signal: abort.signal });
    const timer = setInterval(() => void (++printed > 5 && abort.abort()), 5);
    const record = await running;
    clearInterval(timer);
    if (record.result.type !== "stopped") throw new Error(JSON.stringify(record.result));
    const { reason, operations } = record.result;
    await using again = await openSession({ ...tools, hang });
    const replayed = await again.replay(code, record.deliveries, { replayStop: { reason, operations } });
    expect(bytesOf(replayed)).toBe(bytesOf({ ...record }));
    const left = "[n, first]";
    expect(bytesOf(await again.run(left))).toBe(bytesOf(await live.run(left)));
  });
});

describe("no limit applies in a replay", () => {
  test("a block that ended by itself ends again under limits that it would exceed", async () => {
    const code = "let s = 0; for (let i = 0; i < 10_000; i++) s += i; print('x'.repeat(1000)); s";
    const record = await runBlock(code);
    await using strict = await openSession(
      {},
      { operations: 100, guestTimeMs: 1, memoryBytes: 1_000, outputCharacters: 10, microtasks: 1 },
    );
    expect(bytesOf(await strict.replay(code, []))).toBe(bytesOf(record));
  });
});

describe("the clock", () => {
  test("stands still while code runs, moves to the time of each delivery, and never goes back", async () => {
    await using session = await openSession({ look: hang });
    const execution = session.executor.execute(
      "const t = [Date.now()]; for (const n of [1, 2, 3]) { await look(n); t.push(Date.now()) } t",
      {
        signal: new AbortController().signal,
        time: 1_000,
        seed: "",
        onCall: () => {},
        onConsole: () => {},
      },
    );
    await session.executor.deliver(1, { type: "ok", value: 0 }, 5_000);
    await session.executor.deliver(2, { type: "ok", value: 0 }, 3_000);
    await session.executor.deliver(3, { type: "ok", value: 0 }, 7_000);
    expect(await execution).toMatchObject({ output: { value: [1_000, 5_000, 5_000, 7_000] } });
  });

  test("starts at the time that each block gets", async () => {
    expect(await valueOf("Date.now()")).toBe(1_000_000);
    expect(await valueOf("new Date().getTime() === Date.now()")).toBe(true);
  });
});

describe("random numbers", () => {
  test("differ between seeds, and are between 0 and 1", async () => {
    await using session = await openSession();
    const draw = async (seed: string): Promise<string> =>
      JSON.stringify((await session.run("Array.from({ length: 1000 }, () => Math.random())", { seed })).result);
    const [one, other] = [await draw("a"), await draw("b")];
    expect(one).not.toBe(other);
    const numbers = (await valueOf("Array.from({ length: 10_000 }, () => Math.random())")) as number[];
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toBeCloseTo(0.5, 1);
    expect(new Set(numbers).size).toBe(10_000);
  });
});
