import { type OptionTable, readOptions } from "@smolts/protocol";
import { startChild } from "./child.node.ts";
import { workerFactory } from "./worker-factory.ts";
import {
  checkWholeNumber,
  limitsForHeap,
  type WorkerExecutorFactory,
  type WorkerOptions,
  workerOptions,
} from "./worker-options.ts";

export type { WorkerExecutorFactory, WorkerOptions } from "./worker-options.ts";

/** Options of {@link process}. */
export interface ProcessOptions extends WorkerOptions {
  /**
   * The heap size for the code in a child process, in MB. `limits.memoryBytes` must fit into it;
   * the same rules apply as for `worker()`. Default: 384.
   */
  readonly heapMb?: number;
  /**
   * The file that the child processes run: `@smolts/executor-worker/guest-process`. Set it if a
   * bundler has moved that file. Default: the file beside this module.
   */
  readonly entry?: URL;
}

const youngGenerationMb = 32;
// The memory for Node itself, for compiled code and for the stacks of the threads, in MB.
const processMb = 160;

/**
 * Runs JavaScript in child processes. Inside, the code is sandboxed by `interpreter()`, as it would
 * be in this process. Whatever the code does, this process survives.
 *
 * A child has a heap limit and a limit for its total memory. On Linux with Node below 22, the
 * system enforces the total limit if `prlimit` (util-linux) is installed. Otherwise the child
 * checks its own size 40 times a second. A child is killed for the same reasons as a thread of
 * `worker()`: its memory is full, it ignores an abort for 300 ms, or it computes more than a second
 * past its time limit. If a child dies, its block ends as `stopped` with the reason `memory`. The
 * session continues in another child, with the variables as they were before that block.
 *
 * @throws AgentError `invalid-option` if an option is not a whole number, or if
 *   `limits.memoryBytes` does not fit into the heap
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { process } from "@smolts/executor-worker/process";
 *
 * using executor = process({ heapMb: 128, pool: 2 });
 * const model = modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>");
 * const agent = new CodeAgent({ model, executor });
 * console.log(await agent.run("What is six times seven?")); // 42
 * ```
 */
export function process(given: ProcessOptions = {}): WorkerExecutorFactory {
  const { heapMb = 384, entry, ...options } = readOptions(given, "process()", processOptions);
  const maxOldGenerationSizeMb = checkWholeNumber("heapMb", heapMb, 16);
  const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: youngGenerationMb };
  const maxMemoryBytes = (heapMb + youngGenerationMb + processMb) * 2 ** 20;
  const limits = limitsForHeap(heapMb, options.limits);
  return workerFactory(() => startChild({ resourceLimits, maxMemoryBytes, entry }), { ...options, limits });
}

const processOptions: OptionTable<ProcessOptions> = { ...workerOptions, heapMb: true, entry: "object" };
