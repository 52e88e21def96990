// Regular expressions: their slots and how they are made. The host parses and judges the pattern; who runs it is decided at the first use:
// the host's engine where that is proven to be quick, our own counting matcher otherwise.

import { isStackOverflow, throwError } from "../guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOfKind } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { ordinaryCreateFromConstructor } from "../operations/call.ts";
import { toStringValue } from "../operations/conversion.ts";
import { setOrThrow } from "../operations/property.ts";
import { keyText } from "../operations/text.ts";
import type { Realm } from "./realm.ts";
import { runPattern } from "./regexp/matcher.ts";
import { parsePattern } from "./regexp/pattern.ts";
import { compilePattern } from "./regexp/program.ts";
import { isLinear } from "./regexp/safety.ts";

/** What a pattern matched, and where. */
export interface RegExpMatch {
  readonly index: number;
  readonly end: number;
  /** The texts of the groups, the whole match first; undefined where one took no part. */
  readonly texts: readonly (string | undefined)[];
  /** The ends of the groups, two each, -1 where one took no part; there when they were asked for. */
  readonly ends: readonly number[] | null;
}

/** A compiled pattern. */
export interface RegExpMatcher {
  /** Names of groups and their indices. */
  readonly names: ReadonlyMap<string, number>;
  /** @param wantsEnds - whether the ends of the groups are needed, which costs more */
  match(meter: Meter, text: string, start: number, isSticky: boolean, wantsEnds?: boolean): RegExpMatch | null;
}

/** The slots of a regular expression. */
export class RegExpSlots implements Slots {
  readonly type = "regexp";
  source = "";
  flags = "";
  #matcher: RegExpMatcher | null = null;

  /** Takes another pattern. */
  initialize(source: string, flags: string): void {
    this.source = source;
    this.flags = flags;
    this.#matcher = null;
  }

  /** What runs the pattern. @throws a guest SyntaxError for syntax that is not supported */
  get matcher(): RegExpMatcher {
    this.#matcher ??= matcherFor(this.source, this.flags);
    return this.#matcher;
  }
}

/** The slots of a regular expression, or undefined when the value is none. */
export function regExpSlots(value: unknown): RegExpSlots | undefined {
  return slotsOfKind(value, RegExpSlots);
}

/** Whether a value is a regular expression. */
export function isRegExpObject(value: unknown): boolean {
  return regExpSlots(value) !== undefined;
}

/** A regular expression without a pattern yet, whose prototype the new target decides. */
export function regExpAlloc(realm: Realm, newTarget: GuestObject): GuestObject {
  const object = ordinaryCreateFromConstructor(realm, newTarget, "RegExpPrototype");
  return defineLastIndex(brand(object, new RegExpSlots()));
}

/** Gives a regular expression its pattern. @throws a guest SyntaxError when pattern or flags are wrong */
export function regExpInitialize(realm: Realm, object: GuestObject, pattern: unknown, flags: unknown): GuestObject {
  const source = pattern === undefined ? "" : toStringValue(pattern);
  const flagText = flags === undefined ? "" : toStringValue(flags);
  checkSyntax(realm, source, flagText);
  regExpSlots(object)?.initialize(source, flagText);
  setOrThrow(object, "lastIndex", 0);
  return object;
}

/** A new regular expression of the built-in class. */
export function regExpCreate(realm: Realm, pattern: unknown, flags: unknown): GuestObject {
  const object = defineLastIndex(brand(realm.newObjectFrom("RegExpPrototype"), new RegExpSlots()));
  return regExpInitialize(realm, object, pattern, flags);
}

function defineLastIndex(object: GuestObject): GuestObject {
  Object.defineProperty(object, "lastIndex", lastIndexAtStart);
  return object;
}

const lastIndexAtStart = { value: 0, writable: true, enumerable: false, configurable: false };

function checkSyntax(realm: Realm, source: string, flags: string): void {
  realm.meter.charge(10 + (source.length >>> 2));
  realm.meter.allocate(220 + 8 * source.length);
  if (!/^(?!.*(.).*\1)[dgimsuvy]*$/.test(flags)) {
    throwError("SyntaxError", `the flags of a regular expression cannot be ${keyText(flags)}`);
  }
  try {
    new RegExp(source, flags);
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    // The host's SyntaxError, whose text differs from engine to engine.
    throwError("SyntaxError", `${keyText(source)} with the flags ${keyText(flags)} is not a regular expression`);
  }
}

// Patterns are made again and again, by literals in loops above all.
const matchers = new Map<string, RegExpMatcher>();
const mostMatchers = 500;

function matcherFor(source: string, flags: string): RegExpMatcher {
  const relevant = flags.replace(/[dgy]/g, "");
  const key = `${relevant}/${source}`;
  const known = matchers.get(key);
  if (known) return known;
  const matcher = compile(source, relevant);
  if (matchers.size >= mostMatchers) matchers.clear();
  matchers.set(key, matcher);
  return matcher;
}

function compile(source: string, flags: string): RegExpMatcher {
  const pattern = parsePattern(source, flags);
  const { names } = pattern;
  if (isLinear(pattern, flags)) return hostMatcher(source, flags, names);
  const program = compilePattern(pattern, flags);
  return {
    names,
    match(meter, text, start, isSticky, wantsEnds = false) {
      const ends = runPattern(meter, program, text, start, isSticky);
      return ends && matchOfEnds(text, ends.slice(0, 2 * (pattern.groupCount + 1)), wantsEnds);
    },
  };
}

function matchOfEnds(text: string, ends: readonly number[], keepsEnds: boolean): RegExpMatch {
  const texts: (string | undefined)[] = [];
  for (let group = 0; group < ends.length; group += 2) {
    const [from, to] = [ends[group] as number, ends[group + 1] as number]; // ends come in pairs
    texts.push(from >= 0 && to >= 0 ? text.slice(from, to) : undefined);
  }
  const [index, end] = [ends[0] as number, ends[1] as number]; // the whole match comes first
  return { index, end, texts, ends: keepsEnds ? ends : null };
}

// The host looks at this many characters in the time of one operation.
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
      const end = found ? engine.lastIndex : isSticky ? start : text.length;
      meter.charge(1 + repetitions * Math.ceil(Math.max(0, end - start) / charactersInOperation));
      if (!found) return null;
      if (!wantsEnds) return { index: found.index, end, texts: found, ends: null };
      withEnds ??= new RegExp(source, `${flags}dy`);
      withEnds.lastIndex = found.index;
      return { index: found.index, end, texts: found, ends: endsOf(withEnds.exec(text)) };
    },
  };
}

/** How often the host may look at a character because of `{n}`. */
function countedRepetitions(source: string): number {
  let sum = 0;
  for (const [, count] of source.matchAll(/\{(\d+)/g)) sum += Number(count);
  return 1 + Math.ceil(sum / 2);
}

function endsOf(found: RegExpExecArray | null): number[] {
  const ends: number[] = [];
  for (const pair of found?.indices ?? []) {
    const [start, end] = (pair as [number, number] | undefined) ?? [-1, -1]; // groups that took no part have none
    ends.push(start, end);
  }
  return ends;
}
