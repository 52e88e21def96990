import { type EncodedValue, explainToolContext, type JsonValue, type Tool, type ToolContext } from "@smolts/protocol";
import { digestOf } from "../run/digest.ts";
import type { Run } from "../run/run.ts";
import { asker, generator } from "./ask-for-tool.ts";
import type { AskedCall } from "./asked-call.ts";
import type { CallLife } from "./call-life.ts";

/** One attempt to make a call. The run has all other facts about the call. */
export interface CallAttempt {
  readonly attempt: number;
  readonly idempotencyKey: string;
  /**
   * Holds the signal that ends the call. The signal is created only when a tool reads it, which
   * most tools never do.
   */
  readonly ender: { readonly signal: AbortSignal };
  readonly life: CallLife;
}

/** Returns the context of a call, which its tool gets. */
export function contextOf(run: Run, { callId }: AskedCall, current: CallAttempt): ToolContext {
  const { attempt, idempotencyKey, ender, life } = current;
  const context: ToolContext = {
    get signal() {
      return ender.signal;
    },
    runId: run.id,
    path: run.path,
    callId,
    attempt,
    metadata: run.metadata,
    readBlob: run.readBlob,
    idempotencyKey,
    emit: progressReporter(run, callId, life),
    ask: asker(run, callId, current),
    generate: generator(run, callId, current),
  };
  return explainToolContext(context);
}

/**
 * This function is separate from the object literal with the getter: V8 keeps the objects that a
 * literal's getter refers to until a full garbage collection, and the run must not be among them.
 */
function progressReporter(run: Run, callId: string, life: CallLife): ToolContext["emit"] {
  return (data) => {
    if (!life.isOver) run.emit({ type: "tool-progress", callId, data: progressOf(data) });
  };
}

/** The tool of a call, and its input. */
export interface CallContent {
  readonly tool: Tool;
  readonly input: EncodedValue;
  readonly generation: number;
}

/**
 * Returns the idempotency key, which is the same whenever this call is tried again. It is a hash
 * for tools with effects. Other tools do not need one, so they get a simple key without waiting.
 */
export function idempotencyKeyOf(
  { start: { lineage }, path }: Run,
  { stepNumber, callIndex }: AskedCall,
  { tool, input, generation }: CallContent,
): string | Promise<string> {
  const position = [lineage, ...path, stepNumber, callIndex, generation];
  return tool.effects === "none" ? position.join("/") : digestOf([...position, tool.name, input]);
}

/**
 * Returns a copy of progress data, because the tool may change the data later. If the data is not
 * JSON, the call does not fail.
 */
function progressOf(data: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(data));
  } catch {
    return "(progress that is not JSON)";
  }
}
