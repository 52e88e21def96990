import type { CreateWorker } from "@smolts/executor-remote/worker";
import { type OptionTable, readOptions } from "@smolts/protocol";
import { type PyodideFactory, type PyodideOptions, pyodideFactory, pyodideOptions } from "./pyodide-factory.ts";

export type { PyodideFactory, PyodideLimits, PyodideOptions } from "./pyodide-factory.ts";

/** Settings of {@link pyodide} in a browser. */
export interface WebPyodideOptions extends PyodideOptions {
  /**
   * Makes a worker in which `@smolts/executor-pyodide/guest-web` runs; for bundlers that find
   * workers by themselves it can be left out.
   */
  readonly createWorker?: () => Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;
}

/**
 * Runs Python in WebAssembly, in a Web Worker.
 *
 * On a page that is isolated from other origins (`crossOriginIsolated`) plain calls of tools wait
 * by themselves. On others only `await tool.aio(...)` works, and a block that computes without end
 * is stopped by ending its worker.
 *
 * @throws AgentError `invalid-option` when an option is wrong
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
    worker.onerror = ({ message }) => onEnd(message || "its script failed");
    return {
      post: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
      keepAlive: () => {},
    };
  };
  return pyodideFactory(options, create, { isShared: globalThis.crossOriginIsolated === true });
}

const webPyodideOptions: OptionTable<WebPyodideOptions> = { ...pyodideOptions, createWorker: "function" };

const defaultWorker = (): Worker => new Worker(new URL("./guest.web.js", import.meta.url), { type: "module" });
