import { type CreateWorker, type WorkerFactory, workerFactory } from "@smolts/executor-remote/worker";
import { AgentError, type OptionTable } from "@smolts/protocol";

/** The limits of a block of code. 0 turns a limit off. */
export interface PyodideLimits {
  /** Time of a block in ms, not counting the time spent waiting for calls. Default 30000. */
  readonly guestTimeMs?: number;
  /** Memory of Python in bytes; what needs more gets a `MemoryError`. Default 1 GB. */
  readonly memoryBytes?: number;
  /** Characters printed by one block. Default 1000000. */
  readonly outputCharacters?: number;
  /** Calls open at the same time. Default 1000. */
  readonly pendingCalls?: number;
}

/** Settings of `pyodide()`. */
export interface PyodideOptions {
  /** What one block of code may use; each limit has its own default. */
  readonly limits?: PyodideLimits;
  /**
   * Modules that programs may import besides the standard ones; see the option of the same name of
   * an agent.
   */
  readonly additionalAuthorizedImports?: readonly string[];
  /** Wheels of pure Python to install: their bytes by file name. */
  readonly wheels?: { readonly [fileName: string]: Uint8Array };
  /**
   * Where to load Pyodide's files and packages from, instead of the npm package. Its own `packages`
   * need it.
   */
  readonly indexUrl?: string;
  /** Packages of Pyodide's distribution to load from `indexUrl`, such as `numpy`. */
  readonly packages?: readonly string[];
  /** Workers started ahead. Default 0. */
  readonly pool?: number;
}

/** The options that both platforms have. */
export const pyodideOptions: OptionTable<PyodideOptions> = {
  limits: { guestTimeMs: true, memoryBytes: true, outputCharacters: true, pendingCalls: true },
  additionalAuthorizedImports: "texts",
  wheels: "object",
  indexUrl: "text",
  packages: "texts",
  pool: true,
};

/**
 * A factory of executors with Python in WebAssembly. Disposing it ends the workers that wait in its
 * pool.
 */
export type PyodideFactory = WorkerFactory;

const defaultLimits: Required<PyodideLimits> = {
  guestTimeMs: 30_000,
  memoryBytes: 1_000_000_000,
  outputCharacters: 1_000_000,
  pendingCalls: 1_000,
};

/** How long Python has to start; a busy machine takes long to compile it. */
const startLimitMs = 120_000;

/** Makes the factory for one kind of worker. */
export function pyodideFactory(
  { limits = {}, pool = 0, wheels = {}, packages = [], indexUrl, additionalAuthorizedImports }: PyodideOptions,
  create: CreateWorker,
  { isShared }: { readonly isShared: boolean },
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
    failureHint: "check that the package pyodide is installed, and that indexUrl, packages and wheels are right",
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
          : "has no bytes: expected a Uint8Array, such as a Buffer";
    if (problem) throw new AgentError("invalid-option", `pyodide(): in wheels, "${name}" ${problem}`, { hint });
  }
}
