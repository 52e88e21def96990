// Creates executors that run a language in workers, with limits and a pool of workers.

import { AgentError, type Executor, type ExecutorFactory, explainFactory, invalidOption } from "@smolts/protocol";
import { WorkerExecutor } from "./worker-executor.ts";
import { type CreateWorker, WorkerHost, type WorkerSource } from "./worker-host.ts";

/** The limits of a block of code. 0 disables a limit. */
export interface WorkerLimits {
  /** How long a block may run, in ms. The time spent waiting for calls does not count. */
  readonly guestTimeMs?: number;
  /** The most memory that the language may use, in bytes. */
  readonly memoryBytes?: number;
  /** The most characters that one block may print. */
  readonly outputCharacters?: number;
  /** The most calls that may be open at the same time. */
  readonly pendingCalls?: number;
}

/** Options of {@link workerFactory}. */
export interface WorkerFactoryOptions {
  /** The language of the code. */
  readonly language: ExecutorFactory["language"];
  /** The human-readable name of the language's engine, such as `Python in WebAssembly`. */
  readonly engine: string;
  /** Starts a worker. */
  readonly create: CreateWorker;
  /** The memory that the worker and its host share. */
  readonly shares: WorkerSource["shares"];
  /** The limits that the user has set. */
  readonly limits: WorkerLimits;
  /** The limits that are used if the user sets none. */
  readonly defaultLimits: Required<WorkerLimits>;
  /** How many workers are kept ready. */
  readonly pool: number;
  /** The modules that code may import. Default: all modules. */
  readonly additionalAuthorizedImports?: readonly string[] | undefined;
  /** The hint of the error if a worker does not start. */
  readonly failureHint: string;
  /** How long a worker may take to start, in ms. */
  readonly startLimitMs: number;
  /** Returns the first message to the guest, without the shared memory. */
  setup(limits: Required<WorkerLimits>): Promise<object>;
}

/** A factory of executors in workers. Disposing it ends the workers in its pool. */
export interface WorkerFactory extends ExecutorFactory, AsyncDisposable {
  /** Starts the workers of the pool. Starts at least one worker. */
  warm(): void;
}

/**
 * Creates a factory of executors that run a language in workers.
 *
 * @throws AgentError `invalid-option`
 */
export function workerFactory(options: WorkerFactoryOptions): WorkerFactory {
  const { language, engine, create, shares, pool, startLimitMs, failureHint, additionalAuthorizedImports } = options;
  const limits = checkedLimits(options.limits, options.defaultLimits);
  if (!Number.isSafeInteger(pool) || pool < 0) throw invalid("pool", pool, "a whole number >= 0");
  const source: WorkerSource = {
    language: engine,
    create,
    shares,
    startLimitMs,
    failed: (message) => new AgentError("executor", `${engine} failed: ${message}`, { hint: failureHint }),
    setup: () => options.setup(limits),
  };
  const waiting: WorkerHost[] = [];
  let isDisposed = false;
  const fill = (least: number): void => {
    while (!isDisposed && waiting.length < Math.max(pool, least)) waiting.push(new WorkerHost(source));
  };
  const take = (): WorkerHost => {
    const ready = waiting.splice(0).filter((worker) => !worker.isOver);
    const worker = ready.shift() ?? new WorkerHost(source);
    waiting.push(...ready);
    fill(0);
    return worker;
  };
  return explainFactory({
    language,
    replay: "never",
    ...(additionalAuthorizedImports && { authorizedImports: additionalAuthorizedImports }),
    warm: () => fill(1),
    async open({ signal }): Promise<Executor> {
      signal.throwIfAborted();
      return new WorkerExecutor(take, limits, engine);
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      for (const worker of waiting.splice(0)) worker.terminate();
    },
  });
}

function checkedLimits(given: WorkerLimits, defaults: Required<WorkerLimits>): Required<WorkerLimits> {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (!Object.hasOwn(defaults, name)) {
      throw invalidOption(
        `limits.${name} is not a limit of this executor`,
        `the limits are ${Object.keys(defaults).join(", ")}`,
      );
    }
    const isLimit = typeof value === "number" && value >= 0;
    if (value !== undefined && !isLimit) throw invalid(`limits.${name}`, value, "a number >= 0");
  }
  const limits = { ...defaults, ...given };
  const finite = (value: number): number => (value === Number.POSITIVE_INFINITY ? 0 : value);
  return {
    guestTimeMs: finite(limits.guestTimeMs),
    memoryBytes: finite(limits.memoryBytes),
    outputCharacters: finite(limits.outputCharacters),
    pendingCalls: finite(limits.pendingCalls),
  };
}

const invalid = (name: string, value: unknown, expected: string): AgentError =>
  invalidOption(`${name} is ${String(value)}; expected ${expected}`, `leave ${name} out for the default`);
