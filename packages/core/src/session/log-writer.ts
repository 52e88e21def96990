import {
  AgentError,
  type BlobRef,
  type DurableBody,
  type EventPlace,
  type EventStamp,
  type RunLog,
} from "@smolts/protocol";
import { leavesRunOpen } from "../run/error-policy.ts";

/**
 * Writes a session's log for all agents of its runs. If the log fails, throws an AgentError. After
 * a failure the content on disk is unknown, so all later calls fail too. To continue, the log must
 * be opened again.
 */
export class LogWriter {
  readonly #log: RunLog;
  #failure: AgentError | null = null;
  #lastSeq = 0;

  constructor(log: RunLog) {
    this.#log = log;
  }

  /** The number of the newest event that this writer knows. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Whether a write has failed, so that nothing can be written any longer. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Called when the log was read up to this event. */
  noteRead(seq: number): void {
    this.#lastSeq = Math.max(this.#lastSeq, seq);
  }

  append<Body extends DurableBody>(body: Body, at: EventPlace): EventStamp & Body {
    this.#mustWork();
    try {
      const event = this.#log.append(body, at);
      this.#lastSeq = event.seq;
      return event;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /**
   * Resolves when everything appended so far is stored safely. The result is the number of the last
   * such event.
   */
  async flush(): Promise<number> {
    this.#mustWork();
    const covered = this.#lastSeq;
    try {
      await this.#log.flush();
      return covered;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async putBlob(bytes: Uint8Array, mediaType: string): Promise<BlobRef> {
    this.#mustWork();
    try {
      return await this.#log.putBlob(bytes, mediaType);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  readBlob(digest: string): Promise<Uint8Array> {
    return this.#log.readBlob(digest);
  }

  /**
   * Returns a writer for recorded code that runs again. It refuses events, because the log already
   * contains the events of this code.
   */
  replaying(): LogWriter {
    return new ReplayWriter(this.#log);
  }

  #mustWork(): void {
    if (this.#failure) throw this.#failure;
  }

  #fail(error: unknown): AgentError {
    this.#failure ??= AgentError.is(error) && leavesRunOpen(error) ? error : logError("could not be written", error);
    return this.#failure;
  }
}

class ReplayWriter extends LogWriter {
  override append(body: DurableBody): never {
    throw new AgentError("divergence", `code that ran before now tries to record "${body.type}"`, {
      hint: "resume with the version of smolts that wrote the log, or start the task again",
    });
  }
}

/**
 * Returns the error about something that could not be done with a log.
 *
 * @param what - such as "could not be read"
 */
export function logError(what: string, thrown: unknown): AgentError {
  const message = thrown instanceof Error ? thrown.message : "no reason was given";
  return new AgentError("log", `the run log ${what}: ${message}`, { cause: thrown });
}
