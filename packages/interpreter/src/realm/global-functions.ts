// Global functions and values that do not belong to a class.

import { throwError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { toInt32, toNumber, toStringValue } from "../operations/conversion.ts";
import { refuseStringCode } from "./function.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { Realm } from "./realm.ts";

/**
 * The built-ins eval, isNaN and isFinite, the functions for URIs, and the constants undefined, NaN
 * and Infinity.
 */
export const globalFunctionsFamily: IntrinsicFamily = {
  intrinsics: [],
  globals: [
    "eval",
    "isNaN",
    "isFinite",
    "encodeURI",
    "encodeURIComponent",
    "decodeURI",
    "decodeURIComponent",
    "escape",
    "unescape",
  ],
  make: makeGlobalFunctions,
};

function makeGlobalFunctions(realm: Realm): MadeFamily {
  const define = (name: string, native: (thisValue: unknown, value: unknown) => unknown) =>
    [name, realm.newNativeFunction(name, 1, native)] as const;
  return {
    intrinsics: {},
    globals: Object.fromEntries([
      define("eval", (_thisValue, code) => (typeof code === "string" ? refuseStringCode() : code)),
      define("isNaN", (_thisValue, value) => Number.isNaN(toNumber(value))),
      define("isFinite", (_thisValue, value) => Number.isFinite(toNumber(value))),
      define("encodeURI", uriFunction(realm, encodeURI)),
      define("encodeURIComponent", uriFunction(realm, encodeURIComponent)),
      define("decodeURI", uriFunction(realm, decodeURI)),
      define("decodeURIComponent", uriFunction(realm, decodeURIComponent)),
      define("escape", uriFunction(realm, escape)),
      define("unescape", uriFunction(realm, unescape)),
    ]),
  };
}

/**
 * Returns `parseFloat` and `parseInt`. `Number.parseFloat` and `Number.parseInt` are the same
 * functions.
 */
export function globalNumberFunctions(realm: Realm): {
  readonly parseFloat: GuestObject;
  readonly parseInt: GuestObject;
} {
  return {
    parseFloat: realm.newNativeFunction("parseFloat", 1, (_thisValue, value) => {
      const text = toStringValue(value);
      realm.meter.charge(text.length >>> 4);
      return Number.parseFloat(text);
    }),
    parseInt: realm.newNativeFunction("parseInt", 2, (_thisValue, value, radix) => {
      const text = toStringValue(value);
      realm.meter.charge(text.length >>> 4);
      return Number.parseInt(text, toInt32(radix));
    }),
  };
}

function uriFunction(realm: Realm, convert: (text: string) => string) {
  return (_thisValue: unknown, value: unknown): string => {
    const text = toStringValue(value);
    realm.meter.charge(text.length >>> 3);
    realm.meter.allocate(6 * text.length);
    try {
      return convert(text);
    } catch {
      // The host threw a URIError of its own, so throw a guest URIError instead.
      return throwError("URIError", "the text is not a well-formed URI");
    }
  };
}
