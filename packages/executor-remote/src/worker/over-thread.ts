import type { CreateWorker } from "./worker-host.ts";

/** The parts of a thread of Node that are used, so that this file also loads in a page. */
export interface Thread {
  on(event: string, take: (value: unknown) => void): unknown;
  postMessage(message: unknown): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}

/**
 * Makes a worker of each thread that `start` starts.
 *
 * @param usedMs - processor time of all threads of this process: Node does not tell that of one
 */
export function overThread(start: () => Thread, usedMs: () => number): CreateWorker {
  return ({ onMessage, onEnd }) => {
    const thread = start();
    thread.on("message", (text) => onMessage(text as string)); // guests send nothing else
    thread.on("error", (error) => onEnd(error instanceof Error ? error.message : String(error)));
    thread.on("exit", (code) => onEnd(`the thread exited with code ${code}`));
    return {
      post: (message) => thread.postMessage(message),
      terminate: () => void thread.terminate(),
      keepAlive: (isKept) => (isKept ? thread.ref() : thread.unref()),
      usedMs,
    };
  };
}
