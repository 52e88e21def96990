import {
  AgentError,
  type ApprovalDecision,
  type DecisionInput,
  type DurableEvent,
  decodeValue,
  type EventOf,
  encodeValue,
  invalidOption,
  type RecordedDecision,
  readApprovalDecision,
  readDoubtDecision,
} from "@smolts/protocol";
import { type AskingEvent, isAsking } from "../asked-people.ts";

/** A decision as an event, ready to be appended with the path of the agent that asked. */
export interface StoredDecision {
  readonly response:
    | Pick<EventOf<"approval-response">, "type" | "callId" | "digest" | "decision" | "by">
    | Pick<EventOf<"doubt-response">, "type" | "callId" | "digest" | "decision" | "by">;
  readonly at: Pick<DurableEvent, "runId" | "path">;
}

/**
 * Checks a decision about a call, using the log of the suspended run that made the call. Returns
 * the response to record, or null when the same decision has already been recorded.
 *
 * @throws AgentError `stale-decision` when the log has no open request for the call, or another
 *   decision was recorded for it; `invalid-option` when the input is not a decision
 */
export function storedDecision(
  events: readonly DurableEvent[],
  runId: string,
  decision: DecisionInput,
): StoredDecision | null {
  checkNamesCall(decision);
  const ofRun = events.filter((event) => event.runId === runId);
  const lastOfRoot = ofRun.findLast(({ path, type }) => path.length === 1 && runEdges.has(type));
  if (lastOfRoot?.type === "run-end") throw stale(decision, "the run has ended");
  const request = ofRun.findLast((event): event is AskingEvent => isAsking(event) && event.callId === decision.id);
  if (!request) throw stale(decision, "no open request has this id");
  if (request.digest !== decision.digest)
    throw stale(decision, "it was made about another input, or the tool has changed since");
  const response = responseTo(request, decision);
  const earlier = ofRun.find(
    (event) => event.type === response.type && event.callId === decision.id && event.seq > request.seq,
    // The cast is safe: the search looks only for events of these types.
  ) as EventOf<"approval-response" | "doubt-response"> | undefined;
  if (earlier && JSON.stringify(earlier.decision) === JSON.stringify(response.decision)) return null;
  if (earlier) throw stale(decision, `it was decided before: ${earlier.decision.type}`);
  const { expiresAt } = { expiresAt: undefined, ...request };
  if (expiresAt !== undefined && Date.now() >= expiresAt)
    throw stale(decision, "it came too late; resume the run to be asked again");
  return { response, at: { runId, path: request.path } };
}

function responseTo(request: AskingEvent, given: DecisionInput): StoredDecision["response"] {
  const { callId, digest } = request;
  if (request.type === "doubt-request") {
    const { by, ...said } = readDoubtDecision(given);
    const decision = said.type === "happened" ? { ...said, output: encodeValue(said.output ?? null) } : said;
    return { type: "doubt-response", callId, digest, decision, ...(by === undefined ? {} : { by }) };
  }
  const { by, ...said } = readApprovalDecision(given);
  return {
    type: "approval-response",
    callId,
    digest,
    decision: recorded(said, request),
    ...(by === undefined ? {} : { by }),
  };
}

const runEdges: ReadonlySet<DurableEvent["type"]> = new Set([
  "run-start",
  "run-resume",
  "run-suspend",
  "run-end",
] as const);

/**
 * Returns the decision as the log keeps it. The input of an edit is marked as unchecked, because
 * only the agent's tool can validate it.
 */
function recorded(decision: ApprovalDecision, { each, name, input }: EventOf<"approval-request">): RecordedDecision {
  switch (decision.type) {
    case "approve":
    case "deny":
      return decision;
    case "edit":
      return { type: "edit", input: encodeValue(decision.input), unchecked: true };
    case "always":
      if (!each) return { type: "always", fields: fieldsIn(decodeValue(input), decision.fields ?? [], name) };
      throw invalidOption(
        `each call of "${name}" needs its own decision`,
        'write { type: "approve" } instead of "always"',
      );
    default:
      return decision satisfies never;
  }
}

/**
 * Checks the fields of an `always` decision. A field that the call does not have would restrict
 * nothing, so the approval would cover every call.
 */
function fieldsIn(input: unknown, fields: readonly string[], name: string): readonly string[] {
  const known = Object.keys(input ?? {});
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return fields;
  throw invalidOption(
    `the call of "${name}" has no field ${JSON.stringify(unknown)}`,
    `its fields are: ${known.join(", ")}`,
  );
}

function checkNamesCall(decision: DecisionInput): void {
  const { id, digest } = (typeof decision === "object" && decision !== null ? decision : {}) as Partial<DecisionInput>;
  if (typeof id === "string" && typeof digest === "string") return;
  throw invalidOption(
    "a decision does not name its request; expected an id and a digest",
    'write { id, digest, type: "approve" } with the id and digest of a question that the run asks',
  );
}

const stale = ({ id }: DecisionInput, why: string): AgentError =>
  new AgentError("stale-decision", `the decision on "${id}" was refused: ${why}`, {
    hint: "use the id and digest of a question that the suspended run asks",
  });
