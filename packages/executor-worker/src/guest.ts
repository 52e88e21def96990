// The thread's side: one interpreter that is controlled by messages.

import { interpreter } from "@smolts/interpreter";
import { AgentError, type Executor, type SerializedError, thrownText } from "@smolts/protocol";
import type { FromGuest, ToGuest } from "./message.ts";

/** The connection of the thread to its host. */
export interface GuestPort {
  post(message: FromGuest): void;
  /**
   * Says whether the host has set the abort flag. Running code checks it, because it cannot receive
   * messages.
   */
  isAborted(): boolean;
}

/** Returns the function that receives the host's messages. */
export function serveGuest(port: GuestPort): (message: ToGuest) => void {
  const guest = new Guest(port);
  // Loads the engine now, so that a thread in the pool is ready. If that fails, the first execution
  // reports the error.
  void interpreter()
    .open({ signal: AbortSignal.abort() })
    .catch(() => {});
  port.post({ type: "ready" });
  return (message) => guest.take(message);
}

class Guest {
  readonly #port: GuestPort;
  readonly #never: AbortSignal = new AbortController().signal;
  #executor: Promise<Executor> | null = null;
  #execution = 0;
  /** The last execution that the host asked to abort. It may not have begun yet. */
  #abortedExecution = 0;
  #abort: AbortController = new AbortController();
  /**
   * Resolves when the handling of the previous message has begun. Messages are handled in order.
   */
  #begun: Promise<void> = Promise.resolve();
  /**
   * Resolves when the last repeated execution has ended. Such an execution may pause before it
   * ends.
   */
  #repeated: Promise<void> = Promise.resolve();

  constructor(port: GuestPort) {
    this.#port = port;
  }

  take(message: ToGuest): void {
    // These two messages must be handled immediately.
    if (message.type === "ping") return this.#port.post({ type: "pong" });
    if (message.type === "abort") return this.#abortExecution(message.execution);
    this.#begun = this.#begun.then(() => this.#begin(message));
  }

  async #begin(message: Exclude<ToGuest, { type: "ping" | "abort" }>): Promise<void> {
    switch (message.type) {
      case "start":
        this.#executor = this.#open(message);
        return;
      case "execute": {
        const executor = await this.#opened();
        await this.#repeated;
        const ended = this.#execute(executor, message);
        if (message.isRepeated) this.#repeated = ended;
        return;
      }
      case "deliver":
        void this.#deliver(await this.#opened(), message);
        return;
      case "variables": {
        const executor = await this.#opened();
        await this.#repeated;
        const variables = (await executor.variables?.(message.options)) ?? [];
        return this.#port.post({ type: "variables", request: message.request, variables });
      }
      case "is-program": {
        const executor = await this.#opened();
        const isProgram = (await executor.isProgram?.(message.code)) ?? true;
        return this.#port.post({ type: "is-program", request: message.request, isProgram });
      }
      default:
        message satisfies never;
    }
  }

  async #open({ limits, callMs, environment }: Extract<ToGuest, { type: "start" }>): Promise<Executor> {
    const executor = await interpreter({ limits, callMs }).open({ signal: this.#never });
    await executor.start(environment);
    return executor;
  }

  async #opened(): Promise<Executor> {
    if (this.#executor) return await this.#executor;
    throw new Error("the thread got a message before its start");
  }

  async #execute(executor: Executor, message: Extract<ToGuest, { type: "execute" }>): Promise<void> {
    const { execution, code, data } = message;
    this.#execution = execution;
    try {
      const result = await executor.execute(code, {
        ...data,
        signal: this.#signalOf(execution),
        onCall: (call) => this.#port.post({ type: "call", execution, call }),
        onConsole: (line) => this.#port.post({ type: "console", execution, line }),
      });
      this.#port.post({ type: "ended", execution, result });
    } catch (error) {
      this.#port.post({ type: "failed", execution, error: serialize(error) });
    }
  }

  /**
   * Returns a signal that is also aborted when the host has set the flag. While code runs in a
   * loop, the thread receives no messages, so only the flag can stop it.
   */
  #signalOf(execution: number): AbortSignal {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const get = (): boolean => this.#abortedExecution === execution || this.#port.isAborted();
    Object.defineProperty(signal, "aborted", { get });
    return signal;
  }

  async #deliver(executor: Executor, message: Extract<ToGuest, { type: "deliver" }>): Promise<void> {
    const { execution, delivery, callIndex, outcome, time } = message;
    if (execution === this.#execution) await executor.deliver(callIndex, outcome, time);
    this.#port.post({ type: "delivered", delivery });
  }

  #abortExecution(execution: number): void {
    this.#abortedExecution = execution;
    if (execution === this.#execution) this.#abort.abort();
  }
}

function serialize(error: unknown): SerializedError {
  if (AgentError.is(error)) return error.toJSON();
  return { code: "executor", message: thrownText(error) };
}
