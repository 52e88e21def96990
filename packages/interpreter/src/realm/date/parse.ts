// Date.parse. It accepts the format of the specification. It also accepts free formats, such as
// "Jan 5, 2026 10:30 PM EST", which programs use because V8 accepts them. Engines differ in these
// formats, but a program must get the same result on all engines, so this is our own parser. A text
// without a time zone is in UTC, the guest's time zone.
//
// Like V8, it reads as much of a text as possible in the strict format, and the rest freely. In the
// free part, numbers belong to the day unless colons make them part of the time; words before the
// first number are ignored; a sign after the time begins an offset.

import { requireStack } from "../../stack-room.ts";
import { type DateToken, DateTokens } from "./tokens.ts";

/** Returns the time of a text, in ms since 1970; NaN if it is not a date. */
export function parseDate(text: string): number {
  return timeOfUsual(text) ?? parseAny(text);
}

/**
 * Returns the time of a text in the format of `toISOString`, or in a shorter form of that format;
 * null for other formats.
 */
function timeOfUsual(text: string): number | null {
  const length = text.endsWith("Z") ? text.length - 1 : text.length;
  const isTimed = length === 16 || length === 19 || length === 23;
  if (!isTimed && text.length !== 10) return null;
  if (text[4] !== "-" || text[7] !== "-") return null;
  if (isTimed && (text[10] !== "T" || text[13] !== ":")) return null;
  if ((length >= 19 && text[16] !== ":") || (length === 23 && text[19] !== ".")) return null;
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  const hour = isTimed ? digitsAt(text, 11, 2) : 0;
  const minute = isTimed ? digitsAt(text, 14, 2) : 0;
  const second = length >= 19 ? digitsAt(text, 17, 2) : 0;
  const millisecond = length === 23 ? digitsAt(text, 20, 3) : 0;
  const isRight = isMonth(month) && isDay(day) && isHour(hour) && isMinute(minute) && isMinute(second);
  if (!isRight || year < 1_000 || millisecond < 0) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/** Reads a number of `count` digits; -1 if there are other characters. */
function digitsAt(text: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = 10 * number + digit;
  }
  return number;
}

function parseAny(text: string): number {
  if (text.length > maxTextLength) return Number.NaN;
  requireStack();
  const tokens = new DateTokens(text);
  const fields: Fields = { day: [], isStrict: false, month: null, time: [], halfDay: null, zone: null };
  const unread = readStrictly(tokens, fields);
  if (unread === null || (unread.type !== "end" && !readFreely(tokens, fields, unread))) return Number.NaN;
  return timeOf(fields);
}

// The maximum length of a text that is parsed. A date is much shorter, but the text may also
// contain comments in parentheses, which are ignored.
const maxTextLength = 1_000;

/** The fields of a date that were read so far. */
interface Fields {
  /**
   * In the strict format: year, month and day. In a free format: the numbers of the date, in the
   * order of the text.
   */
  day: number[];
  isStrict: boolean;
  /** The month, 1-based, if it was written as a name; null otherwise. */
  month: number | null;
  /** Hour, minute, second, ms. */
  time: number[];
  /** The hours that "am" or "pm" adds; null if the text contains neither. */
  halfDay: 0 | 12 | null;
  /** The offset of the time zone from UTC. `minutes` is null until the minutes have been read. */
  zone: { sign: 1 | -1; hours: number; minutes: number | null } | null;
}

const isBetween = (value: number, least: number, most: number): boolean => value >= least && value <= most;
const isDay = (value: number): boolean => isBetween(value, 1, 31);
const isMonth = (value: number): boolean => isBetween(value, 1, 12);
const isMinute = (value: number): boolean => isBetween(value, 0, 59);
const isHour = (value: number): boolean => isBetween(value, 0, 23);

/**
 * Reads `YYYY-MM-DDTHH:mm:ss.sssZ` and its shorter forms.
 *
 * @returns the first token that is not in the strict format, or the end token if everything was
 * read; null if the text cannot be a date
 */
function readStrictly(tokens: DateTokens, fields: Fields): DateToken | null {
  const unread = readStrictDay(tokens, fields);
  if (unread) return unread;
  const isTimed = tokens.peek.type === "time-mark";
  if (isTimed && !(readStrictTime(tokens, fields) && readStrictZone(tokens, fields))) return null;
  const next = tokens.next();
  if (next.type !== "end") return isTimed ? null : next;
  fields.isStrict = true;
  return next;
}

