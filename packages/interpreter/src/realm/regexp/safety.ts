// Which patterns the host's engine may run: those whose work is proven to grow with the length of the text and no faster.
//
// A pattern is safe when each attempt at a place tries few paths of few characters, save for loops over single characters
//  - at its very end, where nothing can fail after them, or
//  - anywhere, when the pattern is tied to the start of the text and each loop is followed by a character that it cannot take: then giving
//    characters back never helps, and there is one attempt only.
// All other patterns are run by our own matcher, which counts its steps.

import { CharacterSet, characterSource } from "./character-set.ts";
import type { Pattern, PatternNode, RepeatNode } from "./pattern.ts";

// Paths that one attempt may take, and characters that a pattern may stand for when its counts are written out.
const mostPaths = 16;
const mostCharacters = 200;
// The host needs stack for each parenthesis inside another, more than is asked for (stack-room.ts).
const mostDepth = 10;
const mostParts = 400;

/** Whether the host runs a pattern in time proportional to the text. */
export function isLinear({ body, depth }: Pattern, flags: string): boolean {
  if (depth > mostDepth) return false;
  const isAnchored = startsAtStart(body) && !flags.includes("m");
  const cost = costOf(body, { flags, isAnchored, next: [] });
  return cost.paths <= mostPaths && cost.characters <= mostCharacters;
}

interface Cost {
  readonly paths: number;
  readonly characters: number;
}

interface Place {
  readonly flags: string;
  readonly isAnchored: boolean;
  /** What comes right after, outermost last; empty at the very end. Null: not known, as inside of loops and assertions. */
  readonly next: readonly PatternNode[] | null;
}

const unlimited: Cost = { paths: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

function costOf(node: PatternNode, place: Place): Cost {
  switch (node.type) {
    case "empty":
    case "start":
    case "end":
    case "boundary":
      return { paths: 1, characters: 0 };
    case "character":
    case "set":
      return { paths: 1, characters: 1 };
    case "texts":
      return { paths: 2, characters: node.longest };
    case "sequence":
      return sequenceCost(node.parts, place);
    case "choice":
      return choiceCost(node.parts, place);
    case "group":
      return costOf(node.body, place);
    case "look":
      return costOf(node.body, { ...place, next: null });
    case "reference":
      return unlimited;
    case "repeat":
      return repeatCost(node, place);
    default:
      return node satisfies never;
  }
}

function sequenceCost(parts: readonly PatternNode[], place: Place): Cost {
  if (parts.length > mostParts) return unlimited;
  let total: Cost = { paths: 1, characters: 0 };
  for (const [index, part] of parts.entries()) {
    const rest = parts.slice(index + 1);
    const { paths, characters } = costOf(part, { ...place, next: place.next && [...rest, ...place.next] });
    total = { paths: total.paths * paths, characters: total.characters + characters };
  }
  return total;
}

function choiceCost(parts: readonly PatternNode[], place: Place): Cost {
  let total: Cost = { paths: 0, characters: 0 };
  for (const part of parts) {
    const { paths, characters } = costOf(part, place);
    total = { paths: total.paths + paths, characters: total.characters + characters };
  }
  return total;
}

function repeatCost(node: RepeatNode, place: Place): Cost {
  if (node.max === Number.POSITIVE_INFINITY) return loopCost(node, place);
  const body = costOf(node.body, { ...place, next: null });
  const ways = node.max - node.min + 1;
  return { paths: ways * body.paths ** Math.min(node.max, 64), characters: Math.max(1, body.characters) * node.max };
}

function loopCost({ body, min, isGreedy }: RepeatNode, { flags, isAnchored, next }: Place): Cost {
  if (next === null || !isSingle(body)) return unlimited;
  const cost = { paths: 1, characters: min + 1 };
  if (next.length === 0) return cost;
  return isAnchored && isGreedy && cannotTake(body, next[0] as PatternNode, flags) ? cost : unlimited; // there is one
}

type Single = Extract<PatternNode, { type: "character" | "set" }>;

function isSingle(node: PatternNode): node is Single {
  return node.type === "character" || node.type === "set";
}

/** Whether what follows a loop can never be met at a character that the loop takes. */
function cannotTake(loop: Single, next: PatternNode, flags: string): boolean {
  if (next.type === "end") return !flags.includes("m");
  if (next.type === "group") return cannotTake(loop, next.body, flags);
  if (next.type === "sequence") return cannotTake(loop, next.parts[0] as PatternNode, flags); // sequences have two parts at least
  if (next.type === "repeat") return next.min > 0 && cannotTake(loop, next.body, flags);
  if (next.type !== "character" || flags.includes("i") || next.point > 127) return false;
  if (loop.type === "character") return loop.point !== next.point;
  return !CharacterSet.of(loop.source, flags).has(next.point);
}

function startsAtStart(node: PatternNode): boolean {
  if (node.type === "start") return true;
  if (node.type === "sequence") return startsAtStart(node.parts[0] as PatternNode); // sequences have two parts at least
  if (node.type === "group") return startsAtStart(node.body);
  return node.type === "choice" && node.parts.every(startsAtStart);
}

/** The source of a set for one part that stands for a character. */
export function sourceOfSingle(node: Single, flags: string): string {
  return node.type === "set" ? node.source : characterSource(node.point, flags);
}
