import {
  AgentError,
  type BlobRef,
  type DurableBody,
  type EventPlace,
  type EventStamp,
  type RunLog,
} from "@smolts/protocol";
import { leavesRunOpen } from "../run/error-policy.ts";

/** The writing side of a log. What it throws is a failure of the log, whoever wrote it: a `log` error with the cause. */
export class LogWriter implements Pick<RunLog, "append" | "flush" | "putBlob"> {
  readonly #log: RunLog;
  /** After it, what is on disk is unknown: nothing is appended or begun any more. */
  #failure: AgentError | null = null;

  constructor(log: RunLog) {
    this.#log = log;
  }

  append<Body extends DurableBody>(body: Body, at: EventPlace): EventStamp & Body {
    if (this.#failure) throw this.#failure;
    try {
      return this.#log.append(body, at);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async flush(): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await this.#log.flush();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async putBlob(bytes: Uint8Array, mediaType: string): Promise<BlobRef> {
    if (this.#failure) throw this.#failure;
    try {
      return await this.#log.putBlob(bytes, mediaType);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(error: unknown): AgentError {
    this.#failure ??= logError(error);
    return this.#failure;
  }
}

function logError(thrown: unknown): AgentError {
  if (AgentError.is(thrown) && leavesRunOpen(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : "no reason was given";
  return new AgentError("log", `the run log could not be written: ${message}`, { cause: thrown });
}
