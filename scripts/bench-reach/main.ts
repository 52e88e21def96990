// pnpm bench:reach [--json]: what it costs to serve, trace and evaluate agents. Each part is a file that returns figures by name.

import { benchEval } from "./eval.ts";

/** The parts, and the limit of each figure that has one. */
const parts = [benchEval];
const limits: Readonly<Record<string, number>> = { evalOverheadMsPerCase: 1, evalKeptRowMsPerCase: 1 };

const figures: Record<string, number> = {};
for (const part of parts) Object.assign(figures, await part());

const missed = Object.entries(limits).filter(([name, limit]) => (figures[name] ?? Number.POSITIVE_INFINITY) > limit);
const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
if (process.argv.includes("--json")) console.log(JSON.stringify({ figures: rounded, limits }, null, 2));
else for (const [name, value] of Object.entries(rounded)) console.log(`${name}: ${value}`);
for (const [name, limit] of missed) console.error(`${name} is above its limit of ${limit}`);
process.exitCode = missed.length === 0 ? 0 : 1;
