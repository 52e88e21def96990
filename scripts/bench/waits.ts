import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

const guest = (name: string): URL => new URL(`../../packages/executor-worker/src/${name}.ts`, import.meta.url);

/** Measures how long other programs wait while one runs an infinite loop. */
export const benchmark: Benchmark = {
  name: "waits",
  method:
    "the time from the request for another sandbox to the result of its first block, and the delay of a timer in the host, while a sandbox of the same kind runs an endless loop. Guest time is limited to 2 s in this process and unlimited elsewhere. The median of 9",
  goals: { processMs: 2_050, workerMs: 100, childMs: 50, hostBesideWorkerMs: 5, hostBesideChildMs: 5 },
  run: () => measureAsPublished("waits", { guest: guest("guest.node"), "guest-process": guest("guest-process.node") }),
};
