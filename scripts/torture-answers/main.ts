// Tests which wrong answers an agent accepts, and which right answers it refuses: pnpm
// torture:answers [--json]. Each topic has its own collection of cases in this folder.

import { parseArgs } from "node:util";
import { runAwaits } from "./run-awaits.ts";
import { runCuts } from "./run-cuts.ts";
import { runStyles } from "./run-styles.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const shared = (name: string): URL => new URL(`../../../shared/data/${name}`, import.meta.url);

const { programs, wrongAccepted, rightRefused, extraSteps } = await runAwaits(shared("awaits-a.jsonl"));
const { styles, stylesRun, askedAgain, wrongCalls } = await runStyles(shared("answer-styles-a.jsonl"));
const { cuts, cutAccepted, hangs } = await runCuts();

/** The cases that failed, by the kind of failure. */
const failures = { wrongAccepted, rightRefused, extraSteps, wrongCalls, cutAccepted, hangs };
const counts = Object.fromEntries(Object.entries(failures).map(([name, cases]) => [name, cases.length]));

if (values.json) console.log(JSON.stringify({ programs, ...counts, cuts, styles, stylesRun }));
else {
  console.log(
    `${programs} programs with and without missing awaits: ${wrongAccepted.length} wrong answers accepted, ${rightRefused.length} right programs refused, ${extraSteps.length} that took more than one step too many`,
  );
  console.log(
    `${stylesRun} of ${styles} styles of actions run at once, ${wrongCalls.length} wrong calls; asked again: ${askedAgain.join(", ")}`,
  );
  console.log(`${cuts} cut answers: ${cutAccepted.length} accepted, ${hangs.length} that hang`);
}
for (const [name, cases] of Object.entries(failures)) for (const each of cases) console.error(`  ${name}: ${each}`);
process.exitCode = Object.values(failures).every((cases) => cases.length === 0) ? 0 : 1;
