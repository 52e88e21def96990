// Formats numbers and dates, and orders strings, by the rules of a language. The host does the
// work. The defaults are `en-US` and UTC, so that the language and time zone of the machine never
// matter. Creating a formatter of the host takes long, so formatters are cached, and each new one
// is charged.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { bitLength } from "../../operations/bigint-cost.ts";
import { lengthOfArrayLike, toObject, toStringValue } from "../../operations/conversion.ts";
import { get, hasProperty } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import type { Realm } from "../realm.ts";
import { changeText, requireComparable } from "../string/host-text.ts";
import { localeText } from "./locale.ts";

/** A formatter of the host, with its kind. */
export type HostFormatter =
  | Intl.NumberFormat
  | Intl.DateTimeFormat
  | Intl.Collator
  | Intl.PluralRules
  | Intl.ListFormat
  | Intl.RelativeTimeFormat
  | Intl.DisplayNames
  | Intl.Segmenter;

/** The kinds of formatters. */
export type FormatterKind =
  | "NumberFormat"
  | "DateTimeFormat"
  | "Collator"
  | "PluralRules"
  | "ListFormat"
  | "RelativeTimeFormat"
  | "DisplayNames"
  | "Segmenter";

const optionNames: { readonly [Kind in FormatterKind]: readonly string[] } = {
  NumberFormat: [
    "compactDisplay",
    "currency",
    "currencyDisplay",
    "currencySign",
    "maximumFractionDigits",
    "maximumSignificantDigits",
    "minimumFractionDigits",
    "minimumIntegerDigits",
    "minimumSignificantDigits",
    "notation",
    "numberingSystem",
    "roundingIncrement",
    "roundingMode",
    "roundingPriority",
    "signDisplay",
    "style",
    "trailingZeroDisplay",
    "unit",
    "unitDisplay",
    "useGrouping",
  ],
  DateTimeFormat: [
    "calendar",
    "dateStyle",
    "day",
    "dayPeriod",
    "era",
    "fractionalSecondDigits",
    "hour",
    "hour12",
    "hourCycle",
    "minute",
    "month",
    "numberingSystem",
    "second",
    "timeStyle",
    "timeZone",
    "timeZoneName",
    "weekday",
    "year",
  ],
  Collator: ["caseFirst", "collation", "ignorePunctuation", "numeric", "sensitivity", "usage"],
  PluralRules: [
    "maximumFractionDigits",
    "maximumSignificantDigits",
    "minimumFractionDigits",
    "minimumIntegerDigits",
    "minimumSignificantDigits",
    "type",
  ],
  ListFormat: ["style", "type"],
  RelativeTimeFormat: ["numberingSystem", "numeric", "style"],
  DisplayNames: ["fallback", "languageDisplay", "style", "type"],
  Segmenter: ["granularity"],
};

// The bytes of memory that a formatter of each kind takes. Most of the memory is outside the host's
// heap, and is freed only in the next full garbage collection.
const bytesOfFormatter: { readonly [Kind in FormatterKind]: number } = {
  NumberFormat: 8_000,
  DateTimeFormat: 50_000,
  Collator: 8_000,
  PluralRules: 8_000,
  ListFormat: 8_000,
  RelativeTimeFormat: 16_000,
  DisplayNames: 8_000,
  Segmenter: 16_000,
};

type HostOptions = { [name: string]: string | number | boolean };

/**
 * Returns the host's formatter for a guest's locales and options. @throws a guest RangeError if
 * these are not valid
 */
export function formatterFor(
  realm: Realm,
  kind: FormatterKind,
  locales: unknown,
  options: unknown,
  defaults: HostOptions = {},
): HostFormatter {
  realm.meter.charge(150); // charged for existing formatters too, because finding one takes this long
  const tags = localeList(realm, locales);
  if (tags.length > maxTags) throwRangeError(`a formatter takes at most ${maxTags} locales, got ${tags.length}`);
  const given = readFormatOptions(realm, kind, options);
  const all = kind === "DateTimeFormat" ? withDateDefaults(given, defaults) : { ...defaults, ...given };
  const key = keyOf(kind, tags, all);
  if (isNewTo(realm, key)) {
    realm.meter.charge(1_000);
    realm.meter.allocateUnreported(bytesOfFormatter[kind]);
  }
  const known = formatters.get(key);
  if (known) return known;
  realm.meter.checkClockSooner(10_000);
  const made = makeFormatter(kind, tags.length === 0 ? ["en-US"] : tags, all);
  if (formatters.size >= maxFormatters) formatters.clear();
  formatters.set(key, made);
  return made;
}

/**
 * Returns the key of a formatter in the cache. Identical requests have identical keys.
 */
