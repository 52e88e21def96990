// The task for the benchmarks that measure steps. A model in this process, with prepared answers,
// adds numbers and then answers 42.

import type { Model, ModelEvent, TokenUsage } from "@smolts/protocol";
import { tool } from "@smolts/tools";

/** The tool that each step calls. */
export const add = tool({
  name: "add",
  description: "Adds two numbers.",
  input: { left: "number", right: "number" },
  output: "number",
  effects: "none",
  execute: ({ left, right }) => left + right,
});

/** The token usage that each answer reports. */
export const usage: TokenUsage = { inputTokens: 1000, outputTokens: 20, totalTokens: 1020 };

/** Runs an agent on the task. */
export async function addUntilDone(agent: { run(task: string): PromiseLike<unknown> }): Promise<void> {
  const answer = await agent.run("Add numbers until told to stop.");
  if (answer !== 42) throw new Error(`expected the answer 42, got ${JSON.stringify(answer)}`);
}

/** A model that calls the tool in each step, and answers in the last step of each run. */
export function toolCallModel(stepsPerRun: number): Model {
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

/**
 * A model that writes code in each step. `adding` returns the code for all but the last step of
 * each run.
 */
export function codeModel(stepsPerRun: number, adding: (step: number) => string): Model {
  return preparedModel((step) => {
    const code = step % stepsPerRun === 0 ? "finalAnswer(42)" : adding(step);
    return [
      { type: "text-delta", text: "Thought: add the numbers.\n<code>\n" },
      { type: "text-delta", text: `${code}\n</code>` },
      { type: "usage", usage },
      { type: "end", finishReason: "stop" },
    ];
  });
}

/**
 * A model that immediately answers with prepared events. `answer` returns them for a step; steps
 * are 1-based and counted over all runs.
 */
export function preparedModel(answer: (step: number) => readonly ModelEvent[]): Model {
  let step = 0;
  return {
    id: "bench/prepared",
    async *stream() {
      step += 1;
      yield* answer(step);
    },
  };
}

/**
 * The reader of image bytes for requests without an agent. It only throws, because these requests
 * have no images.
 */
export async function noBlobs(): Promise<never> {
  throw new Error("the benchmark has no images");
}
