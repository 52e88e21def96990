import { measureAsPublished } from "./as-published.ts";
import type { Benchmark } from "./benchmark.ts";

/** Measures the cost of agents and runs that are idle. */
export const benchmark: Benchmark = {
  name: "agentsAtRest",
  method:
    "1,000 runs of one agent with ten tools, all waiting for the model: heap and external memory per run, after garbage collection. Construction: CPU time to create an agent with ten tools, for the slower kind of agent, the minimum of 5 rounds of 20,000",
  goals: { waitingRunKib: 60, waitingCodeRunKib: 60, constructionMicros: 20 },
  run: () => measureAsPublished("agents-at-rest"),
};
