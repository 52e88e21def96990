import { type OptionTable, readOptions } from "@smolts/protocol";
import { startWebThread, type WebWorker } from "./thread.web.ts";
import { workerFactory } from "./worker-factory.ts";
import { type WorkerExecutorFactory, type WorkerOptions, workerOptions } from "./worker-options.ts";

/** Options of {@link worker} in browsers. */
export interface WebWorkerOptions extends WorkerOptions {
  /**
   * Makes the worker, for bundlers that want to see its file; by default `guest.web.js` beside this
   * file.
   */
  readonly create?: () => WebWorker;
}

/**
 * Runs JavaScript in Web Workers, sandboxed by `interpreter()` as on the page itself, and besides
 * with a hard kill.
 *
 * Browsers give a worker no heap limit of its own; `limits.memoryBytes` holds. On pages isolated
 * from other origins an abort is heard inside loops; elsewhere it ends the thread, and the session
 * continues in another.
 *
 * @throws AgentError `invalid-option` when an option is not a whole number
 * @example
 * ```ts
 * import { worker } from "@smolts/executor-worker/web";
 *
 * const executor = worker({ limits: { guestTimeMs: 5_000 } });
 * console.log(executor.replay); // exact
 * ```
 */
export function worker(given: WebWorkerOptions = {}): WorkerExecutorFactory {
  const { create = createWorker, ...options } = readOptions(given, "worker()", webWorkerOptions);
  return workerFactory(() => startWebThread(create), options);
}

const webWorkerOptions: OptionTable<WebWorkerOptions> = { ...workerOptions, create: "function" };

const createWorker = (): WebWorker => new Worker(new URL("./guest.web.js", import.meta.url), { type: "module" });
