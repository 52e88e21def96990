// Runs the interpreter in a Web Worker. Its heap has no separate limit. Memory can be shared only
// on pages that are isolated from other origins.

import type { WebWorker } from "@smolts/protocol";
import { type GuestThread, silentListener } from "./guest-thread.ts";
import type { FromGuest } from "./message.ts";

/** Makes a thread from a worker that runs `guest.web`. */
export function startWebThread(create: () => WebWorker): GuestThread {
  const worker = create();
  const flag = sharedFlag();
  worker.postMessage(flag);
  const thread: GuestThread = {
    listener: silentListener,
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
  // Our code in the worker wrote the text.
  worker.onmessage = ({ data }: MessageEvent<string>) => thread.listener.onMessage(JSON.parse(data) as FromGuest);
  worker.onerror = ({ message }: ErrorEvent) =>
    thread.listener.onEnd({ type: "failed", message: message || "its script failed" });
  return thread;
}

function sharedFlag(): Int32Array | null {
  if (!globalThis.crossOriginIsolated) return null;
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
