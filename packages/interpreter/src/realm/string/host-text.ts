// Processes long strings on the host in pieces, so that a time limit takes effect soon. Limits the
// input if the host's time grows faster than the length of the input.

import { throwRangeError } from "../../guest-throw.ts";
import type { Meter } from "../../limits.ts";
import { requireStack } from "../../stack-room.ts";

const pieceLength = 1 << 14;
// The maximum length of a string that is processed in one piece if it cannot be cut anywhere.
const maxPieceLength = 1 << 18;

/**
 * The maximum number of combining marks in a row in a string that is normalized. This is far more
 * than in real texts: for its "Stream-Safe Text Format", the Unicode standard allows 30.
 */
const maxMarks = 1_000;
/**
 * The maximum number of combining marks in a row in a string that is compared in the order of a
 * language.
 */
const maxComparedMarks = 256;
const maxComparedLength = 200_000;

export type NormalizationForm = "NFC" | "NFD" | "NFKC" | "NFKD";

/**
 * Implements `text.normalize(form)`. @throws a guest RangeError for more than 1,000 combining marks
 * in a row
 */
export function normalizeText(meter: Meter, text: string, form: NormalizationForm): string {
  if (text.length <= 64) return text.normalize(form);
  requireFewMarks(meter, text, maxMarks, "be normalized");
  let result = "";
  for (const piece of pieces(text, isNormalizationBoundary)) {
    meter.charge(piece.length >>> 1);
    meter.checkClockSooner(piece.length);
    const normalized = piece.normalize(form);
    meter.allocate(24 + 2 * normalized.length);
    result += normalized;
  }
  return result;
}

/**
 * Checks that two strings may be compared in a language's order. @throws a guest RangeError for
 * very long strings, and for more than 256 combining marks in a row
 */
export function requireComparable(meter: Meter, left: string, right: string): void {
  if (left === right) return;
  if (Math.max(left.length, right.length) > maxComparedLength)
    throwRangeError(
      `strings of more than ${maxComparedLength} characters cannot be compared by language; compare them with <`,
    );
  requireFewMarks(meter, left, maxComparedMarks, "be compared");
  requireFewMarks(meter, right, maxComparedMarks, "be compared");
}

/**
 * Changes a string piece by piece, for example its case. `isContextual` says whether the result for
 * a letter may depend on the letters next to it.
 */
export function changeText(
  meter: Meter,
  text: string,
  isContextual: boolean,
  change: (piece: string) => string,
): string {
  if (text.length <= pieceLength) return change(text);
  requireStack(meter.depth);
  let result = "";
  for (const piece of pieces(text, isContextual ? isCaseBoundary : isCharacterBoundary)) {
    meter.charge(1);
    meter.checkClockSooner(piece.length >>> 1);
    result += change(piece);
  }
  return result;
}

/** Implements `text.indexOf(sought, from)`. */
export function indexOfText(meter: Meter, text: string, sought: string, from: number): number {
  if (sought.length < 8) return text.indexOf(sought, from); // most searched strings are short
  const start = Math.min(Math.max(from, 0), text.length);
  const worst = (text.length - start) * sought.length;
  if (worst <= maxComparisons) return text.indexOf(sought, start);
  // How many positions are searched in one step. It is smaller for a long sought string, because
  // the host may compare the whole sought string at each position.
  const places = Math.max(16, Math.floor(maxComparisons / sought.length));
  for (let place = start; place + sought.length <= text.length; place += places) {
    const found = text.slice(place, place + places + sought.length - 1).indexOf(sought);
    meter.charge(1);
    meter.checkClockSooner(operationsBetweenChecks);
    if (found !== -1) return place + found;
  }
  return -1;
}

const maxComparisons = 1 << 22;
const operationsBetweenChecks = 1_000;

/**
 * Checks that a text has few combining marks in a row, because the host's time grows with the
 * square of their number.
 *
 * @throws a guest RangeError when there are too many
 */
function requireFewMarks(meter: Meter, text: string, most: number, act: string): void {
  if (text.length <= most) return;
  meter.charge(text.length >>> 3);
  requireStack(meter.depth);
  if (!beyondLatin.test(text)) return;
  marks.lastIndex = 0;
  for (let run = marks.exec(text); run !== null; run = marks.exec(text)) {
    meter.charge(1);
    if (run[0].length > most) throwRangeError(`a text with more than ${most} combining marks in a row cannot ${act}`);
  }
}

const beyondLatin = /[^\0-\u02ff]/;
const marks = /\p{M}{2,}/gu;

/** Cuts the string where `isBoundary` returns true, and yields the pieces. */
function* pieces(text: string, isBoundary: (text: string, place: number) => boolean): Generator<string, void> {
  let start = 0;
  while (text.length - start > pieceLength) {
    let end = start + pieceLength;
    while (end < text.length && !isBoundary(text, end)) end++;
    if (end - start > maxPieceLength)
      throwRangeError(`a text of ${text.length} characters that cannot be split is too long for this`);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/**
 * Says whether the character at a position never combines with the one before it, in any
 * normalization form.
 */
function isNormalizationBoundary(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  if (unit < 0x300) return true;
  if (mayJoinPrevious(unit)) return false;
  return starter.test(text[place] as string); // `place` is within the string
}

/**
 * Says whether a UTF-16 unit is a surrogate or a part of a Hangul syllable, or becomes such a part
 * when the text is normalised to a compatibility form.
 */
const mayJoinPrevious = (unit: number): boolean =>
  (unit >= 0x1100 && unit <= 0x11ff) ||
  (unit >= 0x3130 && unit <= 0x33ff) ||
  (unit >= 0xa960 && unit <= 0xa97f) ||
  (unit >= 0xd7b0 && unit <= 0xffff);

const starter = /[\p{L}\p{N}\p{P}\p{Z}\p{S}]/u;

/**
 * Says whether, in every language, the text before a position and the text after it can change case
 * independently of each other.
 */
function isCaseBoundary(text: string, place: number): boolean {
  const before = text[place - 1] as string; // `place` is not the first position
  if (separator.test(before)) return true;
  return plainLetter.test(before) && plainLetter.test(text[place] as string); // `place` is not after the last character
}

const separator = /[\s\d,;]/;
// Matches characters whose case conversion does not depend on their neighbours. The letters i and j
// are left out, because theirs depends on combining dots and on the language.
const plainLetter = /[a-hk-z\u3400-\u9fff]/i;

/** Says whether a cut at this position would not split a surrogate pair. */
function isCharacterBoundary(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit < 0xdc00 || unit > 0xdfff;
}
