import { type GuestObject, type Slots, slotsOfKind, WatchedSlots } from "../guest-value.ts";
import type { Meter } from "../limits.ts";

/**
 * The texts of the groups of a match. The whole match comes first. The text of a group that did not
 * take part in the match is undefined. It is the host's own list if the host has matched.
 */
export interface RegExpMatch extends ReadonlyArray<string | undefined> {
  readonly 0: string;
  /** The position at which the match starts. */
  readonly index: number;
  /**
   * The start and end positions of the groups, two numbers for each group. Both are -1 for a group
   * that did not take part in the match. Absent if the caller did not ask for the positions.
   */
  readonly ends?: readonly number[];
}

/** Returns the position at which a match ends. */
export const endOfMatch = (match: RegExpMatch): number => match.index + match[0].length;

/** A compiled pattern that can search texts. */
export interface RegExpMatcher {
  /** The index of each group that has a name. */
  readonly names: ReadonlyMap<string, number>;
  /**
   * Searches a text from `start` on.
   *
   * @param isSticky - whether a match must begin at `start`
   * @param wantsEnds - whether the positions of the groups are needed, which costs more
   */
  match(meter: Meter, text: string, start: number, isSticky: boolean, wantsEnds?: boolean): RegExpMatch | null;
}

/** A pattern and its flags. All objects that a literal creates share one. */
export class RegExpPattern {
  readonly source: string;
  readonly flags: string;
  readonly isGlobal: boolean;
  readonly isSticky: boolean;
  readonly hasIndices: boolean;
  readonly isUnicode: boolean;
  /** The matcher of the pattern; null until it is first used. */
  matcher: RegExpMatcher | null = null;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
    this.isGlobal = flags.includes("g");
    this.isSticky = flags.includes("y");
    this.hasIndices = flags.includes("d");
    this.isUnicode = flags.includes("u") || flags.includes("v");
  }
}

/** The slots of a regular expression. */
export class RegExpSlots extends WatchedSlots implements Slots {
  readonly type = "regexp";
  /** The slots of the realm's %RegExp.prototype%. */
  readonly home: RegExpPrototypeSlots;
  pattern: RegExpPattern;

  constructor(home: RegExpPrototypeSlots, pattern: RegExpPattern) {
    super();
    this.home = home;
    this.pattern = pattern;
  }
}

/** The slots of %RegExp.prototype%. */
export class RegExpPrototypeSlots extends WatchedSlots implements Slots {
  readonly type = "regexp-prototype";
  readonly prototype: GuestObject;
  /** The built-in `exec`. */
  exec: unknown = null;

  constructor(prototype: GuestObject) {
    super();
    this.prototype = prototype;
  }
}

/** Returns the slots of a regular expression, or undefined if the value is not one. */
export function regExpSlots(value: unknown): RegExpSlots | undefined {
  return slotsOfKind(value, RegExpSlots);
}

/** Says whether a value is a regular expression. */
export function isRegExpObject(value: unknown): boolean {
  return regExpSlots(value) !== undefined;
}
