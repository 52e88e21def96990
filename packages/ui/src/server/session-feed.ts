// Sends the events of one session to its readers. The server keeps no queue for a reader. It only
// remembers the reader's position in the log, and how much of the streaming text the reader has
// received. So a slow reader uses no further memory. It gets fewer and larger pieces.

import {
  type DurableEvent,
  isTransientEvent,
  type RunEvent,
  type TransientEvent,
  type VariableSummary,
} from "@smolts/protocol";
import type { ServerMessage, SessionState } from "../wire.ts";

/**
 * A streaming text, joined from its deltas; or the latest event of a kind if only the latest one
 * matters.
 */
interface LiveEntry {
  event: TransientEvent;
  /** Increases with each change. */
  version: number;
}

/** The variables after a step. */
export interface StepVariables {
  readonly runId: string;
  readonly stepNumber: number;
  readonly variables: readonly VariableSummary[];
}

/**
 * The time in ms for which text is collected before it is sent to a reader. If more text arrives
 * during this time, the server waits once more, so that fast text is sent in fewer pieces.
 */
const pieceMs = 8;
/** The maximum number of events in one message. A browser can then render between two messages. */
const maxBatch = 400;
/**
 * The approximate maximum length of one message, in characters. Only a message with a single event
 * may be longer. The limit bounds the memory for a slow reader.
 */
const maxBatchLength = 1_000_000;
/** The maximum number of steps whose variables the feed remembers. */
const maxVariables = 200;

/** Keeps the events and the current state of a session, for any number of readers. */
export class SessionFeed {
  readonly #events: DurableEvent[];
  readonly #live = new Map<string, LiveEntry>();
  readonly #variables: StepVariables[] = [];
  #droppedVariables = 0;
  #state: () => SessionState;
  #stateVersion = 0;
  /**
   * The number of changes so far. A reader waits only if this number is still the one that it last
   * saw, so it misses no change.
   */
  #changes = 0;
  #ending: "gone" | "replaced" | null = null;
  readonly #waiting = new Set<() => void>();

  constructor(events: readonly DurableEvent[], state: () => SessionState) {
    this.#events = [...events];
    this.#state = state;
  }

  /** The events of the log that were passed to this feed. */
  get events(): readonly DurableEvent[] {
    return this.#events;
  }

