// An execution is stopped with one executor and repeated with another. It must stop at the same
// operation again, regardless of what ran earlier in the two sessions.

import { worker } from "@smolts/executor-worker";
import { process } from "@smolts/executor-worker/process";
import { interpreter } from "@smolts/interpreter";
import type { ExecuteOptions, ExecutionResult, Executor, ExecutorFactory } from "@smolts/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { bundledGuest } from "./bundled-guest.ts";

type Places = { readonly [name: string]: ExecutorFactory };

const opened: Disposable[] = [];
const guests = { thread: await bundledGuest("guest.node"), child: await bundledGuest("guest-process.node") };
afterAll(() => {
  for (const factory of opened) factory[Symbol.dispose]();
});

function placesWith(guestTimeMs: number): Places {
  const limits = { guestTimeMs, memoryBytes: 48 * 2 ** 20 };
  const inThread = worker({ limits, pool: 0, entry: guests.thread });
  const inChild = process({ limits, pool: 0, entry: guests.child });
  opened.push(inThread, inChild);
  return { "this process": interpreter({ limits }), "a thread": inThread, "a child process": inChild };
}

const places = placesWith(60);
/**
 * The executors for replays. A replay ignores the time limit, but a guest is also killed if it does
 * not answer for longer than that limit. On a busy machine a guest may get no CPU time for seconds,
 * so the limit is 30 s.
 */
const replays = placesWith(30_000);

/** Endless programs that a limit stops at some point. `state` shows at which point. */
const programs: { readonly [name: string]: string } = {
  "plain work": "for (;;) { state.push(state.length % 7); if (state.length > 1e4) state = [rounds++]; }",
  "formatted numbers and dates":
    "for (;;) { rounds++; state = [rounds.toLocaleString('de'), new Date(rounds * 1e9).toLocaleString('en', { timeZone: ['Asia/Tokyo', 'UTC'][rounds % 2] }), ['b', 'ä'].sort(new Intl.Collator('sv').compare).join()]; }",
  "patterns and texts":
    "for (;;) { rounds++; state = 'k=v; a=b; '.repeat(rounds % 50).replace(/(?<key>\\w)=(\\w)/g, '$2=$<key>').split(/;\\s*/); }",
  "sorting and JSON":
    "for (;;) { rounds++; state = JSON.parse(JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ i: (i * 7919 + rounds) % 300 })).sort((a, b) => a.i - b.i))); }",
  "printed values":
    "for (;;) { rounds++; state = [{ rounds, list: Array(rounds % 200).fill(rounds) }]; if (rounds % 50 === 0) console.log(state); }",
  "generators and sets":
    "function* g(n) { for (let i = 0; i < n; i++) yield i; } for (;;) { rounds++; state = [...new Set(g(rounds % 90)).union(new Set(g(9)))]; }",
  "memory that is kept": "for (;;) { rounds++; state.push('x'.repeat(1000) + rounds); }",
  awaits: "for (;;) { rounds++; state = await Promise.all([rounds, Promise.resolve(1), (async () => rounds)()]); }",
};

const where = "[rounds, state.length, JSON.stringify(state.at(-1))]";

async function run(executor: Executor, code: string, options: Partial<ExecuteOptions> = {}): Promise<ExecutionResult> {
  const { signal } = new AbortController();
  return await executor.execute(code, { signal, time: 1_000, seed: "seed", onCall() {}, onConsole() {}, ...options });
}

const valueIn = (result: ExecutionResult): unknown => (result.type === "value" ? result.output?.value : result);

/**
 * Opens a session with the variables that the programs use. If `isWarm`, another program has
 * already run in it.
 */
async function open(factory: ExecutorFactory, isWarm: boolean): Promise<Executor> {
  const executor = await factory.open({ signal: new AbortController().signal });
  await executor.start({ tools: [] });
  await run(executor, "let rounds = 0, state = [];");
  if (isWarm) await run(executor, "(5).toLocaleString('de'); for (let i = 0; i < 1e3; i++) [i].map(String);");
  return executor;
}

describe.each(Object.keys(places))("a block that was stopped in %s", (place) => {
  test.each(Object.entries(programs))("stops at the same operation everywhere: %s", async (_name, code) => {
    await using live = await open(places[place] as ExecutorFactory, place === "this process");
    const stopped = await run(live, code);
    if (stopped.type !== "stopped") throw new Error(JSON.stringify(stopped));
    const found = valueIn(await run(live, where));
    for (const other of Object.values(replays)) {
      await using again = await open(other, place === "this process");
      const { reason, operations } = stopped;
      expect(await run(again, code, { replay: true, replayStop: { reason, operations } })).toMatchObject({
        type: "stopped",
        reason,
        operations,
      });
      expect(valueIn(await run(again, where))).toEqual(found);
    }
  });
});
