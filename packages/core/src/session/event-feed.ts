import { createUsageFold, type UsageFold, type UsageTree } from "@smolts/memory";
import {
  type DurableEvent,
  isPathAt,
  isPathUnder,
  type PassingEvent,
  type Path,
  type RunEvent,
  type RunLog,
} from "@smolts/protocol";
import { hostTurn } from "../run/host-turn.ts";

/** The queue of one reader. */
class Reader {
  #queue: RunEvent[];
  /**
   * The number of items already read. They are dropped together: removing the first of a long list
   * moves all others.
   */
  #read = 0;
  /** Durable events before this one are not shown. */
  readonly fromSeq: number;
  wake: () => void = () => {};

  constructor(queue: RunEvent[], fromSeq: number) {
    this.#queue = queue;
    this.fromSeq = fromSeq;
  }

  add(event: RunEvent): void {
    const waiting = this.#queue.length - this.#read;
    const last = this.#queue.at(-1);
    const merged = waiting >= mergedFrom && last ? mergedDelta(last, event) : null;
    if (merged) this.#queue[this.#queue.length - 1] = merged;
    else this.#queue.push(event);
    this.wake();
  }

  get hasMore(): boolean {
    return this.#read < this.#queue.length;
  }

  take(): RunEvent | undefined {
    const event = this.#queue[this.#read];
    if (event === undefined) return undefined;
    if (++this.#read >= dropFrom && this.#read * 2 >= this.#queue.length) {
      this.#queue = this.#queue.slice(this.#read);
      this.#read = 0;
    }
    return event;
  }
}

// A reader with a long queue never waits. In between, the event loop gets its turn: timers, and the
// signal of Ctrl-C.
const longestTurnMs = 20;

// A reader that keeps up gets each delta as it came.
const mergedFrom = 256;
const dropFrom = 1024;

/** Two neighbouring deltas of the same text as one; null when they are no such. */
function mergedDelta(last: RunEvent, next: RunEvent): RunEvent | null {
  if (last.type !== next.type || last.runId !== next.runId || last.path.join("/") !== next.path.join("/")) return null;
  switch (next.type) {
    case "text-delta":
    case "code-delta":
    case "reasoning-delta":
    case "plan-delta": {
      const before = last as typeof next; // of the same type
      return before.stepNumber === next.stepNumber ? { ...next, text: before.text + next.text } : null;
    }
    case "tool-call-delta": {
      const before = last as typeof next; // of the same type
      const isSame = before.stepNumber === next.stepNumber && before.index === next.index && next.name === undefined;
      return isSame ? { ...before, seq: next.seq, inputText: before.inputText + next.inputText } : null;
    }
    default:
      return null;
  }
}

/**
 * The newest events that stay in memory for readers who come late: between this many and twice as
 * many.
 */
const keptEvents = 512;

/** What a feed is about. */
export interface EventFeedParts {
  /** The agent's place. */
  readonly path: Path;
  /** The log of the run, for readers who come so late that memory no longer has the events. */
  readonly log: RunLog;
}

/**
 * The events of one run on their way to whoever reads them.
 *
 * This is the only queue: a reader gets every durable event from where it asks, then the tail as it
 * comes, passing events included. For a reader that falls behind, neighbouring deltas become one.
 */
export class EventFeed {
  readonly #path: Path;
  readonly #log: RunLog;
  readonly #usage: UsageFold;
  /** The newest durable events. */
  #recent: DurableEvent[] = [];
  #isRecentAll = true;
  readonly #readers = new Set<Reader>();
  /** Readers of what is safe, while they wait. */
  readonly #waiting = new Set<() => void>();
  /** The number of the last event that a crash cannot take back. */
  #safeSeq = 0;
  #ended = false;

  constructor({ path, log }: EventFeedParts) {
    this.#path = path;
    this.#log = log;
    this.#usage = createUsageFold(path);
  }

  /** The usage that the events so far report. */
  usage(): UsageTree | null {
    return this.#usage.tree();
  }

  /** Shows an event that the log keeps; readers that come later see it too. */
  publish(event: DurableEvent): void {
    this.#usage.add(event);
    this.#recent.push(event);
    if (this.#recent.length >= 2 * keptEvents) {
      this.#recent = this.#recent.slice(keptEvents);
      this.#isRecentAll = false;
    }
    // A resumed run publishes its earlier events too, when it has read its log.
    for (const reader of this.#readers) if (event.seq >= reader.fromSeq) reader.add(event);
  }

  /** Shows an event to those who read now. It carries the number of the last durable one. */
  pass(event: PassingEvent): void {
    const shown = { ...event, seq: this.#recent.at(-1)?.seq ?? 0 };
    for (const reader of this.#readers) reader.add(shown);
  }

  /** All events up to this one are safe. */
  noteSafe(seq: number): void {
    if (seq <= this.#safeSeq) return;
    this.#safeSeq = seq;
    for (const wake of this.#waiting) wake();
  }

  /** No event comes any more: readers end when they have read what there is. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.wake();
    for (const wake of this.#waiting) wake();
  }

  /** Yields the durable events. Each one waits until the log has stored it safely. */
  async *readSafe(fromSeq: number): AsyncGenerator<DurableEvent, void> {
    for (let next = fromSeq; ; ) {
      const recent = this.#recent;
      for await (const event of this.#before(recent, next)) {
        if (event.seq > this.#safeSeq) break;
        next = event.seq + 1;
        yield event;
      }
      for (const event of recent) {
        if (event.seq > this.#safeSeq) break;
        if (event.seq < next) continue;
        next = event.seq + 1;
        yield event;
      }
      if (recent !== this.#recent || this.#hasSafe(next)) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  async *read(fromSeq: number): AsyncGenerator<RunEvent, void> {
    const recent = this.#recent.filter((event) => event.seq >= fromSeq);
    const earlier = this.#before(this.#recent, fromSeq);
    const reader = new Reader(recent, fromSeq);
    this.#readers.add(reader);
    try {
      yield* earlier;
      for (;;) {
        const turnEnd = performance.now() + longestTurnMs;
        for (let next = reader.take(); next; next = reader.take()) {
          yield next;
          if (performance.now() > turnEnd) break;
        }
        if (reader.hasMore) await hostTurn();
        else if (this.#ended) return;
        else
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
      }
    } finally {
      this.#readers.delete(reader);
    }
  }

  #hasSafe(fromSeq: number): boolean {
    return this.#recent.some(({ seq }) => seq >= fromSeq && seq <= this.#safeSeq);
  }

  /**
   * The events from `fromSeq` on that memory no longer has. Of a log that cannot be read any more,
   * nothing is shown.
   */
  async *#before([first]: readonly DurableEvent[], fromSeq: number): AsyncGenerator<DurableEvent, void> {
    if (this.#isRecentAll || first === undefined || fromSeq >= first.seq) return;
    try {
      for await (const event of this.#log.read(fromSeq)) {
        if (event.seq >= first.seq) return;
        const isHere = isPathAt(event.path, this.#path) || isPathUnder(event.path, this.#path);
        if (isHere && event.runId === first.runId) yield event;
      }
    } catch {
      // Whoever only looks never hears of errors: the run's result has them.
    }
  }
}
