// The entry point of the package. The engine and its parser are loaded when the first run begins or
// the first sandbox is opened, so that importing an agent stays quick.

import {
  type Executor,
  type ExecutorFactory,
  explainFactory,
  invalidOption,
  type Modules,
  type OptionTable,
  readOptions,
} from "@smolts/protocol";
import { environmentOfPrograms } from "./environment.ts";
import { type InterpreterLimits, limitOptions, resolveLimits } from "./interpreter-limits.ts";
import { checkModules } from "./modules/authorized-imports.ts";
import { declareImports } from "./modules/define-module.ts";
import { heldBytesOfHost } from "./session/host-heap.ts";

/** Options of {@link interpreter}. */
export interface InterpreterOptions {
  /** The limits of one code block; see `interpreterDefaults`. 0 and `Infinity` turn a limit off. */
  readonly limits?: InterpreterLimits;
  /**
   * The modules that programs may import, by name: `guestModule(source)` or
   * `hostModule({ name: function })`.
   */
  readonly modules?: Modules;
  /**
   * Limits the modules that programs may import: `name`, `name/path`, `name.*` for a module and
   * everything below it, or `*`.
   *
   * @defaultValue every module in `modules`
   */
  readonly additionalAuthorizedImports?: readonly string[];
  /**
   * Returns an upper bound for the bytes that the code holds now. It is called after the code has
   * allocated `limits.memoryBytes`, to learn how many of those bytes are still in use. A result
   * above the limit, such as `Infinity`, ends the execution.
   *
   * @defaultValue on Node and Deno, the growth of the heap above its lowest known size; elsewhere
   *   `Infinity`
   */
  readonly heldBytes?: () => number;
  /**
   * The time in ms that the host needs to pass a small call to its tool and to pass the outcome
   * back. For a larger call, the time grows with the size of the arguments. It counts as time that
   * the code computed. Set this option if calls leave the thread. Default: 0.
   */
  readonly callMs?: number;
}

/**
 * Runs JavaScript in this process, sandboxed: the code reaches its tools and the language's own
 * built-ins, and nothing of the host.
 *
 * Loops, calls, memory and printing are limited. The clock and the random numbers depend only on
 * values that the caller passes in, so running the same code again with the same call outcomes
 * rebuilds the same state. Top-level variables persist from one execution to the next and may be
 * declared again. Timers never wait: when nothing else is left to do, the program's clock moves to
 * the next timer. If the last value is a promise, it is awaited.
 *
 * Everything runs on the calling thread. A chain of promises periodically yields to the host's
 * event loop, so an abort can reach it. A loop without `await` does not yield, so only its limits
 * end it. For code by hostile authors, add a worker; for hostile code of many tenants, a process.
 *
 * @throws AgentError `invalid-option` when a limit is not a whole number, or an authorised import
 *   is not one of the modules
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
export function interpreter(options: InterpreterOptions = {}): ExecutorFactory {
  const {
    limits = {},
    modules = {},
    additionalAuthorizedImports: authorizedImports,
    heldBytes = heldBytesOfHost,
    callMs = 0,
  } = readOptions(options, "interpreter()", interpreterOptions);
  const resolved = resolveLimits(limits);
  checkModules(modules, authorizedImports);
  checkCallMs(callMs);
  const imports = declareImports(modules, authorizedImports);
  let engine: ReturnType<typeof importEngine> | undefined;
  // Each dynamic import asks the host's module loader again. That would delay the first event of
  // every run, so keep the promise.
  const loadEngine = (): ReturnType<typeof importEngine> => {
    engine ??= importEngine().catch((error: unknown) => {
      engine = undefined;
      throw error;
    });
    return engine;
  };
  const factory: ExecutorFactory = {
    language: "javascript",
    replay: "exact",
    environment: environmentOfPrograms(),
    modules,
    ...(authorizedImports && { authorizedImports }),
    warm: () => void loadEngine().catch(() => {}), // open() loads it again and reports the failure
    async open({ signal }): Promise<Executor> {
      const { InterpreterExecutor } = await loadEngine();
      signal.throwIfAborted();
      return new InterpreterExecutor({ limits: resolved, heldBytes, callMs, imports, signal });
    },
  };
  return explainFactory(factory);
}

const interpreterOptions: OptionTable<InterpreterOptions> = {
  limits: limitOptions,
  modules: "object",
  additionalAuthorizedImports: true,
  heldBytes: "function",
  callMs: true,
};

function checkCallMs(callMs: number): void {
  if (Number.isFinite(callMs) && callMs >= 0) return;
  throw invalidOption(`callMs is ${String(callMs)}; expected a number >= 0`, "for example, write callMs: 0.1");
}

const importEngine = (): Promise<typeof import("./interpreter-executor.ts")> => import("./interpreter-executor.ts");
