// Runs each program with an agent whose model would give the right answer in its second step.

import { readFile } from "node:fs/promises";
import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { missingAwaitInStyles, rightInStyles } from "./await-styles.ts";
import { type AwaitProgram, awaitTools, missingAwait, rightPrograms } from "./awaits.ts";

/** The results. Each list contains the names of programs. */
export interface AwaitFindings {
  readonly programs: number;
  readonly wrongAccepted: readonly string[];
  readonly rightRefused: readonly string[];
  readonly extraSteps: readonly string[];
}

/**
 * Runs all programs: our own, and those of a data file outside this repository, if it exists. In
 * each program of the file, an `await` is missing.
 */
export async function runAwaits(sharedFile: URL): Promise<AwaitFindings> {
  const shared = await sharedPrograms(sharedFile);
  const wrongAccepted: string[] = [];
  const rightRefused: string[] = [];
  const extraSteps: string[] = [];
  const withoutAwait = [...missingAwait, ...missingAwaitInStyles, ...shared];
  const right = [...rightPrograms, ...rightInStyles];
  for (const program of withoutAwait) {
    const { output, steps } = await runProgram(program);
    if (!isSame(output, program.answer) && output !== corrected) wrongAccepted.push(program.id);
    if (steps > 2) extraSteps.push(program.id);
  }
  for (const program of right) {
    const { output, steps } = await runProgram(program);
    if (steps > 1 || !isSame(output, program.answer)) rightRefused.push(program.id);
  }
  return { programs: withoutAwait.length + right.length, wrongAccepted, rightRefused, extraSteps };
}

/** The model's answer if its program was not accepted. */
const corrected = "corrected";

const fields = { city: "string?", name: "string?", n: "number?", item: "string?", text: "string?" } as const;

async function runProgram({ code }: AwaitProgram): Promise<{ readonly output: unknown; readonly steps: number }> {
  const tools = Object.entries(awaitTools).map(([name, execute]) =>
    tool({ name, description: name, input: fields, execute: async (input) => execute(input) }),
  );
  const model = scriptedModel([`<code>\n${code}\n</code>`, `<code>finalAnswer("${corrected}")</code>`]);
  const run = new CodeAgent({ model, tools, maxSteps: 4 }).run("answer");
  const { output, steps } = await run.result;
  return { output, steps: steps.filter(({ type }) => type === "action").length };
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** The right answers for the programs of the data file, which contains no answers. */
const sharedAnswers: { readonly [id: string]: unknown } = {
  concat: "W: sunny in P",
  prop: 2,
  propText: "There are 2 users.",
  ifTrue: "8 is not prime",
  not: true,
  mul: 20,
  nested: { weather: "sunny in P" },
  json: '{"w":"sunny in P"}',
  filterAsync: [7],
  reduceAsync: 14,
  sort: "b",
  someAsync: false,
  helper: "avg 5",
  direct: "sunny in P",
};

async function sharedPrograms(file: URL): Promise<readonly AwaitProgram[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AwaitProgram)
    .map(({ id, code }) => ({ id: `shared ${id}`, code, answer: sharedAnswers[id] }));
}
