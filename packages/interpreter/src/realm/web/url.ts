// URL and URLSearchParams, implemented with the host's classes. A guest's URL and its
// `searchParams` share one host URL, so a change of one is visible in the other.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { call3, getMethod, ordinaryCreateFromConstructor, requireCallable } from "../../operations/call.ts";
import { toStringValue } from "../../operations/conversion.ts";
import { enumerableOwnKeys } from "../../operations/counted-keys.ts";
import { forEachOf, iterableToList } from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { SearchParamsSlots, UrlSlots } from "../../slots/url.ts";
import { requireStack } from "../../stack-room.ts";
import type { IterationKind } from "../array/iterator.ts";
import {
  type AccessorTable,
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

/** The built-ins URL and URLSearchParams. */
export const urlFamily: IntrinsicFamily = {
  intrinsics: ["URLPrototype", "URLSearchParamsPrototype", "URLSearchParamsIteratorPrototype"],
  globals: ["URL", "URLSearchParams"],
  make(realm) {
    const url = makeUrl(realm);
    const params = makeSearchParams(realm);
    return {
      intrinsics: { ...url.intrinsics, ...params.intrinsics },
      globals: { ...url.globals, ...params.globals },
    };
  },
};

class SearchParamsIteratorSlots implements Slots {
  readonly type = "url-search-params-iterator";
  readonly owner: SearchParamsSlots;
  readonly entries: Iterator<[string, string]>;
  readonly kind: IterationKind;

  constructor(owner: SearchParamsSlots, kind: IterationKind) {
    this.owner = owner;
    this.kind = kind;
    this.entries = owner.params.entries(); // the host's iterator also visits parameters that are added during the iteration, as the guest's must
  }
}

const readOnlyParts = ["origin"] as const;
const parts = [
  "hash",
  "host",
  "hostname",
  "href",
  "password",
  "pathname",
  "port",
  "protocol",
  "search",
  "username",
] as const;

function makeUrl(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const url = defineConstructor(realm, {
    name: "URL",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, text, base) => {
      const host = parseUrl(realm, text, base);
      if (!host) return throwTypeError(`${valueText(toStringValue(text))} is not a valid URL`);
      const slots = new SearchParamsSlots(host.searchParams, host.href.length);
      const params = brand(realm.newObjectFrom("URLSearchParamsPrototype"), slots);
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "URLPrototype"), new UrlSlots(host, params));
    },
    statics: { canParse: counted(withLength(1, (_thisValue, text, base) => parseUrl(realm, text, base) !== null)) },
  });
  defineMethods(realm, prototype, {
    toJSON: counted((thisValue) => partOf(realm, thisValue, "href")),
    toString: counted((thisValue: unknown) => partOf(realm, thisValue, "href")),
  });
  defineAccessors(realm, prototype, {
    ...partAccessors(realm),
    searchParams: brief((thisValue) => urlOf(thisValue).searchParams),
  });
  defineTag(prototype, "URL");
  return { intrinsics: { URLPrototype: prototype }, globals: { URL: url } };
}

function partAccessors(realm: Realm): AccessorTable {
  const accessors: { [name: string]: AccessorTable[string] } = {};
  for (const part of readOnlyParts) accessors[part] = counted((thisValue) => partOf(realm, thisValue, part));
  for (const part of parts) {
    accessors[part] = [
      counted((thisValue) => partOf(realm, thisValue, part)),
      counted((thisValue, value) => {
        const { url, searchParams } = urlOf(thisValue);
        const text = toStringValue(value);
        chargeUrl(realm, text);
        chargeChange(realm, searchParamsSlots(searchParams), text.length);
        chargeUrl(realm, url.href);
        if (hostParts.has(part) && text.length > maxHostLength) return;
        if (part === "href" && hasHugeHost(text)) return throwTypeError(`${valueText(text)} is not a valid URL`);
        try {
          url[part] = text;
        } catch {
          // The new `href` is not a URL, so the host threw a TypeError. Throw a guest
          // TypeError instead.
          throwTypeError(`${valueText(text)} is not a valid URL`);
        }
      }),
    ];
  }
  return accessors;
}

type Part = (typeof parts)[number] | (typeof readOnlyParts)[number];

/** Returns a part of a URL. Charges for the copy that the host makes. */
function partOf(realm: Realm, thisValue: unknown, part: Part): string {
  const text = urlOf(thisValue).url[part];
  realm.meter.charge(1 + (text.length >>> 6));
  realm.meter.allocate(2 * text.length);
  return text;
}

// The maximum length of a host name. For names in non-Latin scripts, the host's time grows with the
// square of the length. No real host name is even a quarter as long as this maximum.
const maxHostLength = 1_024;
const maxAuthorityLength = 8_192;
const hostParts: ReadonlySet<Part> = new Set(["host", "hostname"]);

