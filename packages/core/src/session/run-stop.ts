import { AgentError } from "@smolts/protocol";
import { onAbort } from "../run/until-aborted.ts";

/** Ends a run: its caller aborts it, its session is closed, or its log is lost. */
export class RunStop {
  // What AbortSignal.any() gives would keep all of the run in memory until the event loop turns.
  readonly #controller = new AbortController();
  readonly #followed: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(interruption(reason));
  }

  /** Aborts with another signal, until `release`. */
  follow(signal: AbortSignal): void {
    const abort = (): void => this.#controller.abort(signal.reason);
    if (signal.aborted) abort();
    this.#followed.push(onAbort(signal, abort));
  }

  release(): void {
    for (const stop of this.#followed.splice(0)) stop();
  }
}

/** The reason of an abort as an error; whatever the caller gave is kept as its cause. */
export function interruption(reason: unknown): AgentError {
  if (AgentError.is(reason)) return reason;
  const why = reason instanceof Error ? reason.message : reason;
  const isTold = why !== undefined && why !== null && typeof why !== "object" && typeof why !== "function";
  return new AgentError("interrupted", `the run was aborted${isTold ? `: ${String(why)}` : ""}`, { cause: reason });
}
