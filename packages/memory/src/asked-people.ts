import { type ApprovalRequest, type DurableEvent, decodeValue, type EventOf } from "@smolts/protocol";

/** A recorded question to people: for an approval, or for word of whether a call happened. */
export type AskingEvent = EventOf<"approval-request" | "doubt-request">;

/** Whether an event asks people. */
export const isAsking = (event: DurableEvent): event is AskingEvent =>
  event.type === "approval-request" || event.type === "doubt-request";

/**
 * The calls that wait for people after these events of one run, in the order in which they were
 * asked about.
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
 * The same calls as {@link openRequests}, as the events that ask about them.
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

/** Keeps the questions that nobody has answered, by the id of their call. */
export function noteAsked(asked: Map<string, AskingEvent>, event: DurableEvent): void {
  switch (event.type) {
    case "approval-request":
    case "doubt-request":
      asked.set(event.callId, event);
      break;
    case "approval-response":
    case "doubt-response":
    case "tool-result":
      asked.delete(event.callId);
      break;
    case "run-end":
      if (event.path.length === 1) asked.clear();
  }
}

/** Turns a recorded question into the request that people see. */
export function requestOf(event: AskingEvent): ApprovalRequest {
  const { callId: id, runId, path, name, input, digest, problem } = event;
  const basis = { id, runId, path, name, input: decodeValue(input), digest, ...(problem !== undefined && { problem }) };
  if (event.type === "doubt-request") return { kind: "doubt", ...basis, each: true };
  const { each, expiresAt, form } = event;
  return { ...basis, each, ...(expiresAt !== undefined && { expiresAt }), ...(form !== undefined && { form }) };
}
