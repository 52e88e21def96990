import {
  AgentError,
  type DurableEvent,
  type EventOf,
  encodeValue,
  type GivenDecision,
  type RecordedDecision,
} from "@smolts/protocol";

/** A decision, ready to be appended at the place of the agent that asked. */
export interface StoredDecision {
  readonly response: Pick<EventOf<"approval-response">, "type" | "callId" | "digest" | "decision" | "by">;
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
  const request = ofRun
    .filter((event) => event.type === "approval-request")
    .findLast(({ callId }) => callId === given.id);
  if (!request) throw stale(given, "nobody asks for it");
  if (request.digest !== given.digest) throw stale(given, "it was made about another input");
  const decision = recorded(given, request);
  const earlier = ofRun
    .filter((event) => event.type === "approval-response")
    .find(({ callId, seq }) => callId === given.id && seq > request.seq);
  if (earlier && JSON.stringify(earlier.decision) === JSON.stringify(decision)) return null;
  if (earlier) throw stale(given, `it was decided before: ${earlier.decision.type}`);
  const { callId, digest, path } = request;
  const by = typeof given.by === "string" ? { by: given.by } : {};
  return { response: { type: "approval-response", callId, digest, decision, ...by }, at: { runId, path } };
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
      given satisfies never;
      throw new AgentError("invalid-option", "expected an approval decision, got something else", {
        hint: 'write { id, digest, type: "approve" }, or "edit", "deny" or "always"',
      });
  }
}

const stale = ({ id }: GivenDecision, why: string): AgentError =>
  new AgentError("stale-decision", `the decision on "${id}" was refused: ${why}`, {
    hint: "decide on what the suspended run asks for, with its id and digest",
  });
