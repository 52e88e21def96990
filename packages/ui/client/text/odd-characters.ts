// Finds characters that a person cannot see or may confuse with others, so that nobody approves
// anything other than what they read. They are shown as `<U+043E>`, as on the terminal.

import { hiddenCharacter } from "@smolts/protocol";

/** An invisible or look-alike character. */
export interface OddCharacter {
  readonly character: string;
  /** The visible form of the character, such as `<U+043E>`. */
  readonly shown: string;
  /**
   * The Latin letter that a letter of another alphabet looks like; null for an invisible character.
   */
  readonly looksLike: string | null;
  readonly script: "Cyrillic" | "Greek" | null;
}

/** Letters that look like Latin ones, each followed by that Latin letter. */
const cyrillic = "аaбbвBгrеeёeззіiїiјjкkмmнHоoпnрpсcтtуyхxѕsъbьbԁdԛqԝwһhӏlАAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXҮYԌG";
const greek = "αaβBγyεeηnιiκkνvοoρpτtυuχxωwΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX";

const lookAlikes: ReadonlyMap<string, Pick<OddCharacter, "looksLike" | "script">> = new Map([
  ...inScript(cyrillic, "Cyrillic"),
  ...inScript(greek, "Greek"),
]);

function inScript(text: string, script: "Cyrillic" | "Greek") {
  return pairs(text).map(([from, looksLike]) => [from, { looksLike, script }] as const);
}

function pairs(text: string): readonly (readonly [string, string])[] {
  const letters = [...text];
  return letters.flatMap((letter, index) => (index % 2 === 0 ? [[letter, letters[index + 1]!] as const] : []));
}

/** Line breaks and tabs, which are visible in text with several lines. */
const seen = new Set(["\n", "\r", "\t"]);

/** Matches a word or an address. Its letters should all come from one alphabet. */
const word = /[\p{L}\p{N}@._+:/-]+/gu;

/** Returns the invisible and look-alike characters of a text, each once. */
export function oddCharacters(text: string): readonly OddCharacter[] {
  const found = new Map<string, OddCharacter>();
  for (const [character] of text.matchAll(hiddenCharacter)) {
    if (!seen.has(character))
      found.set(character, { character, shown: shownForm(character), looksLike: null, script: null });
  }
  for (const [letters] of text.matchAll(word)) {
    if (!/\p{Script=Latin}/u.test(letters) || !/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(letters)) continue;
    for (const character of letters) {
      const like = lookAlikes.get(character);
      if (like) found.set(character, { character, shown: shownForm(character), ...like });
    }
  }
  return [...found.values()];
}

/** Replaces invisible and look-alike characters by their visible forms. */
export function showOdd(text: string, odd: readonly OddCharacter[]): string {
  let shown = text.replace(/<(?=U\+[0-9A-F]{4,6}>)/g, "<U+003C>");
  for (const { character, shown: form } of odd) shown = shown.replaceAll(character, form);
  return shown;
}

/** Replaces visible forms by the characters that they represent. */
export function hideOdd(shown: string): string {
  return shown.replace(/<U\+([0-9A-F]{4,6})>/g, (all, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function shownForm(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/**
 * Returns a text with look-alike and invisible characters in their visible form. Used for
 * addresses, arguments and results.
 */
export function revealed(text: string): string {
  return visibleText(showOdd(text, oddCharacters(text)));
}

/**
 * Shows invisible characters in their visible form, for text that is only read. Keeps line breaks
 * and tabs. Also keeps joiners inside an emoji or a word, because they change how the text looks.
 */
export function visibleText(text: string): string {
  return text.replace(hiddenCharacter, (character, at: number) =>
    seen.has(character) || isVisibleJoiner(text, at) ? character : shownForm(character),
  );
}

/** Scripts whose words contain joiners. */
const scripts =
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar";
const letter = `[${scripts.replace(/\w+ ?/g, (script) => `\\p{Script=${script.trim()}}`)}]`;
const picture = "\\p{Extended_Pictographic}";

/**
 * Matches a joiner between two parts of an emoji, or between two letters of one of the `scripts`.
 */
const visibleJoiner = new RegExp(
  `(?<=${picture}\\ufe0f?\\p{Emoji_Modifier}?)\\u200d(?=${picture})|(?<=${letter})[\\u200c\\u200d](?=${letter})`,
  "uy",
);

function isVisibleJoiner(text: string, at: number): boolean {
  visibleJoiner.lastIndex = at;
  return visibleJoiner.test(text);
}
