// URL and URLSearchParams: the host's, on strings. A guest's URL and its `searchParams` share one host URL, so each shows what the other changed.

import { throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../guest-value.ts";
import { call3, getMethod, ordinaryCreateFromConstructor } from "../operations/call.ts";
import { toStringValue } from "../operations/conversion.ts";
import { forEachOf, iterableToList } from "../operations/iterator.ts";
import { get } from "../operations/property.ts";
import { valueText } from "../operations/text.ts";
import { createArrayIterator } from "./array-iterator.ts";
import { requireCallable } from "./array-support.ts";
import { enumerableOwnKeys } from "./counted-keys.ts";
import {
  type AccessorTable,
  defineAccessors,
  defineConstructor,
  defineHidden,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "./define.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { Realm } from "./realm.ts";

/** URL and URLSearchParams. */
export const urlFamily: IntrinsicFamily = {
  intrinsics: ["URLPrototype", "URLSearchParamsPrototype"],
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

class UrlSlots implements Slots {
  readonly type = "url";
  readonly url: URL;
  readonly searchParams: GuestObject;

  constructor(url: URL, searchParams: GuestObject) {
    this.url = url;
    this.searchParams = searchParams;
  }
}

class SearchParamsSlots implements Slots {
  readonly type = "url-search-params";
  readonly params: URLSearchParams;

  constructor(params: URLSearchParams) {
    this.params = params;
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
    prototype,
    construct: (newTarget, text, base) => {
      const host = parseUrl(realm, text, base);
      if (!host) return throwTypeError(`${valueText(toStringValue(text))} is not a valid URL`);
      const params = brand(realm.newObjectFrom("URLSearchParamsPrototype"), new SearchParamsSlots(host.searchParams));
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "URLPrototype"), new UrlSlots(host, params));
    },
    statics: { canParse: withLength(1, (_thisValue, text, base) => parseUrl(realm, text, base) !== null) },
  });
  defineMethods(realm, prototype, {
    toJSON: (thisValue) => urlOf(thisValue).url.href,
    toString: (thisValue: unknown) => urlOf(thisValue).url.href,
  });
  defineAccessors(realm, prototype, {
    ...partAccessors(realm),
    searchParams: (thisValue) => urlOf(thisValue).searchParams,
  });
  defineTag(prototype, "URL");
  return { intrinsics: { URLPrototype: prototype }, globals: { URL: url } };
}

function partAccessors(realm: Realm): AccessorTable {
  const accessors: { [name: string]: AccessorTable[string] } = {};
  for (const part of readOnlyParts) accessors[part] = (thisValue) => urlOf(thisValue).url[part];
  for (const part of parts) {
    accessors[part] = [
      (thisValue) => urlOf(thisValue).url[part],
      (thisValue, value) => {
        const { url } = urlOf(thisValue);
        const text = toStringValue(value);
        chargeUrl(realm, text);
        try {
          url[part] = text;
        } catch {
          // The host's TypeError for an `href` that is no URL.
          throwTypeError(`${valueText(text)} is not a valid URL`);
        }
      },
    ];
  }
  return accessors;
}

function parseUrl(realm: Realm, text: unknown, base: unknown): URL | null {
  const relative = toStringValue(text);
  const origin = base === undefined ? undefined : toStringValue(base);
  chargeUrl(realm, relative);
  try {
    return new URL(relative, origin);
  } catch {
    return null; // the host's TypeError; the caller says what it was about
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
    prototype,
    construct: (newTarget, source) => {
      const slots = new SearchParamsSlots(paramsFrom(realm, source));
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "URLSearchParamsPrototype"), slots);
    },
  });
  defineMethods(realm, prototype, { ...readingMethods(realm), ...writingMethods(realm) });
  defineHidden(prototype, Symbol.iterator, prototype["entries"]);
  defineAccessors(realm, prototype, { size: (thisValue) => pairsOf(paramsOf(thisValue)).length });
  defineTag(prototype, "URLSearchParams");
  return { intrinsics: { URLSearchParamsPrototype: prototype }, globals: { URLSearchParams: searchParams } };
}

function paramsFrom(realm: Realm, source: unknown): URLSearchParams {
  if (source === undefined) return new URLSearchParams();
  if (!isObject(source)) return paramsFromText(realm, toStringValue(source));
  const params = new URLSearchParams();
  if (getMethod(realm, source, Symbol.iterator)) {
    forEachOf(realm, source, (pair) => {
      const [name, value, ...rest] = iterableToList(realm, pair);
      if (value === undefined || rest.length > 0) throwTypeError("a search parameter must be [name, value]");
      appendCounted(realm, params, toStringValue(name), toStringValue(value));
    });
  } else {
    for (const key of enumerableOwnKeys(realm, source))
      appendCounted(realm, params, key, toStringValue(get(source, key)));
  }
  return params;
}

function paramsFromText(realm: Realm, text: string): URLSearchParams {
  chargeUrl(realm, text);
  return new URLSearchParams(text);
}

function appendCounted(realm: Realm, params: URLSearchParams, name: string, value: string): void {
  chargeUrl(realm, name + value);
  params.append(name, value);
}

function readingMethods(realm: Realm): MethodTable {
  const iterate = (thisValue: unknown, pick: (pair: readonly [string, string]) => unknown) => {
    const list = pairsOf(paramsOf(thisValue)).map(pick);
    realm.meter.charge(list.length);
    return createArrayIterator(realm, realm.newArray(list), "values");
  };
  return {
    entries: (thisValue) => iterate(thisValue, (pair) => realm.newArray(pair)),
    forEach: withLength(1, (thisValue, callback, thisArg) => {
      const fn = requireCallable(callback, "forEach");
      for (const [name, value] of pairsOf(paramsOf(thisValue))) {
        realm.meter.charge(1);
        call3(realm, fn, thisArg, value, name, thisValue);
      }
    }),
    get: (thisValue, name) => paramsOf(thisValue).get(toStringValue(name)),
    getAll: (thisValue, name) => realm.newArray(paramsOf(thisValue).getAll(toStringValue(name))),
    has: withLength(1, (thisValue, name, value) => {
      const all = paramsOf(thisValue).getAll(toStringValue(name));
      return value === undefined ? all.length > 0 : all.includes(toStringValue(value));
    }),
    keys: (thisValue) => iterate(thisValue, ([name]) => name),
    toString: (thisValue: unknown) => paramsOf(thisValue).toString(),
    values: (thisValue) => iterate(thisValue, ([, value]) => value),
  };
}

function writingMethods(realm: Realm): MethodTable {
  return {
    append(thisValue, name, value) {
      appendCounted(realm, paramsOf(thisValue), toStringValue(name), toStringValue(value));
    },
    delete: withLength(1, (thisValue, name) => paramsOf(thisValue).delete(toStringValue(name))),
    set(thisValue, name, value) {
      const text = toStringValue(value);
      chargeUrl(realm, text);
      paramsOf(thisValue).set(toStringValue(name), text);
    },
    sort: (thisValue: unknown) => {
      const params = paramsOf(thisValue);
      realm.meter.charge(pairsOf(params).length * 4);
      params.sort();
    },
  };
}

function pairsOf(params: URLSearchParams): [string, string][] {
  return [...params.entries()];
}

function paramsOf(thisValue: unknown): URLSearchParams {
  const slots = slotsOfKind(thisValue, SearchParamsSlots);
  return slots ? slots.params : throwTypeError(`a method of URLSearchParams was called on ${valueText(thisValue)}`);
}