function keyOf(kind: FormatterKind, tags: readonly string[], options: HostOptions): string {
  const asked = Object.keys(options).length === 0 ? "" : JSON.stringify(options);
  return `${kind} ${tags.join()} ${asked}`;
}

/** Implements `toLocaleString` of numbers and bigints. */
export function formatNumber(realm: Realm, value: number | bigint, locales: unknown, options: unknown): string {
  const formatter = formatterFor(realm, "NumberFormat", locales, options) as Intl.NumberFormat; // the formatter is of this kind
  chargeFormatting(realm, value);
  return formatter.format(value);
}

/**
 * Implements `Date.prototype.toLocaleString` and similar methods. `needs` says whether to show the
 * date, the time or both if the options do not say it.
 */
export function formatDate(
  realm: Realm,
  time: number,
  locales: unknown,
  options: unknown,
  needs: "date" | "time" | "both",
): string {
  if (Number.isNaN(time)) return "Invalid Date";
  const defaults = { ...(needs !== "time" && dateFields), ...(needs !== "date" && timeFields) };
  const given = withNeeds(realm, options, needs);
  const formatter = formatterFor(realm, "DateTimeFormat", locales, given, defaults) as Intl.DateTimeFormat; // the formatter is of this kind
  chargeFormatting(realm, time);
  return formatter.format(time);
}

const maxFormattedDigits = 20_000;

/** Charges for formatting a value. Call it before formatting, because long bigints take long. */
export function chargeFormatting(realm: Realm, value: number | bigint): void {
  const digits = typeof value === "bigint" ? bitLength(value) >>> 2 : 0;
  if (digits > maxFormattedDigits) throwRangeError("a bigint with so many digits cannot be formatted; use toString()");
  realm.meter.charge(100 + 8 * digits);
  realm.meter.checkClockSooner(200);
  realm.meter.allocate(100 + 4 * digits);
}

/** Implements `String.prototype.localeCompare`. */
export function compareTexts(realm: Realm, left: string, right: string, locales: unknown, options: unknown): number {
  chargeComparison(realm, left, right);
  return (formatterFor(realm, "Collator", locales, options) as Intl.Collator).compare(left, right); // the formatter is of this kind
}

/**
 * Charges for comparing two strings in the order of a language. Throws if they are too long to be
 * compared.
 */
export function chargeComparison(realm: Realm, left: string, right: string): void {
  requireComparable(realm.meter, left, right);
  const length = Math.min(left.length, right.length);
  realm.meter.charge(4 + (length >>> 1));
  realm.meter.checkClockSooner(length);
}

/** Implements `toLocaleUpperCase` and `toLocaleLowerCase` of strings. */
export function changeCase(
  realm: Realm,
  text: string,
  method: "toLocaleLowerCase" | "toLocaleUpperCase",
  locales: unknown,
): string {
  const tags = localeList(realm, locales);
  realm.meter.charge(24 + (text.length >>> 5));
  realm.meter.allocate(2 * text.length);
  const tag = tags[0] ?? "en-US";
  return changeText(realm.meter, text, true, (piece) => piece[method](tag));
}

/** Checks and returns the locales that a guest named. */
export function localeList(realm: Realm, locales: unknown): string[] {
  if (locales === undefined) return [];
  const single = typeof locales === "string" ? locales : localeText(locales);
  if (single !== undefined) return [canonical(realm, single)];
  const object = toObject(realm, locales);
  const length = lengthOfArrayLike(object);
  const tags = new Set<string>();
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    const tag = hasProperty(object, index) ? get(object, index) : undefined;
    if (tag === undefined) continue;
    if (typeof tag !== "string" && !isObject(tag)) return throwTypeError(`${valueText(tag)} is not a locale`);
    tags.add(canonical(realm, localeText(tag) ?? toStringValue(tag)));
  }
  return [...tags];
}

// The cached formatters. All sessions share them. But each session is charged as if it had created
// its formatters itself, because the charge must not depend on other programs.
const formatters = new Map<string, HostFormatter>();
const chargedFor = new WeakMap<Realm, Set<string>>();
// The maximum number of cached formatters. There are fewer time zones than this, so a program that
// uses all of them repeatedly makes each formatter only once.
const maxFormatters = 500;

/**
 * Says whether a realm must be charged for a formatter, because it has never requested the
 * formatter, or has requested many others since it last did.
 */
function isNewTo(realm: Realm, key: string): boolean {
  let keys = chargedFor.get(realm);
  if (!keys || keys.size >= maxFormatters) {
    keys = new Set();
    chargedFor.set(realm, keys);
  }
  if (keys.has(key)) return false;
  keys.add(key);
  return true;
}

