const combining = /^\p{M}$/u;
/** Matches the characters that Unicode calls "wide" or "fullwidth". */
const wide = new RegExp(
  [
    String.raw`^(?!\p{RI})[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f`,
    String.raw`\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff`,
    String.raw`\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}`,
    String.raw`\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]$`,
  ].join(""),
  "u",
);
/** The variation selector that makes the character before it an emoji. */
const emojiSelector = "\ufe0f";
const printableAscii = /^[ -~]*$/;

/** Returns how many columns of a terminal one character takes: 0, 1 or 2. */
export function characterWidth(character: string): number {
  if (character === emojiSelector) return 1;
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
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
