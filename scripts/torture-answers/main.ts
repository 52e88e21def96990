// pnpm torture:answers [--json]: which wrong answers an agent accepts, and which right ones it refuses. Each topic has a corpus of its own in this folder.

import { parseArgs } from "node:util";
import { runAwaits } from "./run-awaits.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const shared = (name: string): URL => new URL(`../../../shared/data/${name}`, import.meta.url);

const { programs, wrongAccepted, rightRefused, extraSteps } = await runAwaits(shared("awaits-a.jsonl"));

/** What must not be: a list of cases for each kind. */
const failures = { wrongAccepted, rightRefused, extraSteps };
const counts = Object.fromEntries(Object.entries(failures).map(([name, cases]) => [name, cases.length]));

if (values.json) console.log(JSON.stringify({ programs, ...counts }));
else {
  console.log(
    `${programs} programs with and without missing awaits: ${wrongAccepted.length} wrong answers accepted, ${rightRefused.length} right programs refused, ${extraSteps.length} that took more than one step too many`,
  );
}
for (const [name, cases] of Object.entries(failures)) for (const each of cases) console.error(`  ${name}: ${each}`);
process.exitCode = Object.values(failures).every((cases) => cases.length === 0) ? 0 : 1;
