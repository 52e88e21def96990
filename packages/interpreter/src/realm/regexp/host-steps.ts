// Estimates the maximum number of steps that the host's engine may need for a pattern and a text.
// If that bound is small, the host runs the pattern. Otherwise the interpreter's own matcher runs
// it, because that matcher counts its steps.
//
// At a position of the text, each part of a pattern can match in a number of ways, and trying all
// of them takes a number of steps. Everything after the part is tried once for each way. A loop is
// a quantified part, such as `a*` or `(ab)+`. A loop over single characters can match in as many
// ways as it has matched characters, because it can give them back one by one. If the part after
// the loop cannot start with such a character, giving back never helps, and there is only one way.
// So the bound is computed from the pattern, and from the longest run of characters that each loop
// can match in this text. A loop over anything else has a bound only if each of its iterations can
// match in only one way.

import type { Meter } from "../../limits.ts";
import { CharacterSet } from "./character-set.ts";
import type { Pattern, PatternNode, RepeatNode } from "./pattern.ts";
import { areDisjoint, isSingle, type Single, setOfSingle } from "./single.ts";

// The host may always run a search of at most this many steps, which takes a few milliseconds.
const freeSteps = 1_000_000;
const slowSteps = 20_000_000;
const maxSteps = 400_000_000;
// How many steps the host may take for each character of a text. Most patterns that are fast need
// fewer.
const stepsOfCharacter = 64;
// The limits for one loop of a pattern, such as `a*`. For backtracking, the host stores an entry
// for each character that a loop has matched, and several entries for each iteration over a group.
const maxRunLength = 4_000_000;
const maxRounds = 500_000;
const stepsOfOperation = 20;
// The host runs only patterns whose parentheses are nested at most this deep. For deeper nesting,
// it may need more stack than stack-room.ts has checked for.
const maxDepth = 10;
const maxParts = 400;
const maxWrittenLength = 2_000;

/** Says that the host may search a text, and how many steps the search may take. */
export interface HostPermission {
  /** The maximum number of steps for the whole text; 0 if the number is too small to matter. */
  readonly steps: number;
  /** The maximum number of steps for an attempt to match at one position. */
  readonly stepsOfPlace: number;
}

/**
 * Decides whether the host may search a text for a pattern from `start` on. Returns null if the
 * host may not search it.
 */
export type HostJudge = (meter: Meter, text: string, start: number) => HostPermission | null;

/** The permission for a text so short that the number of steps does not matter. */
export const plainPermission: HostPermission = { steps: 0, stepsOfPlace: 0 };

/**
 * Creates the function that decides whether the host may search a text for this pattern. Returns
 * null if the host may never run the pattern.
 */
export function hostJudge(pattern: Pattern, flags: string): HostJudge | null {
  const bound = boundOf(pattern, flags);
  if (!bound) return null;
  // Up to this length, the host may search any text for this pattern, so the characters of the text
  // need not be examined.
  let longestPlain = -1;
  let shortestOther = Number.POSITIVE_INFINITY;
  const isPlain = (length: number): boolean => {
    if (length <= longestPlain || length >= shortestOther) return length <= longestPlain;
    const fits = bound(anyText(length), length) <= freeSteps;
    if (fits) longestPlain = length;
    else shortestOther = length;
    return fits;
  };
  const boundIn = (facts: ScannedText, length: number): number => {
    const steps = bound(facts.startingAnywhere, length);
    return steps > maxStepsFor(facts.length) ? bound(facts, length) : steps;
  };
  return (meter, text, start) => {
    if (isPlain(text.length)) return plainPermission;
    const facts = factsOf(meter, flags, text);
    let permission = facts.permissions.get(bound);
    if (!permission) {
      permission = { steps: boundIn(facts, text.length), stepsOfPlace: bound(facts.startingAnywhere, 0) };
      facts.permissions.set(bound, permission);
    }
    if (permission.steps <= maxStepsFor(text.length)) return permission;
    const steps = boundIn(facts, text.length - start);
    return steps > maxStepsFor(text.length) ? null : { ...permission, steps };
  };
}

const maxStepsFor = (length: number): number => Math.max(freeSteps, Math.min(maxSteps, stepsOfCharacter * length));

/**
 * Moves the next check of the clock forward if the host's search may take very long. Must be called
 * before the search.
 */
