import {
  AgentError,
  type DurableEvent,
  type EventOf,
  encodeValue,
  type GivenDecision,
  type RecordedDecision,
  type RecordedDoubtDecision,
} from "@smolts/protocol";

/** A decision, ready to be appended at the place of the agent that asked. */
export interface StoredDecision {
  readonly response:
    | Pick<EventOf<"approval-response">, "type" | "callId" | "digest" | "decision" | "by">
    | Pick<EventOf<"doubt-response">, "type" | "callId" | "digest" | "decision" | "by">;
  readonly at: Pick<DurableEvent, "runId" | "path">;
}

/**
 * Checks a decision about a call of a suspended run against its log; null when it was recorded before.
 *
 * @throws AgentError `stale-decision` when nobody asks for it, or it was decided otherwise; `invalid-option` when it is not a decision
 */
export function storedDecision(
  events: readonly DurableEvent[],
  runId: string,
  given: GivenDecision,
): StoredDecision | null {
  const ofRun = events.filter((event) => event.runId === runId);
  const lastOfRoot = ofRun.findLast(({ path, type }) => path.length === 1 && runEdges.has(type));
  if (lastOfRoot?.type === "run-end") throw stale(given, "the run has ended");
  const request = ofRun.findLast((event): event is Request => isRequest(event) && event.callId === given.id);
  if (!request) throw stale(given, "nobody asks for it");
  if (request.digest !== given.digest) throw stale(given, "it was made about another input");
  const response = responseTo(request, given);
  const earlier = ofRun.find(
    (event) => event.type === response.type && event.callId === given.id && event.seq > request.seq,
  ) as EventOf<"approval-response" | "doubt-response"> | undefined; // the type of a response
  if (earlier && JSON.stringify(earlier.decision) === JSON.stringify(response.decision)) return null;
  if (earlier) throw stale(given, `it was decided before: ${earlier.decision.type}`);
  const { expiresAt } = { expiresAt: undefined, ...request };
  if (expiresAt !== undefined && Date.now() >= expiresAt)
    throw stale(given, "it came too late; resume the run to be asked again");
  return { response, at: { runId, path: request.path } };
}

type Request = EventOf<"approval-request"> | EventOf<"doubt-request">;

const isRequest = (event: DurableEvent): event is Request =>
  event.type === "approval-request" || event.type === "doubt-request";

function responseTo(request: Request, given: GivenDecision): StoredDecision["response"] {
  const { callId, digest } = request;
  const by = typeof given.by === "string" ? { by: given.by } : {};
  return request.type === "doubt-request"
    ? { type: "doubt-response", callId, digest, decision: recordedDoubt(given), ...by }
    : { type: "approval-response", callId, digest, decision: recorded(given, request), ...by };
}

const runEdges: ReadonlySet<DurableEvent["type"]> = new Set([
  "run-start",
  "run-resume",
  "run-suspend",
  "run-end",
] as const);

/** An edit stays unchecked: only the agent's tool can validate it. */
function recorded(given: GivenDecision, { each, name }: EventOf<"approval-request">): RecordedDecision {
  switch (given.type) {
    case "approve":
      return { type: "approve" };
    case "edit":
      return { type: "edit", input: encodeValue(given.input), unchecked: true };
    case "deny":
      return { type: "deny", ...(given.reason === undefined ? {} : { reason: String(given.reason) }) };
    case "always":
      if (!each) return { type: "always", fields: [...(given.fields ?? [])] };
      throw new AgentError("invalid-option", `each call of "${name}" needs a decision of its own`, {
        hint: 'write { type: "approve" } instead of "always"',
      });
    default:
      throw notADecision('write { id, digest, type: "approve" }, or "edit", "deny" or "always"');
  }
}

function recordedDoubt(given: GivenDecision): RecordedDoubtDecision {
  switch (given.type) {
    case "happened":
      return { type: "happened", output: encodeValue(given.output ?? null) };
    case "again":
    case "again-as-new":
      return { type: given.type };
    case "fail":
      return { type: "fail", ...(given.reason === undefined ? {} : { reason: String(given.reason) }) };
    default:
      throw notADecision('write { id, digest, type: "happened", output }, or "again", "again-as-new" or "fail"');
  }
}

const notADecision = (hint: string): AgentError =>
  new AgentError("invalid-option", "expected a decision that answers the request, got something else", { hint });

const stale = ({ id }: GivenDecision, why: string): AgentError =>
  new AgentError("stale-decision", `the decision on "${id}" was refused: ${why}`, {
    hint: "decide on what the suspended run asks for, with its id and digest",
  });
