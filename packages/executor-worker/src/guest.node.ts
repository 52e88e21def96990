// What runs in a thread of Node, Bun or Deno.

import { parentPort, workerData } from "node:worker_threads";
import { serveGuest } from "./guest.ts";
import type { ToGuest } from "./message.ts";

const flag = workerData as Int32Array; // see thread.node.ts

const take = serveGuest({
  post: (message) => parentPort?.postMessage(JSON.stringify(message)),
  isAborted: () => Atomics.load(flag, 0) !== 0,
});

parentPort?.on("message", (text: string) => take(JSON.parse(text) as ToGuest)); // the host's side made it
