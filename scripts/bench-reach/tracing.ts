// Measures the cost of tracing: the CPU time of runs with tracing, relative to runs without tracing
// in the same process.

import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { CodeAgent } from "@smolts/core";
import { runTracing } from "@smolts/otel";
import type { Model } from "@smolts/protocol";

const stepsPerRun = 10;
const runsPerRound = 40;
const rounds = 15;

/**
 * Measures the CPU time of one step without and with tracing, in µs, and what tracing adds, in
 * percent. The exporter drops the spans, because the time to send them over a network does not
 * count.
 */
export async function benchTracing(): Promise<Readonly<Record<string, number>>> {
  const exporter = {
    export: (_: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracing = runTracing({ tracer: provider.getTracer("bench"), meter: null });
  const [plain, traced]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    // Runs with and without tracing alternate, so that other work of the machine affects both in
    // the same way.
    plain.push(await roundMicros((run) => run));
    traced.push(
      await roundMicros(async (run) => {
        await tracing.trace(run);
      }),
    );
  }
  await provider.shutdown();
  const [stepMicros, tracedStepMicros] = [median(plain.slice(3)), median(traced.slice(3))];
  return {
    traceStepMicros: stepMicros,
    traceTracedStepMicros: tracedStepMicros,
    traceOverheadPercent: (tracedStepMicros / stepMicros - 1) * 100,
  };
}

async function roundMicros(watch: (run: ReturnType<CodeAgent["run"]>) => PromiseLike<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < runsPerRound; count++) {
    const run = new CodeAgent({ model: counting() }).run("Count.");
    await watch(run);
    await run;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (runsPerRound * stepsPerRun);
}

/** A model that takes some steps, and answers in the last one. */
function counting(): Model {
  let step = 0;
  return {
    id: "bench/model",
    async *stream() {
      step++;
      const code =
        step < stepsPerRun ? `const n${step} = [1, 2, 3].map((x) => x * ${step});\nprint(n${step})` : "finalAnswer(1)";
      yield { type: "text-delta", text: `I count.\n<code>\n${code}\n</code>` };
      yield { type: "usage", usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
      yield { type: "end", finishReason: "stop" };
    },
  };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
