// Handles parts of a pattern that match a single character. For example, finds out whether two such
// parts can match the same character.

import { CharacterSet, characterSource } from "./character-set.ts";
import type { PatternNode } from "./pattern.ts";

/** A part that matches a single character. */
export type Single = Extract<PatternNode, { type: "character" | "set" }>;

/** Says whether a part matches a single character. */
export function isSingle(node: PatternNode): node is Single {
  return node.type === "character" || node.type === "set";
}

/** Returns the set of characters that a part can match. */
export function setOfSingle(node: Single, flags: string): CharacterSet {
  return CharacterSet.of(sourceOfSingle(node, flags), flags);
}

/** Returns the source of the set of characters that a part can match. */
function sourceOfSingle(node: Single, flags: string): string {
  return node.type === "set" ? node.source : characterSource(node.point, flags);
}

/** Says whether it is certain that no character belongs to both sets. */
export function areDisjoint(one: Single, other: Single, flags: string): boolean {
  if (one.type === "set" && other.type === "set" && areOpposites(one.source, other.source)) return true;
  if (!isAscii(one, flags) && !isAscii(other, flags)) return false;
  const [left, right] = [setOfSingle(one, flags), setOfSingle(other, flags)];
  for (let point = 0; point < 128; point++) if (left.has(point) && right.has(point)) return false;
  return true;
}

/** Says whether two sources are opposites, such as `\s` and `\S`. */
const areOpposites = (one: string, other: string): boolean =>
  /^\\[dswDSW]$/.test(one) && /^\\[dswDSW]$/.test(other) && one !== other && one.toLowerCase() === other.toLowerCase();

// Matches the source of a set such as `[a-z_\d.]`, `\d` or `\w`.
const asciiSet = /^(?:\\[dw]|\[(?!\^)(?:[\x20-\x5b\x5e-\x7e]|\\[dwtnrfv\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e])*\])$/;

/** Says whether only characters below 128 belong to the set. */
function isAscii(node: Single, flags: string): boolean {
  // With these flags, two letters above 128 may count as "s" and "k", because case is ignored.
  if (flags.includes("v") || (flags.includes("u") && flags.includes("i"))) return false;
  return node.type === "character" ? node.point < 128 : asciiSet.test(node.source);
}
