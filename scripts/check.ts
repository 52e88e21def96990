// `pnpm check`: checks whether a change is good. Every stage runs, even after a failure, and prints
// one line. After the line of a failed stage, its output follows.
//
//   pnpm check                        all stages
//   pnpm check --only types --only lint
//   pnpm check --skip tests           for .ci/run, which has already run the tests

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCommand } from "./run-command.ts";

type Command = readonly [string, ...string[]];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name: string): string => `${root}/node_modules/.bin/${name}`;
const tsc = `${root}/scripts/tsc/node_modules/.bin/tsc`;

const stages: Readonly<Record<string, Command>> = {
  generated: [bin("tsx"), "scripts/generate.ts", "--check"],
  lint: [bin("biome"), "check", "--error-on-warnings", "--max-diagnostics=100", "."],
  types: [tsc, "-p", "tsconfig.json"],
  declarations: [tsc, "-p", "tsconfig.declarations.json"],
  boundaries: [bin("tsx"), "scripts/check-boundaries.ts"],
  tests: [bin("vitest"), "run"],
  snippets: [bin("tsx"), "apps/docs/src/check-snippets.ts"],
  docs: [bin("tsx"), "apps/docs/src/build.ts"],
};

async function main(): Promise<void> {
  let failed = 0;
  const chosen = chosenStages();
  for (const name of chosen) {
    const { ok, output, durationMs } = await runCommand(stageCommand(name), {
      cwd: root,
      environment: { NO_COLOR: "1" },
    });
    console.log(`${ok ? "ok    " : "FAILED"}  ${name.padEnd(14)}${(durationMs / 1000).toFixed(1).padStart(6)} s`);
    if (ok) continue;
    failed += 1;
    console.log(`${output.trimEnd()}\n`);
  }
  console.log(failed === 0 ? `all ${chosen.length} stages are good` : `${failed} of ${chosen.length} stages failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function chosenStages(): readonly string[] {
  const { values } = parseArgs({
    options: { only: { type: "string", multiple: true }, skip: { type: "string", multiple: true, default: [] } },
  });
  const { only = Object.keys(stages), skip } = values;
  for (const name of skip) stageCommand(name);
  return only.filter((name) => !skip.includes(name));
}

function stageCommand(name: string): Command {
  const command = stages[name];
  if (!command) throw new Error(`there is no stage "${name}"; the stages are ${Object.keys(stages).join(", ")}`);
  return command;
}

await main();
