// Collects the events of a run and passes them to the SDK in batches. Without batches, the SDK is
// called between the steps of the run. Tracing then costs twice as much, because the run and the
// SDK push each other's code and data out of the processor's caches.

import { type DurableEvent, isDurableType, type RunEvent } from "@smolts/protocol";

/**
 * The longest time that an event waits in a batch, in ms. It is short for two reasons:
 * - The spans of a long step are exported while the step still runs.
 * - A crash loses the waiting events. The SDK's own batches lose their spans too, so this adds
 *   little.
 */
const maxWaitMs = 200;
const maxWaiting = 256;

export class EventBatch {
  readonly #take: (event: DurableEvent) => void;
  #waiting: DurableEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: { readonly error: unknown } | null = null;

  constructor(take: (event: DurableEvent) => void) {
    this.#take = take;
  }

  /** Adds an event. Throws the error if `take` has failed, for this event or an earlier one. */
  add(event: RunEvent): void {
    if (this.#failure) throw this.#failure.error;
    if (!isDurable(event)) return;
    this.#waiting.push(event);
    if (this.#waiting.length >= maxWaiting) this.#pass();
    else this.#timer ??= setTimeout(() => this.#passLate(), maxWaitMs);
  }

  /** Passes the remaining events on. Do not add events after this. */
  end(): void {
    clearTimeout(this.#timer);
    if (!this.#failure) this.#pass();
  }

  #passLate(): void {
    this.#timer = undefined;
    try {
      this.#pass();
    } catch (error) {
      this.#failure = { error };
    }
  }

  #pass(): void {
    const events = this.#waiting;
    this.#waiting = [];
    for (const event of events) this.#take(event);
  }
}

const isDurable = (event: RunEvent): event is DurableEvent => isDurableType(event.type);
