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
 * Returns the context's `emit`. It is created here, and not in the object literal of the context,
 * so that the run can be freed early. The literal has a getter, and V8 keeps the objects that such
 * a getter refers to until a full garbage collection.
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
 * Returns the idempotency key, which is the same whenever this call is tried again. For tools with
 * effects it is a hash, which the caller must await. Other tools do not need a hash, so they get a
 * simple key immediately.
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
 * Returns a copy of progress data, because the tool may change the data later. Data that is not
 * JSON is replaced by a short text, so that it does not make the call fail.
 */
function progressOf(data: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(data));
  } catch {
    return "(progress that is not JSON)";
  }
}
