import { type OptionTable, readOptions } from "@smolts/protocol";
import { startNodeThread } from "./thread.node.ts";
import { workerFactory } from "./worker-factory.ts";
import {
  checkWholeNumber,
  limitsForHeap,
  type WorkerExecutorFactory,
  type WorkerOptions,
  workerOptions,
} from "./worker-options.ts";

/** Options of {@link worker}. */
export interface NodeWorkerOptions extends WorkerOptions {
  /**
   * Size of each thread's heap, in MB; a thread that needs more is killed. `limits.memoryBytes`
   * must fit into it: at most 70 % of what is beyond 16 MB, which is its default up to 256 MB. Only
   * Node holds threads to it: elsewhere `limits.memoryBytes` is what holds. Default 384.
   */
  readonly heapMb?: number;
  /**
   * File that the threads run: `@smolts/executor-worker/guest`, where a bundler has moved it.
   * Default: the one beside this module.
   */
  readonly entry?: URL;
}

const youngGenerationMb = 32;

/**
 * Runs JavaScript in threads, sandboxed by `interpreter()` as in this process, and besides with a
 * heap of its own and a hard kill.
 *
 * Code that is out of memory, does not heed an abort within 300 ms, or computes more than a second
 * past its limit is ended with its thread. The process goes on, and so does the session: its next
 * block runs in another thread with the variables as they were before the block that was ended.
 *
 * @throws AgentError `invalid-option` when an option is not a whole number, or `limits.memoryBytes`
 *   does not fit into the heap
 * @example
 * ```ts
 * import { worker } from "@smolts/executor-worker";
 *
 * using threads = worker({ limits: { guestTimeMs: 5_000 }, heapMb: 128 });
 * const signal = AbortSignal.timeout(10_000);
 * await using executor = await threads.open({ signal });
 * await executor.start({ tools: [] });
 * const options = { signal, time: 0, seed: "seed", onCall: () => {}, onConsole: () => {} };
 * const result = await executor.execute("[1, 2, 3].map((n) => n * n)", options);
 * if (result.type === "value") console.log(result.output?.text); // [ 1, 4, 9 ]
 * ```
 */
export function worker(given: NodeWorkerOptions = {}): WorkerExecutorFactory {
  const { heapMb = 384, entry, ...options } = readOptions(given, "worker()", nodeWorkerOptions);
  const maxOldGenerationSizeMb = checkWholeNumber("heapMb", heapMb, 16);
  const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: youngGenerationMb };
  const limits = limitsForHeap(heapMb, options.limits);
  return workerFactory(() => startNodeThread(resourceLimits, entry), { ...options, limits });
}

const nodeWorkerOptions: OptionTable<NodeWorkerOptions> = { ...workerOptions, heapMb: true, entry: "object" };
