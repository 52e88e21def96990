// Date. The time comes from the session's clock. The time zone is always UTC, so a method with
// "UTC" in its name does the same as the method without it.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, slotsOfKind } from "../../guest-value.ts";
import { invoke, ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { ordinaryToPrimitive, toNumber, toObject, toPrimitive, toStringValue } from "../../operations/conversion.ts";
import { valueText } from "../../operations/text.ts";
import { bytesOfHostDate, DateSlots } from "../../slots/date.ts";
import {
  brief,
  counted,
  defineConstructor,
  defineHidden,
  defineMethods,
  type MethodTable,
  withLength,
} from "../define.ts";
import { formatDate } from "../intl/formats.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { parseDate } from "./parse.ts";
import { dateText, dateTimeText, invalidDate, timeText } from "./text.ts";

/** The built-in Date. */
export const dateFamily: IntrinsicFamily = { intrinsics: ["DatePrototype"], globals: ["Date"], make: makeDate };

function makeDate(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const date = defineConstructor(realm, {
    name: "Date",
    length: 7,
    cost: "counted",
    prototype,
    construct: (newTarget, ...args) => {
      const time = timeFrom(realm, args);
      realm.meter.allocate(32 + bytesOfHostDate);
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "DatePrototype"), new DateSlots(time));
    },
    call: () => dateTimeText(now(realm)),
    statics: {
      now: counted(() => now(realm)),
      parse: counted((_thisValue, text) => parseDate(toStringValue(text))),
      UTC: brief(withLength(7, (_thisValue, ...fields) => timeOfFields(fields))),
    },
  });
  defineMethods(realm, prototype, { ...readingMethods(), ...writingMethods(), ...textMethods(realm) });
  defineHidden(prototype, "toGMTString", prototype["toUTCString"]);
  const toPrimitiveMethod = realm.newNativeFunction("[Symbol.toPrimitive]", 1, dateToPrimitive);
  Object.defineProperty(prototype, Symbol.toPrimitive, {
    value: toPrimitiveMethod,
    writable: false,
    enumerable: false,
    configurable: true,
  });
  return { intrinsics: { DatePrototype: prototype }, globals: { Date: date } };
}

function now(realm: Realm): number {
  return Math.floor(realm.surroundings.now());
}

function timeFrom(realm: Realm, args: readonly unknown[]): number {
  if (args.length === 0) return now(realm);
  if (args.length > 1) return timeOfFields(args);
  const known = slotsOfKind(args[0], DateSlots);
  if (known) return known.time;
  const value = toPrimitive(args[0]);
  return typeof value === "string" ? parseDate(value) : timeClip(toNumber(value));
}

function timeClip(time: number): number {
  return (time | 0) === time ? time + 0 : new Date(time).getTime();
}

/** Returns the time for a list of fields: year, month, day, hours, minutes, seconds and ms. */
function timeOfFields(fields: readonly unknown[]): number {
  const numbers = fields.slice(0, 7).map((field) => toNumber(field)) as [number]; // the host allows none, too
  return Date.UTC(...numbers);
}

function slotsOfDate(thisValue: unknown, method: string): DateSlots {
  return (
    slotsOfKind(thisValue, DateSlots) ??
    throwTypeError(`${method} was called on ${valueText(thisValue)}, which is not a Date`)
  );
}

/**
 * For each field of a date, the function that reads it. Each function calls one fixed method, so
 * that the host looks up the method's name only once.
 */
const readable: { readonly [field: string]: (time: Date) => number } = {
  FullYear: (time) => time.getUTCFullYear(),
  Month: (time) => time.getUTCMonth(),
  Date: (time) => time.getUTCDate(),
  Day: (time) => time.getUTCDay(),
  Hours: (time) => time.getUTCHours(),
  Minutes: (time) => time.getUTCMinutes(),
  Seconds: (time) => time.getUTCSeconds(),
  Milliseconds: (time) => time.getUTCMilliseconds(),
};

/**
 * The number of fields that each setter takes, for example 4 for `setHours(hours, minutes, seconds,
 * ms)`.
 */
const writable = { FullYear: 3, Month: 2, Date: 1, Hours: 4, Minutes: 3, Seconds: 2, Milliseconds: 1 } as const;

type NativeTable = { [name: string]: MethodTable[string] };

