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
   * The heap size of each thread, in MB. A thread that needs more is killed. `limits.memoryBytes`
   * must fit into the heap: its maximum is 70 % of the part beyond 16 MB. Its default is that
   * maximum, but at most 256 MB. Only Node enforces the heap size. With other runtimes, only
   * `limits.memoryBytes` is enforced. Default: 384.
   */
  readonly heapMb?: number;
  /**
   * The file that the threads run: `@smolts/executor-worker/guest`. Set it if a bundler has moved
   * that file. Default: the file beside this module.
   */
  readonly entry?: URL;
}

const youngGenerationMb = 32;

/**
 * Runs JavaScript in threads. The code is sandboxed by `interpreter()`, as it would be in this
 * process. In addition, each thread has its own heap and can be killed.
 *
 * If code runs out of memory, ignores an abort for 300 ms, or computes more than a second past its
 * limit, its thread is killed. The process and the session continue. The next block runs in another
 * thread, with the variables as they were before the killed block.
 *
 * @throws AgentError `invalid-option` if an option is not a whole number, or if
 *   `limits.memoryBytes` does not fit into the heap
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { worker } from "@smolts/executor-worker";
 *
 * using executor = worker({ limits: { guestTimeMs: 5_000 }, heapMb: 128 });
 * const model = modelFromFunction(() => "<code>finalAnswer([1, 2, 3].map((n) => n * n))</code>");
 * const agent = new CodeAgent({ model, executor });
 * console.log(await agent.run("Square 1, 2 and 3.")); // [ 1, 4, 9 ]
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