export function checkClockBeforeSearch(meter: Meter, permission: HostPermission): void {
  if (permission.steps > slowSteps) meter.checkClockSooner(permission.steps / stepsOfOperation);
}

/**
 * Moves the next check of the clock forward, depending on how much of the text the host has
 * searched. Must be called after the search.
 */
export function checkClockAfterSearch(
  meter: Meter,
  { steps, stepsOfPlace }: HostPermission,
  looked: number,
  length: number,
): void {
  if (steps > 0) meter.checkClockSooner((stepsOfPlace + steps * (looked / length)) / stepsOfOperation);
}

/** Facts about a text on which the maximum number of steps depends. */
interface TextFacts {
  readonly length: number;
  /** Returns the length of the longest part of the text that has only characters of a set. */
  longestRunOf(set: CharacterSet): number;
  /** Returns how many characters of the text belong to a set. */
  countOf(set: CharacterSet): number;
}

const anyText = (length: number): TextFacts => ({ length, longestRunOf: () => length, countOf: () => length });

class ScannedText implements TextFacts {
  text: string;
  readonly isUnicode: boolean;
  readonly length: number;
  /**
   * The same facts, but assuming that a match can start at every character. This is quicker,
   * because the characters at which a match can start need not be counted.
   */
  readonly startingAnywhere: TextFacts;
  /** The permissions for patterns that have been examined. */
  readonly permissions = new Map<Bound, HostPermission>();
  readonly #meter: Meter;
  readonly #scans = new Map<CharacterSet, { readonly longest: number; readonly count: number }>();

  constructor(meter: Meter, text: string, isUnicode: boolean) {
    this.#meter = meter;
    this.text = text;
    this.isUnicode = isUnicode;
    const length = text.length;
    this.length = length;
    this.startingAnywhere = { length, longestRunOf: (set) => this.longestRunOf(set), countOf: () => length };
  }

  longestRunOf(set: CharacterSet): number {
    return this.#scan(set).longest;
  }

  countOf(set: CharacterSet): number {
    return this.#scan(set).count;
  }

  #scan(set: CharacterSet): { readonly longest: number; readonly count: number } {
    const known = this.#scans.get(set);
    if (known) return known;
    const { text, isUnicode } = this;
    this.#meter.requireTime(text.length >>> 3);
    this.#meter.charge(text.length >>> 5);
    let longest = 0;
    let count = 0;
    let run = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if ((isUnicode && unit >= 0xd800 && unit < 0xe000) || set.has(unit)) {
        count++;
        if (++run > longest) longest = run;
      } else run = 0;
    }
    const found = { longest, count };
    this.#scans.set(set, found);
    return found;
  }
}

// The last text that each session has searched. Most programs search the same text repeatedly.
const scanned = new WeakMap<Meter, ScannedText>();

function factsOf(meter: Meter, flags: string, text: string): ScannedText {
  const isUnicode = flags.includes("u") || flags.includes("v");
  const last = scanned.get(meter);
  // Comparing two long texts takes time, but must not be counted as operations, because then the
  // count would depend on other sessions.
  if (last && last.text.length === text.length) {
    meter.checkClockSooner(text.length >>> 5);
    if (last.isUnicode === isUnicode && last.text === text) {
      // Store the new string object. If the program uses the same object again, the host need not
      // compare the characters.
      last.text = text;
      return last;
    }
  }
  const facts = new ScannedText(meter, text, isUnicode);
  scanned.set(meter, facts);
  return facts;
}

/**
 * Returns the maximum number of steps for searching `length` characters of a text with these facts.
 */
type Bound = (facts: TextFacts, length: number) => number;

function boundOf({ body, depth }: Pattern, flags: string): Bound | null {
  if (depth > maxDepth || writtenLength(body) > maxWrittenLength) return null;
  const attempt = attemptsOf(body, { flags, follow: () => false });
  if (!attempt) return null;
  if (startsAtStart(body) && !flags.includes("m")) return (facts) => attempt(facts).steps;
  const set = startsOf(body, flags);
  if (!set) return (facts, length) => (length + 1) * attempt(facts).steps;
  return (facts, length) => 2 * (length + 1) + Math.min(facts.countOf(set) + 1, length + 1) * attempt(facts).steps;
}

