import {
  AgentError,
  type BlobRef,
  type DurableBody,
  type DurableEvent,
  type EventPlace,
  type EventStamp,
  type OptionTable,
  type RunLog,
  readOptions,
} from "@smolts/protocol";
import { blobDigest, missingBlob } from "./blob-digest.ts";

/** Options of {@link memoryLog}. */
export interface MemoryLogOptions {
  /** The session's id; a random id by default. */
  readonly id?: string;
  /** Returns the time in epoch ms; the real clock by default. */
  readonly now?: () => number;
  /** The events of an earlier log, from its first event on. New events are appended after them. */
  readonly events?: readonly DurableEvent[];
}

/** A run log in memory. */
export interface MemoryLog extends RunLog {
  /** All events so far. The array grows as events are appended. */
  readonly events: readonly DurableEvent[];
}

/**
 * Creates a run log that is kept in memory.
 *
 * @throws AgentError `log` when `events` does not begin at the start of a log (`seq` 1, 2, 3, ...)
 * @example
 * ```ts
 * import { memoryLog } from "@smolts/memory";
 *
 * const log = memoryLog({ now: () => 0 });
 * log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
 * console.log(log.events[0]?.seq); // 1
 * ```
 */
export function memoryLog(options: MemoryLogOptions = {}): MemoryLog {
  const {
    id = crypto.randomUUID(),
    now = Date.now,
    events: earlier = [],
  } = readOptions(options, "memoryLog()", memoryLogOptions);
  mustBeDense(earlier);
  const events = [...earlier];
  const blobs = new Map<string, Uint8Array>();

  return {
    id,
    events,
    append(body, at) {
      const last = events.at(-1)?.time ?? 0;
      const event = stamped(body, at, events.length + 1, () => Math.max(last, now()));
      events.push(event);
      return event;
    },
    async flush() {},
    read: (fromSeq = 1) => eventsFrom(events, fromSeq),
    async putBlob(bytes, mediaType): Promise<BlobRef> {
      const kept = bytes.slice();
      const digest = await blobDigest(kept);
      if (!blobs.has(digest)) blobs.set(digest, kept);
      return { digest, mediaType, size: kept.length };
    },
    async readBlob(digest) {
      const bytes = blobs.get(digest);
      if (!bytes) throw missingBlob(digest);
      return bytes.slice();
    },
  };
}

const memoryLogOptions: OptionTable<MemoryLogOptions> = { id: "text", now: "function", events: "list" };

// Keep this generator function outside of `memoryLog`. V8 keeps the objects in the scope of a
// generator until a full garbage collection, so the whole log would stay in memory.
async function* eventsFrom(events: readonly DurableEvent[], fromSeq: number): AsyncGenerator<DurableEvent, void> {
  yield* events.slice(fromSeq - 1);
}

function mustBeDense(events: readonly DurableEvent[]): void {
  const wrong = events.findIndex((event, index) => event.seq !== index + 1);
  if (wrong === -1) return;
  throw new AgentError("log", `event ${wrong + 1} of the log has seq "${events[wrong]?.seq}"; expected ${wrong + 1}`, {
    hint: "pass all events of the earlier log, from its first on",
  });
}

function stamped<Body extends DurableBody>(
  body: Body,
  { runId, path, time }: EventPlace,
  seq: number,
  now: () => number,
): EventStamp & Body {
  // Do not write `{ ...body, runId }` here: if properties follow a spread, V8 creates a new hidden
  // class for every object. That would slow down all code that reads events.
  return Object.assign({}, body, { runId, path, seq, time: time ?? now() });
}
