// The note in a run's log about the request that started the run. The note lets the server find the
// run and create its agent again after a restart.

import type { DurableEvent, JsonSchema, JsonValue } from "@smolts/protocol";
import type { ClientTool } from "./client-tools.ts";

/** The changes to the agent that a request asks for. */
export interface RunShape {
  /** The client's tools. */
  readonly tools: readonly ClientTool[];
  /** Instructions to add to the agent's own; absent for none. */
  readonly instructions?: string;
  /** The JSON Schema for the answer; absent if any answer is allowed. */
  readonly answer?: JsonSchema;
  /**
   * The client's names for the tools that it requires. The answer is accepted only after one of
   * them was called. Absent if no tool is required.
   */
  readonly mustCall?: readonly string[];
}

/** The content of the note about a request. */
export interface RunNote {
  /** The client that the run belongs to. */
  readonly client: string;
  readonly shape: RunShape;
  /** The client's id of the conversation; absent if the run belongs to none. */
  readonly context?: string;
}

/** The name of the note. */
const runNoteName = "smolts/serve";

export const toNote = (note: RunNote): { readonly [name: string]: JsonValue } => ({
  [runNoteName]: note as unknown as JsonValue, // safe cast: all parts of the note come from JSON
});

/** Returns the note of a log; null if no server started the run. */
export function noteIn(events: readonly DurableEvent[]): RunNote | null {
  const note = events.find((event) => event.type === "note" && event.name === runNoteName);
  return note?.type === "note" ? (note.data as unknown as RunNote) : null; // safe cast: `toNote` wrote it
}
