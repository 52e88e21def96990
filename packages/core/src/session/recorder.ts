// Records each event of a run in the log and in the agent's memory, and shows it to the readers of
// the run. Events of a managed agent are also shown to the readers of its callers.

import type { StepFold } from "@smolts/memory";
import type {
  DurableBody,
  DurableEvent,
  EventStamp,
  HideSecrets,
  Path,
  ReadBlob,
  RunLog,
  TransientBody,
  TransientEvent,
} from "@smolts/protocol";
import type { EventFeed } from "./event-feed.ts";
import type { LogWriter } from "./log-writer.ts";

/** The destinations of a recorder, and the facts about its agent. */
export interface RecorderParts {
  readonly writer: LogWriter;
  readonly fold: StepFold;
  readonly feed: EventFeed;
  readonly runId: string;
  readonly path: Path;
  /** The recorder of the agent that called this agent; null if no agent called it. */
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

  /** Records an event. If it belongs to another agent, `path` identifies that agent. */
  append<Body extends DurableBody>(body: Body, path: Path = this.#parts.path): EventStamp & Body {
    const { writer, fold, runId, hide } = this.#parts;
    const event = writer.append(hide ? hide(body) : body, { runId, path });
    fold.add(event);
    this.#publish(event);
    return event;
  }

  /** Sends a transient event to the readers. The log does not keep it. */
  emit(body: TransientBody): void {
    const { runId, path, hide } = this.#parts;
    this.#pass(Object.assign({}, hide ? hide(body) : body, { runId, path, seq: 0, time: Date.now() }));
  }

  /**
   * Shows the readers of this run an event that is already in the log. The readers of the calling
   * agent do not get it, because they already have it.
   */
  recall(event: DurableEvent): void {
    this.#parts.feed.publish(event);
    this.#parts.feed.noteSafe(event.seq);
  }

  /** Resolves when the log has stored everything appended so far. */
  async flush(): Promise<void> {
    this.#noteSafe(await this.#parts.writer.flush());
  }

  /** Stores bytes in the log. */
  readonly putBlob: RunLog["putBlob"] = (bytes, mediaType) => this.#parts.writer.putBlob(bytes, mediaType);

  readonly readBlob: ReadBlob = (digest) => this.#parts.writer.readBlob(digest);

  /**
   * Returns a recorder for code that runs again with its recorded results. It refuses new events.
   */
  replaying(): Recorder {
    return new Recorder({ ...this.#parts, writer: this.#parts.writer.replaying() });
  }

  #publish(event: DurableEvent): void {
    const { feed, above } = this.#parts;
    feed.publish(event);
    if (above) above.#publish(event);
  }

  #pass(event: TransientEvent): void {
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
