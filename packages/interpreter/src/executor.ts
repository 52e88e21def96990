// The door of the package. The engine behind it, with its parser, is loaded when the first run
// begins or the first sandbox is opened, so that importing an agent stays quick.

import { type Executor, type ExecutorFactory, type Modules, type OptionTable, readOptions } from "@smolts/protocol";
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
   * What programs may import, by name: `guestModule(source)` or `hostModule({ name: function })`.
   */
  readonly modules?: Modules;
  /**
   * Narrows what programs may import: `name`, `name/path`, `name.*` with all below it, or `*`.
   *
   * @defaultValue every module that was given
   */
  readonly additionalAuthorizedImports?: readonly string[];
  /**
   * At most how many bytes the code holds, as far as the platform tells. Asked when it allocated
   * `limits.memoryBytes` since it began, to learn how much of that is held still; what it gives
   * beyond the limit, or `Infinity`, ends the execution.
   *
   * @defaultValue by how much the heap is larger than its least, on Node and Deno; elsewhere nobody
   *   tells, and `Infinity`
   */
  readonly heldBytes?: () => number;
}

/**
 * Runs JavaScript in this process, sandboxed: the code reaches its tools and the language's own
 * built-ins, and nothing of the host.
 *
 * Loops, calls, memory and printing are limited. Clock and random numbers come from the record, so
 * that running the same code again with the same outcomes of its calls rebuilds the same state.
 * Top-level variables stay from one execution to the next and may be declared again. Timers never
 * wait: when nothing else is left to do, the program's clock moves to the next one. A promise as
 * last value is awaited. Everything runs on the calling thread: a loop without `await` ends by its
 * limits, for nothing from outside can be heard meanwhile, while a chain of promises gives way now
 * and then and hears an abort. For code by hostile authors add a worker, for hostile code of many
 * tenants a process.
 *
 * @throws AgentError `invalid-option` when a limit is not a whole number, or an authorised import
 *   is none of the modules
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
  } = readOptions(options, "interpreter()", interpreterOptions);
  const resolved = resolveLimits(limits);
  checkModules(modules, authorizedImports);
  const imports = declareImports(modules, authorizedImports);
  let engine: ReturnType<typeof importEngine> | undefined;
  // Each dynamic import asks the host's loader, which costs a run time that its first event waits
  // for.
  const loadEngine = (): ReturnType<typeof importEngine> => {
    engine ??= importEngine().catch((error: unknown) => {
      engine = undefined;
      throw error;
    });
    return engine;
  };
  return {
    language: "javascript",
    replay: "exact",
    environment: environmentOfPrograms(),
    modules,
    ...(authorizedImports && { authorizedImports }),
    warm: () => void loadEngine().catch(() => {}), // open() loads it again and reports the failure
    async open({ signal }): Promise<Executor> {
      const { InterpreterExecutor } = await loadEngine();
      signal.throwIfAborted();
      return new InterpreterExecutor({ limits: resolved, heldBytes, imports, signal });
    },
  };
}

const interpreterOptions: OptionTable<InterpreterOptions> = {
  limits: limitOptions,
  modules: "object",
  additionalAuthorizedImports: true,
  heldBytes: "function",
};

const importEngine = (): Promise<typeof import("./interpreter-executor.ts")> => import("./interpreter-executor.ts");
