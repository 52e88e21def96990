// Outcomes of calls, which wait until the guest is at rest; they are taken up in the order in which the host gave them.

import type { CallOutcome } from "@smolts/protocol";

/** A call whose outcome has arrived. */
export class Delivery {
  readonly callIndex: number;
  readonly outcome: CallOutcome;
  /** Epoch ms. */
  readonly time: number;
  /** The one that arrived after it. */
  next: Delivery | null = null;
  #isDone = false;
  #onDone: (() => void) | null = null;

  constructor(callIndex: number, outcome: CallOutcome, time: number) {
    this.callIndex = callIndex;
    this.outcome = outcome;
    this.time = time;
  }

  /** Whether all that follows from it has happened. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** For when it is done; to be asked for once. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDone = resolve;
    });
  }

  /** Nothing will follow from it any more. */
  finish(): void {
    this.#isDone = true;
    this.#onDone?.();
  }
}

/** Deliveries that wait. */
export class Deliveries {
  #first: Delivery | null = null;
  #last: Delivery | null = null;

  /** The one that is to be taken up next. */
  get first(): Delivery | null {
    return this.#first;
  }

  /** Adds one at the end. */
  add(delivery: Delivery): void {
    if (this.#last) this.#last.next = delivery;
    else this.#first = delivery;
    this.#last = delivery;
  }

  /** Takes the first one off. */
  removeFirst(): void {
    this.#first = this.#first?.next ?? null;
    if (!this.#first) this.#last = null;
  }
}