/**
 * Returns the characters that a match can start with. For a pattern that begins with `^`, returns
 * the line breaks instead, because a match can start only after them. Returns null if the
 * characters are not known.
 */
function startsOf(body: PatternNode, flags: string): CharacterSet | null {
  const first = firstSingle(body);
  if (first) return setOfSingle(first, flags);
  return startsAtStart(body) ? CharacterSet.of("[\\n\\r\\u2028\\u2029]", flags) : null;
}

/**
 * The number of ways in which a part of a pattern can match at one position, and the number of
 * steps that it takes to try all of them.
 */
interface Attempts {
  readonly ways: number;
  readonly steps: number;
}

type AttemptsOf = (facts: TextFacts) => Attempts;

interface Place {
  readonly flags: string;
  /**
   * Says whether the text after this part of the pattern can start with a character that a given
   * loop matches. If so, the host may have to backtrack into the loop. At the end of a pattern,
   * this returns false, because nothing follows that can fail.
   */
  readonly follow: Follow;
}

type Follow = (loop: Single) => boolean;

/**
 * Returns a function that computes the ways and steps of a part of a pattern. Returns null if a
 * loop in the part has no bound.
 */
function attemptsOf(node: PatternNode, place: Place): AttemptsOf | null {
  switch (node.type) {
    case "empty":
    case "start":
    case "end":
    case "boundary":
    case "character":
    case "set":
      return () => ({ ways: 1, steps: 1 });
    case "texts":
      return () => ({ ways: node.longest, steps: node.longest ** 2 });
    case "sequence":
      return sequenceAttempts(node.parts, place);
    case "choice":
      return choiceAttempts(node.parts, place);
    case "group":
      return attemptsOf(node.body, place);
    case "look": {
      // A lookaround stops at its first match, so nothing after its body can fail. But a lookbehind
      // matches backwards, so assume that anything can follow its body.
      const inside = attemptsOf(node.body, { ...place, follow: node.isBehind ? () => true : () => false });
      return inside && ((facts) => ({ ways: 1, steps: inside(facts).steps + 1 }));
    }
    case "reference":
      return null;
    case "repeat":
      return repeatAttempts(node, place);
    default:
      return node satisfies never;
  }
}

function sequenceAttempts(parts: readonly PatternNode[], place: Place): AttemptsOf | null {
  if (parts.length > maxParts) return null;
  const inside: AttemptsOf[] = [];
  let follow = place.follow;
  for (const part of parts.toReversed()) {
    const attempts = attemptsOf(part, { ...place, follow });
    if (!attempts) return null;
    inside.unshift(attempts);
    const after = follow;
    follow = (loop) => mayStart(part, loop, place.flags, after);
  }
  return (facts) => {
    let ways = 1;
    let steps = 0;
    for (const attempts of inside) {
      const each = attempts(facts);
      steps += ways * each.steps;
      ways *= each.ways;
    }
    return { ways, steps };
  };
}

const maxCompared = 8;

function choiceAttempts(parts: readonly PatternNode[], place: Place): AttemptsOf | null {
  const inside = parts.map((part) => attemptsOf(part, place));
  if (!inside.every((attempts) => attempts !== null)) return null;
  const areExclusive = parts.length <= maxCompared && areMutuallyExclusive(parts, place.flags);
  return (facts) => {
    const all = inside.map((attempts) => attempts(facts));
    const steps = all.reduce((sum, each) => sum + each.steps, 1);
    const ways = all.reduce((sum, each) => (areExclusive ? Math.max(sum, each.ways) : sum + each.ways), 0);
    return { ways, steps };
  };
}

/** Says whether no two of the parts can start with the same character. */
function areMutuallyExclusive(parts: readonly PatternNode[], flags: string): boolean {
  const firsts = parts.map(firstSingle);
  return firsts.every(
    (first, index) => first && firsts.slice(index + 1).every((other) => other && areDisjoint(first, other, flags)),
  );
}

