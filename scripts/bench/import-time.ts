import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCommand } from "../run-command.ts";
import { type Benchmark, median } from "./benchmark.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const processes = 15;
const thinkingMs = 200;

/**
 * Measures how long a program waits for smolts: at its start, and between a model's first answer
 * and the first line of its code.
 */
export const benchmark: Benchmark = {
  name: "import-time",
  method: `the built "smolts" in ${processes} fresh Node processes, one after the other, the median. Import: without Node's own start. First call: with a model that takes ${thinkingMs} ms, the time from its first answer to the first tool call of its code`,
  goals: { importMs: 60 },
  async run() {
    if (!existsSync(`${root}packages/smolts/dist/index.js`)) throw new Error(`"smolts" is not built; run "pnpm build"`);
    const imports: number[] = [];
    const firstLines: number[] = [];
    for (let count = 0; count < processes; count++) {
      imports.push(await printedBy(importing));
      firstLines.push(await printedBy(runningAStep));
    }
    return { importMs: median(imports), slowestMs: Math.max(...imports), answerToFirstLineMs: median(firstLines) };
  },
};

async function printedBy(program: string): Promise<number> {
  const { ok, stdout, output } = await runCommand(["node", "--input-type=module", "-e", program], { cwd: root });
  if (!ok) throw new Error(`"smolts" cannot be imported\n${output}`);
  return Number(stdout);
}

const importing = `
  const began = performance.now();
  await import("smolts");
  console.log(performance.now() - began);
`;

const runningAStep = `
  import { setTimeout as wait } from "node:timers/promises";
  import { CodeAgent, modelFromFunction, tool } from "smolts";

  let answered = 0;
  const model = modelFromFunction(async () => {
    await wait(${thinkingMs});
    answered = performance.now();
    return "<code>await look(); finalAnswer(1)</code>";
  });
  const look = tool({
    name: "look",
    description: "Looks.",
    input: {},
    effects: "none",
    execute: () => console.log(performance.now() - answered),
  });
  await new CodeAgent({ model, tools: [look] }).run("Look.");
`;
