import { type Slots, slotsOfKind, WatchedSlots } from "../guest-value.ts";
import type { Meter } from "../limits.ts";

/** The text that a pattern matched, and its position. */
export interface RegExpMatch {
  readonly index: number;
  readonly end: number;
  /**
   * The texts of the groups. The whole match comes first. The text of a group that did not take
   * part in the match is undefined.
   */
  readonly texts: readonly (string | undefined)[];
  /**
   * The start and end positions of the groups, two numbers for each group. Both are -1 for a group
   * that did not take part in the match. Null if the caller did not ask for the positions.
   */
  readonly ends: readonly number[] | null;
}

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

/** The slots of a regular expression. */
export class RegExpSlots extends WatchedSlots implements Slots {
  readonly type = "regexp";
  source = "";
  flags = "";
  /** The matcher of the pattern; null until it is first used. */
  matcher: RegExpMatcher | null = null;

  /** Replaces the pattern. */
  initialize(source: string, flags: string): void {
    this.source = source;
    this.flags = flags;
    this.matcher = null;
  }
}

/** The slots of %RegExp.prototype%. */
export class RegExpPrototypeSlots extends WatchedSlots implements Slots {
  readonly type = "regexp-prototype";
}

/** Returns the slots of a regular expression, or undefined if the value is not one. */
export function regExpSlots(value: unknown): RegExpSlots | undefined {
  return slotsOfKind(value, RegExpSlots);
}

/** Says whether a value is a regular expression. */
export function isRegExpObject(value: unknown): boolean {
  return regExpSlots(value) !== undefined;
}
