// What clients are told of failures. A provider's error may hold addresses, accounts and parts of
// keys, and one of a store its path: the server's owner gets it whole, and a client gets a sentence
// and the id under which it is found.

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
 * Gets each failure that a client is not told in full. The client has the `id`: the run's, or one
 * of the failure alone.
 */
export type OnError = (error: unknown, about: { readonly id: string }) => void;

/** A failure of the server that ended a request, as its client is told of it. */
export class ToldFailure extends Error {
  override readonly name = "ToldFailure";
  readonly code: AgentErrorCode | null;

  constructor(message: string, code: AgentErrorCode | null) {
    super(message);
    this.code = code;
  }
}

/** Returns what the client is told of a failed request, and reports the rest. */
export function toldOf(error: unknown, onError: OnError): RefusedRequest | ToldFailure {
  if (error instanceof RefusedRequest || error instanceof ToldFailure) return error;
  const id = crypto.randomUUID();
  onError(error, { id });
  const code = AgentError.is(error) ? error.code : null;
  return new ToldFailure(sentence((code && hidden[code]) ?? "the server failed", id), code);
}

/** What the client is told of a run that did not begin; the rest is reported by the run's end. */
export function toldOfRun(
  { code, message }: { readonly code: string; readonly message: string },
  runId: string,
): ToldFailure {
  const known = code as AgentErrorCode; // looked up below
  const why = hidden[known] ?? null;
  return new ToldFailure(why === null ? message : sentence(why, runId), known);
}

/** Copies the events of one run, in their order, without what clients are not told. */
export class ToldEvents {
  readonly #runId: string;
  /** What failed in managed agents: the agent that called them repeats it. */
  readonly #hiddenTexts = new Set<string>();

  /** @param runId - the run of the client, also for the events of its managed agents */
  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The event as clients see it. */
  of<Event extends RunEvent | DurableEvent>(event: Event): Event;
  of(event: RunEvent): RunEvent {
    switch (event.type) {
      case "run-end":
        return event.error ? { ...event, error: this.#told(event.error) } : event;
      case "step-end":
        return event.error ? { ...event, error: this.#told(event.error) } : event;
      case "retry":
        return { ...event, error: this.#told(event.error) };
      case "tool-result":
        return { ...event, outcome: this.#outcome(event.outcome) };
      default:
        return event;
    }
  }

  #outcome(outcome: CallOutcome): CallOutcome {
    return outcome.type === "ok" ? outcome : { ...outcome, error: this.#told(outcome.error) };
  }

  #told({ code, name, message }: SerializedError): SerializedError {
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

/** Whether the owner of the server has to be told, since the client is not. */
export const isHidden = ({ code }: { readonly code: string }): boolean =>
  (hidden[code as AgentErrorCode] ?? null) !== null;

const sentence = (what: string, id: string): string => `${what}; the server's log has the reason under ${id}`;

/**
 * A sentence instead of the message; null where the message is about the request, its code or its
 * limits.
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
