// The code for threads of Node, Bun or Deno.

import { parentPort, workerData } from "node:worker_threads";
import { serveGuest } from "./guest.ts";
import type { ToGuest } from "./message.ts";

const flag = workerData as Int32Array; // thread.node.ts passes a flag

const take = serveGuest({
  post: (message) => parentPort?.postMessage(JSON.stringify(message)),
  isAborted: () => Atomics.load(flag, 0) !== 0,
});

// The cast is safe: our own code on the host's side wrote this text.
parentPort?.on("message", (text: string) => take(JSON.parse(text) as ToGuest));
