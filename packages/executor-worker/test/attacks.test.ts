// Attacks on time and memory, in threads. If the interpreter's limits do not stop an attack, its
// thread is ended from outside.

import { worker } from "@smolts/executor-worker";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shortAttacks } from "../../interpreter/test/attacks/attacks.ts";
import { attackLimits, hostTools, runAttack } from "../../interpreter/test/attacks/run-attack.ts";
import { bundledGuest } from "./bundled-guest.ts";

let threads: ReturnType<typeof worker>;
let highestMb = 0;
const watch = setInterval(() => {
  highestMb = Math.max(highestMb, process.memoryUsage().rss / 2 ** 20);
}, 50);

beforeAll(async () => {
  threads = worker({ entry: await bundledGuest("guest.node"), limits: attackLimits, heapMb: 128, pool: 2 });
});
afterAll(() => {
  clearInterval(watch);
  threads[Symbol.dispose]();
});

test.each(shortAttacks.filter(({ kind }) => kind === "dos-cpu" || kind === "dos-mem"))(
  "$id is ended, and does no harm",
  async (attack) => {
    const { breaches, cpuMs } = await runAttack(attack, hostTools, threads);
    expect(breaches, attack.code).toEqual([]);
    expect(cpuMs, attack.code).toBeLessThan(3_000);
  },
);

test("the process has not grown too much meanwhile", () => {
  expect(highestMb).toBeLessThan(1_024);
});
