// One attack in a process of its own, with the limits that hold when none are given: node one-attack.mjs <id>. Prints what came of it.

import { interpreter } from "@smolts/interpreter";
import { attacks } from "./attacks.ts";
import { runAttack } from "./run-attack.ts";

/** What came of an attack. */
export interface AttackReport {
  readonly ended: string;
  readonly breaches: readonly string[];
  readonly cpuMs: number;
  readonly highestMb: number;
}

const attack = attacks.find(({ id }) => id === process.argv[2]);
if (!attack) throw new Error(`there is no attack "${process.argv[2]}"`);
const { result, breaches, cpuMs } = await runAttack(attack, undefined, interpreter());
const report: AttackReport = {
  ended: result.type === "stopped" ? result.reason : result.type,
  breaches,
  cpuMs: Math.round(cpuMs),
  highestMb: Math.round(process.resourceUsage().maxRSS / 1_024),
};
console.log(JSON.stringify(report));
process.exit();
