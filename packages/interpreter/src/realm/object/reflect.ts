// The built-in object Reflect.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { callWith, construct, isCallable, isConstructor } from "../../operations/call.ts";
import { toPropertyKey } from "../../operations/conversion.ts";
import { countedOwnKeys } from "../../operations/counted-keys.ts";
import { fromPropertyDescriptor, toPropertyDescriptor } from "../../operations/descriptor.ts";
import { countStore } from "../../operations/object-bytes.ts";
import {
  defineOwnProperty,
  deleteProperty,
  get,
  getOwnProperty,
  getPrototypeOf,
  hasProperty,
  isExtensible,
  preventExtensions,
  set,
  setPrototypeOf,
} from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { brief, counted, defineMethods, defineTag, withLength } from "../define.ts";
import { argumentList } from "../function.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-in Reflect. */
export const reflectFamily: IntrinsicFamily = { intrinsics: [], globals: ["Reflect"], make: makeReflect };

function makeReflect(realm: Realm): MadeFamily {
  const reflect: GuestObject = realm.newObject();
  defineMethods(realm, reflect, {
    apply: counted((_thisValue, target, thisArg, args) => {
      if (!isCallable(target)) return throwTypeError(`${valueText(target)} is not a function`);
      return callWith(target, thisArg, argumentList(realm, args));
    }),
    construct: counted(
      withLength(2, (_thisValue, target, args, ...rest) => {
        if (!isConstructor(target)) return throwTypeError(`${valueText(target)} is not a constructor`);
        const newTarget = rest.length === 0 ? target : rest[0];
        if (!isConstructor(newTarget)) return throwTypeError(`${valueText(newTarget)} is not a constructor`);
        return construct(target, argumentList(realm, args), newTarget);
      }),
    ),
    defineProperty: brief((_thisValue, target, key, attributes) => {
      const object = objectOf(target, "defineProperty");
      const name = toPropertyKey(key);
      return defineOwnProperty(object, name, toPropertyDescriptor(attributes));
    }),
    deleteProperty: brief((_thisValue, target, key) =>
      deleteProperty(objectOf(target, "deleteProperty"), toPropertyKey(key)),
    ),
    get: counted(
      withLength(2, (_thisValue, target, key, ...receiver) => {
        const object = objectOf(target, "get");
        const name = toPropertyKey(key);
        return receiver.length === 0 ? get(object, name) : get(object, name, receiver[0]);
      }),
    ),
    getOwnPropertyDescriptor: counted((_thisValue, target, key) => {
      const object = objectOf(target, "getOwnPropertyDescriptor");
      return fromPropertyDescriptor(realm, getOwnProperty(object, toPropertyKey(key)));
    }),
    getPrototypeOf: brief((_thisValue, target) => getPrototypeOf(objectOf(target, "getPrototypeOf"))),
    has: brief((_thisValue, target, key) => hasProperty(objectOf(target, "has"), toPropertyKey(key))),
    isExtensible: brief((_thisValue, target) => isExtensible(objectOf(target, "isExtensible"))),
    ownKeys: counted((_thisValue, target) => realm.newArray(countedOwnKeys(realm, objectOf(target, "ownKeys")))),
    preventExtensions: brief((_thisValue, target) => preventExtensions(objectOf(target, "preventExtensions"))),
    set: counted(
      withLength(3, (_thisValue, target, key, value, ...receiver) => {
        const object = objectOf(target, "set");
        const name = toPropertyKey(key);
        countStore(object, name);
        return receiver.length === 0 ? set(object, name, value) : set(object, name, value, receiver[0]);
      }),
    ),
    setPrototypeOf: brief((_thisValue, target, prototype) => {
      const object = objectOf(target, "setPrototypeOf");
      if (!isObject(prototype) && prototype !== null)
        return throwTypeError(`a prototype must be an object or null, got ${valueText(prototype)}`);
      return setPrototypeOf(object, prototype);
    }),
  });
  defineTag(reflect, "Reflect");
  return { intrinsics: {}, globals: { Reflect: reflect } };
}

function objectOf(target: unknown, method: string): GuestObject {
  return isObject(target) ? target : throwTypeError(`Reflect.${method} was called on ${valueText(target)}`);
}