  /** Adds an event. Ignores an event of the log that was added before. */
  add(event: RunEvent): void {
    if (isTransientEvent(event)) this.#addLive(event);
    else if (event.seq > this.#events.length) this.#addDurable(event);
    this.#wake();
  }

  addVariables(variables: StepVariables): void {
    this.#variables.push(variables);
    if (this.#variables.length > maxVariables) {
      this.#variables.shift();
      this.#droppedVariables++;
    }
    this.#wake();
  }

  /** Call this when the session's state has changed. */
  touch(): void {
    this.#stateVersion++;
    this.#wake();
  }

  /** Call this when a run has ended, in whatever way. No text is streaming after that. */
  endLive(): void {
    this.#live.clear();
    this.touch();
  }

  /**
   * Ends the readers' streams. `gone` tells them that the session was deleted. After `replaced`
   * they connect again and read the new log.
   */
  close(ending: "gone" | "replaced"): void {
    this.#ending = ending;
    this.#wake();
  }

  /**
   * Returns the messages for a reader after its `hello`: first the events after the number `after`,
   * then new events.
   */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<ServerMessage & { readonly seq: number }, void> {
    let cursor = after;
    // No state has been sent yet. The first state tells the reader that it has received all events.
    let stateVersion = -1;
    let variablesCursor = 0;
    const sent = new WeakMap<LiveEntry, { version: number; length: number }>();
    while (!signal.aborted) {
      if (this.#ending === "gone") yield { type: "gone", seq: cursor };
      if (this.#ending !== null) return;
      const changes = this.#changes;
      const events: RunEvent[] = this.#batch(cursor);
      cursor += events.length;
      // Streaming text comes after all events of the log.
      if (cursor === this.#events.length) for (const entry of this.#live.values()) pushUnsent(events, entry, sent);
      const hasLive = events.some(isTransientEvent);
      if (events.length > 0) yield { type: "events", events, seq: cursor };
      // While the reader took the last message, new events may have arrived. The state is sent only
      // after all events.
      const isCaughtUp = (): boolean => cursor === this.#events.length;
      variablesCursor = Math.max(variablesCursor, this.#droppedVariables);
      while (isCaughtUp() && variablesCursor < this.#droppedVariables + this.#variables.length) {
        yield { type: "variables", ...this.#variables[variablesCursor++ - this.#droppedVariables]!, seq: cursor };
      }
      if (isCaughtUp() && stateVersion !== this.#stateVersion) {
        stateVersion = this.#stateVersion;
        yield { type: "state", state: this.#state(), seq: cursor };
      }
      if (hasLive) await this.#pauseForPiece(signal);
      else if (isCaughtUp() && changes === this.#changes) await this.#change(signal);
    }
  }

  #batch(from: number): DurableEvent[] {
    let [end, length] = [from, 0];
    while (end < this.#events.length && end - from < maxBatch && length < maxBatchLength)
      length += lengthOf(this.#events[end++]);
    return this.#events.slice(from, end);
  }

  #addDurable(event: DurableEvent): void {
    this.#events.push(event);
    const place = placeOf(event);
    for (const [key, entry] of this.#live) {
      if (entry.event.type === "tool-progress") {
        if (event.type === "tool-result" && event.callId === entry.event.callId) this.#live.delete(key);
      } else if (placeOf(entry.event) === place && supersedes(event, entry.event)) this.#live.delete(key);
    }
  }

  #addLive(event: TransientEvent): void {
    const key = liveKey(event);
    const entry = this.#live.get(key);
    if (!entry) {
      this.#live.set(key, { event, version: 1 });
      return;
    }
    entry.event = joined(entry.event, event);
    entry.version++;
  }

  #wake(): void {
    this.#changes++;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #pauseForPiece(signal: AbortSignal): Promise<void> {
    const changes = this.#changes;
    await pause(pieceMs, signal);
    if (changes !== this.#changes) await pause(pieceMs, signal);
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
    });
  }
}

/** Returns the approximate length of a value as JSON, in characters. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let length = 8;
  for (const item of Object.values(value)) length += lengthOf(item) + 8;
  return length;
}

const placeOf = ({ runId, path }: RunEvent): string => `${runId} ${path.join("/")}`;

function liveKey(event: TransientEvent): string {
  const place = `${placeOf(event)} ${event.type}`;
  if (event.type === "tool-progress") return `${place} ${event.callId}`;
  if (event.type === "tool-call-delta") return `${place} ${event.stepNumber} ${event.index}`;
  return `${place} ${event.stepNumber}`;
}

/**
 * Says whether an event ends a streaming text of the same agent: either the whole text is now in
 * the log, or the agent has moved on.
 */
function supersedes(event: DurableEvent, live: TransientEvent): boolean {
  switch (event.type) {
    case "model-response":
    case "step-end":
    case "run-end":
    case "run-suspend":
      return true;
    case "plan":
      return live.type === "plan-delta" || live.type === "reasoning-delta" || live.type === "retry";
    default:
      return false;
  }
}

/** Joins two deltas of the same text. */
function joined(earlier: TransientEvent, later: TransientEvent): TransientEvent {
  if (earlier.type === "tool-call-delta" && later.type === "tool-call-delta") {
    return { ...earlier, ...later, inputText: earlier.inputText + later.inputText };
  }
  if ("text" in earlier && "text" in later) return { ...later, text: earlier.text + later.text };
  return later;
}

function pushUnsent(
  events: RunEvent[],
  entry: LiveEntry,
  sent: WeakMap<LiveEntry, { version: number; length: number }>,
): void {
  const { event, version } = entry;
  const before = sent.get(entry) ?? { version: 0, length: 0 };
  if (before.version === version) return;
  if (event.type === "tool-call-delta") events.push({ ...event, inputText: event.inputText.slice(before.length) });
  else if ("text" in event) events.push({ ...event, text: event.text.slice(before.length) });
  else events.push(event);
  sent.set(entry, { version, length: textLength(event) });
}

const textLength = (event: TransientEvent): number =>
  event.type === "tool-call-delta" ? event.inputText.length : "text" in event ? event.text.length : 0;

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, durationMs);
    signal.addEventListener("abort", done, { once: true });
  });
}
