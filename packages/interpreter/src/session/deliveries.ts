// Outcomes of calls. They wait until the guest is idle and are delivered in the order in which the
// host sent them.

import type { CallOutcome } from "@smolts/protocol";

/** A call whose outcome has arrived. */
export class Delivery {
  readonly callIndex: number;
  readonly outcome: CallOutcome;
  /** Epoch ms. */
  readonly time: number;
  /** The one that arrived after it. */
  next: Delivery | null = null;
  /** Whether all that follows from it has happened. */
  isDone = false;
  #onDone: (() => void) | null = null;

  constructor(callIndex: number, outcome: CallOutcome, time: number) {
    this.callIndex = callIndex;
    this.outcome = outcome;
    this.time = time;
  }

  /** For when it is done; to be asked for once. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDone = resolve;
    });
  }

  /** Nothing more will follow from it. */
  finish(): void {
    this.isDone = true;
    this.#onDone?.();
  }
}

/** Deliveries that wait. */
export class Deliveries {
  #first: Delivery | null = null;
  #last: Delivery | null = null;

  /** Adds one at the end. */
  add(delivery: Delivery): void {
    if (this.#last) this.#last.next = delivery;
    else this.#first = delivery;
    this.#last = delivery;
  }

  /** Gives the first one and takes it off; null when none waits. */
  take(): Delivery | null {
    const first = this.#first;
    if (!first) return null;
    this.#first = first.next;
    if (!first.next) this.#last = null;
    return first;
  }

  /** Puts one that was taken, or has just arrived, in front of the others. */
  putBack(delivery: Delivery): void {
    delivery.next = this.#first;
    this.#first = delivery;
    this.#last ??= delivery;
  }
}
