// The one door for every tool call, from JSON or from code.
//
//   asked (tool-call) -> tool known? -> arguments mapped and validated, once -> needs a person? -> begins (tool-start, on disk) -> runs -> tool-result
//
// A tool gets what the log holds: its input is decoded from the recorded bytes, so that a replay gives it the very same.

import {
  AgentError,
  type CallOutcome,
  decodeValue,
  type EncodedValue,
  type EventOf,
  type JsonValue,
  nearestName,
  type SerializedError,
  type Tool,
  type ToolContext,
} from "@smolts/protocol";
import { isAgentTool } from "./agent-tool.ts";
import { type AskedCall, callIdOf } from "./asked-call.ts";
import { budgetRefusal } from "./budget.ts";
import { callAgent } from "./call-agent.ts";
import { digestOf } from "./digest.ts";
import { effectiveInput } from "./effective-input.ts";
import { callBytes, type PastCall } from "./past.ts";
import type { Run } from "./run.ts";
import { settleCall } from "./settle-call.ts";
import { storeMediaIn } from "./store-media.ts";
import { untilAborted } from "./until-aborted.ts";

/** Records that a call was asked for. */
export function recordAsk(run: Run, { stepNumber, callIndex, name, args, providerId }: AskedCall): void {
  run.append({
    type: "tool-call",
    stepNumber,
    callId: callIdOf(run, { stepNumber, callIndex }),
    callIndex,
    name,
    args,
    ...(providerId === undefined ? {} : { providerId }),
  });
}

/** What a call is done with besides the call itself. */
export interface CallOptions {
  /** What the log holds of this very call. */
  readonly past: PastCall | undefined;
  /** Whether what asked for it is over, so that a call still waiting its turn must not begin. */
  readonly isOver: () => boolean;
}

/**
 * Brings a call to its outcome and records it. Never throws for what a tool or a model did wrong.
 *
 * @throws AgentError `log` when the beginning of an effect could not be recorded
 */
export async function callTool(
  run: Run,
  call: AskedCall,
  { past, isOver }: CallOptions,
): Promise<EventOf<"tool-result">> {
  const outcome = await run.callLimit.run(async () => (isOver() ? cancelledByEnd(call) : perform(run, call, past)));
  return run.append({ type: "tool-result", callId: callIdOf(run, call), outcome });
}

async function perform(run: Run, call: AskedCall, past: PastCall | undefined): Promise<CallOutcome> {
  if (run.signal.aborted) return cancelledByAbort;
  const { tools, imports } = run.definition;
  const tool = tools.get(call.name) ?? imports?.functions.get(call.name);
  if (!tool) return { type: "refused", error: unknownTool(run, call.name) };
  const refusal = budgetRefusal(run, call);
  if (refusal) return { type: "refused", error: refusal };
  try {
    const input = past?.started?.input ?? (await untilAborted(effectiveInput(tool, call), run.signal));
    const denial = await untilAborted(reasonToDeny(run, call, tool, input), run.signal);
    if (denial) return { type: "denied", error: denial };
    return isAgentTool(tool) ? await callAgent(run, call, tool, input) : await execute(run, call, tool, input, past);
  } catch (error) {
    if (run.signal.aborted && error === run.signal.reason) return cancelledByAbort;
    if (AgentError.is(error) && error.code === "tool-input") return { type: "refused", error: error.toJSON() };
    throw error;
  }
}

/** Calls that need a person's word have none to ask yet, and so are denied. */
async function reasonToDeny(
  run: Run,
  call: AskedCall,
  tool: Tool,
  input: EncodedValue,
): Promise<SerializedError | null> {
  if (run.unknownCalls.size > 0 && run.unknownCalls.has(callBytes(tool.name, input))) {
    const why = "this same call was made before and nobody knows whether it happened";
    return serialized(
      "denied",
      `"${tool.name}" was not called again: ${why}`,
      "go on without it, and say so in your answer",
    );
  }
  if (!tool.needsApproval || !(await approvalIsNeeded(run, call, tool, input))) return null;
  return serialized(
    "denied",
    `"${tool.name}" was not called: it needs a person's approval, and there is nobody to ask`,
  );
}

async function approvalIsNeeded(run: Run, call: AskedCall, tool: Tool, input: EncodedValue): Promise<boolean> {
  try {
    const context = await contextOf(run, call, { tool, input, attempt: 1, generation: 1, ender: run });
    return (await tool.needsApproval?.(decodeValue(input), context)) !== false;
  } catch {
    // Fail closed: a predicate that fails has not said that no approval is needed.
    return true;
  }
}

async function execute(
  run: Run,
  call: AskedCall,
  tool: Tool,
  input: EncodedValue,
  past: PastCall | undefined,
): Promise<CallOutcome> {
  const attempt = (past?.started?.attempt ?? 0) + 1;
  const generation = past?.started?.generation ?? 1;
  const controller = new AbortController();
  const context = await contextOf(run, call, { tool, input, attempt, generation, ender: controller });
  if (tool.effects !== "none") {
    const { callId, idempotencyKey } = context;
    run.append({ type: "tool-start", callId, attempt, generation, input, effects: tool.effects, idempotencyKey });
    await run.flush();
  }
  // The flush may have taken long: nothing begins after an abort.
  if (run.signal.aborted) return cancelledByAbort;
  const going = { tool, signal: run.signal, controller };
  const outcome = await settleCall(going, async () =>
    storeMediaIn(await tool.execute(decodeValue(input), context), run.putBlob),
  );
  if (outcome.type === "unknown") run.unknownCalls.add(callBytes(tool.name, input));
  return outcome;
}

interface CallPlace {
  readonly tool: Tool;
  readonly input: EncodedValue;
  readonly attempt: number;
  readonly generation: number;
  /** Whose signal ends the call. It is made when a tool looks at it, which most never do. */
  readonly ender: { readonly signal: AbortSignal };
}

async function contextOf(
  run: Run,
  call: AskedCall,
  { tool, input, attempt, generation, ender }: CallPlace,
): Promise<ToolContext> {
  const callId = callIdOf(run, call);
  return {
    get signal() {
      return ender.signal;
    },
    runId: run.id,
    path: run.path,
    callId,
    attempt,
    metadata: run.metadata,
    readBlob: run.readBlob,
    idempotencyKey: await idempotencyKey(run, call, { tool, input, generation }),
    emit: (data) => run.emit({ type: "tool-progress", callId, data: progressOf(data) }),
  };
}

/** A copy, for the tool may change it after; not worth failing the call where it is no JSON. */
function progressOf(data: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(data));
  } catch {
    return "(progress that is no JSON)";
  }
}

/** The same whenever this very call is tried again. Only a tool with effects has a use for the bytes in it, and pays for the hash. */
async function idempotencyKey(
  { start: { lineage }, path }: Run,
  { stepNumber, callIndex }: AskedCall,
  { tool, input, generation }: Pick<CallPlace, "tool" | "input" | "generation">,
): Promise<string> {
  const place = [lineage, ...path, stepNumber, callIndex, generation];
  return tool.effects === "none" ? place.join("/") : digestOf([...place, tool.name, input]);
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

const cancelledByEnd = ({ name }: AskedCall): CallOutcome => ({
  type: "cancelled",
  error: serialized("interrupted", `"${name}" was not called: its block of code had ended before`),
});

const cancelledByAbort: CallOutcome = {
  type: "cancelled",
  error: serialized("interrupted", "the run was aborted before the call began"),
};
