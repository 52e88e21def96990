import type { Histogram, Meter } from "@opentelemetry/api";

/** The metrics of runs, as OpenTelemetry's GenAI conventions define them. */
export interface Instruments {
  readonly tokens: Histogram;
  readonly operation: Histogram;
  readonly agent: Histogram;
  readonly tool: Histogram;
}

/** The histogram buckets that the conventions recommend, in seconds. */
const secondBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokenBounds = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

export function createInstruments(meter: Meter): Instruments {
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries: secondBounds } });
  return {
    tokens: meter.createHistogram("gen_ai.client.token.usage", {
      unit: "{token}",
      description: "Tokens of a model's input and output.",
      advice: { explicitBucketBoundaries: tokenBounds },
    }),
    operation: seconds("gen_ai.client.operation.duration", "How long a model took to answer."),
    agent: seconds("gen_ai.invoke_agent.duration", "How long an agent worked."),
    tool: seconds("gen_ai.execute_tool.duration", "How long a call of a tool took."),
  };
}
