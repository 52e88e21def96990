import {
  AgentError,
  type DurableBody,
  type DurableEvent,
  type EventPlace,
  type EventStamp,
  type StoredLog,
  thrownText,
} from "@smolts/protocol";
import { blobDigest, missingBlob, mustMatchDigest } from "../blob-digest.ts";
import { recordText, sealed } from "./record.ts";
import type { RecordHold, RecordStorage } from "./record-storage.ts";
import { rowAfter } from "./run-row.ts";

/**
 * Opens the log of a session whose lease this process holds. `append` returns immediately, and the
 * lines are written later in batches. `flush` waits until all lines are stored. After its first
 * failure, the log refuses every call, because the content on disk is then unknown.
 */
export function heldLog(sessionId: string, hold: RecordHold, storage: RecordStorage): StoredLog {
  return new HeldLog(sessionId, hold, storage);
}

/**
 * How long an event may wait to be written together with later events, in ms. Until a flush nothing
 * depends on the event being on disk.
 */
const writeDelayMs = 5;

class HeldLog implements StoredLog {
  readonly id: string;
  readonly isOwn: boolean;
  readonly #hold: RecordHold;
  readonly #storage: RecordStorage;
  readonly #lost = new AbortController();
  #sum: string;
  /**
   * The time of the last event. No later event gets an earlier time, even if the system clock is
   * set back, because programs see the times of the log.
   */
  #lastTime: number;
  /** The `seq` of the last event that was appended. */
  #appended: number;
  /** The `seq` of the last event that was passed to the storage. */
  #written: number;
  /** The `seq` of the last event that survives a crash, because the storage has saved it. */
  #synced: number;
  /**
   * The `acked` field of the newest line that has this field; record.ts explains it. -1 if no line
   * has it.
   */
  #lastAcked = -1;
  #queue: string[] = [];
  #row: ReturnType<typeof rowAfter> = null;
  #isRowNew = false;
  #newRunIds: string[] = [];
  #writing: Promise<void> | null = null;
  #writeNow: () => void = () => {};
  #syncing: Promise<void> | null = null;
  #failure: AgentError | null = null;
  #closing: Promise<void> | null = null;

