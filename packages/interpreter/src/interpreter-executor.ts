import {
  AgentError,
  type CallOutcome,
  type ExecuteOptions,
  type ExecutionEnvironment,
  type ExecutionResult,
  type Executor,
  type ImportableModules,
  type VariableSummary,
  type VariablesOptions,
} from "@smolts/protocol";
import type { InterpreterLimits } from "./interpreter-limits.ts";
import { eraserFor } from "./modules/parse-module.ts";
import { isProgram } from "./program/is-program.ts";
import { ProgramSession } from "./session/session.ts";

/** The parts of an interpreter executor. */
export interface InterpreterParts {
  readonly limits: Required<InterpreterLimits>;
  readonly heldBytes: (collects?: boolean) => number;
  readonly callMs: number;
  /** The imports that programs may use if the caller of `start` does not name any. */
  readonly imports: ImportableModules;
  readonly signal: AbortSignal;
}

/**
 * The interpreter as an Executor. It checks that calls follow the contract and passes them to a
 * session.
 */
export class InterpreterExecutor implements Executor {
  readonly #session: ProgramSession;
  readonly #signal: AbortSignal;
  readonly #abortListener = (): void => this.#session.abort();
  #state: "opened" | "started" | "disposed" = "opened";

  readonly #imports: ImportableModules;

  constructor({ limits, heldBytes, callMs, imports, signal }: InterpreterParts) {
    this.#session = new ProgramSession(limits, { heldBytes, callMs });
    this.#imports = imports;
    this.#signal = signal;
    signal.addEventListener("abort", this.#abortListener);
  }

  async start(environment: ExecutionEnvironment): Promise<void> {
    if (this.#state !== "opened") throw misuse(`start() was called on an executor that is already ${this.#state}`);
    this.#state = "started";
    this.#session.defineTools(environment);
    const imports = environment.imports ?? this.#imports;
    this.#session.modules.set(imports, await eraserFor(imports));
  }

  // Not async: when this method returns, the program must already have made its first calls.
  execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    if (this.#state !== "started")
      return Promise.reject(misuse(`execute() was called on an executor that is ${this.#state}`));
    if (this.#session.isBusy) return Promise.reject(misuse("execute() was called while another execution is running"));
    return this.#session.execute(code, options);
  }

  deliver(callIndex: number, outcome: CallOutcome, time: number, execution?: number): Promise<void> {
    return this.#session.deliver(callIndex, outcome, time, execution);
  }

  isProgram(code: string): Promise<boolean> {
    return isProgram(code, this.#session.programs, this.#session.limits);
  }

  async variables(options?: VariablesOptions): Promise<readonly VariableSummary[]> {
    return this.#session.summarize(options);
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
