// pnpm torture:models [--json] [--seed 1]: what of 3,000 faults of providers an agent takes for an answer, and what of a stream depends on where it is torn.

import { parseArgs } from "node:util";
import { runInjections } from "./injections.ts";
import { runSplits } from "./splits.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const { injections, acceptedFaults } = await runInjections(3_000, seed);
const { streams, splits, differences } = await runSplits(1, 100_000, seed);

if (values.json) {
  console.log(
    JSON.stringify({ injections, acceptedFaults: acceptedFaults.length, splits, differences: differences.length }),
  );
} else {
  console.log(`${injections} faults injected into runs of agents: ${acceptedFaults.length} accepted`);
  console.log(`${streams} streams in ${splits} splits: ${differences.length} read otherwise`);
}
for (const line of [...acceptedFaults, ...differences]) console.error(`  ${line}`);
process.exitCode = acceptedFaults.length + differences.length === 0 ? 0 : 1;
