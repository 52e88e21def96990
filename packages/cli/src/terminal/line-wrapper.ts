// Breaks one line between words, so that the terminal does not break it inside a word. The line may
// come in pieces. A word is held back until the next character shows that it is complete. The rest
// of a broken line, its continuation, is indented as far as the line's first word or, in a list
// item, as far as the item's text. Chinese, Japanese and Korean have no spaces between words, so
// their lines may break between any two characters.

import type { TextStyle } from "./terminal-writer.ts";
import { characterWidth, textWidth } from "./text-width.ts";

/** A text in one style. */
export interface StyledText {
  readonly text: string;
  readonly style: TextStyle;
}

/** A part of a line: text, or a line break after which the line continues with `indent` spaces. */
export type LinePart = ({ readonly type: "text" } & StyledText) | { readonly type: "break"; readonly indent: number };

/** Settings of a {@link LineWrapper}. */
export interface LineWrapperOptions {
  /** The columns that are left for text after the margin of a continuation. */
  readonly columns: number;
  /**
   * How many columns the first line begins to the right of its continuations. Negative if the first
   * line begins to the left of them, because its margin is narrower. @defaultValue 0
   */
  readonly start?: number;
  /** The additional indent of a continuation, in columns. @defaultValue 0 */
  readonly extraIndent?: number;
}

/**
 * The smallest width that lines are wrapped to, in columns. Narrower terminals break the lines
 * themselves, because the text is hard to read there anyway.
 */
const minColumns = 16;

/** Wraps one line. */
export class LineWrapper {
  readonly #columns: number;
  readonly #start: number;
  readonly #extraIndent: number;
  /** The column after the text so far. */
  #column: number;
  /** The indent of continuations, in columns. */
  #indent = 0;
  #hasWord = false;
  /**
   * Whether the current word is longer than a line. The first characters of such a word are
   * returned before the word is complete.
   */
  #isInLongWord = false;
  #spaces: StyledText[] = [];
  #word: StyledText[] = [];
  #wordWidth = 0;
  #parts: LinePart[] = [];

  constructor({ columns, start = 0, extraIndent = 0 }: LineWrapperOptions) {
    this.#columns = Math.max(columns, minColumns);
    this.#start = start;
    this.#column = start;
    this.#extraIndent = extraIndent;
  }

  /** Adds the next piece of the line, and returns the parts that can no longer change. */
  push(text: string, style: TextStyle): readonly LinePart[] {
    if (this.#columns === Number.POSITIVE_INFINITY) return text === "" ? [] : [{ type: "text", text, style }];
    for (const [token] of text.matchAll(tokens)) {
      if (token.startsWith(" ")) this.#takeSpaces(token, style);
      else if (isWide(token)) this.#takeWide(token, style);
      else this.#takeWord(token, style);
    }
    return this.#taken();
  }

  /** Returns the parts that were held back. */
  end(): readonly LinePart[] {
    this.#placeWord();
    this.#placeSpaces();
    return this.#taken();
  }

  #taken(): readonly LinePart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #takeSpaces(text: string, style: TextStyle): void {
    this.#placeWord();
    this.#isInLongWord = false;
    this.#spaces.push({ text, style });
  }

  #takeWide(text: string, style: TextStyle): void {
    if (!closesText.test(text)) {
      this.#placeWord();
      this.#isInLongWord = false;
    }
    this.#takeWord(text, style);
  }

  #takeWord(text: string, style: TextStyle): void {
    const last = this.#word.at(-1)?.text;
    // A line may break after a wide character, except after an opening bracket.
    if (last !== undefined && isWide(last) && !opensText.test(last) && !closesText.test(text)) this.#placeWord();
    this.#word.push({ text, style });
    this.#wordWidth += textWidth(text);
    if (this.#wordWidth <= this.#columns) return;
    this.#placeWord();
    this.#isInLongWord = true;
  }

  #placeWord(): void {
    if (this.#word.length === 0) return;
    const spacesWidth = this.#spaces.reduce((width, { text }) => width + text.length, 0);
    const fitsHere = this.#isInLongWord || this.#column + spacesWidth + this.#wordWidth <= this.#columns;
    if (fitsHere || !this.#hasWord) this.#placeSpaces();
    else this.#break();
    const isMarker = !this.#hasWord && listMarker.test(this.#word.map(({ text }) => text).join(""));
    if (!this.#hasWord) this.#indentBelow(this.#column - this.#start + (isMarker ? this.#wordWidth + 1 : 0));
    this.#hasWord = true;
    if (this.#column + this.#wordWidth <= this.#columns) for (const piece of this.#word) this.#show(piece);
    else for (const { text, style } of this.#word) this.#showBroken(text, style);
    this.#word = [];
    this.#wordWidth = 0;
  }

  /** Sets the indent of continuations, but leaves at least half of the line for text. */
  #indentBelow(indent: number): void {
    this.#indent = Math.min(indent + this.#extraIndent, Math.floor(this.#columns / 2));
  }

  #placeSpaces(): void {
    for (const piece of this.#spaces) {
      const room = Math.max(0, this.#columns - this.#column);
      this.#show({ ...piece, text: piece.text.slice(0, room) });
    }
    this.#spaces = [];
  }

  #break(): void {
    this.#spaces = [];
    this.#parts.push({ type: "break", indent: this.#indent });
    this.#column = this.#indent;
  }

  /** Adds a word that is longer than a line, and breaks it whenever a line is full. */
  #showBroken(text: string, style: TextStyle): void {
    let fitting = "";
    let width = 0;
    for (const character of text) {
      const next = characterWidth(character);
      if (this.#column + width + next > this.#columns) {
        this.#show({ text: fitting, style });
        this.#break();
        fitting = "";
        width = 0;
      }
      fitting += character;
      width += next;
    }
    this.#show({ text: fitting, style });
  }

  #show({ text, style }: StyledText): void {
    if (text === "") return;
    this.#parts.push({ type: "text", text, style });
    this.#column += textWidth(text);
  }
}

/** Matches one Chinese, Japanese or Korean character with its combining marks. */
const wide =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303f\\uff01-\\uff60]\\p{M}*";
// Matches a run of spaces, or one wide character, or a run of other characters.
const tokens = new RegExp(`\\x20+|${wide}|(?:(?!${wide})[^\\x20])+`, "gu");
const wideOnly = new RegExp(`^${wide}$`, "u");
const isWide = (text: string): boolean => wideOnly.test(text);

/** Matches characters that must not begin a line. */
const closesText = /^[\p{Pe}\p{Pf}、。，．！？：；ー々!?,.;:]/u;
/** Matches characters that must not end a line. */
const opensText = /[\p{Ps}\p{Pi}]$/u;

const listMarker = /^(?:[-*+•]|\d{1,3}[.)])$/;