const dateFields = { year: "numeric", month: "numeric", day: "numeric" };
const timeFields = { hour: "numeric", minute: "numeric", second: "numeric" };
const dateNames = ["weekday", "year", "month", "day"];
const timeNames = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];

const maxTags = 50;
const maxTagLength = 200;

/**
 * Returns the text of an option or a code. Refuses long texts, which are never valid, because the
 * host may take very long to find that out.
 */
export function optionText(value: unknown): string {
  const text = toStringValue(value);
  return text.length <= maxTagLength ? text : throwRangeError(`${valueText(text)} is not valid: it is too long`);
}

// A cache of the canonical forms of language tags, because the host takes long to read a tag, and
// most programs use the same few tags. Programs are charged the same for a cached tag.
const canonicalTags = new Map<string, string>();
const maxCanonicalTags = 100;

function canonical(realm: Realm, tag: string): string {
  realm.meter.charge(20 + tag.length);
  const text = tag.length <= maxTagLength ? (canonicalTags.get(tag) ?? readTag(tag)) : undefined;
  if (text !== undefined) return text;
  return throwRangeError(`${valueText(tag)} is not a locale; write one like "en-US"`);
}

function readTag(tag: string): string | undefined {
  try {
    const [text] = Intl.getCanonicalLocales(tag);
    if (text === undefined) return undefined;
    if (canonicalTags.size >= maxCanonicalTags) canonicalTags.clear();
    canonicalTags.set(tag, text);
    return text;
  } catch {
    return undefined; // the host threw a RangeError, whose message differs from engine to engine
  }
}

function readFormatOptions(realm: Realm, kind: FormatterKind, options: unknown): HostOptions {
  const read: HostOptions = {};
  if (options === undefined) return read;
  const object = toObject(realm, options);
  for (const name of optionNames[kind]) {
    const value = get(object, name);
    if (value === undefined) continue;
    read[name] = typeof value === "number" || typeof value === "boolean" ? value : optionText(value);
  }
  return read;
}

function withDateDefaults(given: HostOptions, defaults: HostOptions): HostOptions {
  const hasStyle = "dateStyle" in given || "timeStyle" in given;
  const hasFields = [...dateNames, ...timeNames].some((name) => name in given);
  return { timeZone: "UTC", ...(!hasStyle && !hasFields && defaults), ...given };
}

/**
 * Adds the missing fields for `toLocaleDateString` and `toLocaleTimeString`. `toLocaleDateString`
 * shows a date even if the options name only fields of the time; `toLocaleTimeString` shows a time
 * even if they name only fields of the date.
 */
function withNeeds(realm: Realm, options: unknown, needs: "date" | "time" | "both"): unknown {
  if (needs === "both" || options === undefined || !isObject(options)) return options;
  const [wanted, fields] = needs === "date" ? [dateNames, dateFields] : [timeNames, timeFields];
  if (get(options, "dateStyle") !== undefined || get(options, "timeStyle") !== undefined) return options;
  if (wanted.some((name) => get(options, name) !== undefined)) return options;
  const completed: GuestObject = realm.newObject();
  for (const name of optionNames.DateTimeFormat) completed[name] = get(options, name);
  for (const [name, value] of Object.entries(fields)) completed[name] = value;
  return completed;
}

function makeFormatter(kind: FormatterKind, tags: readonly string[], options: HostOptions): HostFormatter {
  const locales = [...tags];
  try {
    switch (kind) {
      case "NumberFormat":
        return new Intl.NumberFormat(locales, options as Intl.NumberFormatOptions); // the host checks the options
      case "DateTimeFormat":
        return new Intl.DateTimeFormat(locales, options as Intl.DateTimeFormatOptions);
      case "Collator":
        return new Intl.Collator(locales, options as Intl.CollatorOptions);
      case "PluralRules":
        return new Intl.PluralRules(locales, options as Intl.PluralRulesOptions);
      case "ListFormat":
        return new Intl.ListFormat(locales, options as Intl.ListFormatOptions);
      case "RelativeTimeFormat":
        return new Intl.RelativeTimeFormat(locales, options as Intl.RelativeTimeFormatOptions);
      case "DisplayNames":
        return new Intl.DisplayNames(locales, options as unknown as Intl.DisplayNamesOptions); // the host throws if "type" is missing
      case "Segmenter":
        return new Intl.Segmenter(locales, options as Intl.SegmenterOptions);
      default:
        return kind satisfies never;
    }
  } catch (error) {
    // Replace the host's RangeError or TypeError, because its message differs between engines.
    if (error instanceof TypeError)
      return throwTypeError(`an option of ${kind} is missing: ${JSON.stringify(options)}`);
    return throwRangeError(`an option of ${kind} is not valid: ${JSON.stringify(options)}`);
  }
}
