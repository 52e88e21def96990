// Parts of a pattern that stand for one character, and whether two of them can stand for the same.

import { CharacterSet, characterSource } from "./character-set.ts";
import type { PatternNode } from "./pattern.ts";

/** A part that stands for one character. */
export type Single = Extract<PatternNode, { type: "character" | "set" }>;

/** Whether a part stands for one character. */
export function isSingle(node: PatternNode): node is Single {
  return node.type === "character" || node.type === "set";
}

/** The characters that a part stands for. */
export function setOfSingle(node: Single, flags: string): CharacterSet {
  return CharacterSet.of(sourceOfSingle(node, flags), flags);
}

/** The source of a set for a part that stands for one character. */
function sourceOfSingle(node: Single, flags: string): string {
  return node.type === "set" ? node.source : characterSource(node.point, flags);
}

/** Whether it is certain that no character belongs to both. */
export function areDisjoint(one: Single, other: Single, flags: string): boolean {
  if (one.type === "set" && other.type === "set" && areOpposites(one.source, other.source)) return true;
  if (!isAscii(one, flags) && !isAscii(other, flags)) return false;
  const [left, right] = [setOfSingle(one, flags), setOfSingle(other, flags)];
  for (let point = 0; point < 128; point++) if (left.has(point) && right.has(point)) return false;
  return true;
}

/** `\s` and `\S`, and their like. */
const areOpposites = (one: string, other: string): boolean =>
  /^\\[dswDSW]$/.test(one) && /^\\[dswDSW]$/.test(other) && one !== other && one.toLowerCase() === other.toLowerCase();

// `[a-z_\d.]`, `\d`, `\w`.
const asciiSet = /^(?:\\[dw]|\[(?!\^)(?:[\x20-\x5b\x5e-\x7e]|\\[dwtnrfv\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e])*\])$/;

/** Whether only characters below 128 belong to it. */
function isAscii(node: Single, flags: string): boolean {
  // Two letters beyond fold to "s" and "k".
  if (flags.includes("v") || (flags.includes("u") && flags.includes("i"))) return false;
  return node.type === "character" ? node.point < 128 : asciiSet.test(node.source);
}
