import { type CreateWorker, type WorkerFactory, workerFactory } from "@smolts/executor-remote/worker";
import { invalidOption, type OptionTable } from "@smolts/protocol";

/** The limits of a block of code. 0 disables a limit. */
export interface PyodideLimits {
  /**
   * How long a block may run, in ms. Time spent waiting for calls does not count. Default: 30000.
   */
  readonly guestTimeMs?: number;
  /**
   * The maximum memory that Python may use, in bytes. Code that needs more gets a `MemoryError`.
   * Default: 1 GB.
   */
  readonly memoryBytes?: number;
  /** The maximum number of characters that one block may print. Default: 1000000. */
  readonly outputCharacters?: number;
  /** The maximum number of calls that may be open at the same time. Default: 1000. */
  readonly pendingCalls?: number;
}

/** Options of `pyodide()`. */
export interface PyodideOptions {
  /** The limits of one block of code. Each limit has its own default. */
  readonly limits?: PyodideLimits;
  /**
   * Further modules that programs may import, besides the standard ones. See the agent's option of
   * the same name.
   */
  readonly additionalAuthorizedImports?: readonly string[];
  /**
   * Pure-Python wheels to install. The keys are file names, and the values are the bytes of the
   * files.
   */
  readonly wheels?: { readonly [fileName: string]: Uint8Array };
  /**
   * The address from which Pyodide's files and packages are loaded. Default: the npm package. The
   * option `packages` needs this option.
   */
  readonly indexUrl?: string;
  /** Packages of Pyodide's distribution that are loaded from `indexUrl`, such as `numpy`. */
  readonly packages?: readonly string[];
  /** How many workers are started in advance. Default: 0. */
  readonly pool?: number;
}

/** The types of the options that Node and browsers share. */
export const pyodideOptions: OptionTable<PyodideOptions> = {
  limits: { guestTimeMs: true, memoryBytes: true, outputCharacters: true, pendingCalls: true },
  additionalAuthorizedImports: "texts",
  wheels: "object",
  indexUrl: "text",
  packages: "texts",
  pool: true,
};

/**
 * A factory of executors that run Python in WebAssembly. Disposing it ends the workers in its pool.
 */
export type PyodideFactory = WorkerFactory;

const defaultLimits: Required<PyodideLimits> = {
  guestTimeMs: 30_000,
  memoryBytes: 1_000_000_000,
  outputCharacters: 1_000_000,
  pendingCalls: 1_000,
};

/**
 * How long Python may take to start, in ms. The limit is high because compiling it takes long on a
 * busy machine.
 */
const startLimitMs = 120_000;

/** Creates the factory for one kind of worker, either threads or Web Workers. */
export function pyodideFactory(
  { limits = {}, pool = 0, wheels = {}, packages = [], indexUrl, additionalAuthorizedImports }: PyodideOptions,
  create: CreateWorker,
  { isShared, failureHint }: { readonly isShared: boolean; readonly failureHint: string },
): PyodideFactory {
  checkWheels(wheels);
  return workerFactory({
    language: "python",
    engine: "Python in WebAssembly",
    create,
    shares: { mailbox: isShared, interrupt: isShared },
    limits,
    defaultLimits,
    pool,
    startLimitMs,
    additionalAuthorizedImports,
    failureHint,
    setup: async ({ memoryBytes }) => ({
      packages,
      wheels: Object.entries(wheels).map(([name, bytes]) => ({ name, bytes })),
      memoryBytes,
      ...(indexUrl === undefined ? {} : { indexUrl }),
    }),
  });
}

function checkWheels(wheels: NonNullable<PyodideOptions["wheels"]>): void {
  const hint = 'write wheels: { "name-1.0-py3-none-any.whl": bytes }';
  for (const [name, bytes] of Object.entries(wheels) as [string, unknown][]) {
    const problem = !name.endsWith(".whl")
      ? "is not the file name of a wheel"
      : !name.endsWith("-none-any.whl")
        ? "is not a wheel of pure Python, whose name ends in -none-any.whl"
        : bytes instanceof Uint8Array
          ? null
          : "has no bytes; expected a Uint8Array, such as a Buffer";
    if (problem) throw invalidOption(`pyodide(): in wheels, "${name}" ${problem}`, hint);
  }
}
