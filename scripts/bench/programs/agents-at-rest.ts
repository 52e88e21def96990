// Prints the cost of an agent that does nothing yet, and of a run that waits. See
// `../agents-at-rest.ts`.

import { type AgentRun, CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { Model, Tool } from "@smolts/protocol";
import { tool } from "@smolts/tools";

const runCount = 1_000;
const agentCount = 20_000;

const tools = Array.from({ length: 10 }, (_, index) =>
  tool({
    name: `tool${index}`,
    description: "Looks something up.",
    input: { query: "string — what to look up", limit: "integer?" },
    output: "string",
    effects: "none",
    execute: ({ query }) => query,
  }),
) as readonly Tool[];

async function main(): Promise<void> {
  const waitingRunKib = await waitingKib(() => new ToolCallingAgent({ model: silentModel, tools }));
  const waitingCodeRunKib = await waitingKib(() => new CodeAgent({ model: silentModel, tools }));
  const construction = Math.max(
    microsEach(() => new ToolCallingAgent({ model: silentModel, tools })),
    microsEach(() => new CodeAgent({ model: silentModel, tools })),
  );
  console.log(JSON.stringify({ waitingRunKib, waitingCodeRunKib, constructionMicros: construction }));
}

/** A model that never answers, and ends when its signal aborts. */
const silentModel: Model = {
  id: "bench/silent",
  async *stream(_request, { signal }) {
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  },
};

async function waitingKib(agentOf: () => ToolCallingAgent | CodeAgent): Promise<number> {
  const agent = agentOf();
  await settled([agent.run("warm up")]);
  const before = heapBytes();
  const runs = Array.from({ length: runCount }, (_, index) => agent.run(`Wait, number ${index}.`));
  await turns();
  const each = (heapBytes() - before) / runCount / 1024;
  await settled(runs);
  return each;
}

async function settled(runs: readonly AgentRun[]): Promise<void> {
  await turns();
  for (const run of runs) run.abort();
  await Promise.all(runs.map((run) => run.result));
}

/** Waits until every run has sent a request to its model. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await new Promise((resolve) => setTimeout(resolve, 10));
}

function heapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns how long it takes to create one object, in µs: the shortest time of five rounds. */
function microsEach(make: () => unknown): number {
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let count = 0; count < agentCount; count++) make();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / agentCount;
  });
  return Math.min(...rounds);
}

await main();
