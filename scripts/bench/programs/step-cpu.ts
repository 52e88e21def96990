// Prints what a step of ours costs; see `../step-cpu-micros.ts`.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { Model, ModelEvent } from "@smolts/protocol";
import { tool } from "@smolts/tools";

const stepsPerRun = 20;
const runsPerRound = 60;
const rounds = 5;
const usage = { inputTokens: 1000, outputTokens: 20, totalTokens: 1020 };

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  input: { left: "number", right: "number" },
  output: "number",
  effects: "none",
  execute: ({ left, right }) => left + right,
});

async function main(): Promise<void> {
  const json = await leastPerStep(new ToolCallingAgent({ model: jsonModel(), tools: [add] }), jsonModel());
  const code5 = await leastPerStep(new CodeAgent({ model: codeModel(), tools: [add] }), codeModel());
  console.log(JSON.stringify({ json, code5 }));
}

interface RunsTasks {
  run(task: string): PromiseLike<unknown>;
}

async function leastPerStep(agent: RunsTasks, model: Model): Promise<number> {
  const runAgent = async (): Promise<void> => {
    const answer = await agent.run("Add numbers until told to stop.");
    if (answer !== 42) throw new Error(`expected the answer 42, got ${JSON.stringify(answer)}`);
  };
  return (await leastRound(runAgent)) - (await leastRound(() => readAnswers(model)));
}

/** The first round is the warm-up. */
async function leastRound(run: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage();
    for (let count = 0; count < runsPerRound; count++) await run();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) least = Math.min(least, (user + system) / (runsPerRound * stepsPerRun));
  }
  return least;
}

async function readAnswers(model: Model): Promise<void> {
  const { signal } = new AbortController();
  for (let count = 0; count < stepsPerRun; count++) {
    for await (const event of model.stream({ messages: [] }, { signal, readBlob: noBlobs })) {
      if (event.type === "end") break;
    }
  }
}

async function noBlobs(): Promise<never> {
  throw new Error("the benchmark has no images");
}

function jsonModel(): Model {
  return preparedModel((step) => {
    const isLast = step % stepsPerRun === 0;
    const name = isLast ? "finalAnswer" : "add";
    const inputText = JSON.stringify(isLast ? { answer: 42 } : { left: step, right: 1 });
    return [
      { type: "tool-call-delta", index: 0, id: `call_${step}`, name, inputText },
      { type: "usage", usage },
      { type: "end", finishReason: "tool-calls" },
    ];
  });
}

function codeModel(): Model {
  return preparedModel((step) => {
    const isLast = step % stepsPerRun === 0;
    const calls = `const sums = await Promise.all([1, 2, 3, 4, 5].map((n) => add({ left: ${step}, right: n })));`;
    return [
      { type: "text-delta", text: "Thought: add the numbers.\n<code>\n" },
      { type: "text-delta", text: `${isLast ? "finalAnswer(42)" : `${calls}\nprint(sums);`}\n</code>` },
      { type: "usage", usage },
      { type: "end", finishReason: "stop" },
    ];
  });
}

/** A model that answers at once with what was prepared for each step, 1-based over all its runs. */
function preparedModel(answer: (step: number) => readonly ModelEvent[]): Model {
  let step = 0;
  return {
    id: "bench/prepared",
    async *stream() {
      step += 1;
      yield* answer(step);
    },
  };
}

await main();
