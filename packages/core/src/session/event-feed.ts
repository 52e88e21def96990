import { createUsageFold, type UsageFold, type UsageTree } from "@smolts/memory";
import {
  type DurableEvent,
  isPathAt,
  isPathUnder,
  type Path,
  type RunEvent,
  type RunLog,
  type TransientEvent,
} from "@smolts/protocol";
import { yieldToEventLoop } from "../run/yield-to-event-loop.ts";
import { explainEvent } from "./explain-data.ts";
import { explainStream } from "./other-members.ts";

/** The queue of events for one reader. */
class Reader {
  #queue: RunEvent[];
  /**
   * The number of items that were already read. They are removed in groups, because removing the
   * first item of a long list moves all others.
   */
  #read = 0;
  /** The first `seq` that the reader gets. Earlier events are not shown. */
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

// How long a reader with a long queue may read without a break, in ms. In the break, the event loop
// can handle timers and the signal of Ctrl-C.
const maxTurnMs = 20;

// A queue of at least this many events merges neighbouring deltas. A reader with a shorter queue
// gets each delta as it was sent.
const mergedFrom = 256;
// How many items must have been read before they are removed from the queue.
const dropFrom = 1024;

/** Merges two neighbouring deltas of the same text. Null if they are not such deltas. */
function mergedDelta(last: RunEvent, next: RunEvent): RunEvent | null {
  if (last.type !== next.type || last.runId !== next.runId || last.path.join("/") !== next.path.join("/")) return null;
  switch (next.type) {
    case "text-delta":
    case "code-delta":
    case "reasoning-delta":
    case "plan-delta": {
      const before = last as typeof next; // both have the same type
      return before.stepNumber === next.stepNumber ? { ...next, text: before.text + next.text } : null;
    }
    case "tool-call-delta": {
      const before = last as typeof next; // both have the same type
      const isSame = before.stepNumber === next.stepNumber && before.index === next.index && next.name === undefined;
      return isSame ? { ...before, seq: next.seq, inputText: before.inputText + next.inputText } : null;
    }
    default:
      return null;
  }
}

/**
 * How many of the newest events stay in memory for readers that start late. The list may grow to
 * twice this number before it is cut.
 */
const keptEvents = 512;

/** The run that a feed belongs to. */
export interface EventFeedParts {
  /** The path of the agent. */
  readonly path: Path;
  /** The log of the run, for readers that need events which are no longer in memory. */
  readonly log: RunLog;
}

/**
 * Passes the events of one run to its readers.
 *
 * A reader gets every durable event from the requested number on, and then all new events,
 * including transient ones. Events that a reader has not read yet wait in its queue here. If the
 * queue gets long, neighbouring deltas in it are merged.
 */
export class EventFeed {
  readonly #path: Path;
  readonly #log: RunLog;
  readonly #usage: UsageFold;
  /** The newest durable events. */
  #recent: DurableEvent[] = [];
  #isRecentAll = true;
  readonly #readers = new Set<Reader>();
  /** Functions that wake readers. These readers wait until more events are stored safely. */
  readonly #waiting = new Set<() => void>();
  /** The number of the last event that a crash cannot undo. */
  #safeSeq = 0;
  #ended = false;

  constructor({ path, log }: EventFeedParts) {
    if (!(Symbol.iterator in EventFeed.prototype.read.prototype)) {
      for (const method of [EventFeed.prototype.read, EventFeed.prototype.readSafe])
        explainStream(method, "run.events()");
    }
    this.#path = path;
    this.#log = log;
    this.#usage = createUsageFold(path);
  }

  /** Returns the usage that the events so far report. */
  usage(): UsageTree | null {
    return this.#usage.tree();
  }

  /** Passes on an event that the log keeps. Readers that start later get it too. */
  publish(event: DurableEvent): void {
    this.#usage.add(event);
    this.#recent.push(event);
    if (this.#recent.length >= 2 * keptEvents) {
      this.#recent = this.#recent.slice(keptEvents);
      this.#isRecentAll = false;
    }
    // A resumed run also publishes its earlier events after it has read its log.
    for (const reader of this.#readers) if (event.seq >= reader.fromSeq) reader.add(event);
  }

  /**
   * Passes on an event that the log does not keep. Only current readers get it, with the number of
   * the last durable event.
   */
  pass(event: TransientEvent): void {
    const shown = { ...event, seq: this.#recent.at(-1)?.seq ?? 0 };
    for (const reader of this.#readers) reader.add(shown);
  }

  /** Called when all events up to this number are stored safely. */
  noteSafe(seq: number): void {
    if (seq <= this.#safeSeq) return;
    this.#safeSeq = seq;
    for (const wake of this.#waiting) wake();
  }

  /** Called when there are no more events. Readers end when they have read the remaining events. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.wake();
    for (const wake of this.#waiting) wake();
  }

  /** Yields the durable events. Each event is held back until the log has stored it safely. */
  async *readSafe(fromSeq: number): AsyncGenerator<DurableEvent, void> {
    for (let next = fromSeq; ; ) {
      const recent = this.#recent;
      for await (const event of this.#before(recent, next)) {
        if (event.seq > this.#safeSeq) break;
        next = event.seq + 1;
        yield explainEvent(event);
      }
      for (const event of recent) {
        if (event.seq > this.#safeSeq) break;
        if (event.seq < next) continue;
        next = event.seq + 1;
        yield explainEvent(event);
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
        const turnEnd = performance.now() + maxTurnMs;
        for (let next = reader.take(); next; next = reader.take()) {
          yield explainEvent(next);
          if (performance.now() > turnEnd) break;
        }
        if (reader.hasMore) await yieldToEventLoop();
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
   * Yields the events from `fromSeq` on that are no longer in memory. If the log cannot be read, it
   * yields nothing.
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
      // The error is ignored, because readers never get errors. The run's result reports them.
    }
  }
}
