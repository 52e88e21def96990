import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

/** Measures whether a step late in a run costs more than an early one. */
export const benchmark: Benchmark = {
  name: "stepGrowth",
  method:
    "CPU time of the 40 steps around the 400th, divided by that of the 40 steps around the 50th; the minimum of 6 runs each. request: including the request body for OpenAI's API. unstable prefix: the share of a request's messages that the next request does not repeat at its start",
  goals: { jsonStep400To50: 1.5, codeStep400To50: 1.5, requestStep400To50: 1.5, unstablePrefixPercent: 1 },
  run: () => measureAsPublished("step-growth"),
};
