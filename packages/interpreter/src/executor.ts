// The interpreter as an Executor: the contract's guards around a session.

import {
  AgentError,
  type CallOutcome,
  type ExecuteOptions,
  type ExecutionEnvironment,
  type ExecutionResult,
  type Executor,
  type ExecutorFactory,
  type VariableSummary,
} from "@smolts/protocol";
import { type InterpreterLimits, resolveLimits } from "./interpreter-limits.ts";
import { Session } from "./session.ts";

/** Options of {@link interpreter}. */
export interface InterpreterOptions {
  /** What a block of code may use; see `interpreterDefaults`. 0 and `Infinity` turn a limit off. */
  readonly limits?: InterpreterLimits;
}

/**
 * Runs JavaScript in this process, sandboxed: the code reaches its tools and the language's own built-ins, and nothing of the host.
 *
 * Loops, calls, memory and printing are limited. Clock and random numbers come from the record, so that running the same code again with the
 * same outcomes of its calls rebuilds the same state. Top-level variables stay from one execution to the next and may be declared again.
 * Everything runs on the calling thread; for code by hostile authors add a worker, for hostile code of many tenants a process.
 *
 * @throws AgentError `invalid-option` when a limit is no whole number
 * @example
 * ```ts
 * import { interpreter } from "@smolts/interpreter";
 *
 * const signal = AbortSignal.timeout(10_000);
 * await using executor = await interpreter({ limits: { operations: 1_000_000 } }).open({ signal });
 * await executor.start({ tools: [] });
 * const options = { signal, time: 0, seed: "seed", onCall: () => {}, onConsole: () => {} };
 * const result = await executor.execute("[1, 2, 3].map((n) => n * n)", options);
 * if (result.type === "value") console.log(result.output?.text); // [ 1, 4, 9 ]
 * ```
 */
export function interpreter({ limits = {} }: InterpreterOptions = {}): ExecutorFactory {
  const resolved = resolveLimits(limits);
  return {
    language: "javascript",
    replay: "exact",
    async open({ signal }): Promise<Executor> {
      signal.throwIfAborted();
      return new InterpreterExecutor(new Session(resolved), signal);
    },
  };
}

class InterpreterExecutor implements Executor {
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #abortListener = (): void => this.#session.abort();
  #state: "opened" | "started" | "disposed" = "opened";

  constructor(session: Session, signal: AbortSignal) {
    this.#session = session;
    this.#signal = signal;
    signal.addEventListener("abort", this.#abortListener);
  }

  async start(environment: ExecutionEnvironment): Promise<void> {
    if (this.#state !== "opened") throw misuse(`start() was called on an executor that is ${this.#state} already`);
    this.#session.defineTools(environment);
    this.#state = "started";
  }

  // Not async: what the program asks first is asked before this returns.
  execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    if (this.#state !== "started")
      return Promise.reject(misuse(`execute() was called on an executor that is ${this.#state}`));
    if (this.#session.isBusy) return Promise.reject(misuse("execute() was called while another execution is going on"));
    return this.#session.execute(code, options);
  }

  deliver(callIndex: number, outcome: CallOutcome, time: number): Promise<void> {
    return this.#session.deliver(callIndex, outcome, time);
  }

  async variables(): Promise<readonly VariableSummary[]> {
    return this.#session.summarize();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = "disposed";
    this.#signal.removeEventListener("abort", this.#abortListener);
    this.#session.abort();
  }
}

const misuse = (message: string): AgentError =>
  new AgentError("executor", message, {
    hint: "open one executor for each session, start it once, and await each execution",
  });
