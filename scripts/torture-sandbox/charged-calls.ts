// Whether built-ins cost what they say. A built-in is `brief` or has `counted` its work: either
// way, so many operations of a program take the host about so long. This calls a built-in with a
// hostile value until a limit ends the block, and compares what the block was charged with the time
// that it took.

import { interpreter } from "@smolts/interpreter";
import { hostileCalls } from "./hostile-calls.ts";

// An ordinary program does 20,000 to 100,000 in a millisecond.
const fewestOperationsPerMs = 1_000;
const limits = { operations: 3_000_000, guestTimeMs: 400 };
// A busy machine may make any of them slow once.
const tries = 3;

/** The charge of a built-in for a value. */
export interface ChargedCall {
  readonly path: string;
  readonly value: string;
  /** The best of all tries. */
  readonly operationsPerMs: number;
  readonly isTooLittle: boolean;
}

/** Makes every so many of the calls, and says what each is charged. */
export async function* chargedCalls(
  paths: readonly string[],
  every: number,
  offset: number,
): AsyncGenerator<ChargedCall> {
  const calls = paths.flatMap(hostileCalls).filter((_call, index) => index % every === offset % every);
  for (const { path, value, setup, loop } of calls) {
    let best = 0;
    for (let again = 0; again < tries && best < fewestOperationsPerMs; again++) {
      best = Math.max(best, await operationsPerMs(setup, loop));
    }
    yield { path, value, operationsPerMs: Math.round(best), isTooLittle: best < fewestOperationsPerMs };
  }
}

async function operationsPerMs(setup: string, loop: string): Promise<number> {
  const { signal } = new AbortController();
  await using executor = await interpreter({ limits }).open({ signal });
  await executor.start({ tools: [] });
  const options = { signal, time: 0, seed: "seed", onCall() {}, onConsole() {} };
  if ((await executor.execute(setup, options)).type !== "value") return Number.POSITIVE_INFINITY; // it takes too much by itself
  const before = process.cpuUsage();
  const { operations } = await executor.execute(loop, options);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  return ms < 50 ? Number.POSITIVE_INFINITY : operations / ms;
}
