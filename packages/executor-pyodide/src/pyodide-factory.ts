import { AgentError, type Executor, type ExecutorFactory } from "@smolts/protocol";
import { PyodideExecutor } from "./pyodide-executor.ts";
import { type CreateWorker, WorkerHost, type WorkerSource } from "./worker-host.ts";

/** What a block of code may use. 0 turns a limit off. */
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
  readonly limits?: PyodideLimits;
  /** Modules that programs may import besides the standard ones; see the option of the same name of an agent. */
  readonly additionalAuthorizedImports?: readonly string[];
  /** Wheels of pure Python to install: their bytes by file name. */
  readonly wheels?: { readonly [fileName: string]: Uint8Array };
  /** Where to load Pyodide's files and packages from, instead of the npm package. Its own `packages` need it. */
  readonly indexUrl?: string;
  /** Packages of Pyodide's distribution to load from `indexUrl`, such as `numpy`. */
  readonly packages?: readonly string[];
  /** Workers started ahead. Default 0. */
  readonly pool?: number;
}

/** A factory of executors with Python in WebAssembly. Disposing it ends the workers that wait in its pool. */
export interface PyodideFactory extends ExecutorFactory, AsyncDisposable {
  /** Starts the workers of the pool, one at least. */
  warm(): void;
}

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
  options: PyodideOptions,
  create: CreateWorker,
  { isShared }: { readonly isShared: boolean },
): PyodideFactory {
  const limits = checkedLimits(options.limits ?? {});
  const { pool = 0, wheels = {}, packages = [], indexUrl, additionalAuthorizedImports } = options;
  if (!Number.isSafeInteger(pool) || pool < 0) throw invalid("pool", pool, "a whole number >= 0");
  const source: WorkerSource = {
    create,
    isShared,
    startLimitMs,
    failed: (message) =>
      new AgentError("executor", `Python in WebAssembly failed: ${message}`, {
        hint: "check that the package pyodide is installed, and that indexUrl and wheels are right",
      }),
    setup: async () => ({
      packages,
      wheels: Object.entries(wheels).map(([name, bytes]) => ({ name, bytes })),
      memoryBytes: limits.memoryBytes,
      ...(indexUrl === undefined ? {} : { indexUrl }),
    }),
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
  return {
    language: "python",
    replay: "never",
    ...(additionalAuthorizedImports && { authorizedImports: additionalAuthorizedImports }),
    warm: () => fill(1),
    async open({ signal }): Promise<Executor> {
      signal.throwIfAborted();
      return new PyodideExecutor(take, limits);
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      for (const worker of waiting.splice(0)) worker.terminate();
    },
  };
}

function checkedLimits(given: PyodideLimits): Required<PyodideLimits> {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (!Object.hasOwn(defaultLimits, name)) {
      throw new AgentError("invalid-option", `limits.${name} is not a limit of this executor`, {
        hint: `the limits are ${Object.keys(defaultLimits).join(", ")}`,
      });
    }
    const isLimit = typeof value === "number" && value >= 0;
    if (value !== undefined && !isLimit) throw invalid(`limits.${name}`, value, "a number >= 0");
  }
  const limits = { ...defaultLimits, ...given };
  const finite = (value: number): number => (value === Number.POSITIVE_INFINITY ? 0 : value);
  return {
    guestTimeMs: finite(limits.guestTimeMs),
    memoryBytes: finite(limits.memoryBytes),
    outputCharacters: finite(limits.outputCharacters),
    pendingCalls: finite(limits.pendingCalls),
  };
}

const invalid = (name: string, value: unknown, expected: string): AgentError =>
  new AgentError("invalid-option", `${name}: expected ${expected}, got ${String(value)}`, {
    hint: `leave ${name} out for the default`,
  });
