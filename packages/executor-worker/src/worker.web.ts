import { type OptionTable, readOptions, type WebWorker } from "@smolts/protocol";
import { startWebThread } from "./thread.web.ts";
import { workerFactory } from "./worker-factory.ts";
import { type WorkerExecutorFactory, type WorkerOptions, workerOptions } from "./worker-options.ts";

/** Options of {@link worker} in browsers. */
export interface WebWorkerOptions extends WorkerOptions {
  /**
   * Creates a worker that runs `@smolts/executor-worker/guest-web`. Vite and webpack need no such
   * function, because they find the worker on their own. With esbuild, bundle that module as a
   * file, and pass `() => new Worker("/guest-web.js", { type: "module" })`. Default: a worker that
   * runs `guest.web.js` beside this file.
   */
  readonly create?: () => WebWorker;
}

/**
 * Runs JavaScript in Web Workers. The code is sandboxed by `interpreter()`, as it would be on the
 * page itself. In addition, a worker can be killed.
 *
 * Browsers have no heap limit for a single worker, so only `limits.memoryBytes` is enforced. On
 * pages that are isolated from other origins, code in a loop notices an abort. On other pages an
 * abort ends the worker, and the session continues in another one.
 *
 * @throws AgentError `invalid-option` if an option is not a whole number
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
