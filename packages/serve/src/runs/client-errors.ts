// Decides which error details clients see. A provider's error may contain addresses, accounts and
// parts of keys, and an error of a store may contain its path. The server's owner gets the whole
// error. A client gets one sentence, and an id that helps the owner to find the error.

import {
  AgentError,
  type AgentErrorCode,
  type CallOutcome,
  type DurableEvent,
  type RunEvent,
  type SerializedError,
} from "@smolts/protocol";
import { RefusedRequest } from "../refused-request.ts";

/**
 * Called with each error that clients do not see in full. The client knows the `id`: the run's id,
 * or a random one.
 */
export type OnError = (error: unknown, about: { readonly id: string }) => void;

/** A failure of the server, with the message that its client may see. */
export class ClientFailure extends Error {
  override readonly name = "ClientFailure";
  readonly code: AgentErrorCode | null;

  constructor(message: string, code: AgentErrorCode | null) {
    super(message);
    this.code = code;
  }
}

/** Returns the error that the client may see, and reports the whole error to the owner. */
export function clientError(error: unknown, onError: OnError): RefusedRequest | ClientFailure {
  if (error instanceof RefusedRequest || error instanceof ClientFailure) return error;
  const id = crypto.randomUUID();
  onError(error, { id });
  const code = AgentError.is(error) ? error.code : null;
  return new ClientFailure(sentence((code && hidden[code]) ?? "the server failed", id), code);
}

/**
 * Returns the error that the client may see when its run did not start. The owner gets the whole
 * error when the run ends.
 */
export function clientErrorOfRun(
  { code, message }: { readonly code: string; readonly message: string },
  runId: string,
): ClientFailure {
  const known = code as AgentErrorCode; // safe cast: `hidden` has no entry for an unknown code
  const why = hidden[known] ?? null;
  return new ClientFailure(why === null ? message : sentence(why, runId), known);
}

/**
 * Copies the events of one run without error details that clients may not see. Pass the events in
 * their order.
 */
export class ClientEvents {
  readonly #runId: string;
  /**
   * Hidden error messages of managed agents. The error of the agent that called a managed agent
   * repeats its message, so the message is hidden there too.
   */
  readonly #hiddenTexts = new Set<string>();

  /**
   * @param runId - the id of the client's run. Hidden errors of its managed agents also name this
   *   id, because the owner finds the real error under it.
   */
  constructor(runId: string) {
    this.#runId = runId;
  }

  /** Returns the event as clients may see it. */
  of<Event extends RunEvent | DurableEvent>(event: Event): Event;
  of(event: RunEvent): RunEvent {
    switch (event.type) {
      case "run-end":
        return event.error ? { ...event, error: this.#forClient(event.error) } : event;
      case "step-end":
        return event.error ? { ...event, error: this.#forClient(event.error) } : event;
      case "retry":
        return { ...event, error: this.#forClient(event.error) };
      case "tool-result":
        return { ...event, outcome: this.#outcome(event.outcome) };
      default:
        return event;
    }
  }

  #outcome(outcome: CallOutcome): CallOutcome {
    return outcome.type === "ok" ? outcome : { ...outcome, error: this.#forClient(outcome.error) };
  }

  #forClient({ code, name, message }: SerializedError): SerializedError {
    const why = hidden[code];
    if (why === null) return { code, ...(name === undefined ? {} : { name }), message: this.#without(message) };
    this.#hiddenTexts.add(message);
    return { code, message: sentence(why, this.#runId) };
  }

  #without(text: string): string {
    return [...this.#hiddenTexts].reduce(
      (rest, part) => rest.replaceAll(part, sentence("it failed", this.#runId)),
      text,
    );
  }
}

/** Says whether the message of an error is hidden from clients. If so, the owner must get it. */
export const isHidden = ({ code }: { readonly code: string }): boolean =>
  (hidden[code as AgentErrorCode] ?? null) !== null;

const sentence = (what: string, id: string): string => `${what}; the server's log has the reason under ${id}`;

/**
 * Maps each error code to the sentence that clients see instead of the message. Null means that
 * clients may see the message, because it is about the request, its code or its limits.
 */
const hidden: Readonly<Record<AgentErrorCode, string | null>> = {
  parsing: null,
  "code-execution": null,
  "tool-input": null,
  "tool-execution": null,
  "unknown-tool": null,
  "final-answer-check": null,
  "import-refused": null,
  denied: null,
  generation: "the agent's model did not answer",
  "context-overflow": "the conversation is too long for the agent's model",
  executor: "the agent's sandbox failed",
  log: "the record of the run cannot be written or read",
  "log-corrupt": "the record of the run is damaged",
  "log-truncated": "the record of the run is damaged",
  "log-version": "the record of the run is of a newer version",
  lease: "another server holds the run",
  "crash-loop": "the run stopped the server again and again",
  "invalid-option": "the agent cannot be used as it is set up",
  "invalid-value": "a value of the agent cannot be used",
  interrupted: null,
  divergence: "the run cannot be continued as it was recorded",
  "effects-repeat": null,
  "in-doubt": null,
  suspended: null,
  "stale-decision": null,
  busy: null,
  budget: null,
  callback: "the agent's own checks failed",
  "output-invalid": null,
};
