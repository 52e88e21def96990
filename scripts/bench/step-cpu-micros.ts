import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

/**
 * Measures the cost of a step without the model and the tools. The goal for a JSON step was 300 µs
 * at first, and is 80 µs now.
 */
export const benchmark: Benchmark = {
  name: "stepCpuMicros",
  method:
    "CPU time (user and system) per step after a warm-up, minus the time to read the same prepared answers; the minimum of 5 rounds of 60 runs of 20 steps. json and code1 call one tool, code5 calls five at once",
  goals: { json: 80, code5: 300 },
  run: () => measureAsPublished("step-cpu-micros"),
};
