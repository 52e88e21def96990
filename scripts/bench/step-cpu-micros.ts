import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

/**
 * The cost of a step of ours, without the model and the tools. The first goal for a JSON step was
 * 300; now it is 80.
 */
export const benchmark: Benchmark = {
  name: "stepCpuMicros",
  method:
    "CPU time (user and system) per step, warm, less what reading the same prepared answers costs; the least of 5 rounds of 60 runs of 20 steps; json and code1 call one tool, code5 five at once",
  goals: { json: 80, code5: 300 },
  run: () => measureAsPublished("step-cpu-micros"),
};
