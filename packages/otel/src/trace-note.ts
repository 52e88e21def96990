import { type Context, context, isSpanContextValid, type SpanContext, TraceFlags, trace } from "@opentelemetry/api";
import type { DurableEvent, JsonValue } from "@smolts/protocol";

const name = "smolts/otel";

/**
 * A note for the log of a run that says which span the run belongs to:
 * `agent.run(task, { notes: traceNote() })`. All parts of a run that is suspended and resumed are
 * then in that span's trace, whichever process they run in. Empty without an active span.
 *
 * @example
 * ```ts
 * import { traceNote } from "@smolts/otel";
 *
 * console.log(traceNote()); // {}: no span is active
 * ```
 */
export function traceNote(active: Context = context.active()): { readonly [name: string]: JsonValue } {
  const span = trace.getSpanContext(active);
  if (!span || !isSpanContextValid(span)) return {};
  const { traceId, spanId, traceFlags } = span;
  return { [name]: { traceId, spanId, traceFlags } };
}

/** The span that a note names. */
export function spanInNote(event: DurableEvent & { readonly type: "note" }): SpanContext | null {
  if (event.name !== name || typeof event.data !== "object" || event.data === null) return null;
  const { traceId, spanId, traceFlags } = event.data as { readonly [field: string]: JsonValue }; // each is looked at
  if (typeof traceId !== "string" || typeof spanId !== "string") return null;
  const flags = typeof traceFlags === "number" ? traceFlags : TraceFlags.SAMPLED;
  const span: SpanContext = { traceId, spanId, traceFlags: flags, isRemote: true };
  return isSpanContextValid(span) ? span : null;
}
