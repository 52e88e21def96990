import type { EncodedValue, JsonValue, Tool, ToolContext } from "@smolts/protocol";
import { digestOf } from "../run/digest.ts";
import type { Run } from "../run/run.ts";
import { asker, generator } from "./ask-for-tool.ts";
import type { AskedCall } from "./asked-call.ts";
import type { CallLife } from "./call-life.ts";

/** The facts about one attempt of a call, in addition to those that its run has. */
export interface CallPlace {
  readonly attempt: number;
  readonly idempotencyKey: string;
  /**
   * Has the signal that ends the call. The signal is created only when a tool reads it, which most
   * tools never do.
   */
  readonly ender: { readonly signal: AbortSignal };
  readonly life: CallLife;
}

/** Returns the context of a call, which its tool gets. */
export function contextOf(run: Run, { callId }: AskedCall, place: CallPlace): ToolContext {
  const { attempt, idempotencyKey, ender, life } = place;
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
    idempotencyKey,
    emit: progressTeller(run, callId, life),
    ask: asker(run, callId, place),
    generate: generator(run, callId, place),
  };
}

/**
 * This function is separate from the object literal with the getter: V8 keeps the objects that a
 * literal's getter refers to until a full garbage collection, and the run must not be among them.
 */
function progressTeller(run: Run, callId: string, life: CallLife): ToolContext["emit"] {
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
  const place = [lineage, ...path, stepNumber, callIndex, generation];
  return tool.effects === "none" ? place.join("/") : digestOf([...place, tool.name, input]);
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
