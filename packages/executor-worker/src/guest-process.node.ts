// The code of the child process. The interpreter runs in a separate thread. The main thread only
// forwards messages, so that the process can always receive them.

import process from "node:process";
import { isMainThread } from "node:worker_threads";
import type { FromChild, ToChild } from "./child-message.node.ts";
import type { ThreadEnd } from "./guest-thread.ts";
import { sharedFlag, startWorker, threadEndOf } from "./thread.node.ts";

const memoryCheckMs = 25;

// If a bundler has put all code into one file, the thread runs the same file.
const self = import.meta.url.endsWith(".ts") ? undefined : new URL(import.meta.url);

if (isMainThread) serveHost();
else void import("./guest.node.ts");

function serveHost(): void {
  const flag = sharedFlag();
  let take = (_text: string): void => {};
  const start = ({ resourceLimits, maxRssBytes }: Extract<ToChild, { type: "start" }>): void => {
    const worker = startWorker(resourceLimits, flag, self);
    take = (text) => worker.postMessage(text);
    worker.on("message", (text: string) => tell(text));
    worker.on("error", (error) => end(threadEndOf(error)));
    worker.on("exit", (code) => end({ type: "failed", message: `it exited with code ${code}` }));
    if (maxRssBytes) watchMemory(maxRssBytes);
  };
  process.on("message", (message: ToChild) => {
    if (typeof message === "string") take(message);
    else if (message.type === "start") start(message);
    else Atomics.store(flag, 0, message.isAborted ? 1 : 0);
  });
  process.on("disconnect", die);
}

const tell = (message: FromChild): void => void process.send?.(message);
const end = (reason: ThreadEnd): void => tell({ type: "end", end: reason });

function watchMemory(maxRssBytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > maxRssBytes) die();
  }, memoryCheckMs);
}

/** Kills this process immediately. A normal exit would wait for the thread. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}
