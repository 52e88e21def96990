// A thread of Node, Bun or Deno.

import process from "node:process";
import { type ResourceLimits, Worker, type WorkerOptions } from "node:worker_threads";
import { type GuestThread, silentListener, type ThreadEnd } from "./guest-thread.ts";
import type { FromGuest } from "./message.ts";

// Threads need a loader for TypeScript. The published package is JavaScript and needs none.
const isSource = import.meta.url.endsWith(".ts");

// How long a small call takes to the host and back, in ms, as measured. Its JSON text is written
// and read twice.
const callMs = 0.02;

/** Starts a thread with its own heap. */
export function startNodeThread(resourceLimits: ResourceLimits, entry: URL | undefined): GuestThread {
  const flag = sharedFlag();
  const worker = startWorker(resourceLimits, flag, entry);
  let isOver = false;
  const end = (reason: ThreadEnd): void => {
    if (isOver) return;
    isOver = true;
    thread.listener.onEnd(reason);
  };
  const thread: GuestThread = {
    listener: silentListener,
    callMs,
    post: (message) => worker.postMessage(JSON.stringify(message)),
    setAborted: (isAborted) => void Atomics.store(flag, 0, isAborted ? 1 : 0),
    keepAlive: (isKept) => void (isKept ? worker.ref() : worker.unref()),
    usedMs: () => processMs(),
    terminate() {
      isOver = true;
      void worker.terminate();
    },
  };
  worker.on("message", (text: string) => {
    // The cast is safe: our own code in the thread wrote this text.
    if (!isOver) thread.listener.onMessage(JSON.parse(text) as FromGuest);
  });
  worker.on("error", (error) => end(threadEndOf(error)));
  worker.on("exit", (code) => end({ type: "failed", message: `it exited with code ${code}` }));
  return thread;
}

/**
 * Returns the CPU time of all threads in this process, in ms. The system does not report the time
 * of a single thread.
 */
function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Creates the flag that tells running code to abort. */
export const sharedFlag = (): Int32Array => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Starts a Node worker. It gets no environment variables and no arguments. */
export function startWorker(resourceLimits: ResourceLimits, flag: Int32Array, entry: URL | undefined): Worker {
  const options: WorkerOptions = { resourceLimits, workerData: flag, env: {}, argv: [], execArgv: [] };
  return isSource && !entry ? startFromSource(options) : new Worker(entry ?? builtEntry(), options);
}

const builtEntry = (): URL => new URL("./guest.node.js", import.meta.url);

function startFromSource(options: WorkerOptions): Worker {
  const guest = JSON.stringify(new URL("./guest.node.ts", import.meta.url).href);
  const script = `import("tsx/esm/api").then(({ register }) => { register(); return import(${guest}); })`;
  return new Worker(script, { ...options, eval: true, execArgv: ["--conditions=@smolts/source"] });
}

/** Returns why a thread has ended, from the value of its `error` event. */
export function threadEndOf(error: unknown): ThreadEnd {
  // Any value may have been thrown, so both fields may be absent.
  const { code, message } = error as { code?: string; message?: string };
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return { type: "memory" };
  return { type: "failed", message: message ?? String(error) };
}
