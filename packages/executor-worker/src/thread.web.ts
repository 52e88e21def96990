// A Web Worker. Its heap has no limit of its own; memory can be shared only on pages that are
// isolated from other origins.

import { type GuestThread, silentListener } from "./guest-thread.ts";
import type { FromGuest } from "./message.ts";

/** The used part of a Web Worker. */
export type WebWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/** Makes a thread of a worker in which `guest.web` runs. */
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
  // Made by our side of the thread.
  worker.onmessage = ({ data }: MessageEvent<string>) => thread.listener.onMessage(JSON.parse(data) as FromGuest);
  worker.onerror = ({ message }) => thread.listener.onEnd({ type: "failed", message: message || "its script failed" });
  return thread;
}

function sharedFlag(): Int32Array | null {
  if (!globalThis.crossOriginIsolated) return null;
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
