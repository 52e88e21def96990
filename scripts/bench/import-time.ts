import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCommand } from "../run-command.ts";
import { type Benchmark, median } from "./benchmark.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const processes = 15;

/** How long a program waits for smolts when it starts. */
export const benchmark: Benchmark = {
  name: "import-time",
  method: `the built "smolts" imported in ${processes} fresh Node processes, one after the other; the import alone, without Node's own start; the median`,
  goals: { importMs: 60 },
  async run() {
    if (!existsSync(`${root}packages/smolts/dist/index.js`)) throw new Error(`"smolts" is not built; run "pnpm build"`);
    const samples: number[] = [];
    for (let count = 0; count < processes; count++) samples.push(await importMs());
    return { importMs: median(samples), slowestMs: Math.max(...samples) };
  },
};

async function importMs(): Promise<number> {
  const program = `const began = performance.now(); await import("smolts"); console.log(performance.now() - began);`;
  const { ok, stdout, output } = await runCommand(["node", "--input-type=module", "-e", program], { cwd: root });
  if (!ok) throw new Error(`"smolts" cannot be imported\n${output}`);
  return Number(stdout);
}
