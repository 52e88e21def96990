import { isWide } from "./wide-characters.ts";

const combining = /^\p{M}$/u;
/** The variation selector that makes the character before it an emoji. */
const emojiSelector = "\ufe0f";
const printableAscii = /^[ -~]*$/;

/** Returns how many columns of a terminal one character takes: 0, 1 or 2. */
export function characterWidth(character: string): number {
  if (character === emojiSelector) return 1;
  if (combining.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

/** Returns how many columns of a terminal a text takes. */
export function textWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Returns the longest start of a text that fits into `columns`. */
export function textStart(text: string, columns: number): string {
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += characterWidth(character);
    if (used > columns) return kept;
    kept += character;
  }
  return kept;
}

/** Returns the longest end of a text that fits into `columns`. */
export function textEnd(text: string, columns: number): string {
  let used = 0;
  let kept = "";
  for (const character of [...text].reverse()) {
    used += characterWidth(character);
    if (used > columns) return kept;
    kept = character + kept;
  }
  return kept;
}
