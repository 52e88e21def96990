import type { EncodedValue, JsonValue, Tool, ToolContext } from "@smolts/protocol";
import { digestOf } from "../run/digest.ts";
import type { Run } from "../run/run.ts";
import { asker, generator } from "./ask-for-tool.ts";
import type { AskedCall } from "./asked-call.ts";

/** The facts about one attempt of a call, besides those of its run. */
export interface CallPlace {
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Whose signal ends the call. It is made when a tool looks at it, which most never do. */
  readonly ender: { readonly signal: AbortSignal };
}

/** The place of a call in the run, as its tool sees it. */
export function contextOf(run: Run, { callId }: AskedCall, place: CallPlace): ToolContext {
  const { attempt, idempotencyKey, ender } = place;
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
    emit: progressTeller(run, callId),
    ask: asker(run, callId, place),
    generate: generator(run, callId, place),
  };
}

/**
 * Stands apart from the getter above: V8 keeps what a literal's getter leads to until it clears
 * away everything, and that must not be the run.
 */
function progressTeller(run: Run, callId: string): ToolContext["emit"] {
  return (data) => run.emit({ type: "tool-progress", callId, data: progressOf(data) });
}

/** The action of a call. */
export interface CallContent {
  readonly tool: Tool;
  readonly input: EncodedValue;
  readonly generation: number;
}

/**
 * The same whenever this very call is tried again. Only a tool with effects has a use for the bytes
 * in it, and pays for the hash: that of any other is there at once.
 */
export function idempotencyKeyOf(
  { start: { lineage }, path }: Run,
  { stepNumber, callIndex }: AskedCall,
  { tool, input, generation }: CallContent,
): string | Promise<string> {
  const place = [lineage, ...path, stepNumber, callIndex, generation];
  return tool.effects === "none" ? place.join("/") : digestOf([...place, tool.name, input]);
}

/** A copy, for the tool may change it after; not worth failing the call where it is not JSON. */
function progressOf(data: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(data));
  } catch {
    return "(progress that is not JSON)";
  }
}
