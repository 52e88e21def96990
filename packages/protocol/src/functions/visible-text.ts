// Text of a model, a tool or a web page must not control the terminal that shows it. Every
// character that a terminal obeys or that a reader cannot see gets a visible form: `\x1b` for
// controls (C0, DEL, C1), `<U+202E>` for format, bidi and ignorable characters, line separators and
// lone surrogates. A control sequence is thereby dead from its first character on, however it is
// cut into chunks; state is kept only for what two chunks can share: the two halves of a surrogate
// pair, and a carriage return that may turn out to end a line.

/** How line ends are shown. */
export interface VisibleTextOptions {
  /**
   * Whether `\n` and `\r\n` pass as line ends; else they are shown as `\n`.
   *
   * @defaultValue false
   */
  readonly newlines?: boolean;
}

/**
 * Makes text safe to print on a terminal: nothing in it moves the cursor, changes colours or hides.
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

/** The same for text that comes in pieces: the pieces may be cut anywhere. */
export class VisibleTextStream {
  readonly #newlines: boolean;
  /**
   * A carriage return or the first half of a surrogate pair, whose meaning the next piece decides.
   */
  #pending = "";

  constructor({ newlines = false }: VisibleTextOptions = {}) {
    this.#newlines = newlines;
  }

  /** The printable form of what is certain by now. */
  push(chunk: string): string {
    const text = this.#pending + chunk;
    const certain = endsUndecided(text) ? text.length - 1 : text.length;
    this.#pending = text.slice(certain);
    return this.#escape(text.slice(0, certain));
  }

  /** The printable form of what was held back; the stream can be used again. */
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
 * Every character that is control, format, bidi, ignorable, a line separator or a lone surrogate,
 * but for the emoji selector U+FE0F.
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
