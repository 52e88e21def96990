// The long run: `pnpm fuzz:interpreter --programs 100000 [--seed N]`. Prints each difference with
// the smallest program that shows it, and the number of programs. Progress is on standard error.

import { parseArgs } from "node:util";
import fc from "fast-check";
import { compare } from "./compare.ts";
import { programs } from "./program.ts";

const { values } = parseArgs({
  options: { programs: { type: "string", default: "10000" }, seed: { type: "string", default: String(Date.now()) } },
});
const total = Number(values.programs);
const property = fc.asyncProperty(programs, async (program) => {
  const { guest, host } = await compare(program);
  return guest === host;
});

// Ignore errors that nothing catches. On the host, a job of a program can still fail after the
// program has ended, for example if a getter "then" nests too deep. The other programs must run.
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});

let done = 0;
let differences = 0;
for (let seed = Number(values.seed) | 0; done < total; seed++) {
  const run = await fc.check(property, { numRuns: Math.min(1_000, total - done), seed });
  done += run.numRuns;
  if (done % 1_000 === 0) console.error(`${done} of ${total}`);
  if (!run.failed || !run.counterexample) continue;
  differences++;
  const [program] = run.counterexample;
  console.log(JSON.stringify({ seed, program, ...(await compare(program)) }, null, 2));
}
console.log(JSON.stringify({ programs: done, differences }));
process.exitCode = differences === 0 ? 0 : 1;
