import type { FromGuest, ToGuest } from "./message.ts";

/**
 * Why a thread is no more. `memory`: its heap was full. `failed`: anything else that nobody asked
 * for.
 */
export type ThreadEnd = { readonly type: "memory" } | { readonly type: "failed"; readonly message: string };

/** The messages from a thread to its host. */
export interface ThreadListener {
  onMessage(message: FromGuest): void;
  /** Called at most once, and not after `terminate`. */
  onEnd(end: ThreadEnd): void;
}

/** A thread with an interpreter in it, as the host holds it. */
export interface GuestThread {
  /** Set before the first `post` that has an answer; replaces the listener before it. */
  listener: ThreadListener;
  post(message: ToGuest): void;
  /**
   * Raises or lowers the flag that running code looks at now and then, where memory can be shared.
   */
  setAborted(isAborted: boolean): void;
  /** Whether the thread keeps the process alive. */
  keepAlive(isKept: boolean): void;
  /** CPU time that it can have used at most, in ms; null where the system does not report it. */
  usedMs(): number | null;
  /** Ends the thread at once, whatever it does. */
  terminate(): void;
}

/** Starts a thread. */
export type StartThread = () => GuestThread;

/** Hears nothing. */
export const silentListener: ThreadListener = { onMessage: () => {}, onEnd: () => {} };
