// A queue for the outcomes of calls. An outcome waits here until the guest is idle. Outcomes are
// delivered in the order in which the host sent them.

import type { CallOutcome } from "@smolts/protocol";

/** The outcome of a call, sent by the host. */
export class Delivery {
  readonly callIndex: number;
  readonly outcome: CallOutcome;
  /** When the outcome arrived, in epoch ms. */
  readonly time: number;
  /** The next delivery in the queue. */
  next: Delivery | null = null;
  /** Whether all guest code that reacts to this outcome has run. */
  isDone = false;
  #onDone: (() => void) | null = null;

  constructor(callIndex: number, outcome: CallOutcome, time: number) {
    this.callIndex = callIndex;
    this.outcome = outcome;
    this.time = time;
  }

  /** Returns a promise that resolves when the delivery is done. May be called only once. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDone = resolve;
    });
  }

  /** Marks the delivery as done: no more guest code will react to it. */
  finish(): void {
    this.isDone = true;
    this.#onDone?.();
  }
}

/** The queue of deliveries that wait. */
export class Deliveries {
  #first: Delivery | null = null;
  #last: Delivery | null = null;

  /** Adds a delivery at the end. */
  add(delivery: Delivery): void {
    if (this.#last) this.#last.next = delivery;
    else this.#first = delivery;
    this.#last = delivery;
  }

  /** Removes and returns the first delivery; null when none waits. */
  take(): Delivery | null {
    const first = this.#first;
    if (!first) return null;
    this.#first = first.next;
    if (!first.next) this.#last = null;
    return first;
  }

  /** Puts a delivery in front of all others. */
  putBack(delivery: Delivery): void {
    delivery.next = this.#first;
    this.#first = delivery;
    this.#last ??= delivery;
  }
}
