import type { Model, ModelEvent, ModelRequest } from "@smolts/protocol";

/** The request of these tests. */
export const request: ModelRequest = { messages: [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] };

/**
 * Returns the events of one call. If the call fails, returns the events before the failure, and the
 * error.
 */
export async function eventsOf(
  model: Model,
  asked: ModelRequest = request,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly events: readonly ModelEvent[]; readonly text: string; readonly error: unknown }> {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of model.stream(asked, { signal, readBlob: async () => new Uint8Array() }))
      events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  return { events, error, text: events.map((event) => (event.type === "text-delta" ? event.text : "")).join("") };
}

/** Returns the attempt number of each `retry` event. */
export const retriesIn = (events: readonly ModelEvent[]): readonly number[] =>
  events.flatMap((event) => (event.type === "retry" ? [event.attempt] : []));
