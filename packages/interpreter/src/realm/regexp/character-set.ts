// Sets of characters in patterns, such as `[a-z]`, `\d`, `.`, `\p{L}`, or a letter whose case is
// ignored. The host's RegExp tests whether a character belongs to a set, one character at a time.
// The results are cached.

import { requireStack } from "../../stack-room.ts";

/** A set of characters. It depends on the source of the set and on the flags of the pattern. */
export class CharacterSet {
  readonly #test: RegExp;
  // For each character: 0 if it has not been tested, 1 if it is not in the set, 2 if it is.
  readonly #ascii = new Uint8Array(128);
  #others: Uint8Array | null = null;

  private constructor(source: string, flags: string) {
    this.#test = new RegExp(`^(?:${source})$`, flags);
  }

  /** Returns the set for a source and flags. The same arguments return the same object. */
  static of(source: string, flags: string): CharacterSet {
    const relevant = [...flags].filter((flag) => "isuv".includes(flag)).join("");
    const key = `${relevant}:${source}`;
    const known = sets.get(key);
    if (known) return known;
    const set = new CharacterSet(source, relevant);
    if (sets.size >= maxSets) sets.clear();
    sets.set(key, set);
    return set;
  }

  /**
   * Says whether a character belongs to the set. In Unicode mode a character is a code point, and
   * otherwise a UTF-16 unit.
   */
  has(point: number): boolean {
    if (point < 128) return this.#known(this.#ascii, point);
    if (point > 0xffff) return this.#asked(String.fromCodePoint(point));
    this.#others ??= new Uint8Array(0x10000);
    return this.#known(this.#others, point);
  }

  #known(answers: Uint8Array, point: number): boolean {
    const answer = answers[point];
    if (answer !== 0) return answer === 2;
    const isIn = this.#asked(String.fromCharCode(point));
    answers[point] = isIn ? 2 : 1;
    return isIn;
  }

  #asked(character: string): boolean {
    requireStack();
    return this.#test.test(character);
  }
}

const sets = new Map<string, CharacterSet>();
const maxSets = 200;

/** Returns a pattern that matches only this character. */
export function characterSource(point: number, flags: string): string {
  if (flags.includes("u") || flags.includes("v")) return `\\u{${point.toString(16)}}`;
  return `\\u${point.toString(16).padStart(4, "0")}`;
}
