import { type Context, context, type Meter, metrics, type Tracer, trace } from "@opentelemetry/api";
import { AgentError, type OptionTable, type RunEvent, readOptions } from "@smolts/protocol";
import { type ContentOptions, contentWriter } from "./content.ts";
import { EventBatch } from "./event-batch.ts";
import { createInstruments } from "./instruments.ts";
import type { TracedPart, WriterSurroundings } from "./open-spans.ts";
import { SpanWriter } from "./span-writer.ts";

/** A run on its way, such as `agent.run(task)` or `agent.resume(log)` returns. */
export interface TracedRun {
  /** Empty for a resumed run until its log was read. */
  readonly id: string;
  events(): AsyncIterable<RunEvent>;
}

/** The events of a stored log. */
export type TracedEvents = Iterable<RunEvent> | AsyncIterable<RunEvent>;

/** Settings of {@link runTracing}. */
export interface RunTracingOptions {
  /** The one that OpenTelemetry has registered as `smolts` when absent. */
  readonly tracer?: Tracer;
  /** As `tracer`; null for no metrics. */
  readonly meter?: Meter | null;
  /**
   * Whether spans have what was said, written and returned: tasks, messages, code, arguments and
   * results. False when absent. What looks like a secret is taken out in any case.
   */
  readonly content?: boolean | ContentOptions;
}

/** Traces runs. */
export interface RunTracing {
  /**
   * Makes spans of a run while it goes on, or of the events of a log, at the times that they have.
   *
   * It only reads: the run does not wait for it, and whatever fails in the tracing ends the tracing
   * of this run, not the run. Resolves when the last span has ended.
   *
   * @param options - `parent`: the context whose span the run belongs to; the active one when
   *   absent, and none for events of a log
   * @throws AgentError `invalid-option` for what is neither a run nor events; nothing else rejects
   */
  trace(source: TracedRun | TracedEvents, options?: { readonly parent?: Context }): Promise<void>;
}

/** So many runs are remembered, so that the parts of a resumed run are in one trace. */
const rememberedRuns = 1_000;

/**
 * Makes spans and metrics of runs by OpenTelemetry's GenAI conventions: `invoke_agent`, `plan`,
 * `chat` and `execute_tool`.
 *
 * It needs only the interface of OpenTelemetry. Which SDK and which exporter stand behind it is up
 * to the program; without them nothing is recorded.
 *
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { runTracing } from "@smolts/otel";
 *
 * const tracing = runTracing();
 * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") });
 * const run = agent.run("Multiply six by seven.");
 * void tracing.trace(run);
 * console.log(await run); // 42
 * ```
 */
export function runTracing(given: RunTracingOptions = {}): RunTracing {
  const options = readOptions(given, "runTracing()", runTracingOptions);
  const { tracer = trace.getTracer("smolts"), meter = metrics.getMeter("smolts"), content = false } = options;
  const runs = new Map<string, TracedPart>();
  const surroundings: WriterSurroundings = {
    tracer,
    instruments: meter && createInstruments(meter),
    content: contentWriter(content),
    tracedPart: (runId) => runs.get(runId),
    rememberPart(runId, part) {
      if (runs.size >= rememberedRuns) for (const oldest of [...runs.keys()].slice(0, 100)) runs.delete(oldest);
      runs.set(runId, part);
    },
  };
  // The log has metrics of its own time, which a collector would take for those of now.
  const ofLog: WriterSurroundings = { ...surroundings, instruments: null };
  return {
    async trace(source, { parent } = {}) {
      mustBeTraceable(source);
      const isLive = "events" in source;
      const writer = new SpanWriter(isLive ? surroundings : ofLog, {
        parent: parent ?? (isLive ? context.active() : undefined),
        since: isLive ? beginningOf(source) : undefined,
      });
      try {
        await readAll(isLive ? source.events() : source, writer);
      } catch {
        // A tracer that throws has no say in the run; what is open is closed below.
      }
      try {
        writer.finish();
      } catch {
        // As above.
      }
    },
  };
}

async function readAll(events: TracedEvents, writer: SpanWriter): Promise<void> {
  const batch = new EventBatch((event) => writer.add(event));
  try {
    for await (const event of events) batch.add(event);
  } finally {
    batch.end();
  }
}

/**
 * A resumed run shows what its log holds before it goes on: that was traced when it happened. Of
 * one whose log was read already, at least what other processes did is known.
 */
const beginningOf = ({ id }: TracedRun): number => (id === "" ? Date.now() : performance.timeOrigin);

function mustBeTraceable(source: unknown): void {
  if (typeof source === "object" && source !== null) {
    const isRun = "events" in source && typeof source.events === "function";
    if (isRun || Symbol.iterator in source || Symbol.asyncIterator in source) return;
  }
  throw new AgentError("invalid-option", "trace() got neither a run nor the events of a log", {
    hint: "write tracing.trace(agent.run(task)), with the run and not its answer",
  });
}

const runTracingOptions: OptionTable<RunTracingOptions> = {
  tracer: "object",
  meter: "null | object",
  content: "flag | object",
};
