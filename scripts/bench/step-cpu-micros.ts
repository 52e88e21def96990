import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

/** What a step of ours costs, whatever the model and the tools cost. Of a JSON step 300 were asked for at first; 80 are now. */
export const benchmark: Benchmark = {
  name: "stepCpuMicros",
  method:
    "CPU time (user and system) per step, warm, less what reading the same prepared answers costs; the least of 5 rounds of 60 runs of 20 steps; json and code1 call one tool, code5 five at once",
  goals: { json: 80, code5: 300 },
  run: () => measureAsPublished("step-cpu-micros"),
};
