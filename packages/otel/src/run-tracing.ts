import { type Context, context, type Meter, metrics, type Tracer, trace } from "@opentelemetry/api";
import { explainMembers, invalidOption, type OptionTable, type RunEvent, readOptions } from "@smolts/protocol";
import { type ContentOptions, contentWriter } from "./content.ts";
import { EventBatch } from "./event-batch.ts";
import { createInstruments } from "./instruments.ts";
import type { TracedPart, WriterServices } from "./open-spans.ts";
import { SpanWriter } from "./span-writer.ts";

/** A live run, as returned by `agent.run(task)` or `agent.resume(log)`. */
export interface TracedRun {
  /** The id of the run. It is empty for a resumed run until its log has been read. */
  readonly id: string;
  events(): AsyncIterable<RunEvent>;
}

/** The events of a stored log. */
export type TracedEvents = Iterable<RunEvent> | AsyncIterable<RunEvent>;

/** Settings of {@link runTracing}. */
export interface RunTracingOptions {
  /** The tracer. Default: the tracer that OpenTelemetry returns for the name `smolts`. */
  readonly tracer?: Tracer;
  /**
   * The meter, or null for no metrics. Default: the meter that OpenTelemetry returns for the name
   * `smolts`.
   */
  readonly meter?: Meter | null;
  /**
   * Whether spans contain tasks, messages, code, arguments and results. Default: false. Texts that
   * look like secrets are always removed.
   */
  readonly content?: boolean | ContentOptions;
}

/** Traces runs. */
export interface RunTracing {
  /**
   * Creates the spans of a live run as its events arrive, or the spans of a stored log, with the
   * times of its events.
   *
   * The run does not wait for the tracing. If the tracing fails, the tracing ends and the run
   * continues. Resolves when the last span has ended.
   *
   * @param options - `parent`: the context whose span is the parent of the run. Default: the active
   *   context for a live run, and none for a stored log
   * @throws AgentError `invalid-option` if the source is neither a run nor events; it
   *   throws nothing else
   */
  trace(source: TracedRun | TracedEvents, options?: { readonly parent?: Context }): Promise<void>;
}

/**
 * The maximum number of runs whose first spans are remembered, so that a resumed run continues its
 * trace.
 */
const rememberedRuns = 1_000;

/**
 * Creates spans and metrics of runs, following OpenTelemetry's GenAI conventions: `invoke_agent`,
 * `plan`, `chat` and `execute_tool`.
 *
 * This package needs only the OpenTelemetry API. The program chooses the SDK and the exporter.
 * Without them, nothing is recorded.
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
  const services: WriterServices = {
    tracer,
    instruments: meter && createInstruments(meter),
    content: contentWriter(content),
    tracedPart: (runId) => runs.get(runId),
    rememberPart(runId, part) {
      if (runs.size >= rememberedRuns) for (const oldest of [...runs.keys()].slice(0, 100)) runs.delete(oldest);
      runs.set(runId, part);
    },
  };
  // A stored log gets no metrics: they belong to an earlier time, but a collector would count them
  // as new.
  const logServices: WriterServices = { ...services, instruments: null };
  const tracing: RunTracing = {
    async trace(source, { parent } = {}) {
      mustBeTraceable(source);
      const isLive = "events" in source;
      const writer = new SpanWriter(isLive ? services : logServices, {
        parent: parent ?? (isLive ? context.active() : undefined),
        since: isLive ? beginningOf(source) : undefined,
      });
      try {
        await readAll(isLive ? source.events() : source, writer);
      } catch {
        // An error in the tracer does not affect the run. The code below closes the open spans.
      }
      try {
        writer.finish();
      } catch {
        // An error in the tracer does not affect the run.
      }
    },
  };
  return explainMembers(tracing, "a tracing", {
    methods: [["instrument start enable register run", "write tracing.trace(agent.run(task))"]],
  });
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
 * Returns the time from which events of a run get spans.
 *
 * - If the id is empty, the run is being resumed. It first repeats the events of its log, which
 *   already have spans. So only events from now on get spans.
 * - If the id is known, all events since this process started get spans.
 */
const beginningOf = ({ id }: TracedRun): number => (id === "" ? Date.now() : performance.timeOrigin);

function mustBeTraceable(source: unknown): void {
  if (typeof source === "object" && source !== null) {
    const isRun = "events" in source && typeof source.events === "function";
    // Exclude agents: an agent is iterable too, but a loop over it throws an error.
    const isAgent = "asTool" in source;
    if (isRun || (!isAgent && (Symbol.iterator in source || Symbol.asyncIterator in source))) return;
  }
  throw invalidOption(
    `trace() got a value of type ${typeof source}; expected a run or the events of a log`,
    "write tracing.trace(agent.run(task)), with the run and not its answer",
  );
}

const runTracingOptions: OptionTable<RunTracingOptions> = {
  tracer: "object",
  meter: "null | object",
  content: "flag | object",
};
