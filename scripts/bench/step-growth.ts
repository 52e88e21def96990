import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

/** Measures whether a step late in a run costs more than an early one. */
export const benchmark: Benchmark = {
  name: "stepGrowth",
  method:
    "CPU time of the 40 steps around the 400th by that of the 40 around the 50th, the least of 6 runs each; request: with the body of the request built for OpenAI's wire; unstable prefix: what of the messages of a request does not begin the next one",
  goals: { jsonStep400To50: 1.5, codeStep400To50: 1.5, requestStep400To50: 1.5, unstablePrefixPercent: 1 },
  run: () => measureAsPublished("step-growth"),
};
