// Gives the same cases to two agents: one answers without code, the other one writes code. The
// comparison says how certain the difference between them is.
//
//   pnpm --filter @smolts/demos eval

import { type Comparison, compare, contains, evaluate, renderComparison, renderEvaluation } from "@smolts/eval";
import type { ServerReplyFunction } from "@smolts/testing/server";
import { CodeAgent, type Model, ToolCallingAgent } from "smolts";
import { runDemo, type Script } from "./demo-model.ts";

/** Options of the demo. */
export interface EvalOptions {
  readonly model: Model;
  /** Called with the text of each report. Default: `console.log`. */
  readonly print?: (text: string) => void;
}

const words = [
  "strawberry",
  "Mississippi",
  "bookkeeper",
  "assessment",
  "banana",
  "onomatopoeia",
  "committee",
  "parallel",
];
const letters = ["r", "s", "e", "s", "a", "o", "t", "l"];

/**
 * Each case asks how often a letter occurs in a word. Counting letters is easy for a program, but
 * hard for a model, which sees tokens and not letters.
 */
const cases = words.map((word, index) => {
  const letter = letters[index] ?? "";
  return {
    id: word,
    input: `How often does "${letter}" occur in "${word}"?`,
    expected: String([...word].filter((character) => character === letter).length),
  };
});

/** Evaluates both agents, and compares them. */
export async function evalDemo({ model, print = console.log }: EvalOptions): Promise<Comparison> {
  const talking = new ToolCallingAgent({ name: "talking", model, answerByText: true, maxSteps: 2 });
  const coding = new CodeAgent({ name: "coding", model, maxSteps: 4 });
  const options = { cases, scorers: [contains()], concurrency: 2 };
  const before = await evaluate({ ...options, agent: talking });
  const after = await evaluate({ ...options, agent: coding });
  for (const evaluation of [before, after]) print(renderEvaluation(evaluation));
  const comparison = compare(before, after);
  print(renderComparison(comparison));
  return comparison;
}

/**
 * Replies like a small model: it writes the right program, but guesses a number if it cannot run
 * code.
 */
const reply: ServerReplyFunction = ({ body }) => {
  const task = JSON.stringify(body.messages.findLast(({ role }) => role === "user"));
  const [, letter = "", word = ""] = /How often does \W*"(\w)\W*" occur in \W*"(\w+)/.exec(task) ?? [];
  if (JSON.stringify(body.messages[0]).includes("<code>")) {
    return `I count.\n<code>finalAnswer([..."${word}"].filter((character) => character === "${letter}").length)</code>`;
  }
  return `It occurs ${word.length > 9 ? 2 : 3} times.`;
};

/** One reply for each model call of the two evaluations. */
export const script: Script = Array.from({ length: 2 * cases.length }, () => reply);

await runDemo(import.meta.url, script, (model) => evalDemo({ model }));
