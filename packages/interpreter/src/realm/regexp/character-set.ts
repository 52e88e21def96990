// Sets of characters: `[a-z]`, `\d`, `.`, `\p{L}`, or a letter when case is ignored. The host knows
// what belongs to a set; it is asked about one character at a time, and its answers are kept.

import { requireStack } from "../../stack-room.ts";

/** One set under the flags of its pattern. */
export class CharacterSet {
  readonly #test: RegExp;
  // 0: not asked yet, 1: no, 2: yes.
  readonly #ascii = new Uint8Array(128);
  #others: Uint8Array | null = null;

  private constructor(source: string, flags: string) {
    this.#test = new RegExp(`^(?:${source})$`, flags);
  }

  /** The set for a source; the same object for the same source and flags. */
  static of(source: string, flags: string): CharacterSet {
    const relevant = [...flags].filter((flag) => "isuv".includes(flag)).join("");
    const key = `${relevant}:${source}`;
    const known = sets.get(key);
    if (known) return known;
    const set = new CharacterSet(source, relevant);
    if (sets.size >= mostSets) sets.clear();
    sets.set(key, set);
    return set;
  }

  /** Whether a character (a code point; a UTF-16 unit outside Unicode mode) belongs to the set. */
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
const mostSets = 200;

/** A pattern that stands for one character. */
export function characterSource(point: number, flags: string): string {
  if (flags.includes("u") || flags.includes("v")) return `\\u{${point.toString(16)}}`;
  return `\\u${point.toString(16).padStart(4, "0")}`;
}
