import { type ApprovalRequest, type DurableEvent, decodeValue, type EventOf } from "@smolts/protocol";
import { explainRequest } from "./explain-step.ts";

/** An event that asks a person to approve a call, or to say whether a call happened. */
export type AskingEvent = EventOf<"approval-request" | "doubt-request">;

/** Says whether an event asks people. */
export const isAsking = (event: DurableEvent): event is AskingEvent =>
  event.type === "approval-request" || event.type === "doubt-request";

/**
 * Returns a request for each call that still waits for a person's answer after these events of one
 * run. The requests are in the order in which people were asked.
 *
 * @example
 * ```ts
 * import { openRequests } from "@smolts/memory";
 *
 * console.log(openRequests([])); // []
 * ```
 */
export function openRequests(events: Iterable<DurableEvent>): readonly ApprovalRequest[] {
  return openQuestions(events).map(requestOf);
}

/**
 * Returns the events that asked people about calls and have not been answered yet.
 * {@link openRequests} returns a request for each of these events.
 *
 * @example
 * ```ts
 * import { openQuestions } from "@smolts/memory";
 *
 * console.log(openQuestions([])); // []
 * ```
 */
export function openQuestions(events: Iterable<DurableEvent>): readonly AskingEvent[] {
  const asked = new Map<string, AskingEvent>();
  for (const event of events) noteAsked(asked, event);
  return [...asked.values()];
}

/**
 * Updates the map of unanswered questions with one more event. The keys are the ids of the calls.
 */
export function noteAsked(asked: Map<string, AskingEvent>, event: DurableEvent): void {
  switch (event.type) {
    case "approval-request":
    case "doubt-request":
      asked.set(event.callId, event);
      break;
    case "approval-response":
    case "doubt-response":
      asked.delete(event.callId);
      break;
    case "tool-result":
      asked.delete(event.callId);
      forgetQuestions(asked, `${event.callId}${questionMark}`);
      break;
    case "run-suspend":
    case "run-resume":
      forgetQuestions(asked, questionMark);
      break;
    case "run-end":
      if (event.path.length === 1) asked.clear();
  }
}

/**
 * Separates the id of a call from the number of a question that its tool asks. No other id contains
 * this character, because the names of agents are identifiers.
 */
const questionMark = "?";

/**
 * Removes questions that tools asked. Such a question is open only while its tool works; a call
 * that is made again asks again.
 */
function forgetQuestions(asked: Map<string, AskingEvent>, idPart: string): void {
  for (const id of asked.keys()) if (id.includes(idPart)) asked.delete(id);
}

/** Turns a recorded question into the request that people see. */
export function requestOf(event: AskingEvent): ApprovalRequest {
  const { callId: id, runId, path, name, input, digest, problem } = event;
  const basis = { id, runId, path, name, input: decodeValue(input), digest, ...(problem !== undefined && { problem }) };
  if (event.type === "doubt-request") return explainRequest({ kind: "doubt", ...basis, each: true });
  const { each, expiresAt, form } = event;
  return explainRequest({
    ...basis,
    each,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(form !== undefined && { form }),
  });
}
