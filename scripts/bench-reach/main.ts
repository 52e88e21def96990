// Measures what it costs to serve, trace and evaluate agents: pnpm bench:reach [--json]. Each part
// of the benchmark is a file whose function returns figures by name.

import { benchEval } from "./eval.ts";
import { benchServe } from "./serve.ts";
import { benchTracing } from "./tracing.ts";

/** The parts of the benchmark. */
const all = [benchEval, benchTracing, benchServe];
/** The parts that the command line names, such as `serve`. If it names none, all parts run. */
const chosen = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const parts = all.filter(({ name }) => chosen.length === 0 || chosen.some((word) => name.toLowerCase().endsWith(word)));
const limits: Readonly<Record<string, number>> = {
  evalOverheadMsPerCase: 1,
  evalKeptRowMsPerCase: 1,
  traceOverheadPercent: 10,
  serveStreamsLost: 0,
  serveRssGrowth: 1.1,
  serveFirstByteAddsMs: 2,
};

const figures: Record<string, number> = {};
for (const part of parts) Object.assign(figures, await part());

const isMeasured = (name: string): boolean => chosen.length === 0 || name in figures;
const missed = Object.entries(limits)
  .filter(([name]) => isMeasured(name))
  .filter(([name, limit]) => (figures[name] ?? Number.POSITIVE_INFINITY) > limit);
const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
if (process.argv.includes("--json")) console.log(JSON.stringify({ figures: rounded, limits }, null, 2));
else for (const [name, value] of Object.entries(rounded)) console.log(`${name}: ${value}`);
for (const [name, limit] of missed) console.error(`${name} is above its limit of ${limit}`);
process.exitCode = missed.length === 0 ? 0 : 1;
