import { type Context, context, isSpanContextValid, type SpanContext, TraceFlags, trace } from "@opentelemetry/api";
import type { DurableEvent, JsonValue } from "@smolts/protocol";

const name = "smolts/otel";

/**
 * Returns a note for the log of a run: `agent.run(task, { notes: traceNote() })`. The note names
 * the active span as the parent of the run. If the run is suspended and resumed, all its parts are
 * then in the same trace, even in different processes. Without an active span, the note is empty.
 *
 * @example
 * ```ts
 * import { traceNote } from "@smolts/otel";
 *
 * // No span is active.
 * console.log(traceNote()); // {}
 * ```
 */
export function traceNote(active: Context = context.active()): { readonly [name: string]: JsonValue } {
  const span = trace.getSpanContext(active);
  if (!span || !isSpanContextValid(span)) return {};
  const { traceId, spanId, traceFlags } = span;
  return { [name]: { traceId, spanId, traceFlags } };
}

/** Returns the span that a note names; null if the note names none. */
export function spanInNote(event: DurableEvent & { readonly type: "note" }): SpanContext | null {
  if (event.name !== name || typeof event.data !== "object" || event.data === null) return null;
  // The cast is safe: the code below checks each field.
  const { traceId, spanId, traceFlags } = event.data as { readonly [field: string]: JsonValue };
  if (typeof traceId !== "string" || typeof spanId !== "string") return null;
  const flags = typeof traceFlags === "number" ? traceFlags : TraceFlags.SAMPLED;
  const span: SpanContext = { traceId, spanId, traceFlags: flags, isRemote: true };
  return isSpanContextValid(span) ? span : null;
}
