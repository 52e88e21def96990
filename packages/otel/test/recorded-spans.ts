// Creates tracings that keep their spans, and reads those spans.

import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { type RunTracingOptions, runTracing } from "@smolts/otel";
import type { DurableEvent, RunLog, Tool } from "@smolts/protocol";
import { tool } from "@smolts/tools";

export function recorder(options: Omit<RunTracingOptions, "tracer"> = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("test");
  const tracing = runTracing({ meter: null, ...options, tracer });
  return { tracing, tracer, spans: () => exporter.getFinishedSpans() };
}

/**
 * Returns the tree of spans as lines. Children are below their parent, in the order of their start.
 * If `runs` has ids, a line also shows the position of the span's run among them.
 */
export function treeOf(spans: readonly ReadableSpan[], runs?: readonly string[]): readonly string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const runOf = ({ attributes }: ReadableSpan): string =>
    runs && "smolts.run.id" in attributes ? ` of run ${runs.indexOf(String(attributes["smolts.run.id"])) + 1}` : "";
  const below = (parent: string | undefined, depth: number): readonly string[] =>
    spans
      .filter(({ parentSpanContext: above }) =>
        parent === undefined ? !above || !ids.has(above.spanId) : above?.spanId === parent,
      )
      .sort((one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1])
      .flatMap((span) => [
        `${"  ".repeat(depth)}${span.name}${runOf(span)}`,
        ...below(span.spanContext().spanId, depth + 1),
      ]);
  return below(undefined, 0);
}

export const eventsOf = async (log: RunLog): Promise<readonly DurableEvent[]> => {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
};

export const code = (text: string): string => `I think.\n<code>\n${text}\n</code>`;

export const add = tool({
  name: "add",
  description: "Adds.",
  input: { a: "number", b: "number" },
  output: "number",
  effects: "none",
  execute: ({ a, b }) => a + b,
}) as Tool;
