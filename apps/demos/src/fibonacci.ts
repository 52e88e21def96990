// Computes a number that is too large for a double. The agent uses ordinary numbers first, sees
// that the result is rounded, and switches to BigInt.
//
//   pnpm --filter @smolts/demos fibonacci

import { CodeAgent, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface FibonacciOptions {
  readonly model: Model;
  readonly level?: PrintLevel;
}

/** Asks an agent without any tools for the 118th Fibonacci number, and returns its answer. */
export async function fibonacci({ model, level = "info" }: FibonacciOptions): Promise<unknown> {
  const agent = new CodeAgent({ model });
  return printRun(agent.run("What is the 118th Fibonacci number? The first two are 1 and 1. I need every digit."), {
    level,
  });
}

/** The scripted model's answers. */
export const script: readonly string[] = [
  `I add up pairs until I am at number 118.
<code>
let [previous, current] = [0, 1];
for (let position = 1; position < 118; position++) {
  [previous, current] = [current, previous + current];
}
print(current);
</code>`,
  `That is written with an exponent: it is far beyond 2 to the power of 53, so the last digits are lost. The same sum with BigInt is exact.
<code>
let [before, exact] = [0n, 1n];
for (let position = 1; position < 118; position++) {
  [before, exact] = [exact, before + exact];
}
finalAnswer(exact);
</code>`,
];

await runDemo(import.meta.url, script, (model) => fibonacci({ model }));
