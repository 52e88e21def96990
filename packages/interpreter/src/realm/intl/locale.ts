// Intl.Locale: the parts of a language tag.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { toBoolean } from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import {
  type AccessorTable,
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineMethods,
  defineTag,
} from "../define.ts";
import type { Realm } from "../realm.ts";
import { optionText } from "./formats.ts";

// The bytes that the host needs for a locale outside its heap.
const bytesOfLocale = 1_000;

class LocaleSlots implements Slots {
  readonly type = "locale";
  readonly hostBytes = bytesOfLocale;
  readonly locale: Intl.Locale;

  constructor(locale: Intl.Locale) {
    this.locale = locale;
  }
}

/** Returns the text of a Locale, or undefined if the value is not a Locale. */
export function localeText(value: unknown): string | undefined {
  return slotsOfKind(value, LocaleSlots)?.locale.toString();
}

const parts = [
  "baseName",
  "calendar",
  "caseFirst",
  "collation",
  "hourCycle",
  "language",
  "numberingSystem",
  "numeric",
  "region",
  "script",
] as const;

const textOptions = [
  "calendar",
  "caseFirst",
  "collation",
  "hourCycle",
  "language",
  "numberingSystem",
  "region",
  "script",
] as const;

/** Creates Intl.Locale. */
export function makeLocale(realm: Realm): {
  readonly constructorFunction: GuestObject;
  readonly prototype: GuestObject;
} {
  const prototype = realm.newObject();
  const wrap = (locale: Intl.Locale): GuestObject =>
    brand(realm.newObjectFrom("LocalePrototype"), new LocaleSlots(locale));
  const constructorFunction = defineConstructor(realm, {
    name: "Locale",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, tag, options) => {
      const slots = new LocaleSlots(localeFrom(realm, tag, options));
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "LocalePrototype"), slots);
    },
  });
  defineMethods(realm, prototype, {
    maximize: counted((thisValue) => wrap(countedLocale(realm, thisValue).maximize())),
    minimize: counted((thisValue) => wrap(countedLocale(realm, thisValue).minimize())),
    toString: brief((thisValue: unknown) => localeOf(thisValue).toString()),
  });
  const accessors: { [name: string]: AccessorTable[string] } = {};
  for (const part of parts) accessors[part] = brief((thisValue) => localeOf(thisValue)[part]);
  defineAccessors(realm, prototype, accessors);
  defineTag(prototype, "Intl.Locale");
  return { constructorFunction, prototype };
}

function localeFrom(realm: Realm, tag: unknown, options: unknown): Intl.Locale {
  if (typeof tag !== "string" && !isObject(tag)) return throwTypeError(`${valueText(tag)} is not a locale`);
  const text = localeText(tag) ?? optionText(tag);
  const read: { [name: string]: string | boolean } = {};
  if (isObject(options)) {
    for (const name of textOptions) {
      const value = get(options, name);
      if (value !== undefined) read[name] = optionText(value);
    }
    const numeric = get(options, "numeric");
    if (numeric !== undefined) read["numeric"] = toBoolean(numeric);
  }
  realm.meter.charge(100);
  realm.meter.allocateHostObject(bytesOfLocale);
  try {
    return new Intl.Locale(text, read);
  } catch {
    // Replace the host's RangeError, because its message differs between engines.
    return throwRangeError(`${valueText(text)} is not a locale; write one like "en-US"`);
  }
}

/** Charges for another host locale that the caller creates from this one. Returns this one. */
function countedLocale(realm: Realm, thisValue: unknown): Intl.Locale {
  realm.meter.charge(100);
  realm.meter.allocateHostObject(bytesOfLocale);
  return localeOf(thisValue);
}

function localeOf(thisValue: unknown): Intl.Locale {
  const slots = slotsOfKind(thisValue, LocaleSlots);
  return slots ? slots.locale : throwTypeError(`a method of Intl.Locale was called on ${valueText(thisValue)}`);
}
