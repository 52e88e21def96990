import { readFileSync } from "node:fs";
import { bulkAttacks } from "./bulk-attacks.ts";
import { hookAttacks } from "./hook-attacks.ts";
import { keptAttacks } from "./kept-attacks.ts";
import { nativeAttacks } from "./native-attacks.ts";
import { ownAttacks } from "./own-attacks.ts";
import { recentAttacks } from "./recent-attacks.ts";
import type { Attack } from "./run-attack.ts";
import { sourceAttacks } from "./source-attacks.ts";

const published = readFileSync(new URL("published.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Attack); // the file beside this one

/** All attacks: known attacks on other sandboxes, and our own. */
export const attacks: readonly Attack[] = [
  ...published,
  ...ownAttacks,
  ...recentAttacks,
  ...hookAttacks,
  ...bulkAttacks,
  ...keptAttacks,
  ...sourceAttacks,
  ...nativeAttacks,
];

/** The attacks that are part of every test run. */
export const shortAttacks: readonly Attack[] = attacks.filter(({ isLong }) => isLong !== true);
