// Characters that a person who approves something cannot see, or takes for others. They are shown
// as `<U+043E>`, as on the terminal.

import { hiddenCharacter } from "@smolts/protocol";

/** A character in doubt. */
export interface OddCharacter {
  readonly character: string;
  /** As it is shown: `<U+043E>`. */
  readonly shown: string;
  /**
   * A letter of another alphabet that looks like one of ours; null for a character that cannot be
   * seen.
   */
  readonly looksLike: string | null;
  readonly script: "Cyrillic" | "Greek" | null;
}

/** The letters that are taken for Latin ones, each followed by the letter it is taken for. */
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

/** Line ends and tabs are seen, where text has lines. */
const seen = new Set(["\n", "\r", "\t"]);

/** A word, or an address, whose letters may come from one alphabet only. */
const word = /[\p{L}\p{N}@._+:/-]+/gu;

/** The odd characters of a text, each once, in the order of their first place. */
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

/** A text with its odd characters in their visible form. */
export function showOdd(text: string, odd: readonly OddCharacter[]): string {
  let shown = text.replace(/<(?=U\+[0-9A-F]{4,6}>)/g, "<U+003C>");
  for (const { character, shown: form } of odd) shown = shown.replaceAll(character, form);
  return shown;
}

/** The text that a visible form stands for. */
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
 * A text with its look-alikes and what cannot be seen in a visible form: for addresses, arguments
 * and results.
 */
export function revealed(text: string): string {
  return visibleText(showOdd(text, oddCharacters(text)));
}

/**
 * A text with what cannot be seen in a visible form, for text that is only read. Line ends and tabs
 * stay.
 */
export function visibleText(text: string): string {
  return text.replace(hiddenCharacter, (character) => (seen.has(character) ? character : shownForm(character)));
}
