import { type GuestThread, type StartThread, silentListener } from "./guest-thread.ts";

/**
 * Threads that are started in advance, so that sandboxes open without delay. Each thread serves one
 * session and is not used again.
 */
export class ThreadPool {
  readonly #start: StartThread;
  readonly #size: number;
  readonly #spares: GuestThread[] = [];
  #isDisposed = false;

  constructor(start: StartThread, size: number) {
    this.#start = start;
    this.#size = size;
  }

  /** Returns a thread, and starts another one to replace it in the pool. */
  take(): GuestThread {
    const thread = this.#spares.shift() ?? this.#start();
    thread.listener = silentListener;
    this.fill();
    return thread;
  }

  /** Starts threads until the pool is full. Waiting threads do not keep the process alive. */
  fill(): void {
    while (!this.#isDisposed && this.#spares.length < this.#size) this.#spares.push(this.#startSpare());
  }

  /** Ends the waiting threads. No more threads are started. */
  dispose(): void {
    this.#isDisposed = true;
    for (const thread of this.#spares.splice(0)) thread.terminate();
  }

  #startSpare(): GuestThread {
    const thread = this.#start();
    thread.keepAlive(false);
    const drop = (): void => {
      const index = this.#spares.indexOf(thread);
      if (index >= 0) this.#spares.splice(index, 1);
    };
    thread.listener = { onMessage: () => {}, onEnd: drop };
    return thread;
  }
}
