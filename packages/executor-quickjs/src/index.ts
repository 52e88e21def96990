import { type OptionTable, readOptions } from "@smolts/protocol";
import { cpuUsage } from "node:process";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { overThread, type WorkerFactory, workerFactory } from "@smolts/executor-remote/worker";

/** The limits of a block of code. 0 turns a limit off. */
export interface QuickJsLimits {
  /** Time of a block in ms, not counting the time spent waiting for calls. Default 30000. */
  readonly guestTimeMs?: number;
  /** Memory of the engine in bytes; what needs more gets an error. Default 256 MB. */
  readonly memoryBytes?: number;
  /** Characters printed by one block. Default 1000000. */
  readonly outputCharacters?: number;
  /** Calls open at the same time. Default 1000. */
  readonly pendingCalls?: number;
}

/** Options of {@link quickjs}. */
export interface QuickJsOptions {
  /** What one block of code may use; each limit has its own default. */
  readonly limits?: QuickJsLimits;
  /** Threads started ahead. Default 0. */
  readonly pool?: number;
}

const defaultLimits: Required<QuickJsLimits> = {
  guestTimeMs: 30_000,
  memoryBytes: 256_000_000,
  outputCharacters: 1_000_000,
  pendingCalls: 1_000,
};
const startLimitMs = 60_000;

// Sources cannot be run by a thread without a loader; a published package is JavaScript.
const isSource = import.meta.url.endsWith(".ts");

/**
 * Runs JavaScript in QuickJS, a second engine: it is compiled to WebAssembly and works in a thread
 * of this process. No files, no network, no modules; limits on time, memory and output; tools stay
 * on the host.
 *
 * State is not rebuilt from a log: a run that waits for approvals keeps its process, or is refused
 * when it is resumed.
 *
 * @throws AgentError `invalid-option` when an option is wrong
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { quickjs } from "@smolts/executor-quickjs";
 *
 * const model = modelFromFunction(() => "<code>\nfinalAnswer([1, 2, 3].map((n) => n * n))\n</code>");
 * const agent = new CodeAgent({ model, executor: quickjs() });
 * console.log(agent.name); // agent; its run gives [1, 4, 9]
 * ```
 */
export function quickjs(options: QuickJsOptions = {}): WorkerFactory {
  const { limits = {}, pool = 0 } = readOptions(options, "quickjs()", quickjsOptions);
  return workerFactory({
    language: "javascript",
    engine: "QuickJS",
    create: overThread(startThread, usedMs),
    // The guest returns to its event loop while it waits, so it needs no mailbox.
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

/** It gets no environment variables and no arguments. */
function startThread(): Worker {
  const options: WorkerOptions = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true };
  if (!isSource) return new Worker(new URL("./guest.node.js", import.meta.url), options);
  const guest = JSON.stringify(new URL("./guest.node.ts", import.meta.url).href);
  const script = `import("tsx/esm/api").then(({ register }) => { register(); return import(${guest}); })`;
  return new Worker(script, { ...options, eval: true, execArgv: ["--conditions=@smolts/source"] });
}
