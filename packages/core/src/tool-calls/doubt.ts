// Handles calls that began before an interruption and have no outcome. Such a call may have
// happened. If the tool allows it, the call is repeated with the same idempotency key. Otherwise a
// person says what happened, and nothing is done before the answer is recorded.

import { requestOf } from "@smolts/memory";
import {
  AgentError,
  type CallOutcome,
  decodeValue,
  type EventOf,
  encodeValue,
  type RecordedDoubtDecision,
  readDoubtDecision,
  type Tool,
  type ToolEffects,
  untilAborted,
} from "@smolts/protocol";
import { digestOf } from "../run/digest.ts";
import type { PastCall } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { toolDigest } from "./approval-decision.ts";
import { problemOf } from "./problem-of.ts";

/** The decision about a call in doubt: to make the call again, or to accept an outcome. */
export type DoubtResolution =
  | { readonly type: "repeat"; readonly generation: number }
  | { readonly type: "settled"; readonly outcome: CallOutcome };

/** The recorded events of a call that has begun. */
export type StartedCall = PastCall & { readonly started: EventOf<"tool-start"> };

/** Says whether a call has begun. */
export const isStarted = (past: PastCall | undefined): past is StartedCall => (past?.started ?? null) !== null;

/**
 * Says whether a person must say what happened to a call. This is necessary in two cases:
 *
 * - The tool has `effects: "once"`, either now or when the call began. If the agent no longer has
 *   the tool, this counts as `once`.
 * - The tool has changed. It may now do something else when it is called with the same idempotency
 *   key.
 */
export async function isInDoubt(tool: Tool | undefined, past: PastCall | undefined): Promise<boolean> {
  if (!isStarted(past) || past.result) return false;
  const { effects, definitionDigest } = past.started;
  const now: ToolEffects = tool?.effects ?? "once";
  if (effects === "once" || now === "once") return true;
  return tool !== undefined && definitionDigest !== undefined && definitionDigest !== (await toolDigest(tool));
}

/**
 * Returns a person's decision about a call in doubt. Null while nobody has decided.
 *
 * @throws the signal's reason when it aborts
 */
export async function resolveDoubt(run: Run, past: StartedCall, signal: AbortSignal): Promise<DoubtResolution | null> {
  const { started } = past;
  if (past.resolved) return resolution(started, past.resolved.decision);
  const request = past.doubted ?? (await askAbout(run, past));
  run.approvals.pending.set(request.callId, requestOf(request));
  await run.flush();
  const answer = await answerOf(run, request, signal);
  if (!answer) return null;
  const { callId, digest } = request;
  run.append({ type: "doubt-response", callId, digest, ...answer });
  await run.flush();
  run.approvals.pending.delete(callId);
  return resolution(started, answer.decision);
}

/**
 * Asks whether a call has happened. The number of the attempt is a part of the request's digest, so
 * that a decision about an earlier attempt never counts for a later one.
 */
async function askAbout(run: Run, { asked, started }: StartedCall): Promise<EventOf<"doubt-request">> {
  const { callId, name } = asked;
  const { input, attempt } = started;
  const digest = await digestOf([name, input, "doubt", attempt]);
  return run.append({ type: "doubt-request", callId, name, input, digest });
}

async function answerOf(
  run: Run,
  event: EventOf<"doubt-request">,
  signal: AbortSignal,
): Promise<{ readonly decision: RecordedDoubtDecision; readonly by?: string } | null> {
  const { handler, pending } = run.approvals;
  if (!handler) return null;
  signal.throwIfAborted();
  const request = requestOf(event);
  try {
    const decision = await untilAborted(Promise.resolve(handler(request, { signal })), signal);
    return recordedDoubt(decision);
  } catch (error) {
    signal.throwIfAborted();
    pending.set(request.id, { ...request, problem: problemOf(error) });
    return null;
  }
}

/**
 * Reads a person's decision about a call in doubt.
 *
 * @throws AgentError `invalid-option` when the value is not such a decision; `true` and `approve`
 * are refused, because they could repeat an effect by mistake
 */
export function recordedDoubt(value: unknown): { readonly decision: RecordedDoubtDecision; readonly by?: string } {
  const { by, ...said } = readDoubtDecision(value);
  const decision = said.type === "happened" ? { ...said, output: encodeValue(said.output ?? null) } : said;
  return { decision, ...(by === undefined ? {} : { by }) };
}

/** Converts a person's decision to a {@link DoubtResolution}. */
export function resolution({ generation }: EventOf<"tool-start">, decision: RecordedDoubtDecision): DoubtResolution {
  switch (decision.type) {
    case "happened":
      return { type: "settled", outcome: { type: "ok", value: encodeValue(decodeValue(decision.output)) } };
    case "fail":
      return { type: "settled", outcome: { type: "error", error: failed(decision.reason) } };
    case "again":
      return { type: "repeat", generation };
    case "again-as-new":
      return { type: "repeat", generation: generation + 1 };
    default:
      return decision satisfies never;
  }
}

const failed = (reason = "a person said that it failed"): ReturnType<AgentError["toJSON"]> =>
  new AgentError("tool-execution", `the call did not happen: ${reason}`).toJSON();
