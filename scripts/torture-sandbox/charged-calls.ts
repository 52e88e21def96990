// Checks that built-in functions are charged enough operations for the time that they take. A
// built-in is either marked `brief`, or its work is `counted`. In both cases, too few operations
// would make the limit of operations useless. This test calls a built-in with a hostile value until
// a limit ends the block, and compares the number of operations with the time.

import { interpreter } from "@smolts/interpreter";
import { hostileCalls } from "./hostile-calls.ts";

// An ordinary program executes 20,000 to 100,000 operations in a millisecond.
const minOperationsPerMs = 1_000;
const limits = { operations: 3_000_000, guestTimeMs: 400 };
// Several tries, because a busy machine may make any single try slow.
const tries = 3;

/** The operations that a built-in was charged for a value. */
export interface ChargedCall {
  readonly path: string;
  readonly value: string;
  /** The best rate of all tries. */
  readonly operationsPerMs: number;
  readonly isTooLittle: boolean;
}

/** Makes some of the calls, evenly spread, and yields the charge of each. */
export async function* chargedCalls(
  paths: readonly string[],
  every: number,
  offset: number,
): AsyncGenerator<ChargedCall> {
  const calls = paths.flatMap(hostileCalls).filter((_call, index) => index % every === offset % every);
  for (const { path, value, setup, loop } of calls) {
    let best = 0;
    for (let again = 0; again < tries && best < minOperationsPerMs; again++) {
      best = Math.max(best, await operationsPerMs(setup, loop));
    }
    yield { path, value, operationsPerMs: Math.round(best), isTooLittle: best < minOperationsPerMs };
  }
}

async function operationsPerMs(setup: string, loop: string): Promise<number> {
  const { signal } = new AbortController();
  await using executor = await interpreter({ limits }).open({ signal });
  await executor.start({ tools: [] });
  const options = { signal, time: 0, seed: "seed", onCall() {}, onConsole() {} };
  // Skip the call if making the value is too expensive by itself.
  if ((await executor.execute(setup, options)).type !== "value") return Number.POSITIVE_INFINITY;
  const before = process.cpuUsage();
  const { operations } = await executor.execute(loop, options);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  return ms < 50 ? Number.POSITIVE_INFINITY : operations / ms;
}
