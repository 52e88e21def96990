// Runs the interpreter in a Web Worker. Its heap has no separate limit. Memory can be shared only
// on pages that are isolated from other origins.

import type { WebWorker } from "@smolts/protocol";
import { type GuestThread, silentListener } from "./guest-thread.ts";
import type { FromGuest } from "./message.ts";

// The value that was measured for a thread of Node (thread.node.ts).
const callMs = 0.02;

/** Creates a thread from a worker that runs `guest.web`. */
export function startWebThread(create: () => WebWorker): GuestThread {
  const worker = create();
  const flag = sharedFlag();
  worker.postMessage(flag);
  const thread: GuestThread = {
    listener: silentListener,
    callMs,
    post: (message) => worker.postMessage(JSON.stringify(message)),
    setAborted: (isAborted) => void (flag && Atomics.store(flag, 0, isAborted ? 1 : 0)),
    keepAlive: () => {},
    usedMs: () => null,
    terminate() {
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
    },
  };
  // The cast is safe: our own code in the worker wrote this text.
  worker.onmessage = ({ data }: MessageEvent<string>) => thread.listener.onMessage(JSON.parse(data) as FromGuest);
  // The event has a message only if the script was loaded. If there is no message, report that the
  // script was not loaded.
  worker.onerror = ({ message }: Partial<ErrorEvent>) =>
    thread.listener.onEnd(message ? { type: "failed", message } : { type: "failed", message: notLoaded, hint });
  return thread;
}

const notLoaded = "its script was not loaded";
const hint =
  'if your bundler does not find workers on its own, bundle @smolts/executor-worker/guest-web as a file, too, and pass worker({ create: () => new Worker("/guest-web.js", { type: "module" }) })';

function sharedFlag(): Int32Array | null {
  if (!globalThis.crossOriginIsolated) return null;
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
