import { readFileSync } from "node:fs";
import { ownAttacks } from "./own-attacks.ts";
import { recentAttacks } from "./recent-attacks.ts";
import type { Attack } from "./run-attack.ts";

const published = readFileSync(new URL("published.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Attack); // the file beside this one

/** All attacks: those that other sandboxes fell to, and our own. */
export const attacks: readonly Attack[] = [...published, ...ownAttacks, ...recentAttacks];
