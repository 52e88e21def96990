import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

/** What a step of ours costs, whatever the model and the tools cost. */
export const benchmark: Benchmark = {
  name: "stepCpuMicros",
  method:
    "CPU time (user and system) per step, warm, less what reading the same prepared answers costs; the least of 5 rounds of 60 runs of 20 steps; code5 calls five tools at once",
  goals: { json: 80, code5: 300 },
  run: () => measureAsPublished("step-cpu"),
};