function readingMethods(): MethodTable {
  const methods: NativeTable = {};
  for (const [field, read] of Object.entries(readable)) {
    for (const name of [`get${field}`, `getUTC${field}`]) {
      methods[name] = brief((thisValue) => read(slotsOfDate(thisValue, name).host));
    }
  }
  return {
    ...methods,
    getTime: brief((thisValue) => slotsOfDate(thisValue, "getTime").time),
    getTimezoneOffset: brief((thisValue) => slotsOfDate(thisValue, "getTimezoneOffset").time * 0),
    getYear: brief((thisValue) => slotsOfDate(thisValue, "getYear").host.getUTCFullYear() - 1900),
    valueOf: brief((thisValue: unknown) => slotsOfDate(thisValue, "valueOf").time),
  };
}

function writingMethods(): MethodTable {
  const methods: NativeTable = {};
  for (const [field, length] of Object.entries(writable) as [keyof typeof writable, number][]) {
    for (const name of [`set${field}`, `setUTC${field}`]) {
      const set: (...fields: number[]) => number = Date.prototype[`setUTC${field}`];
      methods[name] = brief(
        withLength(length, (thisValue, ...values) => {
          const slots = slotsOfDate(thisValue, name);
          return setFields(slots, set, values.length > length ? values.slice(0, length) : values);
        }),
      );
    }
  }
  return {
    ...methods,
    setTime: counted((thisValue, value) => {
      const slots = slotsOfDate(thisValue, "setTime");
      slots.time = timeClip(toNumber(value));
      return slots.time;
    }),
    setYear: counted((thisValue, value) => {
      const slots = slotsOfDate(thisValue, "setYear");
      const year = toNumber(value);
      const isShort = Math.trunc(year) >= 0 && Math.trunc(year) <= 99;
      return setFields(slots, setYear, [isShort ? Math.trunc(year) + 1900 : year]);
    }),
  };
}

/**
 * Sets fields of a date. The other fields keep the values that they had before the arguments were
 * converted.
 */
function setFields(slots: DateSlots, set: (...fields: number[]) => number, values: readonly unknown[]): number {
  const before = slots.time;
  const numbers = values.length === 0 ? [Number.NaN] : values.map((value) => toNumber(value));
  if (Number.isNaN(before) && set !== setYear) return Number.NaN;
  slots.time = set.apply(new Date(before), numbers);
  return slots.time;
}

const setYear: (...fields: number[]) => number = Date.prototype.setUTCFullYear;

function textMethods(realm: Realm): MethodTable {
  const text = (name: string, render: (time: number) => string) => (thisValue: unknown) => {
    const { time } = slotsOfDate(thisValue, name);
    return Number.isNaN(time) ? invalidDate : render(time);
  };
  const localeText = (name: string, needs: "date" | "time" | "both") =>
    withLength(0, (thisValue, locales, options) =>
      formatDate(realm, slotsOfDate(thisValue, name).time, locales, options, needs),
    );
  return {
    toDateString: brief(text("toDateString", dateText)),
    toISOString: brief((thisValue) => {
      const { time, host } = slotsOfDate(thisValue, "toISOString");
      return Number.isNaN(time) ? throwRangeError("the date is not valid") : host.toISOString();
    }),
    toJSON: counted((thisValue: unknown, _key: unknown) => toJson(realm, thisValue)),
    toLocaleDateString: brief(localeText("toLocaleDateString", "date")),
    toLocaleString: brief(localeText("toLocaleString", "both")),
    toLocaleTimeString: brief(localeText("toLocaleTimeString", "time")),
    toString: brief(text("toString", dateTimeText)),
    toTimeString: brief(text("toTimeString", timeText)),
    toUTCString: brief(text("toUTCString", (time) => new Date(time).toUTCString())),
  };
}

function toJson(realm: Realm, thisValue: unknown): unknown {
  const object = toObject(realm, thisValue);
  const time = toPrimitive(object, "number");
  if (typeof time === "number" && !Number.isFinite(time)) return null;
  return invoke(realm, object, "toISOString");
}

function dateToPrimitive(thisValue: unknown, hint: unknown): unknown {
  if (!isObject(thisValue)) return throwTypeError(`[Symbol.toPrimitive] was called on ${valueText(thisValue)}`);
  if (hint !== "default" && hint !== "string" && hint !== "number")
    return throwTypeError(`${valueText(hint)} is not a hint; "default", "string" and "number" are`);
  return ordinaryToPrimitive(thisValue as GuestObject, hint === "number" ? "number" : "string");
}
