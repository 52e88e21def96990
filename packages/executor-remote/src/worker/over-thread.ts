import { thrownText } from "@smolts/protocol";
import type { CreateWorker } from "./worker-host.ts";

/**
 * The members of a Node thread that this file uses. The type does not refer to Node's types, so
 * that this file also loads in a web page.
 */
export interface Thread {
  on(event: string, take: (value: unknown) => void): unknown;
  postMessage(message: unknown): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}

/**
 * Creates a worker from each thread that `start` creates.
 *
 * @param usedMs - returns the processor time of all threads in this process. Node does not report
 *   the time of a single thread.
 */
export function overThread(start: () => Thread, usedMs: () => number): CreateWorker {
  return ({ onMessage, onEnd }) => {
    const thread = start();
    thread.on("message", (text) => onMessage(text as string)); // guests send only text
    thread.on("error", (error) => onEnd(thrownText(error)));
    thread.on("exit", (code) => onEnd(`the thread exited with code ${code}`));
    return {
      post: (message) => thread.postMessage(message),
      terminate: () => void thread.terminate(),
      keepAlive: (isKept) => (isKept ? thread.ref() : thread.unref()),
      usedMs,
    };
  };
}
