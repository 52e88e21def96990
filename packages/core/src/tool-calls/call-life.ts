import { AgentError } from "@smolts/protocol";

/**
 * The time in which a tool may ask or report something: from the start of its call to its outcome.
 * A tool may continue after its time limit, or return before its question is answered. The log must
 * not get events of a call after its outcome, because the run may have ended by then.
 */
export class CallLife {
  #isOver = false;
  #controller: AbortController | null = null;

  /** Whether the call has its outcome. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Returns a signal that aborts when `signal` aborts or when the call gets its outcome. */
  signalWith(signal: AbortSignal): AbortSignal {
    // The controller is created only for tools that read their signal, which most never do.
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort(callIsOver());
    return AbortSignal.any([signal, this.#controller.signal]);
  }

  /** Called when the call has its outcome. */
  end(): void {
    this.#isOver = true;
    this.#controller?.abort(callIsOver());
  }
}

const callIsOver = (): AgentError =>
  new AgentError("interrupted", "the call has ended: its tool has returned, or took too long", {
    hint: "await ask() and generate() before the tool returns",
  });