/**
 * Says whether a URL, with or without its scheme, has a host name that is too long for any name
 * server.
 */
function hasHugeHost(text: string): boolean {
  if (text.length <= maxHostLength) return false;
  requireStack();
  const [, scheme, slashes = "", authority = ""] = urlStart.exec(text) ?? [];
  const isSpecial = scheme !== undefined && specialSchemes.test(withoutBreaks(scheme));
  if (!isSpecial && withoutBreaks(slashes.slice(0, maxHostLength)).length < 2) return false;
  return authority.length > maxAuthorityLength || authority.length - authority.lastIndexOf("@") - 1 > maxHostLength;
}

// Matches the scheme, the slashes and the host name. Tabs and line breaks are allowed anywhere in a
// URL.
const urlStart = /^[\0-\x20]*(?:([a-z][a-z\d+.\-\t\r\n]{0,100}):)?([\\/\t\r\n]*)([^\\/?#]*)/i;
// The schemes whose URLs may have a host name without slashes before it. URLs of other schemes have
// a host name only after slashes.
const specialSchemes = /^(?:https?|wss?|ftp|file)$/i;
const withoutBreaks = (text: string): string => text.replace(/[\t\r\n]+/g, "");

function parseUrl(realm: Realm, text: unknown, base: unknown): URL | null {
  const relative = toStringValue(text);
  const origin = base === undefined ? undefined : toStringValue(base);
  chargeUrl(realm, relative);
  if (origin !== undefined) chargeUrl(realm, origin);
  if (hasHugeHost(relative) || (origin !== undefined && hasHugeHost(origin))) return null;
  try {
    return new URL(relative, origin);
  } catch {
    return null; // the host threw a TypeError; the caller makes the error message
  }
}

function chargeUrl(realm: Realm, text: string): void {
  realm.meter.charge(10 + (text.length >>> 2));
  realm.meter.allocate(500 + 6 * text.length);
}

function urlOf(thisValue: unknown): UrlSlots {
  const slots = slotsOfKind(thisValue, UrlSlots);
  return slots ?? throwTypeError(`a method of URL was called on ${valueText(thisValue)}`);
}

function makeSearchParams(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const searchParams = defineConstructor(realm, {
    name: "URLSearchParams",
    length: 0,
    cost: "counted",
    prototype,
    construct: (newTarget, source) => {
      const slots = paramsFrom(realm, source);
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "URLSearchParamsPrototype"), slots);
    },
  });
  defineMethods(realm, prototype, { ...readingMethods(realm), ...writingMethods(realm) });
  defineHidden(prototype, Symbol.iterator, prototype["entries"]);
  defineAccessors(realm, prototype, {
    size: counted((thisValue) => pairsOf(realm, searchParamsSlots(thisValue)).length),
  });
  defineTag(prototype, "URLSearchParams");
  return {
    intrinsics: { URLSearchParamsPrototype: prototype, URLSearchParamsIteratorPrototype: makeIterator(realm) },
    globals: { URLSearchParams: searchParams },
  };
}

function makeIterator(realm: Realm): GuestObject {
  const prototype = realm.newObjectFrom("IteratorPrototype");
  defineMethods(realm, prototype, {
    next: counted((thisValue) => {
      const slots = slotsOfKind(thisValue, SearchParamsIteratorSlots);
      if (!slots) return throwTypeError("next was called on something that is not an iterator of a URLSearchParams");
      realm.meter.charge(1);
      const step = slots.entries.next();
      if (step.done) return realm.newIterResult(undefined, true);
      const [name, value] = step.value;
      if (slots.kind === "entries") return realm.newIterResult(realm.newArray([name, value]), false);
      return realm.newIterResult(slots.kind === "keys" ? name : value, false);
    }),
  });
  return defineTag(prototype, "URLSearchParams Iterator");
}

function paramsFrom(realm: Realm, source: unknown): SearchParamsSlots {
  const text = source === undefined || isObject(source) ? "" : toStringValue(source);
  chargeUrl(realm, text);
  const slots = new SearchParamsSlots(new URLSearchParams(text), text.length);
  if (isObject(source)) addFrom(realm, slots, source);
  return slots;
}

function addFrom(realm: Realm, slots: SearchParamsSlots, source: GuestObject): void {
  if (!getMethod(realm, source, Symbol.iterator)) {
    for (const key of enumerableOwnKeys(realm, source))
      append(realm, slots, key, toStringValue(get(source, key)), false);
    return;
  }
  forEachOf(realm, source, (pair) => {
    if (!isObject(pair)) return throwTypeError("a search parameter must be [name, value]");
    const [name, value, ...rest] = iterableToList(realm, pair);
    if (value === undefined || rest.length > 0) return throwTypeError("a search parameter must be [name, value]");
    append(realm, slots, toStringValue(name), toStringValue(value), false);
  });
}

