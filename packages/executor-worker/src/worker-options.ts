import type { InterpreterLimits, InterpreterOptions } from "@smolts/interpreter";
import { AgentError, type ExecutorFactory } from "@smolts/protocol";

/** Options of both `worker` functions. */
export interface WorkerOptions extends Pick<InterpreterOptions, "modules" | "additionalAuthorizedImports"> {
  /**
   * What a block of code may use, as in `interpreter({ limits })`; reaching one ends the block and leaves the thread alive. The same defaults, but
   * that a block may compute for 30 s: nobody waits for the thread.
   */
  readonly limits?: InterpreterLimits;
  /** Threads started ahead. Default 1; 0 starts each when it is needed. The first come when the first sandbox is opened, or by `warm`. */
  readonly pool?: number;
}

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
