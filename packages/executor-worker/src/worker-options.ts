import {
  type InterpreterLimits,
  type InterpreterOptions,
  interpreterDefaults,
  limitOptions,
} from "@smolts/interpreter";
import { type ExecutorFactory, invalidOption, type OptionTable } from "@smolts/protocol";

/** The options that the functions `worker` for Node and for browsers share. */
export interface WorkerOptions extends Pick<InterpreterOptions, "modules" | "additionalAuthorizedImports"> {
  /**
   * The limits of a block of code, as in `interpreter({ limits })`. A block that reaches a limit
   * ends, but its thread survives. The defaults are the same, with one difference: a block may
   * compute for 30 s, because it does not block this process.
   */
  readonly limits?: InterpreterLimits;
  /**
   * How many threads are started in advance. With 0, each thread is started when it is needed. The
   * first threads start when the first sandbox is opened, or when `warm` is called. Default: 1.
   */
  readonly pool?: number;
}

/** The types of the options that threads and processes share. */
export const workerOptions: OptionTable<WorkerOptions> = {
  modules: "object",
  additionalAuthorizedImports: true,
  limits: limitOptions,
  pool: true,
};

/** A factory of executors that run in threads. */
export interface WorkerExecutorFactory extends ExecutorFactory, Disposable {
  /** Starts the threads of the pool now. */
  warm(): void;
}

/**
 * Checks that an option is a whole number that is not less than `least`.
 *
 * @throws AgentError `invalid-option`
 */
export function checkWholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidOption(
    `${name} is ${String(value)}; expected a whole number >= ${least}`,
    `for example, write ${name}: ${Math.max(least, 1)}`,
  );
}

// The part of a heap that the interpreter itself needs, in MB.
const ownMb = 16;
// The part of the remaining heap that code may use. The rest is for garbage that is not collected
// yet, and for lists that are copied while they grow.
const usablePart = 0.7;
const minMb = 4;

/**
 * Returns the limits of code that has its own heap. The memory limit is smaller than the heap, so
 * that the interpreter stops the code before the engine ends the whole process.
 *
 * @throws AgentError `invalid-option` if `limits.memoryBytes` was set and does not fit
 */
export function limitsForHeap(heapMb: number, limits: InterpreterLimits = {}): InterpreterLimits {
  const maxMb = Math.max(minMb, Math.floor((heapMb - ownMb) * usablePart));
  const { memoryBytes } = limits;
  if (memoryBytes === undefined)
    return { ...limits, memoryBytes: Math.min(maxMb * 2 ** 20, interpreterDefaults.memoryBytes) };
  if (memoryBytes > maxMb * 2 ** 20 && memoryBytes !== Number.POSITIVE_INFINITY) {
    const neededMb = Math.ceil(memoryBytes / 2 ** 20 / usablePart) + ownMb;
    throw invalidOption(
      `limits.memoryBytes is ${memoryBytes}; expected at most ${maxMb * 2 ** 20} with heapMb: ${heapMb}`,
      `leave memoryBytes out, or write heapMb: ${neededMb}`,
    );
  }
  return limits;
}
