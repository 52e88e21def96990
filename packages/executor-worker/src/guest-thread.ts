import type { FromGuest, ToGuest } from "./message.ts";

/** Why a thread has ended. `memory`: its heap was full. `failed`: any other unexpected end. */
export type ThreadEnd =
  | { readonly type: "memory" }
  | { readonly type: "failed"; readonly message: string; readonly hint?: string };

/** Callbacks for messages from a thread. */
export interface ThreadListener {
  onMessage(message: FromGuest): void;
  /** Called at most once, and not after `terminate`. */
  onEnd(end: ThreadEnd): void;
}

/** The host's side of a thread that contains an interpreter. */
export interface GuestThread {
  /**
   * Receives messages. Must be set before the first `post` that the thread answers. A new
   * listener replaces the old one.
   */
  listener: ThreadListener;
  /** How long a small call takes from the code to the host and back, in ms. */
  readonly callMs: number;
  post(message: ToGuest): void;
  /**
   * Sets or clears the flag that running code checks regularly. Works only where memory can be
   * shared.
   */
  setAborted(isAborted: boolean): void;
  /** Sets whether the thread keeps this process alive. */
  keepAlive(isKept: boolean): void;
  /**
   * Returns an upper bound for the thread's CPU time, in ms. Null if the system does not report it.
   */
  usedMs(): number | null;
  /** Ends the thread immediately, even while code is running. */
  terminate(): void;
}

/** Starts a thread. */
export type StartThread = () => GuestThread;

/** A listener that ignores all messages. */
export const silentListener: ThreadListener = { onMessage: () => {}, onEnd: () => {} };
