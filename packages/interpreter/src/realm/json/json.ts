// The built-in object JSON.

import type { GuestObject } from "../../guest-value.ts";
import { isObject } from "../../guest-value.ts";
import { call, isCallable } from "../../operations/call.ts";
import { lengthOfArrayLike, toStringValue } from "../../operations/conversion.ts";
import { enumerableOwnKeys } from "../../operations/counted-keys.ts";
import { isArray } from "../../operations/is-array.ts";
import { createDataProperty, createDataPropertyOrThrow, deleteProperty, get } from "../../operations/property.ts";
import { counted, defineMethods, defineTag } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { parseJson } from "./parse.ts";
import { stringifyJson } from "./stringify.ts";

/** The built-in JSON. */
export const jsonFamily: IntrinsicFamily = { intrinsics: [], globals: ["JSON"], make: makeJson };

function makeJson(realm: Realm): MadeFamily {
  const json: GuestObject = realm.newObject();
  defineMethods(realm, json, {
    parse: counted((_thisValue, text, reviver) => {
      const value = parseJson(realm, toStringValue(text));
      if (!isCallable(reviver)) return value;
      const root = realm.newObject();
      createDataPropertyOrThrow(root, "", value);
      return revive(realm, root, "", reviver);
    }),
    stringify: counted((_thisValue, value, replacer, space) => stringifyJson(realm, value, replacer, space)),
  });
  defineTag(json, "JSON");
  return { intrinsics: {}, globals: { JSON: json } };
}

function revive(realm: Realm, holder: GuestObject, key: string, reviver: GuestObject): unknown {
  realm.meter.charge(1);
  const value = get(holder, key);
  if (isObject(value)) reviveInside(realm, value, reviver);
  return call(reviver, holder, key, value);
}

function reviveInside(realm: Realm, object: GuestObject, reviver: GuestObject): void {
  const { meter } = realm;
  if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
  if (isArray(object)) {
    const length = lengthOfArrayLike(object);
    for (let index = 0; index < length; index++) reviveProperty(realm, object, String(index), reviver);
  } else {
    for (const key of enumerableOwnKeys(realm, object)) reviveProperty(realm, object, key, reviver);
  }
  meter.depth--;
}

function reviveProperty(realm: Realm, object: GuestObject, key: string, reviver: GuestObject): void {
  const value = revive(realm, object, key, reviver);
  if (value === undefined) deleteProperty(object, key);
  else createDataProperty(object, key, value);
}
