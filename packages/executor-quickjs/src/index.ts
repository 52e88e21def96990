import { type OptionTable, readOptions } from "@smolts/protocol";
import { cpuUsage } from "node:process";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { overThread, type WorkerFactory, workerFactory } from "@smolts/executor-remote/worker";

/** The limits of a block of code. 0 disables a limit. */
export interface QuickJsLimits {
  /**
   * How long a block may run, in ms. Time spent waiting for calls does not count. Default: 30000.
   */
  readonly guestTimeMs?: number;
  /**
   * The most memory that the engine may use, in bytes. Code that needs more gets an error. Default:
   * 256 MB.
   */
  readonly memoryBytes?: number;
  /** The most characters that one block may print. Default: 1000000. */
  readonly outputCharacters?: number;
  /** The maximum number of calls without a result at any time. Default: 1000. */
  readonly pendingCalls?: number;
}

/** Options of {@link quickjs}. */
export interface QuickJsOptions {
  /** The limits of one block of code. Each limit has its own default. */
  readonly limits?: QuickJsLimits;
  /** How many threads are started in advance. Default: 0. */
  readonly pool?: number;
}

const defaultLimits: Required<QuickJsLimits> = {
  guestTimeMs: 30_000,
  memoryBytes: 256_000_000,
  outputCharacters: 1_000_000,
  pendingCalls: 1_000,
};
const startLimitMs = 60_000;

// Threads need a loader for TypeScript. The published package is JavaScript and needs none.
const isSource = import.meta.url.endsWith(".ts");

/**
 * Runs JavaScript in QuickJS, a separate engine that is compiled to WebAssembly and runs in a
 * thread of this process. Code has no files, no network and no modules. Time, memory and output are
 * limited. Tools run on the host.
 *
 * State cannot be rebuilt from a log. So a run that waits for approvals must stay in its process;
 * in another process it cannot be resumed.
 *
 * @throws AgentError `invalid-option` if an option is invalid
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { quickjs } from "@smolts/executor-quickjs";
 *
 * const model = modelFromFunction(() => "<code>\nfinalAnswer([1, 2, 3].map((n) => n * n))\n</code>");
 * const agent = new CodeAgent({ model, executor: quickjs() });
 * console.log(await agent.run("Square 1, 2 and 3.")); // [ 1, 4, 9 ]
 * ```
 */
export function quickjs(options: QuickJsOptions = {}): WorkerFactory {
  const { limits = {}, pool = 0 } = readOptions(options, "quickjs()", quickjsOptions);
  return workerFactory({
    language: "javascript",
    engine: "QuickJS",
    create: overThread(startThread, usedMs),
    // A guest that waits for a call returns to its event loop, so results can arrive as ordinary
    // messages. It needs no mailbox (shared memory that a blocked thread can read).
    shares: { mailbox: false, interrupt: true },
    limits,
    defaultLimits,
    pool,
    startLimitMs,
    failureHint: "start again with a new sandbox",
    setup: async ({ memoryBytes }) => ({ memoryBytes }),
  });
}

const quickjsOptions: OptionTable<QuickJsOptions> = {
  limits: { guestTimeMs: true, memoryBytes: true, outputCharacters: true, pendingCalls: true },
  pool: true,
};

function usedMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
}

/** Starts the thread. It gets no environment variables and no arguments. */
function startThread(): Worker {
  const options: WorkerOptions = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true };
  if (!isSource) return new Worker(new URL("./guest.node.js", import.meta.url), options);
  const guest = JSON.stringify(new URL("./guest.node.ts", import.meta.url).href);
  const script = `import("tsx/esm/api").then(({ register }) => { register(); return import(${guest}); })`;
  return new Worker(script, { ...options, eval: true, execArgv: ["--conditions=@smolts/source"] });
}
/** @internal */
export { QuickJS, QuickJSExecutor, QuickJsExecutor, WasmExecutor, quickJS } from "./other-names.ts";
