// `pnpm test262 --dir <checkout>`: runs the interpreter on tc39/test262 and reports how many of the
// promised tests (scope.ts) it passes.
//
//   --every N --offset K   every Nth file of each group, beginning with the Kth; default: all
//   --groups a,b           folders below `test`; `all` for every folder of built-ins
//   --filter TEXT          only files whose path contains the text
//   --timeout-ms N         the time limit of each file; a file that takes longer has failed
//   --failures             prints a line for each failure, on standard error
//   --json                 prints the summary as one line
//
// Standard output contains only the JSON summary (`pnpm -s test262 ...`).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { groupsOf, planOf } from "./plan.ts";
import { runTests } from "./run-tests.ts";
import { summaryOf } from "./summary.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    options: {
      dir: { type: "string" },
      every: { type: "string", default: "1" },
      offset: { type: "string", default: "0" },
      groups: { type: "string" },
      filter: { type: "string", default: "" },
      "timeout-ms": { type: "string", default: "20000" },
      failures: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { dir } = values;
  if (dir === undefined || !existsSync(join(dir, "harness", "assert.js"))) {
    throw new Error("say where a checkout of tc39/test262 is: --dir <checkout>");
  }
  const plan = planOf(dir, {
    groups: groupsOf(dir, values.groups),
    every: Number(values.every),
    offset: Number(values.offset),
    filter: values.filter,
  });
  const results = await runTests(dir, plan, Number(values["timeout-ms"]));
  if (values.failures) {
    for (const { path, failure } of results) if (failure !== null) console.error(`${path}: ${failure}`);
  }
  console.log(JSON.stringify(summaryOf(plan, results), null, values.json ? 0 : 2));
}

await main();