function repeatAttempts(node: RepeatNode, place: Place): AttemptsOf | null {
  const { body, min, max } = node;
  if (isSingle(body)) return singleLoop(body, min, max, place);
  if (max === Number.POSITIVE_INFINITY) return roundsOfOneWay(node, place);
  const inside = attemptsOf(body, { ...place, follow: () => true });
  if (!inside) return null;
  return (facts) => {
    const round = inside(facts);
    let ways = 1;
    let steps = 1;
    for (let count = 0; count < Math.min(max, 1_000); count++) {
      steps += ways * round.steps;
      ways = ways * round.ways + 1;
      if (steps > maxSteps) break;
    }
    return { ways, steps: max > 1_000 ? Number.POSITIVE_INFINITY : steps };
  };
}

function singleLoop(body: Single, min: number, max: number, { flags, follow }: Place): AttemptsOf {
  const set = setOfSingle(body, flags);
  const mayGiveBack = follow(body);
  return (facts) => {
    const run = facts.longestRunOf(set);
    if (run >= maxRunLength) return { ways: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
    const length = Math.min(run, max);
    return { ways: mayGiveBack ? Math.max(1, length - min + 1) : 1, steps: 2 * (length + 1) };
  };
}

/**
 * Returns in how many ways a loop over a group can match, and the number of steps for trying all of
 * them. Both are infinite if one iteration can match in several ways. For example, a loop inside
 * the group may give characters back if the next iteration, or the part after the group, can start
 * with them.
 */
function roundsOfOneWay({ body }: RepeatNode, place: Place): AttemptsOf | null {
  const first = firstSingle(body);
  if (!first) return null;
  const follow: Follow = (loop) => mayStart(body, loop, place.flags, place.follow) || place.follow(loop);
  const inside = attemptsOf(body, { ...place, follow });
  if (!inside) return null;
  return (facts) => {
    const round = inside(facts);
    if (round.ways > 1) return { ways: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
    const rounds = facts.length + 1;
    if (rounds >= maxRounds) return { ways: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
    return { ways: rounds, steps: rounds * (round.steps + 1) };
  };
}

/**
 * Says whether a part of a pattern can start with a character that a loop matches. If the part may
 * be empty, the part after it is checked too.
 */
function mayStart(node: PatternNode, loop: Single, flags: string, after: Follow): boolean {
  switch (node.type) {
    case "character":
    case "set":
      return !areDisjoint(node, loop, flags);
    case "empty":
    case "start":
    case "boundary":
      return after(loop);
    case "end":
      return flags.includes("m") || after(loop);
    case "look":
    case "reference":
    case "texts":
      return true;
    case "sequence":
      return node.parts.reduceRight<Follow>(
        (follow, part) => (other) => mayStart(part, other, flags, follow),
        after,
      )(loop);
    case "choice":
      return node.parts.some((part) => mayStart(part, loop, flags, after));
    case "group":
      return mayStart(node.body, loop, flags, after);
    case "repeat":
      return mayStart(node.body, loop, flags, after) || (node.min === 0 && after(loop));
    default:
      return node satisfies never;
  }
}

/**
 * Returns the first character or set of a part, with which every match of the part starts. Returns
 * null if it cannot be determined.
 */
function firstSingle(node: PatternNode): Single | null {
  switch (node.type) {
    case "character":
    case "set":
      return node;
    case "sequence": {
      const first = node.parts.find((part) => part.type !== "boundary");
      return first ? firstSingle(first) : null;
    }
    case "group":
      return firstSingle(node.body);
    case "repeat":
      return node.min > 0 ? firstSingle(node.body) : null;
    default:
      return null;
  }
}

/**
 * Returns the length of a pattern in which counted repetitions are written out, because the host
 * may expand them: `a{3}` counts as `aaa`.
 */
function writtenLength(node: PatternNode): number {
  switch (node.type) {
    case "sequence":
    case "choice":
      return node.parts.reduce((sum, part) => sum + writtenLength(part), 1);
    case "group":
    case "look":
      return writtenLength(node.body) + 1;
    case "texts":
      return node.longest;
    case "repeat":
      return writtenLength(node.body) * Math.max(1, node.max === Number.POSITIVE_INFINITY ? node.min : node.max);
    default:
      return 1;
  }
}

function startsAtStart(node: PatternNode): boolean {
  if (node.type === "start") return true;
  if (node.type === "sequence") return startsAtStart(node.parts[0] as PatternNode); // a sequence has at least two parts
  if (node.type === "group") return startsAtStart(node.body);
  return node.type === "choice" && node.parts.every(startsAtStart);
}
