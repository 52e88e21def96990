// Prints the cost of a step. See `../step-cpu-micros.ts`.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { Model } from "@smolts/protocol";
import { add, addUntilDone, codeModel, noBlobs, toolCallModel } from "./adding-task.ts";

const stepsPerRun = 20;
const runsPerRound = 60;
const rounds = 5;

async function main(): Promise<void> {
  const calling = () => toolCallModel(stepsPerRun);
  const code = async (write: (step: number) => string): Promise<number> => {
    const writing = () => codeModel(stepsPerRun, write);
    return await fastestPerStep(new CodeAgent({ model: writing(), tools: [add] }), writing());
  };
  const json = await fastestPerStep(new ToolCallingAgent({ model: calling(), tools: [add] }), calling());
  console.log(JSON.stringify({ json, code1: await code(addOne), code5: await code(addFive) }));
}

async function fastestPerStep(agent: ToolCallingAgent | CodeAgent, model: Model): Promise<number> {
  return (await fastestRound(() => addUntilDone(agent))) - (await fastestRound(() => readAnswers(model)));
}

/** Returns the shortest time of all rounds except the first one, which is a warm-up. */
async function fastestRound(run: () => Promise<void>): Promise<number> {
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

const addOne = (step: number): string => `const sum = await add({ left: ${step}, right: 1 });\nprint(sum);`;

const addFive = (step: number): string =>
  `const sums = await Promise.all([1, 2, 3, 4, 5].map((n) => add({ left: ${step}, right: n })));\nprint(sums);`;

await main();
