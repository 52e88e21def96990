import { AgentError, onAbort } from "@smolts/protocol";

/** Stops a run when its caller aborts it, its session is closed, or its log is lost. */
export class RunStop {
  // A signal from `AbortSignal.any()` is not used here, because it would keep the whole run in
  // memory until the program returns to the event loop.
  readonly #controller = new AbortController();
  readonly #followed: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(interruption(reason));
  }

  /** Aborts when another signal aborts, until `release` is called. */
  follow(signal: AbortSignal): void {
    const abort = (): void => this.#controller.abort(signal.reason);
    if (signal.aborted) abort();
    this.#followed.push(onAbort(signal, abort));
  }

  release(): void {
    for (const stop of this.#followed.splice(0)) stop();
  }
}

/** Returns the reason of an abort as an error, with the caller's value as its cause. */
export function interruption(reason: unknown): AgentError {
  if (AgentError.is(reason)) return reason;
  const why = reason instanceof Error ? reason.message : reason;
  const isShown = why !== undefined && why !== null && typeof why !== "object" && typeof why !== "function";
  return new AgentError("interrupted", `the run was aborted${isShown ? `: ${String(why)}` : ""}`, { cause: reason });
}
