export {
  type RunTracing,
  type RunTracingOptions,
  runTracing,
  type TracedEvents,
  type TracedRun,
} from "./run-tracing.ts";
export type { ContentOptions } from "./content.ts";
export { traceNote } from "./trace-note.ts";
/** @internal */
export { LangfuseExporter, SmolagentsInstrumentor, registerOTel } from "./other-names.ts";
