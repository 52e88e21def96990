// Text of a model, a tool or a web page must not control the terminal that shows it. Every
// character that a terminal obeys or that a reader cannot see is replaced by a visible form: `\x1b`
// for control characters (C0, DEL, C1), `<U+202E>` for format, bidi and ignorable characters, line
// separators and lone surrogates. This disables a control sequence at its first character, even if
// the sequence is split over several chunks. State is needed only for pairs that two chunks can
// share: the halves of a surrogate pair, and a carriage return with its line feed.

/** Options of {@link visible}. */
export interface VisibleTextOptions {
  /**
   * Whether `\n` and `\r\n` stay line breaks. Otherwise they are shown as the two characters `\n`.
   *
   * @defaultValue false
   */
  readonly newlines?: boolean;
}

/**
 * Makes text safe to print on a terminal: nothing in the result moves the cursor, changes colours
 * or is invisible.
 *
 * @example
 * ```ts
 * import { visible } from "@smolts/protocol";
 *
 * console.log(visible("\u001b[2Jpaid \u202e001$")); // \x1b[2Jpaid <U+202E>001$
 * ```
 */
export function visible(text: string, options: VisibleTextOptions = {}): string {
  const stream = new VisibleTextStream(options);
  return stream.push(text) + stream.end();
}

/**
 * Does the same as {@link visible} for a text that arrives in chunks, which may be split anywhere.
 */
export class VisibleTextStream {
  readonly #newlines: boolean;
  /**
   * A carriage return or the first half of a surrogate pair at the end of a chunk. The next chunk
   * decides what it means.
   */
  #pending = "";

  constructor({ newlines = false }: VisibleTextOptions = {}) {
    this.#newlines = newlines;
  }

  /**
   * Returns the printable form of the text so far, except for a last character whose meaning the
   * next chunk decides.
   */
  push(chunk: string): string {
    const text = this.#pending + chunk;
    const certain = endsUndecided(text) ? text.length - 1 : text.length;
    this.#pending = text.slice(certain);
    return this.#escape(text.slice(0, certain));
  }

  /**
   * Returns the printable form of the character that was held back, if any. The stream can then be
   * used again.
   */
  end(): string {
    const rest = this.#escape(this.#pending);
    this.#pending = "";
    return rest;
  }

  #escape(text: string): string {
    return text.replace(lineEndOrHidden, (found) => {
      if (found === "\n" || found === "\r\n") return this.#newlines ? "\n" : "\\n";
      return found === "\t" ? "    " : escapeCharacter(found);
    });
  }
}

/**
 * Matches every control, format, bidi and ignorable character, line separators and lone surrogates.
 * The emoji selector U+FE0F is not matched.
 */
export const hiddenCharacter: RegExp = /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const lineEndOrHidden = new RegExp(`\\r\\n|${hiddenCharacter.source}`, "gu");

function endsUndecided(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last === 0x0d || (last >= 0xd800 && last <= 0xdbff);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code <= 0xff && code !== 0xad
    ? `\\x${digits.padStart(2, "0")}`
    : `<U+${digits.toUpperCase().padStart(4, "0")}>`;
}
