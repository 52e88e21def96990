import { declareImports, type InterpreterLimits, interpreter } from "@smolts/interpreter";
import { type Executor, explainFactory } from "@smolts/protocol";
import type { StartThread } from "./guest-thread.ts";
import { ThreadPool } from "./thread-pool.ts";
import { WorkerExecutor } from "./worker-executor.ts";
import { checkWholeNumber, type WorkerExecutorFactory, type WorkerOptions } from "./worker-options.ts";

// How long a thread may exceed the time limit before it is killed, in ms. The interpreter checks
// the clock only between operations, and one operation may take a moment.
const graceMs = 600;
const defaultGuestTimeMs = 30_000;

/** Creates a factory of executors that run code in any kind of thread. */
export function workerFactory(
  startThread: StartThread,
  { pool = 1, ...options }: WorkerOptions,
): WorkerExecutorFactory {
  const { replay } = interpreter(options); // `interpreter` also checks the options
  const { modules = {}, additionalAuthorizedImports: authorizedImports } = options;
  const limits = { guestTimeMs: defaultGuestTimeMs, ...options.limits };
  const imports = declareImports(modules, authorizedImports);
  const threads = new ThreadPool(startThread, checkWholeNumber("pool", pool, 0));
  return explainFactory({
    language: "javascript",
    replay,
    modules,
    ...(authorizedImports && { authorizedImports }),
    async open({ signal }): Promise<Executor> {
      signal.throwIfAborted();
      return new WorkerExecutor({
        takeThread: () => threads.take(),
        limits: withoutInfinity(limits),
        imports,
        hangMs: hangMs(limits),
        signal,
      });
    },
    warm: () => threads.fill(),
    [Symbol.dispose]: () => threads.dispose(),
  });
}

/** Returns how long a thread may leave messages unanswered before it is killed, in ms. */
function hangMs({ guestTimeMs = defaultGuestTimeMs }: InterpreterLimits): number {
  return guestTimeMs === 0 ? Number.POSITIVE_INFINITY : guestTimeMs + graceMs;
}

/** Replaces `Infinity` with 0, which means the same, because JSON has no `Infinity`. */
function withoutInfinity(limits: InterpreterLimits): InterpreterLimits {
  const entries = Object.entries(limits) as [string, number | undefined][]; // all limits are numbers
  return Object.fromEntries(entries.map(([name, value]) => [name, value === Number.POSITIVE_INFINITY ? 0 : value]));
}
