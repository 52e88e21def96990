import { AgentError, type BlobRef, type DurableBody, type EventStamp, type Path, type RunLog } from "@smolts/protocol";

/** The writing side of a log. What it throws is a failure of the log, whoever wrote it: a `log` error with the cause. */
export class LogWriter implements Pick<RunLog, "append" | "flush" | "putBlob"> {
  readonly #log: RunLog;

  constructor(log: RunLog) {
    this.#log = log;
  }

  append<Body extends DurableBody>(body: Body, at: { readonly runId: string; readonly path: Path }): EventStamp & Body {
    try {
      return this.#log.append(body, at);
    } catch (error) {
      throw logError(error);
    }
  }

  async flush(): Promise<void> {
    try {
      await this.#log.flush();
    } catch (error) {
      throw logError(error);
    }
  }

  async putBlob(bytes: Uint8Array, mediaType: string): Promise<BlobRef> {
    try {
      return await this.#log.putBlob(bytes, mediaType);
    } catch (error) {
      throw logError(error);
    }
  }
}

function logError(thrown: unknown): AgentError {
  if (AgentError.is(thrown) && thrown.code === "log") return thrown;
  const message = thrown instanceof Error ? thrown.message : "no reason was given";
  return new AgentError("log", `the run log could not be written: ${message}`, { cause: thrown });
}
