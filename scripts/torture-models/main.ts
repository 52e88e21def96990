// Runs three tests: pnpm torture:models [--json] [--seed 1]. They test whether an agent accepts any
// of 3,000 provider faults as an answer, whether the result of a stream depends on where it is
// split, and whether every wire format understands every finish reason.

import { parseArgs } from "node:util";
import { runFinishReasons } from "./finish-reasons.ts";
import { runInjections } from "./injections.ts";
import { runSplits } from "./splits.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const { injections, acceptedFaults } = await runInjections(3_000, seed);
const { streams, splits, differences } = await runSplits(1, 100_000, seed);
const { ends, wrongEnds } = await runFinishReasons();

if (values.json) {
  console.log(
    JSON.stringify({
      injections,
      acceptedFaults: acceptedFaults.length,
      splits,
      differences: differences.length,
      ends,
      wrongEnds: wrongEnds.length,
    }),
  );
} else {
  console.log(`${injections} faults injected into runs of agents: ${acceptedFaults.length} accepted`);
  console.log(`${streams} streams in ${splits} splits: ${differences.length} read differently`);
  console.log(`${ends} ends of answers, by word, wire and framing: ${wrongEnds.length} read differently`);
}
const failures = [...acceptedFaults, ...differences, ...wrongEnds];
for (const line of failures) console.error(`  ${line}`);
process.exitCode = failures.length === 0 ? 0 : 1;
