// Shows a run of two agents as an OpenTelemetry trace. Each span is printed when it ends, which is
// when an exporter would send it.
//
//   pnpm --filter @smolts/demos traces

import { BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { runTracing } from "@smolts/otel";
import { CodeAgent, type Model } from "smolts";
import { runDemo, type Script } from "./demo-model.ts";

/**
 * The scripted model's replies: the manager asks the helper, the helper answers, and the manager
 * concludes.
 */
export const script: Script = [
  'I ask the helper.\n<code>\nconst said = await helper({ task: "What is six times seven?" });\nprint(said);\n</code>',
  "I multiply.\n<code>\nfinalAnswer(6 * 7);\n</code>",
  'Now I know.\n<code>\nfinalAnswer("It is 42.");\n</code>',
];

/** Traces a run, and returns the tree of its spans as text. */
export async function traces(model: Model, print: (line: string) => void = console.log): Promise<readonly string[]> {
  const spans: ReadableSpan[] = [];
  const collect = {
    onStart() {},
    onEnd: (span: ReadableSpan) => void spans.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const tracer = new BasicTracerProvider({ spanProcessors: [collect] }).getTracer("demo");
  const tracing = runTracing({ tracer, meter: null });
  const helper = new CodeAgent({ name: "helper", description: "Calculates.", model });
  const run = new CodeAgent({ name: "manager", model, managedAgents: [helper] }).run("What is six times seven?");
  const traced = tracing.trace(run);
  print(`The answer: ${await run}`);
  await traced;
  const lines = treeOf(spans, undefined, "");
  for (const line of lines) print(line);
  return lines;
}

function treeOf(spans: readonly ReadableSpan[], parent: string | undefined, indent: string): readonly string[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .flatMap((span) => [`${indent}${span.name}`, ...treeOf(spans, span.spanContext().spanId, `${indent}  `)]);
}

await runDemo(import.meta.url, script, (model) => traces(model));
