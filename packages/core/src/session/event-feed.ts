import type { DurableEvent, PassingEvent, RunEvent } from "@smolts/protocol";

interface Reader {
  readonly queue: RunEvent[];
  wake(): void;
}

/**
 * The events of one run on their way to whoever reads them.
 *
 * This is the only queue: a reader gets every durable event from where it asks, then the tail as it comes, passing events included.
 */
export class EventFeed {
  readonly #durable: DurableEvent[] = [];
  readonly #readers = new Set<Reader>();
  #ended = false;

  /** All that readers who come later are shown. */
  get durable(): readonly DurableEvent[] {
    return this.#durable;
  }

  /** Shows an event that the log keeps; readers that come later see it too. */
  publish(event: DurableEvent): void {
    this.#durable.push(event);
    this.#show(event);
  }

  /** Shows an event to those who read now. It carries the number of the last durable one. */
  pass(event: PassingEvent): void {
    this.#show({ ...event, seq: this.#durable.at(-1)?.seq ?? 0 });
  }

  /** No event comes any more: readers end when they have read what there is. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.wake();
  }

  async *read(fromSeq: number): AsyncGenerator<RunEvent, void> {
    const reader: Reader = { queue: this.#durable.filter((event) => event.seq >= fromSeq), wake: () => {} };
    this.#readers.add(reader);
    try {
      for (;;) {
        for (let next = reader.queue.shift(); next; next = reader.queue.shift()) yield next;
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
        });
      }
    } finally {
      this.#readers.delete(reader);
    }
  }

  #show(event: RunEvent): void {
    for (const reader of this.#readers) {
      reader.queue.push(event);
      reader.wake();
    }
  }
}
