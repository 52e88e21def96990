// An extra object in the prototype chain of promises, in a realm that looks for misused promises.
// The host looks only for properties in it that promises do not have, so correct programs do not
// become slower. Programs never see this object: they see Object.prototype instead.

import type { GuestObject } from "../../guest-value.ts";
import { promiseSlots } from "../../operations/promise.ts";
import type { PromiseWatch } from "../../operations/promise-watch.ts";
import { hidePrototype } from "../../operations/property.ts";

/** Creates the object between Promise.prototype and Object.prototype. */
export function watchedPrototype(objectPrototype: GuestObject, watch: PromiseWatch): GuestObject {
  const behind = new Proxy(Object.create(objectPrototype) as GuestObject, {
    get(_target, key, receiver) {
      const promise = promiseSlots(receiver);
      if (promise) refuseMissing(watch, promise, key, objectPrototype);
      return Reflect.get(objectPrototype, key, receiver);
    },
    has(_target, key) {
      return Reflect.has(objectPrototype, key);
    },
  });
  hidePrototype(behind, objectPrototype);
  return behind;
}

/** The methods that would convert a promise to a meaningless text ("[object Promise]"). */
const textMethods: ReadonlySet<PropertyKey> = new Set(["toString", "toLocaleString"]);

function refuseMissing(
  watch: PromiseWatch,
  promise: NonNullable<ReturnType<typeof promiseSlots>>,
  key: string | symbol,
  objectPrototype: GuestObject,
): void {
  if (key === Symbol.toPrimitive) watch.refuse(promise, "was used as if it were its value");
  if (key === Symbol.iterator || key === Symbol.asyncIterator) watch.note(promise.self, "was iterated over");
  if (typeof key === "symbol") return;
  if (key === "toJSON") watch.refuse(promise, "was passed to JSON.stringify");
  if (textMethods.has(key) || !Reflect.has(objectPrototype, key)) watch.refuseProperty(promise, key);
}
