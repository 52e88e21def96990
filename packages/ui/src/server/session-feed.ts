// What the readers of one session are sent. There is no queue for a reader: each has a place in the
// log, and how much of the text on its way it was sent. A slow reader costs no memory, and gets
// larger pieces.

import type { DurableEvent, PassingEvent, RunEvent, VariableSummary } from "@smolts/protocol";
import type { ServerMessage, SessionState } from "../wire.ts";

/** A text on its way, joined; or the latest of something that only has a latest. */
interface LiveEntry {
  event: PassingEvent;
  /** Rises with each change. */
  version: number;
}

/** Variables after a step. */
export interface StepVariables {
  readonly runId: string;
  readonly stepNumber: number;
  readonly variables: readonly VariableSummary[];
}

/**
 * How long a reader waits for more text before it is sent a piece; twice as long where text comes
 * faster than that, so that fast text comes in fewer pieces.
 */
const pieceMs = 8;
/** So many events at most in one message: a browser is to paint between two. */
const maxBatch = 400;
/** About so many characters in one message, unless one event has more: a slow reader holds one. */
const maxBatchLength = 1_000_000;
/** Of how many steps the variables are kept. */
const maxVariables = 200;

/** The events of a session and what is going on, for any number of readers. */
export class SessionFeed {
  readonly #events: DurableEvent[];
  readonly #live = new Map<string, LiveEntry>();
  readonly #variables: StepVariables[] = [];
  #droppedVariables = 0;
  #state: () => SessionState;
  #stateVersion = 0;
  /** Counts whatever changed, so that no reader goes to sleep over a change. */
  #changes = 0;
  #ending: "gone" | "replaced" | null = null;
  readonly #waiting = new Set<() => void>();

  constructor(events: readonly DurableEvent[], state: () => SessionState) {
    this.#events = [...events];
    this.#state = state;
  }

  /** The events of the log, as far as they were sent. */
  get events(): readonly DurableEvent[] {
    return this.#events;
  }

  /** Shows what happened. A durable event that was shown before is left out. */
  add(event: RunEvent): void {
    if (isPassing(event)) this.#addLive(event);
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

  /** The state has changed. */
  touch(): void {
    this.#stateVersion++;
    this.#wake();
  }

  /** A run has ended, however: nothing more is streaming. */
  endLive(): void {
    this.#live.clear();
    this.touch();
  }

  /**
   * Tells readers that the session is gone; or ends their streams, so that they come back for the
   * log that replaced this one.
   */
  close(ending: "gone" | "replaced"): void {
    this.#ending = ending;
    this.#wake();
  }

  /**
   * The messages for a reader after its `hello`: everything after the event with the number
   * `after`, then new events.
   */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<ServerMessage & { readonly seq: number }, void> {
    let cursor = after;
    // None was sent: the first one tells the reader that it has everything.
    let stateVersion = -1;
    let variablesCursor = 0;
    const sent = new WeakMap<LiveEntry, { version: number; length: number }>();
    while (!signal.aborted) {
      if (this.#ending === "gone") yield { type: "gone", seq: cursor };
      if (this.#ending !== null) return;
      const changes = this.#changes;
      const events: RunEvent[] = this.#batch(cursor);
      cursor += events.length;
      // Streaming text is later than every event of the log.
      if (cursor === this.#events.length) for (const entry of this.#live.values()) pushUnsent(events, entry, sent);
      const hasLive = events.some(isPassing);
      if (events.length > 0) yield { type: "events", events, seq: cursor };
      // More may have happened while the reader took its time; the state never runs ahead of the
      // events.
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

  #addLive(event: PassingEvent): void {
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

const passingTypes: Readonly<Record<PassingEvent["type"], true>> = {
  "text-delta": true,
  "plan-delta": true,
  "reasoning-delta": true,
  "code-delta": true,
  "tool-call-delta": true,
  "tool-progress": true,
  retry: true,
};

/** Whether the log does not keep it. */
export const isPassing = (event: RunEvent): event is PassingEvent => Object.hasOwn(passingTypes, event.type);

/** About how many characters a value has as JSON. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let length = 8;
  for (const item of Object.values(value)) length += lengthOf(item) + 8;
  return length;
}

const placeOf = ({ runId, path }: RunEvent): string => `${runId} ${path.join("/")}`;

function liveKey(event: PassingEvent): string {
  const place = `${placeOf(event)} ${event.type}`;
  if (event.type === "tool-progress") return `${place} ${event.callId}`;
  if (event.type === "tool-call-delta") return `${place} ${event.stepNumber} ${event.index}`;
  return `${place} ${event.stepNumber}`;
}

/**
 * Whether an event of the same agent replaces a delta: the model's text is whole, or the agent is
 * past it.
 */
function supersedes(event: DurableEvent, live: PassingEvent): boolean {
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

/** Two deltas of the same text as one. */
function joined(earlier: PassingEvent, later: PassingEvent): PassingEvent {
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

const textLength = (event: PassingEvent): number =>
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
