import { readOptions } from "@smolts/protocol";
import { cpuUsage } from "node:process";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { overThread } from "@smolts/executor-remote/worker";
import { type PyodideFactory, type PyodideOptions, pyodideFactory, pyodideOptions } from "./pyodide-factory.ts";

export type { PyodideFactory, PyodideLimits, PyodideOptions } from "./pyodide-factory.ts";

// Only the source is TypeScript, which a thread cannot run without a loader. The published package
// is JavaScript.
const isSource = import.meta.url.endsWith(".ts");

/**
 * Runs Python in WebAssembly, in a thread of this process. Code has no files and no network, can
 * always be killed, and calls tools on the host.
 *
 * A plain call of a tool waits for its result. With `await tool.aio(...)` several calls can run in
 * parallel. Python is ready about two seconds after `open`, or immediately if it comes from the
 * pool.
 *
 * @throws AgentError `invalid-option` if an option is invalid
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { pyodide } from "@smolts/executor-pyodide";
 *
 * const model = modelFromFunction(() => "<code>\nfinal_answer(sum(n * n for n in range(4)))\n</code>");
 * const agent = new CodeAgent({ model, executor: pyodide() });
 * console.log(await agent.run("Add the squares of 0 to 3.")); // 14
 * ```
 */
export function pyodide(options: PyodideOptions = {}): PyodideFactory {
  return pyodideFactory(readOptions(options, "pyodide()", pyodideOptions), overThread(startThread, usedMs), {
    isShared: true,
    failureHint: "check that the package pyodide is installed, and that indexUrl, packages and wheels are right",
  });
}

function usedMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
}

/** Starts the thread, without environment variables and arguments. */
function startThread(): Worker {
  const options: WorkerOptions = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true };
  if (!isSource) return new Worker(new URL("./guest.node.js", import.meta.url), options);
  const guest = JSON.stringify(new URL("./guest.node.ts", import.meta.url).href);
  const script = `import("tsx/esm/api").then(({ register }) => { register(); return import(${guest}); })`;
  return new Worker(script, { ...options, eval: true, execArgv: ["--conditions=@smolts/source"] });
}
/** @internal */
export { LocalPythonExecutor, Pyodide, PyodideExecutor, PythonExecutor, WasmExecutor } from "./other-names.ts";
