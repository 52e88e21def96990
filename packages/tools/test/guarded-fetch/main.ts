// pnpm torture:ssrf [--json]: counts the forbidden URLs that the guard lets through, and the public
// URLs that it refuses.

import { runSsrfTorture } from "./ssrf-torture.ts";

const { cases, through, publicForms, falseRefusals } = await runSsrfTorture();
if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ cases, through: through.length, publicForms, falseRefusals: falseRefusals.length }));
} else {
  console.log(`${cases} forbidden URLs, direct, by redirect, by name and by rebinding: ${through.length} through`);
  console.log(`${publicForms} public URLs: ${falseRefusals.length} refused`);
  for (const line of [...through, ...falseRefusals]) console.log(`  ${line}`);
}
process.exitCode = through.length + falseRefusals.length === 0 ? 0 : 1;
