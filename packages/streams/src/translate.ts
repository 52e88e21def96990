import { AgentError, type RunEvent, type SerializedError, thrownText } from "@smolts/protocol";
import { createOutline } from "./outline.ts";
import type { OutlinePart } from "./outline-part.ts";

/** The events of a run: `run.events()`, or the events of a log or a run file. */
export type RunEvents = AsyncIterable<RunEvent> | Iterable<RunEvent>;

/**
 * Turns the events of a run into events of a wire format; `write` says what each part becomes. If
 * the source fails, the run is reported as failed.
 */
export async function* translate<Wire>(
  events: RunEvents,
  write: (part: OutlinePart) => readonly Wire[],
): AsyncGenerator<Wire, void> {
  const outline = createOutline();
  let failure: SerializedError | undefined;
  try {
    for await (const event of events) for (const part of outline.add(event)) yield* write(part);
  } catch (error) {
    failure = AgentError.is(error) ? error.toJSON() : { code: "log", message: thrownText(error) };
  }
  for (const part of outline.finish(failure)) yield* write(part);
}
