// A small Intl: the formatters that programs use, as guest objects.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject } from "../../guest-value.ts";
import { ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { toNumber, toStringValue } from "../../operations/conversion.ts";
import { iterableToList } from "../../operations/iterator.ts";
import { valueText } from "../../operations/text.ts";
import {
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineHidden,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import {
  chargeComparison,
  type FormatterKind,
  formatterFor,
  type HostFormatter,
  localeList,
  optionText,
} from "./formats.ts";
import {
  countedNumeric,
  countedTime,
  FormatterSlots,
  formatterOf,
  partsArray,
  plainObject,
  slotsOfFormatter,
} from "./formatter.ts";
import { makeLocale } from "./locale.ts";
import { makeSegmentPrototypes, segmenterMethods } from "./segmenter.ts";

const kinds = [
  "NumberFormat",
  "DateTimeFormat",
  "Collator",
  "PluralRules",
  "ListFormat",
  "RelativeTimeFormat",
  "DisplayNames",
  "Segmenter",
] as const satisfies readonly FormatterKind[];

/** The built-in Intl. */
export const intlFamily: IntrinsicFamily = {
  intrinsics: [
    "NumberFormatPrototype",
    "DateTimeFormatPrototype",
    "CollatorPrototype",
    "PluralRulesPrototype",
    "ListFormatPrototype",
    "RelativeTimeFormatPrototype",
    "DisplayNamesPrototype",
    "SegmenterPrototype",
    "SegmentsPrototype",
    "SegmentIteratorPrototype",
    "LocalePrototype",
  ],
  globals: ["Intl"],
  make: makeIntl,
};

function makeIntl(realm: Realm): MadeFamily {
  const intl: GuestObject = realm.newObject();
  const intrinsics: { [name: string]: GuestObject } = makeSegmentPrototypes(realm);
  const methods = methodsOfKinds(realm);
  for (const kind of kinds) {
    const prototype = realm.newObject();
    defineHidden(intl, kind, makeConstructor(realm, kind, prototype));
    defineMethods(realm, prototype, methods[kind]);
    intrinsics[`${kind}Prototype`] = prototype;
  }
  const locale = makeLocale(realm);
  intrinsics["LocalePrototype"] = locale.prototype;
  defineHidden(intl, "Locale", locale.constructorFunction);
  defineBoundMethods(realm, (kind) => intrinsics[`${kind}Prototype`] as GuestObject); // made just above
  defineMethods(realm, intl, {
    getCanonicalLocales: counted((_thisValue, locales) => realm.newArray(localeList(realm, locales))),
    supportedValuesOf: counted((_thisValue, key) => supportedValuesOf(realm, toStringValue(key))),
  });
  defineTag(intl, "Intl");
  return { intrinsics, globals: { Intl: intl } };
}

function makeConstructor(realm: Realm, kind: FormatterKind, prototype: GuestObject): GuestObject {
  const make = (newTarget: GuestObject, locales: unknown, options: unknown): GuestObject => {
    const defaults = kind === "DateTimeFormat" ? { year: "numeric", month: "numeric", day: "numeric" } : {};
    realm.meter.allocate(48);
    const slots = new FormatterSlots(kind, formatterFor(realm, kind, locales, options, defaults));
    return brand(ordinaryCreateFromConstructor(realm, newTarget, `${kind}Prototype`), slots);
  };
  const callable = kind === "NumberFormat" || kind === "DateTimeFormat" || kind === "Collator";
  const constructorFunction = defineConstructor(realm, {
    name: kind,
    length: kind === "DisplayNames" ? 2 : 0,
    cost: "counted",
    prototype,
    construct: make,
    ...(callable && {
      call: (_thisValue: unknown, locales: unknown, options: unknown) => make(constructorFunction, locales, options),
    }),
    statics: {
      supportedLocalesOf: counted(
        withLength(1, (_thisValue, locales) =>
          realm.newArray(supportedLocales(realm, kind, localeList(realm, locales))),
        ),
      ),
    },
  });
  defineMethods(realm, prototype, {
    resolvedOptions: counted((thisValue) => {
      realm.meter.charge(100);
      return plainObject(realm, slotsOfFormatter(thisValue, kind).formatter.resolvedOptions());
    }),
  });
  return defineTag(prototype, `Intl.${kind}`) && constructorFunction;
}

/**
 * Returns those of the locales that the host supports. All host classes have such a function, but
 * with different types.
 */
function supportedLocales(realm: Realm, kind: FormatterKind, locales: string[]): string[] {
  realm.meter.charge(200 * locales.length);
  const formatter: { supportedLocalesOf(locales: string[]): string[] } = Intl[kind];
  return formatter.supportedLocalesOf(locales);
}

/** Defines the getters `format` and `compare`. They return functions bound to the formatter. */
function defineBoundMethods(realm: Realm, prototypeOf: (kind: FormatterKind) => GuestObject): void {
  const define = <Formatter extends HostFormatter>(
    kind: FormatterKind,
    name: "format" | "compare",
    length: number,
    act: (formatter: Formatter, ...args: unknown[]) => unknown,
  ) => {
    const getter = (thisValue: unknown): GuestObject => {
      const slots = slotsOfFormatter(thisValue, kind);
      const formatter = slots.formatter as Formatter; // the kind was checked
      slots.bound ??= realm.newNativeFunction("", length, (_thisValue, ...args) => act(formatter, ...args));
      return slots.bound;
    };
    defineAccessors(realm, prototypeOf(kind), { [name]: brief(getter) });
  };
  define("NumberFormat", "format", 1, (formatter: Intl.NumberFormat, value) =>
    formatter.format(countedNumeric(realm, value)),
  );
  define("DateTimeFormat", "format", 1, (formatter: Intl.DateTimeFormat, value) =>
    formatter.format(countedTime(realm, value)),
  );
  define("Collator", "compare", 2, (formatter: Intl.Collator, left, right) =>
    compareCounted(realm, formatter, toStringValue(left), toStringValue(right)),
  );
}

function methodsOfKinds(realm: Realm): { readonly [Kind in FormatterKind]: MethodTable } {
  return {
    NumberFormat: numberMethods(realm),
    DateTimeFormat: dateMethods(realm),
    Collator: {},
    PluralRules: {
      select: counted((thisValue, value) => {
        realm.meter.charge(100);
        return formatterOf<Intl.PluralRules>(thisValue, "PluralRules").select(toNumber(value));
      }),
    },
    ListFormat: {
      format: counted((thisValue, list) =>
        formatterOf<Intl.ListFormat>(thisValue, "ListFormat").format(textsOf(realm, list)),
      ),
      formatToParts: counted((thisValue, list) =>
        partsArray(realm, formatterOf<Intl.ListFormat>(thisValue, "ListFormat").formatToParts(textsOf(realm, list))),
      ),
    },
    RelativeTimeFormat: {
      format: counted((thisValue, value, unit) =>
        relative(realm, toNumber(value), toStringValue(unit), (count, known) =>
          formatterOf<Intl.RelativeTimeFormat>(thisValue, "RelativeTimeFormat").format(count, known),
        ),
      ),
      formatToParts: counted((thisValue, value, unit) =>
        relative(realm, toNumber(value), toStringValue(unit), (count, known) =>
          partsArray(
            realm,
            formatterOf<Intl.RelativeTimeFormat>(thisValue, "RelativeTimeFormat").formatToParts(count, known),
          ),
        ),
      ),
    },
    DisplayNames: { of: counted((thisValue, code) => nameOf(realm, thisValue, optionText(code))) },
    Segmenter: segmenterMethods(realm),
  };
}

function numberMethods(realm: Realm): MethodTable {
  const formatter = (thisValue: unknown) => formatterOf<Intl.NumberFormat>(thisValue, "NumberFormat");
  const range = (start: unknown, end: unknown): [number | bigint, number | bigint] => {
    if (start === undefined || end === undefined) return throwTypeError("a range needs a start and an end");
    return [countedNumeric(realm, start), countedNumeric(realm, end)];
  };
  return {
    formatToParts: counted((thisValue, value) =>
      partsArray(realm, formatter(thisValue).formatToParts(countedNumeric(realm, value))),
    ),
    formatRange: brief((thisValue, start, end) => formatter(thisValue).formatRange(...range(start, end))),
    formatRangeToParts: counted((thisValue, start, end) =>
      partsArray(realm, formatter(thisValue).formatRangeToParts(...range(start, end))),
    ),
  };
}

function dateMethods(realm: Realm): MethodTable {
  const formatter = (thisValue: unknown) => formatterOf<Intl.DateTimeFormat>(thisValue, "DateTimeFormat");
  const range = (start: unknown, end: unknown): [number, number] => {
    if (start === undefined || end === undefined) return throwTypeError("a range needs a start and an end");
    return [countedTime(realm, start), countedTime(realm, end)];
  };
  return {
    formatToParts: counted(
      withLength(1, (thisValue, value) => {
        const host = formatter(thisValue);
        return partsArray(realm, host.formatToParts(countedTime(realm, value)));
      }),
    ),
    formatRange: brief((thisValue, start, end) => formatter(thisValue).formatRange(...range(start, end))),
    formatRangeToParts: counted((thisValue, start, end) =>
      partsArray(realm, formatter(thisValue).formatRangeToParts(...range(start, end))),
    ),
  };
}

// The memory for each character of a list that the host formats. The host copies each character
// several times.
const bytesOfListedCharacter = 8;

function textsOf(realm: Realm, list: unknown): string[] {
  let characters = 0;
  const texts = iterableToList(realm, list).map((item) => {
    if (typeof item !== "string")
      return throwTypeError(`a list to format may contain only strings, got ${valueText(item)}`);
    realm.meter.charge(20 + (item.length >>> 2));
    realm.meter.allocate(2 * item.length);
    characters += item.length;
    return item;
  });
  realm.meter.requireRoom(bytesOfListedCharacter * characters);
  return texts;
}

function compareCounted(realm: Realm, collator: Intl.Collator, left: string, right: string): number {
  chargeComparison(realm, left, right);
  return collator.compare(left, right);
}

function relative<Result>(
  realm: Realm,
  value: number,
  unit: string,
  format: (value: number, unit: Intl.RelativeTimeFormatUnit) => Result,
): Result {
  realm.meter.charge(100);
  const singular = unit.endsWith("s") ? unit.slice(0, -1) : unit;
  const known = relativeUnits.find((candidate) => candidate === singular);
  if (known !== undefined && Number.isFinite(value)) return format(value, known);
  return throwRangeError(`${valueText(unit)} is not a unit of time, or ${value} is not a valid number`);
}

const relativeUnits = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const;

function nameOf(realm: Realm, thisValue: unknown, code: string): string | undefined {
  const names = formatterOf<Intl.DisplayNames>(thisValue, "DisplayNames");
  realm.meter.charge(100);
  try {
    return names.of(code);
  } catch {
    // Replace the host's RangeError, because its message differs between engines.
    return throwRangeError(`${valueText(code)} is not a code of this kind`);
  }
}

function supportedValuesOf(realm: Realm, key: string): GuestObject {
  const known = supportedKeys.find((candidate) => candidate === key);
  if (known === undefined) return throwRangeError(`${valueText(key)} is not one of ${supportedKeys.join(", ")}`);
  const values = Intl.supportedValuesOf(known);
  realm.meter.charge(values.length);
  realm.meter.allocate(50 * values.length);
  return realm.newArray(values);
}

const supportedKeys = ["calendar", "collation", "currency", "numberingSystem", "timeZone", "unit"] as const;