function readStrictDay(tokens: DateTokens, { day }: Fields): DateToken | null {
  if (tokens.isAt("+") || tokens.isAt("-")) {
    const sign = tokens.next();
    const isNegative = sign.type === "symbol" && sign.symbol === "-";
    const year = fixedNumber(tokens, 6, () => true);
    if (year === null || (isNegative && year === 0)) return sign;
    day.push(isNegative ? -year : year);
  } else {
    const year = fixedNumber(tokens, 4, () => true);
    if (year === null) return tokens.next();
    day.push(year);
  }
  for (const isValid of [isMonth, isDay]) {
    if (!tokens.skip("-")) return null;
    const value = fixedNumber(tokens, 2, isValid);
    if (value === null) return tokens.next();
    day.push(value);
  }
  return null;
}

function readStrictTime(tokens: DateTokens, { time }: Fields): boolean {
  tokens.next(); // skips the "T" between date and time
  const hour = fixedNumber(tokens, 2, (value) => isBetween(value, 0, 24));
  if (hour === null) return false;
  time.push(hour);
  const isPart = hour === 24 ? (value: number) => value === 0 : isMinute;
  while (time.length < 3 && tokens.skip(":")) {
    const value = fixedNumber(tokens, 2, isPart);
    if (value === null) return false;
    time.push(value);
  }
  if (time.length === 1) return false;
  if (time.length === 2 || !tokens.skip(".")) return true;
  const fraction = tokens.peek;
  if (fraction.type !== "number" || (hour === 24 && fraction.value > 0)) return false;
  tokens.next();
  time.push(milliseconds(fraction));
  return true;
}

function readStrictZone(tokens: DateTokens, fields: Fields): boolean {
  if (tokens.peek.type === "zone" && tokens.peek.isZ) {
    tokens.next();
    fields.zone = { sign: 1, hours: 0, minutes: 0 };
    return true;
  }
  if (!tokens.isAt("+") && !tokens.isAt("-")) return true;
  const zone = { sign: signOf(tokens.next()), hours: 0, minutes: 0 };
  fields.zone = zone;
  const joined = fixedNumber(tokens, 4, (value) => isHour(Math.trunc(value / 100)) && isMinute(value % 100));
  if (joined !== null) {
    zone.hours = Math.trunc(joined / 100);
    zone.minutes = joined % 100;
    return true;
  }
  const hours = fixedNumber(tokens, 2, isHour);
  if (hours === null || !tokens.skip(":")) return false;
  const minutes = fixedNumber(tokens, 2, isMinute);
  if (minutes === null) return false;
  zone.hours = hours;
  zone.minutes = minutes;
  return true;
}

/**
 * Reads a number with this many digits. Returns null if the next token is not a number, or if the
 * number is not valid.
 */
function fixedNumber(tokens: DateTokens, digits: number, isValid: (value: number) => boolean): number | null {
  const token = tokens.peek;
  if (token.type !== "number" || token.digits !== digits || !isValid(token.value)) return null;
  tokens.next();
  return token.value;
}

/** Reads the rest of the text, with fields in any order. Returns false if it cannot be a date. */
function readFreely(tokens: DateTokens, fields: Fields, first: DateToken): boolean {
  let hasNumber = fields.day.length > 0;
  for (let token = first; token.type !== "end"; token = tokens.next()) {
    const isOffset = isSign(token) && (fields.time.length > 0 || isUtc(fields));
    if (token.type === "number" || isOffset) hasNumber = true;
    if (token.type === "number" ? !readNumber(tokens, fields, token) : isOffset && !readOffset(tokens, fields, token))
      return false;
    if (token.type === "symbol" && !isOffset && hasNumber && /^[-+)]$/.test(token.symbol)) return false;
    if (isWord(token) && !readWord(tokens, fields, token, hasNumber)) return false;
  }
  return true;
}

type NumberToken = Extract<DateToken, { type: "number" }>;
type WordToken = Exclude<DateToken, { type: "number" | "symbol" | "space" | "comment" | "end" }>;

const isWord = (token: DateToken): token is WordToken => !/^(?:number|symbol|space|comment|end)$/.test(token.type);
const isSign = (token: DateToken): boolean => token.type === "symbol" && /^[-+]$/.test(token.symbol);
const signOf = (token: DateToken): 1 | -1 => (token.type === "symbol" && token.symbol === "-" ? -1 : 1);
const isUtc = ({ zone }: Fields): boolean => zone?.hours === 0 && zone.minutes === 0;

