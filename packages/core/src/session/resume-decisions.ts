// Checks the decisions that people made while a run was suspended. All of them are checked before
// any is recorded.

import { type AskingEvent, isAsking, requestOf } from "@smolts/memory";
import {
  AgentError,
  type DecisionInput,
  type DurableEvent,
  type EventOf,
  invalidOption,
  type Path,
  type Tool,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { hasExpired, readDecision, toolDigest } from "../tool-calls/approval-decision.ts";
import { recordedDoubt } from "../tool-calls/doubt.ts";
import { isAgentTool } from "../tools/agent-tool.ts";

/** A decision that can be recorded in the log, with the path of the agent that asked. */
export interface CheckedDecision {
  readonly path: Path;
  readonly response:
    | Pick<EventOf<"approval-response">, "type" | "callId" | "digest" | "decision" | "by">
    | Pick<EventOf<"doubt-response">, "type" | "callId" | "digest" | "decision" | "by">;
}

/**
 * Returns the new decisions, ready to be recorded. A decision that was recorded before is left out.
 *
 * @param events - the events of the run
 * @throws AgentError `stale-decision` when the request of a decision is not open or has changed, or
 * when another decision was recorded for it; `tool-input` when an edit does not fit the tool
 */
export async function checkDecisions(
  definition: AgentDefinition,
  events: readonly DurableEvent[],
  decisions: readonly DecisionInput[],
  signal: AbortSignal,
): Promise<readonly CheckedDecision[]> {
  refuseDuplicates(decisions);
  const checked = await Promise.all(decisions.map((decision) => checkDecision(definition, events, decision, signal)));
  return checked.filter((decision) => decision !== null);
}

/** Refuses two decisions about one call, because it would be unclear which one counts. */
function refuseDuplicates(decisions: readonly DecisionInput[]): void {
  const isList = Array.isArray(decisions) && decisions.every((one) => typeof one?.id === "string");
  if (!isList) {
    throw invalidOption(
      "decisions is not a list of decisions with ids",
      'write decisions: [{ id, digest, type: "approve" }] with the id and digest of a question that the run asks',
    );
  }
  const twice = decisions.find(({ id }, index) => decisions.findIndex((other) => other.id === id) < index);
  if (twice) throw stale(twice, "the list has another decision about the same call");
}

async function checkDecision(
  definition: AgentDefinition,
  events: readonly DurableEvent[],
  decision: DecisionInput,
  signal: AbortSignal,
): Promise<CheckedDecision | null> {
  const request = events.findLast((event): event is AskingEvent => isAsking(event) && event.callId === decision.id);
  if (!request) throw stale(decision, "no open request has this id");
  if (request.digest !== decision.digest)
    throw stale(decision, "it was made about another input, or the tool has changed since");
  if (request.type === "doubt-request") return checkDoubt(events, decision, request);
  const tool = toolAt(definition, request.path, request.name);
  if (!tool || (await toolDigest(tool)) !== request.definitionDigest)
    throw stale(decision, "the tool has changed since");
  const answer = await readDecision(tool, decision, requestOf(request), signal);
  const earlier = events
    .filter((event) => event.type === "approval-response")
    .find(({ callId, seq }) => callId === decision.id && seq > request.seq);
  if (!earlier) {
    if (hasExpired(request)) throw stale(decision, "it came too late; resume the run without it to be asked again");
    const { callId, digest, path } = request;
    return { path, response: { type: "approval-response", callId, digest, ...answer } };
  }
  if (JSON.stringify(earlier.decision) === JSON.stringify(answer.decision)) return null;
  throw stale(decision, `it was decided before: ${earlier.decision.type}`);
}

function checkDoubt(
  events: readonly DurableEvent[],
  decision: DecisionInput,
  { callId, digest, path, seq }: EventOf<"doubt-request">,
): CheckedDecision | null {
  const answer = recordedDoubt(decision);
  const earlier = events
    .filter((event) => event.type === "doubt-response")
    .find((event) => event.callId === callId && event.seq > seq);
  if (!earlier) return { path, response: { type: "doubt-response", callId, digest, ...answer } };
  if (JSON.stringify(earlier.decision) === JSON.stringify(answer.decision)) return null;
  throw stale(decision, `it was decided before: ${earlier.decision.type}`);
}

/**
 * Returns the tool with the given name. `path` says which agent has the tool: the agent of
 * `definition`, or one of its managed agents.
 */
export function toolAt(definition: AgentDefinition, path: Path, name: string): Tool | undefined {
  let at = definition;
  for (const step of path.slice(1)) {
    const agent = at.tools.get(step.split("#", 1)[0] ?? "");
    if (!agent || !isAgentTool(agent)) return undefined;
    at = agent.managed.definition();
  }
  return at.tools.get(name) ?? at.imports?.functions.get(name);
}

const stale = ({ id }: DecisionInput, why: string): AgentError =>
  new AgentError("stale-decision", `the decision on "${id}" was refused: ${why}`, {
    hint: "take the id and digest from error.pending or result.pending of the suspended run",
  });
