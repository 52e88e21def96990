// What runs in a child process: the interpreter in a thread, and a main thread that passes messages
// on and always hears.

import process from "node:process";
import { isMainThread } from "node:worker_threads";
import type { FromChild, ToChild } from "./child-message.node.ts";
import type { ThreadEnd } from "./guest-thread.ts";
import { sharedFlag, startWorker, threadEndOf } from "./thread.node.ts";

const lookAtMemoryMs = 25;

// Bundled into one file, it is what its own thread runs, too.
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
  }, lookAtMemoryMs);
}

/** Ends this process at once: an orderly exit would wait for the thread. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}
