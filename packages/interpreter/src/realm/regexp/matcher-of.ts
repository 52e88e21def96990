// Chooses the matcher for a pattern: the host's engine if that is proven to be fast
// (host-steps.ts), and otherwise the interpreter's own matcher, which counts its steps.

import { endOfMatch, type RegExpMatch, type RegExpMatcher, type RegExpPattern } from "../../slots/regexp.ts";
import type { Realm } from "../realm.ts";
import { checkClockAfterSearch, checkClockBeforeSearch, hostJudge, plainPermission } from "./host-steps.ts";
import { type Pattern, parsePattern } from "./pattern.ts";
import { compilePattern } from "./program.ts";
import { runPattern } from "./run-pattern.ts";

// A cache of the matchers of recent patterns, because programs often create the same pattern many
// times, mostly with literals in loops.
const matchers = new Map<string, RegExpMatcher>();
const maxMatchers = 500;

/** Matchers are cached only for patterns of at most this length. */
export const maxKnownLength = 1_000;

// The matchers that each realm was charged for. A program that creates the same pattern repeatedly,
// for example with "split", is charged once. There is one map for each realm, because the charge
// must not depend on other realms.
const chargedFor = new WeakMap<Realm, Map<string, RegExpMatcher>>();

/**
 * Returns the matcher of a regular expression. @throws a guest SyntaxError for syntax that is not
 * supported
 */
export function matcherOf(realm: Realm, pattern: RegExpPattern): RegExpMatcher {
  pattern.matcher ??= chargedMatcher(realm, pattern);
  return pattern.matcher;
}

// The bytes of a matcher for a short pattern: its syntax tree, its step bounds (host-steps.ts), and
// the code that the host compiles for it.
const bytesOfMatcher = 2_400;

function chargedMatcher(realm: Realm, { source, flags }: RegExpPattern): RegExpMatcher {
  const paid = chargedFor.get(realm) ?? new Map<string, RegExpMatcher>();
  const key = matcherKey(source, flags);
  const known = paid.get(key);
  if (known) return known;
  realm.meter.allocate(bytesOfMatcher);
  const matcher = matcherFor(source, flags);
  keep(paid, key, matcher, source);
  chargedFor.set(realm, paid);
  return matcher;
}

/**
 * Returns the matcher for a pattern. @throws a guest SyntaxError for syntax that is not supported
 */
export function matcherFor(source: string, flags: string): RegExpMatcher {
  const key = matcherKey(source, flags);
  const known = matchers.get(key);
  if (known) return known;
  const matcher = compile(source, relevantFlags(flags));
  keep(matchers, key, matcher, source);
  return matcher;
}

const relevantFlags = (flags: string): string => flags.replace(/[dgy]/g, "");

const matcherKey = (source: string, flags: string): string => `${relevantFlags(flags)}/${source}`;

function keep(known: Map<string, RegExpMatcher>, key: string, matcher: RegExpMatcher, source: string): void {
  if (source.length > maxKnownLength) return;
  if (known.size >= maxMatchers) known.clear();
  known.set(key, matcher);
}

// The maximum number of sets such as `\p{L}` in a pattern that the host runs. The host may need 400
// ms to compile ten of these sets, and nothing can interrupt it.
const maxHostSets = 5;

const hasManySets = (source: string): boolean => countPropertySets(source) > maxHostSets;

/** Returns how many sets such as `\p{L}` a pattern has. */
export function countPropertySets(source: string): number {
  let count = 0;
  for (let at = source.indexOf("\\"); at !== -1; at = source.indexOf("\\", at + 2))
    if ((source.charCodeAt(at + 1) | 0x20) === 0x70) count++;
  return count;
}

function compile(source: string, flags: string): RegExpMatcher {
  const pattern = parsePattern(source, flags);
  const judge = hasManySets(source) ? null : hostJudge(pattern, flags);
  if (!judge) return countingMatcher(pattern, flags);
  const host = hostMatcher(source, flags, pattern.names);
  let counting: RegExpMatcher | null = null;
  return {
    names: pattern.names,
    match(meter, text, start, isSticky, wantsEnds) {
      const permission = judge(meter, text, start);
      if (permission === plainPermission) return host.match(meter, text, start, isSticky, wantsEnds);
      if (permission) {
        checkClockBeforeSearch(meter, permission);
        const found = host.match(meter, text, start, isSticky, wantsEnds);
        checkClockAfterSearch(
          meter,
          permission,
          (found ? endOfMatch(found) : isSticky ? start : text.length) - start,
          text.length,
        );
        return found;
      }
      counting ??= countingMatcher(pattern, flags);
      return counting.match(meter, text, start, isSticky, wantsEnds);
    },
  };
}

function countingMatcher(pattern: Pattern, flags: string): RegExpMatcher {
  const program = compilePattern(pattern, flags);
  return {
    names: pattern.names,
    match(meter, text, start, isSticky, wantsEnds = false) {
      const ends = runPattern(meter, program, text, start, isSticky);
      return ends && matchOfEnds(text, ends.slice(0, 2 * (pattern.groupCount + 1)), wantsEnds);
    },
  };
}

function matchOfEnds(text: string, ends: readonly number[], keepsEnds: boolean): RegExpMatch {
  const texts: (string | undefined)[] = [];
  for (let group = 0; group < ends.length; group += 2) {
    const [from, to] = [ends[group] as number, ends[group + 1] as number]; // each group has two ends
    texts.push(from >= 0 && to >= 0 ? text.slice(from, to) : undefined);
  }
  const found = Object.assign(texts as [string], { index: ends[0] as number }); // the whole match is first
  return keepsEnds ? Object.assign(found, { ends }) : found;
}

// The host reads this many characters in the time of one operation.
const charactersInOperation = 16;

function hostMatcher(source: string, flags: string, names: ReadonlyMap<string, number>): RegExpMatcher {
  const searching = new RegExp(source, `${flags}g`);
  const sticky = new RegExp(source, `${flags}y`);
  let withEnds: RegExp | null = null;
  const repetitions = countedRepetitions(source);
  return {
    names,
    match(meter, text, start, isSticky, wantsEnds = false) {
      const engine = isSticky ? sticky : searching;
      engine.lastIndex = start;
      const found = engine.exec(text);
      const end = found ? endOfMatch(found) : isSticky ? start : text.length;
      meter.charge(1 + repetitions * Math.ceil(Math.max(0, end - start) / charactersInOperation));
      if (!found || !wantsEnds) return found;
      withEnds ??= new RegExp(source, `${flags}dy`);
      withEnds.lastIndex = found.index;
      return Object.assign(found, { ends: endsOf(withEnds.exec(text)) });
    },
  };
}

/** Returns how often the host may read each character, because of repetitions such as `{n}`. */
function countedRepetitions(source: string): number {
  let sum = 0;
  for (const [, count] of source.matchAll(/\{(\d+)/g)) sum += Number(count);
  return 1 + Math.ceil(sum / 2);
}

function endsOf(found: RegExpExecArray | null): number[] {
  const ends: number[] = [];
  for (const pair of found?.indices ?? []) {
    const [start, end] = (pair as [number, number] | undefined) ?? [-1, -1]; // a group that did not take part in the match has no ends
    ends.push(start, end);
  }
  return ends;
}
