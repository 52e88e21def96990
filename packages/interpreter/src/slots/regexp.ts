import { type Slots, slotsOfKind, WatchedSlots } from "../guest-value.ts";
import type { Meter } from "../limits.ts";

/** The text that a pattern matched, and its position. */
export interface RegExpMatch {
  readonly index: number;
  readonly end: number;
  /** The texts of the groups, the whole match first; undefined where one took no part. */
  readonly texts: readonly (string | undefined)[];
  /**
   * The ends of the groups, two each, -1 where one took no part; there when they were asked for.
   */
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
export class RegExpSlots extends WatchedSlots implements Slots {
  readonly type = "regexp";
  source = "";
  flags = "";
  /** What runs the pattern, once it has run. */
  matcher: RegExpMatcher | null = null;

  /** Takes another pattern. */
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

/** The slots of a regular expression, or undefined when the value is none. */
export function regExpSlots(value: unknown): RegExpSlots | undefined {
  return slotsOfKind(value, RegExpSlots);
}

/** Whether a value is a regular expression. */
export function isRegExpObject(value: unknown): boolean {
  return regExpSlots(value) !== undefined;
}
