// The note about its request in a served run's log, so that the run can be found, and its agent
// made again, after a restart.

import type { DurableEvent, JsonSchema, JsonValue } from "@smolts/protocol";
import type { ClientTool } from "./client-tools.ts";

/** The changes that a request makes to the agent for its run. */
export interface RunShape {
  /** Tools of the client. */
  readonly tools: readonly ClientTool[];
  /** Added to the agent's own instructions; absent for none. */
  readonly instructions?: string;
  /** The schema that the answer must fit; absent for any answer. */
  readonly answer?: JsonSchema;
  /**
   * The client's names of tools: the answer counts only after a call of one of them. Absent for
   * none.
   */
  readonly mustCall?: readonly string[];
}

/** The note. */
export interface RunNote {
  /** Whose run it is. */
  readonly client: string;
  readonly shape: RunShape;
  /** The conversation it belongs to, by the client's id; absent for none. */
  readonly context?: string;
}

/** The name of the note. */
export const runNoteName = "smolts/serve";

export const toNote = (note: RunNote): { readonly [name: string]: JsonValue } => ({
  [runNoteName]: note as unknown as JsonValue, // schemas came as JSON
});

/** The note of a log; null for a run that was not begun by a server. */
export function noteIn(events: readonly DurableEvent[]): RunNote | null {
  const note = events.find((event) => event.type === "note" && event.name === runNoteName);
  return note?.type === "note" ? (note.data as unknown as RunNote) : null; // written by `toNote`
}
