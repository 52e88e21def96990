// What happens in a run goes through here: into the log, into the agent's memory, and to whoever
// reads the run. What a managed agent does is also heard by the readers of its callers.

import type { StepFold } from "@smolts/memory";
import type {
  DurableBody,
  DurableEvent,
  EventStamp,
  HideSecrets,
  PassingBody,
  PassingEvent,
  Path,
  ReadBlob,
  RunLog,
} from "@smolts/protocol";
import type { EventFeed } from "./event-feed.ts";
import type { LogWriter } from "./log-writer.ts";

/** Where a recorder writes, and who hears of it. */
export interface RecorderParts {
  readonly writer: LogWriter;
  readonly fold: StepFold;
  readonly feed: EventFeed;
  readonly runId: string;
  readonly path: Path;
  /** The recorder of the agent that this one works for. */
  readonly above: Recorder | null;
  /** Removes secrets from events; null if there are no secrets. */
  readonly hide: HideSecrets | null;
}

/** Records the events of one agent in one run. */
export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** `path`: of the agent that the event belongs to, when that is not this one. */
  append<Body extends DurableBody>(body: Body, path: Path = this.#parts.path): EventStamp & Body {
    const { writer, fold, runId, hide } = this.#parts;
    const event = writer.append(hide ? hide(body) : body, { runId, path });
    fold.add(event);
    this.#publish(event);
    return event;
  }

  /** Sends a transient event to the readers. The log does not keep it. */
  emit(body: PassingBody): void {
    const { runId, path, hide } = this.#parts;
    this.#pass(Object.assign({}, hide ? hide(body) : body, { runId, path, seq: 0, time: Date.now() }));
  }

  /**
   * Shows an event of the log to the readers of this run alone: those of its caller have had it.
   */
  recall(event: DurableEvent): void {
    this.#parts.feed.publish(event);
    this.#parts.feed.noteSafe(event.seq);
  }

  /** Resolves when everything appended so far is safe. */
  async flush(): Promise<void> {
    this.#noteSafe(await this.#parts.writer.flush());
  }

  /** Keeps bytes in the log. */
  readonly putBlob: RunLog["putBlob"] = (bytes, mediaType) => this.#parts.writer.putBlob(bytes, mediaType);

  readonly readBlob: ReadBlob = (digest) => this.#parts.writer.readBlob(digest);

  /**
   * The same for code that runs again with its recorded results: nothing new may be recorded then.
   */
  replaying(): Recorder {
    return new Recorder({ ...this.#parts, writer: this.#parts.writer.replaying() });
  }

  #publish(event: DurableEvent): void {
    const { feed, above } = this.#parts;
    feed.publish(event);
    if (above) above.#publish(event);
  }

  #pass(event: PassingEvent): void {
    const { feed, above } = this.#parts;
    feed.pass(event);
    if (above) above.#pass(event);
  }

  #noteSafe(seq: number): void {
    const { feed, above } = this.#parts;
    feed.noteSafe(seq);
    if (above) above.#noteSafe(seq);
  }
}
