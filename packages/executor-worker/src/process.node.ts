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
   * Size of the heap that code has in a child process, in MB. `limits.memoryBytes` must fit into
   * it, as in `worker()`. Default 384.
   */
  readonly heapMb?: number;
  /**
   * File that the child processes run: `@smolts/executor-worker/guest-process`, where a bundler has
   * moved it. Default: the one beside this module.
   */
  readonly entry?: URL;
}

const youngGenerationMb = 32;
// The program Node itself, its threads' stacks, and what code is compiled to.
const processMb = 160;

/**
 * Runs JavaScript in child processes, sandboxed by `interpreter()` as in this process. Whatever the
 * code does, this process lives.
 *
 * A child has a heap limit and a limit of all its memory. On Linux with Node below 22, the system
 * holds it to that where `prlimit` is installed (util-linux). Elsewhere the child looks at its own
 * size 40 times a second. It is killed as a thread of `worker()` is: when its memory is full, when
 * an abort is not heeded within 300 ms, or when it computes more than a second past its limit. A
 * child that dies ends its block as `stopped` with the reason `memory`; the session continues in
 * another child, with the variables as they were before that block.
 *
 * @throws AgentError `invalid-option` when an option is not a whole number, or `limits.memoryBytes`
 *   does not fit into the heap
 * @example
 * ```ts
 * import { process } from "@smolts/executor-worker/process";
 *
 * using children = process({ heapMb: 128, pool: 2 });
 * const signal = AbortSignal.timeout(10_000);
 * await using executor = await children.open({ signal });
 * await executor.start({ tools: [] });
 * const options = { signal, time: 0, seed: "seed", onCall: () => {}, onConsole: () => {} };
 * const result = await executor.execute("6 * 7", options);
 * if (result.type === "value") console.log(result.output?.text); // 42
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
