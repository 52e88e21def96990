import type { CreateWorker } from "@smolts/executor-remote/worker";
import { type OptionTable, readOptions, type WebWorker } from "@smolts/protocol";
import { type PyodideFactory, type PyodideOptions, pyodideFactory, pyodideOptions } from "./pyodide-factory.ts";

export type { WebWorker } from "@smolts/protocol";
export type { PyodideFactory, PyodideLimits, PyodideOptions } from "./pyodide-factory.ts";

/** Options of {@link pyodide} in a browser. */
export interface WebPyodideOptions extends PyodideOptions {
  /**
   * Creates a worker that runs `@smolts/executor-pyodide/guest-web`. Vite and webpack need no such
   * function, because they find the worker on their own. With esbuild, bundle that module as a
   * file, and pass `() => new Worker("/guest-web.js", { type: "module" })`.
   */
  readonly createWorker?: () => WebWorker;
}

/**
 * Runs Python in WebAssembly, in a Web Worker.
 *
 * On a page that is isolated from other origins (`crossOriginIsolated`), a plain call of a tool
 * waits for its result. On other pages only `await tool.aio(...)` works, and an endless block can
 * be stopped only by ending its worker.
 *
 * Bundlers do not copy Pyodide's own files. Serve the files of the package `pyodide` from a folder
 * of your site, and pass the address of that folder as `indexUrl`.
 *
 * @throws AgentError `invalid-option` if an option is invalid
 * @example
 * ```ts
 * import { pyodide } from "@smolts/executor-pyodide/web";
 *
 * const executor = pyodide({ indexUrl: "/pyodide/" });
 * console.log(executor.language); // python
 * ```
 */
export function pyodide(given: WebPyodideOptions = {}): PyodideFactory {
  const { createWorker = defaultWorker, ...options } = readOptions(given, "pyodide()", webPyodideOptions);
  const create: CreateWorker = ({ onMessage, onEnd }) => {
    const worker = createWorker();
    worker.onmessage = ({ data }: MessageEvent<string>) => onMessage(data);
    worker.onerror = ({ message }: Partial<ErrorEvent>) => onEnd(message || "its script was not loaded");
    return {
      post: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
      keepAlive: () => {},
    };
  };
  return pyodideFactory(options, create, {
    isShared: globalThis.crossOriginIsolated === true,
    failureHint: options.indexUrl === undefined ? unbundledHint : "check indexUrl, packages, wheels and createWorker",
  });
}

// Bundlers do not copy the files of Pyodide.
const unbundledHint =
  'copy the files of the package pyodide into a folder of your site, and pass its address: pyodide({ indexUrl: "/pyodide/" })';

const webPyodideOptions: OptionTable<WebPyodideOptions> = { ...pyodideOptions, createWorker: "function" };

const defaultWorker = (): WebWorker => new Worker(new URL("./guest.web.js", import.meta.url), { type: "module" });
