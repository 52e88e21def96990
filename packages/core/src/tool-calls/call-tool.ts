// Every tool call goes through this file, from JSON or from code:
//
//   call is recorded (tool-call) -> tool exists? -> arguments are mapped and validated, once
//   -> needs a person? -> start is recorded (tool-start, on disk) -> tool runs -> tool-result
//
// The steps before the start are in permission.ts.
//
// A tool gets its input decoded from the recorded bytes, so that a replay passes exactly the same
// input.

import {
  AgentError,
  type CallOutcome,
  decodeValue,
  type EncodedValue,
  type EventOf,
  nearestName,
  type SerializedError,
  type Tool,
} from "@smolts/protocol";
import { storeMediaIn } from "../media/store-media.ts";
import { budgetRefusal } from "../run/budget.ts";
import { callKey, type PastCall, wasAdmitted } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { isAgentTool } from "../tools/agent-tool.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { toolDigest } from "./approval-decision.ts";
import type { AskedCall } from "./asked-call.ts";
import { callAgent } from "./call-agent.ts";
import { contextOf, idempotencyKeyOf } from "./call-context.ts";
import { CallLife } from "./call-life.ts";
import { isInDoubt, isStarted, resolution, resolveDoubt } from "./doubt.ts";
import { askPerson, permissionFor } from "./permission.ts";
import { settleCall } from "./settle-call.ts";

/** Records that a call was made. */
export function recordAsk(run: Run, { callId, stepNumber, callIndex, name, args, providerId }: AskedCall): void {
  run.append({
    type: "tool-call",
    stepNumber,
    callId,
    callIndex,
    name,
    args,
    ...(providerId === undefined ? {} : { providerId }),
  });
}

/** Options of {@link callTool}. */
export interface CallOptions {
  /** The events of the log about this call. */
  readonly past: PastCall | undefined;
  /**
   * Aborts when the block or message that made the call has ended, or when the run ends. A call
   * that still waits for its turn must not begin after that.
   *
   * @defaultValue the signal of the run
   */
  readonly over?: AbortSignal;
}

/**
 * Makes a call and records its outcome. Returns null while a person still has to decide. Errors of
 * the tool or of the model are not thrown; they are outcomes.
 *
 * @throws AgentError `log` when the start of a call with effects could not be recorded
 */
export async function callTool(
  run: Run,
  call: AskedCall,
  options: CallOptions,
): Promise<EventOf<"tool-result"> | null> {
  if (run.approvals.drain.isOn && call.name !== finalAnswerName) return null;
  const tool = toolOf(run, call);
  const isKept = tool && isAgentTool(tool) && tool.managed.memory === "keep";
  const outcome = await (isKept ? inOrderOfAsking(run, call, options) : outcomeOf(run, call, options));
  if (!outcome) {
    run.approvals.drain.begin();
    return null;
  }
  // The block may have ended while a person was asked. A later suspension must not ask about this
  // call.
  run.approvals.pending.delete(call.callId);
  return run.append({ type: "tool-result", callId: call.callId, outcome });
}

/**
 * Makes the calls of a managed agent one after the other, if it keeps its memory. Each call waits
 * for the previous call, even while the previous call waits for a person.
 */
function inOrderOfAsking(run: Run, call: AskedCall, options: CallOptions): Promise<CallOutcome | null> {
  const earlier = run.keptCalls.get(call.name) ?? Promise.resolve(true);
  const outcome = earlier.then((isSettled) => (isSettled ? outcomeOf(run, call, options) : null));
  const settled = outcome.then(
    (own) => own !== null,
    () => true,
  );
  run.keptCalls.set(call.name, settled);
  return outcome;
}

const toolOf = ({ definition }: Run, { name }: AskedCall): Tool | undefined =>
  definition.tools.get(name) ?? definition.imports?.functions.get(name);

/** Records that a call will not be made, because the block that made it has ended. */
export function cancelCall(run: Run, call: AskedCall): void {
  const { pending } = run.approvals;
  const outcome = pending.get(call.callId)?.kind === "doubt" ? unknownByAbort(call) : cancelledByEnd(call);
  pending.delete(call.callId);
  run.append({ type: "tool-result", callId: call.callId, outcome });
}

/**
 * Records an outcome for a call whose block was lost, so that the call is not made later. If a
 * person has said what happened in the call, this becomes the outcome.
 */
export function endLostCall(run: Run, past: PastCall): void {
  const { asked, started, isWorkedOn, resolved } = past;
  const decision = resolved && started ? resolution(started, resolved.decision) : null;
  const mayHaveHappened = started !== null || isWorkedOn;
  const settled = decision?.type === "settled" ? decision.outcome : null;
  const outcome = settled ?? (mayHaveHappened ? unknownByAbort(asked) : cancelledByEnd(asked));
  if (outcome.type === "unknown" && started) run.unknownCalls.add(callKey(asked.name, started.input));
  run.append({ type: "tool-result", callId: asked.callId, outcome });
}

