// The slots of a guest's formatter. They contain a formatter of the host, which is called only with
// primitives.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { toNumber, toNumeric } from "../../operations/conversion.ts";
import { createDataPropertyOrThrow } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { DateSlots } from "../../slots/date.ts";
import { requireStack } from "../../stack-room.ts";
import type { Realm } from "../realm.ts";
import { chargeFormatting, type FormatterKind, type HostFormatter } from "./formats.ts";

/** The slots of a formatter. */
export class FormatterSlots implements Slots {
  readonly type = "formatter";
  readonly kind: FormatterKind;
  readonly formatter: HostFormatter;
  /**
   * The value of the formatter's property `format` or `compare`, which is always the same function.
   */
  bound: GuestObject | null = null;

  constructor(kind: FormatterKind, formatter: HostFormatter) {
    this.kind = kind;
    this.formatter = formatter;
  }
}

/** Returns the slots of a formatter of this kind. @throws a guest TypeError for anything else */
export function slotsOfFormatter(thisValue: unknown, kind: FormatterKind): FormatterSlots {
  const slots = slotsOfKind(thisValue, FormatterSlots);
  if (slots?.kind === kind) return slots;
  return throwTypeError(`a method of Intl.${kind} was called on ${valueText(thisValue)}`);
}

/** Returns the host's formatter of this kind. @throws a guest TypeError for anything else */
export function formatterOf<Formatter extends HostFormatter>(thisValue: unknown, kind: FormatterKind): Formatter {
  return slotsOfFormatter(thisValue, kind).formatter as Formatter; // the kind was checked
}

const bytesOfEntry = 12;

/**
 * Converts a host object to a guest object. Includes only values that are primitives or lists of
 * primitives.
 */
export function plainObject(realm: Realm, record: object): GuestObject {
  const object = realm.newObject();
  const entries = Object.entries(record);
  realm.meter.allocate(bytesOfEntry * entries.length);
  for (const [key, value] of entries) {
    if (Array.isArray(value)) createDataPropertyOrThrow(object, key, realm.newArray(value.map(String)));
    else if (typeof value !== "object" && typeof value !== "function") createDataPropertyOrThrow(object, key, value);
  }
  return object;
}

/** Converts the result of the host's `formatToParts` to a guest array. */
export function partsArray(realm: Realm, parts: readonly object[]): GuestObject {
  realm.meter.charge(parts.length);
  realm.meter.allocate(100 * parts.length);
  return realm.newArray(parts.map((part) => plainObject(realm, part)));
}

// A number keeps this many digits exactly.
const exactDigits = 15;

/**
 * Returns the number to format, and charges for it. A string with a long integer becomes a bigint,
 * so that no digits are lost.
 */
export function countedNumeric(realm: Realm, value: unknown): number | bigint {
  const numeric = typeof value === "string" && isLong(value) ? BigInt(value) : toNumeric(value);
  chargeFormatting(realm, numeric);
  return numeric;
}

function isLong(text: string): boolean {
  if (text.length <= exactDigits) return false;
  requireStack();
  return /^-?\d{1,1000}$/.test(text);
}

/**
 * Returns the point in time that a formatter has to show, and charges for the formatting. If there
 * is no value, it is the current time.
 *
 * @throws a guest RangeError for a date that is not valid
 */
export function countedTime(realm: Realm, value: unknown): number {
  realm.meter.charge(100);
  if (value === undefined) return realm.surroundings.now();
  const time = slotsOfKind(value, DateSlots)?.time ?? toNumber(value);
  return Number.isFinite(new Date(time).getTime()) ? time : throwRangeError("the date is not valid");
}
