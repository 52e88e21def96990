// Runs one attack in a separate process, with the default limits: node one-attack.mjs <id>. Prints
// the outcome.

import { interpreter } from "@smolts/interpreter";
import { attacks } from "./attacks.ts";
import { runAttack } from "./run-attack.ts";

/** The outcome of an attack. */
export interface AttackReport {
  readonly ended: string;
  readonly breaches: readonly string[];
  readonly cpuMs: number;
  readonly highestMb: number;
}

const attack = attacks.find(({ id }) => id === process.argv[2]);
if (!attack) throw new Error(`"${process.argv[2]}" is not an attack`);
const { result, breaches, cpuMs } = await runAttack(attack, undefined, interpreter());
const report: AttackReport = {
  ended: result.type === "stopped" ? result.reason : result.type,
  breaches,
  cpuMs: Math.round(cpuMs),
  highestMb: Math.round(process.resourceUsage().maxRSS / 1_024),
};
console.log(JSON.stringify(report));
process.exit();
