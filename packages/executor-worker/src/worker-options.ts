import {
  type InterpreterLimits,
  type InterpreterOptions,
  interpreterDefaults,
  limitOptions,
} from "@smolts/interpreter";
import { AgentError, type ExecutorFactory, type OptionTable } from "@smolts/protocol";

/** Options of both `worker` functions. */
export interface WorkerOptions extends Pick<InterpreterOptions, "modules" | "additionalAuthorizedImports"> {
  /**
   * The limits of a block of code, as in `interpreter({ limits })`; reaching one ends the block and
   * leaves the thread alive. The same defaults, but that a block may compute for 30 s: nobody waits
   * for the thread.
   */
  readonly limits?: InterpreterLimits;
  /**
   * Threads started ahead. Default 1; 0 starts each when it is needed. The first come when the
   * first sandbox is opened, or by `warm`.
   */
  readonly pool?: number;
}

/** The options of workers and processes. */
export const workerOptions: OptionTable<WorkerOptions> = {
  modules: "object",
  additionalAuthorizedImports: true,
  limits: limitOptions,
  pool: true,
};

/** A factory of executors that run in threads. */
export interface WorkerExecutorFactory extends ExecutorFactory, Disposable {
  /** Starts the pool's threads now. */
  warm(): void;
}

/**
 * Checks that an option is a whole number from `least` on.
 *
 * @throws AgentError `invalid-option`
 */
export function checkWholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new AgentError("invalid-option", `${name} is ${String(value)}; expected a whole number >= ${least}`, {
    hint: `write for instance ${name}: ${Math.max(least, 1)}`,
  });
}

// The interpreter's own share of a heap.
const ownMb = 16;
// The rest of the heap is for what is not cleared away yet, and for lists that are moved while they
// grow.
const usablePart = 0.7;
const leastMb = 4;

/**
 * The limits of code that has a heap of its own: its memory fits into the heap, so that it is
 * stopped before the engine ends the whole process.
 *
 * @throws AgentError `invalid-option` when `limits.memoryBytes` is given and does not fit
 */
export function limitsForHeap(heapMb: number, limits: InterpreterLimits = {}): InterpreterLimits {
  const mostMb = Math.max(leastMb, Math.floor((heapMb - ownMb) * usablePart));
  const { memoryBytes } = limits;
  if (memoryBytes === undefined)
    return { ...limits, memoryBytes: Math.min(mostMb * 2 ** 20, interpreterDefaults.memoryBytes) };
  if (memoryBytes > mostMb * 2 ** 20 && memoryBytes !== Number.POSITIVE_INFINITY) {
    const neededMb = Math.ceil(memoryBytes / 2 ** 20 / usablePart) + ownMb;
    throw new AgentError(
      "invalid-option",
      `limits.memoryBytes is ${memoryBytes}; expected at most ${mostMb * 2 ** 20} with heapMb: ${heapMb}`,
      { hint: `leave memoryBytes out, or write heapMb: ${neededMb}` },
    );
  }
  return limits;
}
