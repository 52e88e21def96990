// Intl, in little: the formatters that programs use, behind guest objects.

import { throwRangeError, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOfKind } from "../guest-value.ts";
import { ordinaryCreateFromConstructor } from "../operations/call.ts";
import { toNumber, toNumeric, toStringValue } from "../operations/conversion.ts";
import { iterableToList } from "../operations/iterator.ts";
import { createDataPropertyOrThrow } from "../operations/property.ts";
import { valueText } from "../operations/text.ts";
import { DateSlots } from "./date.ts";
import {
  defineAccessors,
  defineConstructor,
  defineHidden,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "./define.ts";
import { chargeFormatting, type FormatterKind, formatterFor, type HostFormatter, localeList } from "./intl-formats.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { Realm } from "./realm.ts";

/** Intl. */
export const intlFamily: IntrinsicFamily = {
  intrinsics: [
    "NumberFormatPrototype",
    "DateTimeFormatPrototype",
    "CollatorPrototype",
    "PluralRulesPrototype",
    "ListFormatPrototype",
    "RelativeTimeFormatPrototype",
  ],
  globals: ["Intl"],
  make: makeIntl,
};

class FormatterSlots implements Slots {
  readonly type = "formatter";
  readonly kind: FormatterKind;
  readonly formatter: HostFormatter;
  /** The function that `format` or `compare` gives, always the same one. */
  bound: GuestObject | null = null;

  constructor(kind: FormatterKind, formatter: HostFormatter) {
    this.kind = kind;
    this.formatter = formatter;
  }
}

const kinds = [
  "NumberFormat",
  "DateTimeFormat",
  "Collator",
  "PluralRules",
  "ListFormat",
  "RelativeTimeFormat",
] as const satisfies readonly FormatterKind[];

function makeIntl(realm: Realm): MadeFamily {
  const intl: GuestObject = realm.newObject();
  const intrinsics: { [name: string]: GuestObject } = {};
  for (const kind of kinds) {
    const prototype = realm.newObject();
    defineHidden(intl, kind, makeConstructor(realm, kind, prototype));
    intrinsics[`${kind}Prototype`] = prototype;
  }
  const prototypeOf = (kind: FormatterKind) => intrinsics[`${kind}Prototype`] as GuestObject; // it was just made
  defineBound(realm, prototypeOf("NumberFormat"), "NumberFormat", "format", 1, (formatter: Intl.NumberFormat, value) =>
    formatter.format(countedNumeric(realm, value)),
  );
  defineBound(
    realm,
    prototypeOf("DateTimeFormat"),
    "DateTimeFormat",
    "format",
    1,
    (formatter: Intl.DateTimeFormat, value) => formatter.format(timeOf(realm, value)),
  );
  defineBound(realm, prototypeOf("Collator"), "Collator", "compare", 2, (formatter: Intl.Collator, left, right) =>
    compareCounted(realm, formatter, toStringValue(left), toStringValue(right)),
  );
  defineMethods(realm, prototypeOf("PluralRules"), {
    select: (thisValue, value) => formatterOf<Intl.PluralRules>(thisValue, "PluralRules").select(toNumber(value)),
  });
  defineMethods(realm, prototypeOf("ListFormat"), {
    format: (thisValue, list) => {
      const texts = iterableToList(realm, list).map((item) => {
        if (typeof item !== "string")
          return throwTypeError(`a list to format holds texts only, got ${valueText(item)}`);
        realm.meter.charge(20 + (item.length >>> 2));
        realm.meter.allocate(2 * item.length);
        return item;
      });
      return formatterOf<Intl.ListFormat>(thisValue, "ListFormat").format(texts);
    },
  });
  defineMethods(realm, prototypeOf("RelativeTimeFormat"), {
    format: (thisValue, value, unit) => formatRelative(thisValue, toNumber(value), toStringValue(unit)),
  });
  defineParts(realm, prototypeOf("NumberFormat"), prototypeOf("DateTimeFormat"));
  defineMethods(realm, intl, {
    getCanonicalLocales: (_thisValue, locales) => realm.newArray(localeList(realm, locales)),
  });
  defineTag(intl, "Intl");
  return { intrinsics, globals: { Intl: intl } };
}

function makeConstructor(realm: Realm, kind: FormatterKind, prototype: GuestObject): GuestObject {
  const make = (newTarget: GuestObject, locales: unknown, options: unknown): GuestObject => {
    const defaults = kind === "DateTimeFormat" ? { year: "numeric", month: "numeric", day: "numeric" } : {};
    const slots = new FormatterSlots(kind, formatterFor(realm, kind, locales, options, defaults));
    return brand(ordinaryCreateFromConstructor(realm, newTarget, `${kind}Prototype`), slots);
  };
  const callable = kind === "NumberFormat" || kind === "DateTimeFormat" || kind === "Collator";
  const constructorFunction = defineConstructor(realm, {
    name: kind,
    length: 0,
    prototype,
    construct: make,
    ...(callable && {
      call: (_thisValue: unknown, locales: unknown, options: unknown) => make(constructorFunction, locales, options),
    }),
    statics: { supportedLocalesOf: (_thisValue, locales) => realm.newArray(localeList(realm, locales)) },
  });
  defineMethods(realm, prototype, {
    resolvedOptions: (thisValue) => resolvedOptions(realm, thisValue, kind),
  });
  return defineTag(prototype, `Intl.${kind}`) && constructorFunction;
}

function slotsOfFormatter(thisValue: unknown, kind: FormatterKind): FormatterSlots {
  const slots = slotsOfKind(thisValue, FormatterSlots);
  if (slots?.kind === kind) return slots;
  return throwTypeError(`a method of Intl.${kind} was called on ${valueText(thisValue)}`);
}

function formatterOf<Formatter extends HostFormatter>(thisValue: unknown, kind: FormatterKind): Formatter {
  return slotsOfFormatter(thisValue, kind).formatter as Formatter; // its kind was just checked
}

/** A getter that gives a function bound to the formatter. */
function defineBound<Formatter extends HostFormatter>(
  realm: Realm,
  prototype: GuestObject,
  kind: FormatterKind,
  name: "format" | "compare",
  length: number,
  act: (formatter: Formatter, ...args: unknown[]) => unknown,
): void {
  defineAccessors(realm, prototype, {
    [name]: (thisValue) => {
      const slots = slotsOfFormatter(thisValue, kind);
      const formatter = slots.formatter as Formatter; // its kind was just checked
      slots.bound ??= realm.newNativeFunction("", length, (_thisValue, ...args) => act(formatter, ...args));
      return slots.bound;
    },
  });
}

function defineParts(realm: Realm, numberPrototype: GuestObject, datePrototype: GuestObject): void {
  const methods = (
    kind: FormatterKind,
    parts: (thisValue: unknown, value: unknown) => readonly object[],
  ): MethodTable => ({
    formatToParts: withLength(1, (thisValue, value) => {
      slotsOfFormatter(thisValue, kind);
      return realm.newArray(parts(thisValue, value).map((part) => plainObject(realm, part)));
    }),
  });
  defineMethods(
    realm,
    numberPrototype,
    methods("NumberFormat", (thisValue, value) =>
      formatterOf<Intl.NumberFormat>(thisValue, "NumberFormat").formatToParts(countedNumeric(realm, value)),
    ),
  );
  defineMethods(
    realm,
    datePrototype,
    methods("DateTimeFormat", (thisValue, value) =>
      formatterOf<Intl.DateTimeFormat>(thisValue, "DateTimeFormat").formatToParts(timeOf(realm, value)),
    ),
  );
}

function resolvedOptions(realm: Realm, thisValue: unknown, kind: FormatterKind): GuestObject {
  return plainObject(realm, slotsOfFormatter(thisValue, kind).formatter.resolvedOptions());
}

/** A guest object for a host's record of primitives; anything else in it is left out. */
function plainObject(realm: Realm, record: object): GuestObject {
  const object = realm.newObject();
  for (const [key, value] of Object.entries(record)) {
    if (typeof value !== "object" && typeof value !== "function") createDataPropertyOrThrow(object, key, value);
  }
  return object;
}

function countedNumeric(realm: Realm, value: unknown): number | bigint {
  const numeric = toNumeric(value);
  chargeFormatting(realm, numeric);
  return numeric;
}

function timeOf(realm: Realm, value: unknown): number {
  realm.meter.charge(100);
  if (value === undefined) return realm.surroundings.now();
  const time = slotsOfKind(value, DateSlots)?.time ?? toNumber(value);
  return Number.isFinite(new Date(time).getTime()) ? time : throwRangeError("the date is not valid");
}

function compareCounted(realm: Realm, collator: Intl.Collator, left: string, right: string): number {
  realm.meter.charge((left.length + right.length) >>> 3);
  return collator.compare(left, right);
}

function formatRelative(thisValue: unknown, value: number, unit: string): string {
  const formatter = formatterOf<Intl.RelativeTimeFormat>(thisValue, "RelativeTimeFormat");
  try {
    return formatter.format(value, unit as Intl.RelativeTimeFormatUnit); // the host checks it
  } catch {
    // The host's RangeError, whose text differs from engine to engine.
    return throwRangeError(`${valueText(unit)} is no unit of time, or ${value} no number of them`);
  }
}