async function outcomeOf(
  run: Run,
  call: AskedCall,
  { past, over = run.signal }: CallOptions,
): Promise<CallOutcome | null> {
  const tool = toolOf(run, call);
  const mayHaveHappened = await isInDoubt(tool, past);
  if (run.signal.aborted) return mayHaveHappened ? unknownByAbort(call) : cancelledByAbort;
  try {
    return await settledOutcome(run, call, tool, { past, over, mayHaveHappened });
  } catch (error) {
    // An abort of the run is checked first, because it also ends the block.
    const isAbort = run.signal.aborted && error === run.signal.reason;
    const isEnd = over.aborted && error === over.reason;
    if (mayHaveHappened && (isAbort || isEnd)) return unknownByAbort(call);
    if (isAbort) return cancelledByAbort;
    if (isEnd) return cancelledByEnd(call);
    if (AgentError.is(error) && error.code === "tool-input") return { type: "refused", error: error.toJSON() };
    throw error;
  }
}

async function settledOutcome(
  run: Run,
  call: AskedCall,
  tool: Tool | undefined,
  { past, over, mayHaveHappened }: Required<CallOptions> & { readonly mayHaveHappened: boolean },
): Promise<CallOutcome | null> {
  const inTurn = <Result>(task: () => Promise<Result>): Promise<Result> =>
    run.callLimit.run(() => {
      over.throwIfAborted();
      return task();
    });
  if (mayHaveHappened && isStarted(past)) {
    const resolved = await resolveDoubt(run, past, over);
    if (resolved?.type !== "repeat") return resolved === null ? null : resolved.outcome;
    const { started } = past;
    if (tool)
      return inTurn(() => execute(run, call, tool, started.input, { started, generation: resolved.generation }));
  }
  if (!tool) return { type: "refused", error: unknownTool(run, call.name) };
  const refusal = wasAdmitted(past) ? null : budgetRefusal(run, call);
  if (refusal) return { type: "refused", error: refusal };
  const begin = (input: EncodedValue): Promise<CallOutcome | null> =>
    isAgentTool(tool)
      ? callAgent(run, call, tool, input)
      : execute(run, call, tool, input, { started: past?.started ?? null, generation: past?.started?.generation ?? 1 });
  const result = await inTurn(async () => {
    const permission = await permissionFor(run, call, tool, past);
    return permission.type === "granted" ? begin(permission.input) : permission;
  });
  if (result?.type !== "asking") return result;
  // Ask outside of `callLimit`, so that other calls can run while a person decides.
  const permission = await askPerson(run, result.request, { tool, signal: over });
  if (permission === null) return null;
  return permission.type === "granted" ? await inTurn(() => begin(permission.input)) : permission;
}

/**
 * The last recorded start of a call, and its generation. The generation increases each time a
 * person decides to make the call again as a new one.
 */
interface Attempts {
  readonly started: PastCall["started"];
  readonly generation: number;
}

async function execute(
  run: Run,
  call: AskedCall,
  tool: Tool,
  input: EncodedValue,
  { started, generation }: Attempts,
): Promise<CallOutcome> {
  const attempt = (started?.attempt ?? 0) + 1;
  const controller = new AbortController();
  const idempotencyKey =
    started?.generation === generation
      ? started.idempotencyKey
      : await idempotencyKeyOf(run, call, { tool, input, generation });
  const life = new CallLife();
  const context = contextOf(run, call, { attempt, idempotencyKey, ender: controller, life });
  if (tool.effects !== "none") {
    const { callId } = call;
    const { effects } = tool;
    const definitionDigest = await toolDigest(tool);
    const begun = { callId, attempt, generation, input, effects, idempotencyKey, definitionDigest };
    run.append({ type: "tool-start", ...begun });
    await run.flush();
  }
  // The run may have been aborted during the flush, and no call begins after an abort.
  if (run.signal.aborted) return cancelledByAbort;
  const runningCall = { tool, signal: run.signal, controller };
  const outcome = await settleCall(runningCall, async () =>
    storeMediaIn(await tool.execute(decodeValue(input), context), run.putBlob),
  );
  life.end();
  if (outcome.type === "unknown") run.unknownCalls.add(callKey(tool.name, input));
  return outcome;
}

function unknownTool(run: Run, name: string): SerializedError {
  const names = [...run.definition.tools.keys()];
  const nearest = nearestName(name, names);
  const hint =
    nearest === undefined
      ? `the tools are: ${names.join(", ")}`
      : `did you mean "${nearest}"? The tools are: ${names.join(", ")}`;
  return serialized("unknown-tool", `there is no tool "${name}"`, hint);
}

const serialized = (code: SerializedError["code"], message: string, hint?: string): SerializedError =>
  new AgentError(code, message, { hint }).toJSON();

const cancelledByEnd = ({ name }: Pick<AskedCall, "name">): CallOutcome => ({
  type: "cancelled",
  error: serialized("interrupted", `"${name}" was not called: its block of code had ended before`),
});

const cancelledByAbort: CallOutcome = {
  type: "cancelled",
  error: serialized("interrupted", "the run was aborted before the call began"),
};

/**
 * Returns the outcome of a call that began before an interruption, if nobody has said what
 * happened.
 */
const unknownByAbort = ({ name }: Pick<AskedCall, "name">): CallOutcome => ({
  type: "unknown",
  error: serialized(
    "tool-execution",
    `"${name}" began before an interruption: it may or may not have happened`,
    "do not simply call it again",
  ),
});
