// Sets that hold texts of several characters, in patterns with the flag "v": `[\q{abc|d}x]`,
// `\p{RGI_Emoji}`. The host knows what belongs to them; it is asked about one text at a time, the
// longest first, as the language wants it.

import { requireStack } from "../../stack-room.ts";

// No emoji that is a sequence has more UTF-16 units.
const longestEmoji = 20;
// A pattern tries each length at each place.
const longestText = 40;

/**
 * How many UTF-16 units the longest text of a set has at most; undefined when the set is one of
 * single characters.
 *
 * @param source - a set in brackets, or an escape
 */
export function longestTextOf(source: string): number | undefined {
  const listed = [...source.matchAll(/\\q\{([^}]*)\}/g)].flatMap(([, texts = ""]) => texts.split("|"));
  const lengths = listed.map((text) => text.length); // escapes are longer than what they stand for
  if (/\\p\{(?:RGI_|Basic_Emoji|Emoji_Keycap)/.test(source)) lengths.push(longestEmoji);
  return lengths.length === 0 ? undefined : Math.max(2, ...lengths); // two: a pair of surrogates
}

/** Whether the matcher can try texts of so many units. */
export const isTriable = (longest: number): boolean => longest <= longestText;

/** One set under the flags of its pattern. */
export class TextSet {
  readonly #test: RegExp;

  constructor(source: string, flags: string) {
    this.#test = new RegExp(`^(?:${source})$`, [...flags].filter((flag) => "isv".includes(flag)).join(""));
  }

  /** Whether a text belongs to the set. */
  has(text: string): boolean {
    requireStack();
    return this.#test.test(text);
  }
}
