// Collects the events of a run and passes them on in batches. An SDK that is called between the
// steps of a run costs twice as much: the run and the SDK then push each other's code and data out
// of the processor's caches.

import { type DurableEvent, isDurableType, type RunEvent } from "@smolts/protocol";

/**
 * The longest time that an event waits, in ms. It is short for two reasons: the spans of a long
 * step are exported while the step runs, and a crash loses little more than the SDK's own batches.
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

  /** Adds an event. Throws an error of `take`, even one that an earlier event caused. */
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