  constructor(sessionId: string, hold: RecordHold, storage: RecordStorage) {
    this.id = sessionId;
    this.isOwn = hold.isOwn;
    this.#hold = hold;
    this.#storage = storage;
    this.#sum = hold.sum;
    this.#lastTime = hold.records.at(-1)?.event.time ?? 0;
    this.#appended = this.#written = this.#synced = hold.records.length;
    for (const { event } of hold.records) {
      this.#row = rowAfter(this.#row, event, sessionId);
      if (event.type === "run-start" && event.path.length === 1) this.#newRunIds.push(event.runId);
    }
    hold.lost?.addEventListener("abort", () => this.#fail(hold.lost?.reason), { once: true });
    // If an earlier holder died too early, the session's row in the storage may be older than the
    // log, or `find` may not know a run of the log yet. So mark the row as not yet written.
    this.#isRowNew = this.#row !== null;
  }

  get epoch(): number {
    return this.#hold.epoch;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  append<Body extends DurableBody>(body: Body, at: EventPlace): EventStamp & Body {
    this.#mustWork();
    const { runId, path, time = Math.max(this.#lastTime, Date.now()) } = at;
    const seq = this.#appended + 1;
    const event = Object.assign({}, body, { runId, path, seq, time });
    const place = { epoch: this.#hold.epoch, ...(this.#lastAcked === this.#synced ? {} : { acked: this.#synced }) };
    // The event becomes text immediately, because the caller may change the objects later.
    this.#queue.push(recordText(body, event, place));
    this.#lastTime = time;
    this.#lastAcked = this.#synced;
    this.#appended = seq;
    const row = rowAfter(this.#row, event, this.id);
    if (row !== this.#row) this.#isRowNew = true;
    if (row && row.runId !== this.#row?.runId) this.#newRunIds.push(row.runId);
    this.#row = row;
    this.#startWriting();
    return event;
  }

  async flush(): Promise<void> {
    this.#mustWork();
    const target = this.#appended;
    while (this.#synced < target) {
      this.#syncing ??= this.#sync();
      await this.#syncing;
    }
  }

  async *read(fromSeq = 1): AsyncGenerator<DurableEvent, void> {
    this.#mustWork();
    await this.#drain();
    const read = await this.#storage.read(this.id);
    for (const { event } of read?.records.slice(fromSeq - 1) ?? []) yield event;
  }

  async putBlob(bytes: Uint8Array, mediaType: string): ReturnType<StoredLog["putBlob"]> {
    this.#mustWork();
    const kept = bytes.slice();
    const digest = await blobDigest(kept);
    await this.#orFail(() => this.#hold.putBlob(digest, kept));
    return { digest, mediaType, size: kept.length };
  }

  async readBlob(digest: string): Promise<Uint8Array> {
    const bytes = await this.#storage.readBlob(this.id, digest);
    if (!bytes) throw missingBlob(digest);
    return mustMatchDigest(bytes, digest);
  }

  async confirm(): Promise<void> {
    this.#mustWork();
    await this.#orFail(() => this.#hold.confirm());
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      // Write a row that is older than the log, even if nothing was appended.
      if (!this.#failure && this.#isRowNew) this.#startWriting();
      if (!this.#failure) await this.#drain();
      if (!this.#failure) await this.flush();
    } finally {
      this.#failure ??= new AgentError("log", `the run log "${this.id}" is closed`, {
        hint: "open it again with store.open()",
      });
      await this.#hold.release(this.#synced);
    }
  }

  async #sync(): Promise<void> {
    try {
      await this.#drain();
      const covered = this.#written;
      await this.#orFail(() => this.#hold.sync(covered));
      this.#synced = covered;
    } finally {
      this.#syncing = null;
    }
  }

  async #drain(): Promise<void> {
    while (this.#writing) {
      this.#writeNow();
      await this.#writing;
    }
    this.#mustWork();
  }

  /**
   * Starts to write after a short delay, so that the events of several steps are written together.
   * If a caller waits for a flush, writing starts immediately.
   */
  #startWriting(): void {
    this.#writing ??= this.#pause()
      .then(() => this.#write())
      .finally(() => {
        this.#writing = null;
        if (this.#queue.length > 0 && !this.#failure) this.#startWriting();
      });
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, writeDelayMs);
      this.#writeNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Writes the queued events. It never rejects, because `flush` reports the failure. */
  async #write(): Promise<void> {
    const texts = this.#queue;
    this.#queue = [];
    const row = this.#isRowNew ? this.#row : null;
    const runIds = this.#newRunIds;
    this.#isRowNew = false;
    this.#newRunIds = [];
    try {
      await this.#orFail(async () => {
        const lines = texts.map((text) => this.#sealed(text));
        await this.#hold.write({ lines, firstSeq: this.#written + 1, row, runIds });
      });
      this.#written += texts.length;
    } catch {
      // Ignore the error: `#orFail` has stored it for `flush`.
    }
  }

  /**
   * Adds the checksum to a line. This happens when lines are written and not before, because
   * computing many checksums in a row is faster than computing each between other work.
   */
  #sealed(text: string): string {
    const { line, sum } = sealed(text, this.#sum, this.#storage.sumOf);
    this.#sum = sum;
    return line;
  }

  async #orFail<Result>(task: () => Promise<Result>): Promise<Result> {
    try {
      return await task();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(error: unknown): AgentError {
    this.#failure ??= logFailure(error);
    if (this.#failure.code === "lease") this.#lost.abort(this.#failure);
    return this.#failure;
  }

  #mustWork(): void {
    if (this.#failure) throw this.#failure;
  }
}

function logFailure(error: unknown): AgentError {
  if (AgentError.is(error)) return error;
  const message = thrownText(error);
  return new AgentError("log", `the run log could not be written: ${message}`, {
    cause: error,
    hint: "the run started nothing after this error; repair the storage and resume the run",
  });
}