function readNumber(tokens: DateTokens, fields: Fields, { value }: NumberToken): boolean {
  const { time, zone, day } = fields;
  if (tokens.skip(":")) {
    if (tokens.isAt(":") && time.length > 0) return false;
    time.push(value);
    if (tokens.skip(":")) time.push(0);
    tokens.skip(".");
    return time.length <= 4;
  }
  const expectsTime = isExpected(time, value);
  if (tokens.skip(".") && expectsTime) {
    const fraction = tokens.next();
    if (fraction.type !== "number") return false;
    time.push(value);
    closeTime(time, milliseconds(fraction));
  } else if (zone && zone.minutes === null && isMinute(value)) zone.minutes = value;
  else if (expectsTime) {
    closeTime(time, value);
    return endsTime(tokens.peek);
  } else {
    day.push(value);
    tokens.skip("-");
  }
  return day.length <= 3;
}

/** Says whether a number can be the next field of the time: minute, second or fraction. */
function isExpected(time: readonly number[], value: number): boolean {
  if (time.length === 1 || time.length === 2) return isMinute(value);
  return time.length === 3 && isBetween(value, 0, 999);
}

function closeTime(time: number[], last: number): void {
  time.push(last);
  while (time.length < 4) time.push(0);
}

const endsTime = (token: DateToken): boolean =>
  token.type === "end" || token.type === "space" || isSign(token) || (token.type === "zone" && token.isZ);

function readWord(tokens: DateTokens, fields: Fields, word: WordToken, hasNumber: boolean): boolean {
  if (word.type === "half-day" && fields.time.length > 0) fields.halfDay = word.hours;
  else if (word.type === "month") {
    fields.month = word.month;
    tokens.skip("-");
  } else if (word.type === "zone" && hasNumber)
    fields.zone = { sign: word.hours < 0 ? -1 : 1, hours: Math.abs(word.hours), minutes: 0 };
  else return !hasNumber && tokens.peek.type !== "number";
  return true;
}

/** Reads an offset from UTC: `1`, `0130`, or the hours before a colon. */
function readOffset(tokens: DateTokens, fields: Fields, sign: DateToken): boolean {
  const number = tokens.peek.type === "number" ? tokens.peek : null;
  if (number) tokens.next();
  const value = number?.value ?? 0;
  const digits = number?.digits ?? 0;
  if (tokens.isAt(":")) fields.zone = { sign: signOf(sign), hours: value, minutes: null };
  else if (digits === 1 || digits === 2) fields.zone = { sign: signOf(sign), hours: value, minutes: 0 };
  else if (digits === 3 || digits === 4)
    fields.zone = { sign: signOf(sign), hours: Math.trunc(value / 100), minutes: value % 100 };
  else return false;
  return true;
}

/** Converts a fraction of a second to ms. Only its first three digits count. */
function milliseconds({ value, digits }: NumberToken): number {
  return Math.trunc(value * 10 ** (3 - Math.min(digits, 9)));
}

function timeOf(fields: Fields): number {
  const day = dayOf(fields);
  const time = timeOfDay(fields);
  if (day === null || time === null) return Number.NaN;
  const { sign = 1, hours = 0, minutes = 0 } = fields.zone ?? {};
  const offset = sign * (hours * 60 + (minutes ?? 0)) * 60_000;
  return new Date(day + time - offset).getTime();
}

/** Returns the start of the day, in ms since 1970; null if there is no such day. */
function dayOf({ day, isStrict, month }: Fields): number | null {
  const [first, second = 1, third = 1] = day;
  if (first === undefined) return null;
  const fields = isStrict || (month === null && !isDay(first)) ? { year: first, month: second, day: third } : null;
  const found =
    fields ?? (month === null ? { month: first, day: second, year: third } : namedMonth(month, first, second));
  if (!isMonth(found.month) || !isDay(found.day)) return null;
  return new Date(0).setUTCFullYear(isStrict ? found.year : fullYear(found.year), found.month - 1, found.day);
}

const namedMonth = (month: number, first: number, second: number) =>
  isDay(first) ? { month, day: first, year: second } : { month, year: first, day: second };

/** Returns the year. A number of two digits means a year from 1950 to 2049. */
function fullYear(year: number): number {
  if (isBetween(year, 0, 49)) return year + 2000;
  return isBetween(year, 50, 99) ? year + 1900 : year;
}

function timeOfDay({ time, halfDay }: Fields): number | null {
  const [given = 0, minute = 0, second = 0, millisecond = 0] = time;
  if (halfDay !== null && given > 12) return null;
  const hour = halfDay === null ? given : (given % 12) + halfDay;
  const isMidnight = hour === 24 && minute === 0 && second === 0 && millisecond === 0;
  if (!isMidnight && !(isHour(hour) && isMinute(minute) && isMinute(second) && millisecond < 1_000)) return null;
  return ((hour * 60 + minute) * 60 + second) * 1_000 + millisecond;
}
