import type { EncodedValue, JsonValue, Tool, ToolContext } from "@smolts/protocol";
import { digestOf } from "../run/digest.ts";
import type { Run } from "../run/run.ts";
import { type AskedCall, callIdOf } from "./asked-call.ts";

/** What a call is made with. */
export interface CallPlace {
  readonly tool: Tool;
  readonly input: EncodedValue;
  readonly attempt: number;
  readonly generation: number;
  /** Whose signal ends the call. It is made when a tool looks at it, which most never do. */
  readonly ender: { readonly signal: AbortSignal };
}

/** Where a call stands, as its tool is told. */
export async function contextOf(
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
