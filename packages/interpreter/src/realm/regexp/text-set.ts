// Sets with strings of several characters, in patterns with the flag "v": `[\q{abc|d}x]`,
// `\p{RGI_Emoji}`. The host's RegExp tests whether a string belongs to a set. The matcher tries one
// string at a time, the longest first, as the specification requires.

import { requireStack } from "../../stack-room.ts";

// The maximum number of UTF-16 units in an emoji sequence.
const maxEmojiLength = 20;
// The maximum length of a string in a set that the matcher supports. It is small, because the
// matcher tries each length at each position.
const maxTextLength = 40;

/**
 * Returns an upper bound for the length of the strings in a set, in UTF-16 units; undefined if the
 * set has only single characters.
 *
 * @param source - a set in brackets, or an escape such as `\p{RGI_Emoji}`
 */
export function maxTextLengthOf(source: string): number | undefined {
  const listed = [...source.matchAll(/\\q\{([^}]*)\}/g)].flatMap(([, texts = ""]) => texts.split("|"));
  const lengths = listed.map((text) => text.length); // an escape is longer than the character that it represents
  if (/\\p\{(?:RGI_|Basic_Emoji|Emoji_Keycap)/.test(source)) lengths.push(maxEmojiLength);
  return lengths.length === 0 ? undefined : Math.max(2, ...lengths); // at least 2, because a surrogate pair has two units
}

/** Says whether the matcher supports sets whose longest string has this many UTF-16 units. */
export const isSupportedLength = (longest: number): boolean => longest <= maxTextLength;

/** A set with strings. It depends on the source of the set and on the flags of the pattern. */
export class TextSet {
  readonly #test: RegExp;

  constructor(source: string, flags: string) {
    this.#test = new RegExp(`^(?:${source})$`, [...flags].filter((flag) => "isv".includes(flag)).join(""));
  }

  /** Says whether a string belongs to the set. */
  has(text: string): boolean {
    requireStack();
    return this.#test.test(text);
  }
}