/**
 * Adds a parameter. If `isLive`, the parameters belong to a URL, which writes all its parameters
 * again at each change. That work is charged too.
 */
function append(realm: Realm, slots: SearchParamsSlots, name: string, value: string, isLive: boolean): void {
  chargeUrl(realm, name);
  chargeUrl(realm, value);
  if (isLive) chargeChange(realm, slots, name.length + value.length + 2);
  else slots.weight += name.length + value.length + 2;
  slots.params.append(name, value);
}

/**
 * Charges for a change that adds `added` characters. If the parameters belong to a URL, the whole
 * text of the URL is created again.
 */
function chargeChange(realm: Realm, slots: SearchParamsSlots, added: number): void {
  slots.weight += added;
  chargeWalk(realm, slots);
  realm.meter.allocate(2 * slots.weight);
}

/**
 * Charges for removing all parameters of a name. For each removal, the host moves all later
 * parameters.
 */
function chargeRemoval(realm: Realm, { params }: SearchParamsSlots, name: string): void {
  const removed = params.getAll(name).length;
  if (removed > 1) realm.meter.charge(Math.ceil((removed * params.size) / 16));
}

/** Charges for one pass over all parameters. */
function chargeWalk(realm: Realm, { weight }: SearchParamsSlots): void {
  realm.meter.charge(1 + (weight >>> 3));
}

function readingMethods(realm: Realm): MethodTable {
  const iterating = (kind: IterationKind) => (thisValue: unknown) => {
    const slots = new SearchParamsIteratorSlots(searchParamsSlots(thisValue), kind);
    return brand(realm.newObjectFrom("URLSearchParamsIteratorPrototype"), slots);
  };
  const allOf = (thisValue: unknown, name: unknown): string[] => {
    const slots = searchParamsSlots(thisValue);
    const text = toStringValue(name);
    chargeWalk(realm, slots);
    return slots.params.getAll(text);
  };
  return {
    entries: brief(iterating("entries")),
    forEach: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { params } = searchParamsSlots(thisValue);
        const fn = requireCallable(callback, "forEach");
        for (const [name, value] of params) {
          realm.meter.charge(1);
          call3(realm, fn, thisArg, value, name, thisValue);
        }
      }),
    ),
    get: counted((thisValue, name) => allOf(thisValue, name)[0] ?? null),
    getAll: counted((thisValue, name) => realm.newArray(allOf(thisValue, name))),
    has: counted(
      withLength(1, (thisValue, name, value) => {
        const all = allOf(thisValue, name);
        return value === undefined ? all.length > 0 : all.includes(toStringValue(value));
      }),
    ),
    keys: brief(iterating("keys")),
    toString: counted((thisValue: unknown) => {
      const slots = searchParamsSlots(thisValue);
      chargeWalk(realm, slots);
      realm.meter.allocate(2 * slots.weight);
      return slots.params.toString();
    }),
    values: brief(iterating("values")),
  };
}

function writingMethods(realm: Realm): MethodTable {
  return {
    append: counted((thisValue, name, value) => {
      append(realm, searchParamsSlots(thisValue), toStringValue(name), toStringValue(value), true);
    }),
    delete: counted(
      withLength(1, (thisValue, name, value) => {
        const slots = searchParamsSlots(thisValue);
        const text = toStringValue(name);
        const wanted = value === undefined ? undefined : toStringValue(value);
        chargeChange(realm, slots, 0);
        chargeRemoval(realm, slots, text);
        if (wanted === undefined) slots.params.delete(text);
        else slots.params.delete(text, wanted);
      }),
    ),
    set: counted((thisValue, name, value) => {
      const slots = searchParamsSlots(thisValue);
      const [key, text] = [toStringValue(name), toStringValue(value)];
      chargeUrl(realm, text);
      chargeChange(realm, slots, key.length + text.length + 2);
      chargeRemoval(realm, slots, key);
      slots.params.set(key, text);
    }),
    sort: counted((thisValue: unknown) => {
      const slots = searchParamsSlots(thisValue);
      chargeChange(realm, slots, 0);
      realm.meter.charge(pairsOf(realm, slots).length * 4);
      slots.params.sort();
    }),
  };
}

function pairsOf(realm: Realm, slots: SearchParamsSlots): [string, string][] {
  chargeWalk(realm, slots);
  return [...slots.params.entries()];
}

function searchParamsSlots(thisValue: unknown): SearchParamsSlots {
  const slots = slotsOfKind(thisValue, SearchParamsSlots);
  return slots ?? throwTypeError(`a method of URLSearchParams was called on ${valueText(thisValue)}`);
}
