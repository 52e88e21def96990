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
  encodeValue,
  nearestName,
  type SerializedError,
  type Tool,
  type ToolContext,
} from "@smolts/protocol";
import { inputFromArguments } from "./call-arguments.ts";
import { defaults } from "./defaults.ts";
import { digestOf } from "./digest.ts";
import { callBytes, type PastCall } from "./past.ts";
import { toToolError } from "./redact.ts";
import type { Run } from "./run.ts";

/** A call that the program or the model asked for. */
export interface AskedCall {
  readonly stepNumber: number;
  /** 1-based within its step, in the order of asking. */
  readonly callIndex: number;
  readonly name: string;
  readonly args: readonly EncodedValue[];
  /** The provider's id of a native tool call. */
  readonly providerId?: string;
  /** What the model wrote as arguments, when that was no JSON. */
  readonly rawInput?: string;
}

/** The id of a call: the path of its agent, its step and its number. */
export const callIdOf = (run: Run, { stepNumber, callIndex }: Pick<AskedCall, "stepNumber" | "callIndex">): string =>
  [...run.path, `${stepNumber}.${callIndex}`].join("/");

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
  const tool = run.definition.tools.get(call.name);
  if (!tool) return { type: "refused", error: unknownTool(run, call.name) };
  try {
    const input = past?.started?.input ?? (await effectiveInput(tool, call));
    const denial = await reasonToDeny(run, call, tool, input);
    return denial ? { type: "denied", error: denial } : await execute(run, call, tool, input, past);
  } catch (error) {
    if (AgentError.is(error) && error.code === "tool-input") return { type: "refused", error: error.toJSON() };
    throw error;
  }
}

/** What the tool is really given: mapped from the arguments, validated once, and in the codec's bytes. */
async function effectiveInput(tool: Tool, { name, args, rawInput }: AskedCall): Promise<EncodedValue> {
  if (rawInput !== undefined) throw notJson(name, rawInput);
  const parsed = await parseInput(tool, inputFromArguments(tool, args));
  try {
    return encodeValue(parsed);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AgentError("tool-input", `the input of tool "${name}" cannot be recorded: ${why}`, { cause: error });
  }
}

async function parseInput(tool: Tool, input: unknown): Promise<unknown> {
  try {
    return await tool.parseInput(input);
  } catch (error) {
    if (AgentError.is(error) && error.code === "tool-input") throw error;
    const { message } = toToolError(error);
    throw new AgentError("tool-input", `tool "${tool.name}" could not read its input: ${message}`, { cause: error });
  }
}

/** Calls that need a person's word have none to ask yet, and so are denied. */
async function reasonToDeny(
  run: Run,
  call: AskedCall,
  tool: Tool,
  input: EncodedValue,
): Promise<SerializedError | null> {
  if (run.unknownCalls.has(callBytes(tool.name, input))) {
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
    const context = await contextOf(run, call, { tool, input, attempt: 1, generation: 1, signal: run.signal });
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
  const context = await contextOf(run, call, { tool, input, attempt, generation, signal: controller.signal });
  if (tool.effects !== "none") {
    const { callId, idempotencyKey } = context;
    run.append({ type: "tool-start", callId, attempt, generation, input, effects: tool.effects, idempotencyKey });
    await run.flush();
  }
  // The flush may have taken long: nothing begins after an abort.
  if (run.signal.aborted) return cancelledByAbort;
  const outcome = await settle(run, tool, controller, async () => tool.execute(decodeValue(input), context));
  if (outcome.type === "unknown") run.unknownCalls.add(callBytes(tool.name, input));
  return outcome;
}

/** Waits for the tool, its time limit or the abort of the run, whichever comes first: a tool may hang and heed no signal. */
async function settle(
  run: Run,
  tool: Tool,
  controller: AbortController,
  task: () => Promise<unknown>,
): Promise<CallOutcome> {
  const timeoutMs = tool.timeoutMs ?? defaults.toolTimeoutMs;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let onAbort = (): void => {};
  const cut = new Promise<CallOutcome>((resolve) => {
    const cutAfter = (ms: number, how: string, act: (outcome: CutOutcome) => void = () => {}): void => {
      const giveUp = (): void => {
        const outcome = cutOutcome(tool, how);
        act(outcome);
        resolve(outcome);
      };
      timers.push(setTimeout(giveUp, ms));
    };
    if (timeoutMs > 0 && timeoutMs !== Number.POSITIVE_INFINITY) {
      cutAfter(timeoutMs, `took longer than ${timeoutMs} ms`, ({ error }) => controller.abort(AgentError.from(error)));
    }
    onAbort = () => {
      controller.abort(run.signal.reason);
      cutAfter(defaults.abortGraceMs, "was still going on when the run was aborted");
    };
    run.signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([outcomeOf(run, tool, task), cut]);
  } finally {
    run.signal.removeEventListener("abort", onAbort);
    for (const timer of timers) clearTimeout(timer);
  }
}

async function outcomeOf(run: Run, tool: Tool, task: () => Promise<unknown>): Promise<CallOutcome> {
  try {
    return { type: "ok", value: encodeOutput(tool, await task()) };
  } catch (error) {
    if (run.signal.aborted) return cutOutcome(tool, "was stopped by the abort of the run");
    return { type: "error", error: toToolError(error) };
  }
}

function encodeOutput(tool: Tool, output: unknown): EncodedValue {
  try {
    return encodeValue(output);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AgentError("tool-execution", `tool "${tool.name}" gave something that cannot be passed on: ${why}`, {
      cause: error,
      hint: "the tool must return plain data",
    });
  }
}

type CutOutcome = Extract<CallOutcome, { readonly error: SerializedError }>;

/** A call cut off in the middle: for a tool with effects nobody knows whether it happened. */
function cutOutcome({ name, effects }: Tool, how: string): CutOutcome {
  if (effects === "none") return { type: "error", error: serialized("tool-execution", `tool "${name}" ${how}`) };
  const error = serialized(
    "tool-execution",
    `tool "${name}" ${how}: it may have happened or not`,
    "do not simply call it again",
  );
  return { type: "unknown", error };
}

interface CallPlace {
  readonly tool: Tool;
  readonly input: EncodedValue;
  readonly attempt: number;
  readonly generation: number;
  readonly signal: AbortSignal;
}

async function contextOf(
  run: Run,
  call: AskedCall,
  { tool, input, attempt, generation, signal }: CallPlace,
): Promise<ToolContext> {
  const callId = callIdOf(run, call);
  return {
    signal,
    runId: run.id,
    path: run.path,
    callId,
    attempt,
    metadata: run.metadata,
    idempotencyKey: await idempotencyKey(run, call, { tool, input, generation }),
    emit: (data) => run.emit({ type: "tool-progress", callId, data }),
  };
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

const notJson = (name: string, rawInput: string): AgentError =>
  new AgentError("tool-input", `the arguments for "${name}" are no JSON: ${rawInput.slice(0, 200)}`, {
    hint: "write the arguments as one JSON object",
  });

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
