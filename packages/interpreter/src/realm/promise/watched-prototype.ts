// The object behind Promise.prototype in a realm that watches promises: it is asked for each
// property that a promise does not have. So a watch costs nothing where nothing goes wrong. The
// program never sees it: it says that it is Object.prototype.

import type { GuestObject } from "../../guest-value.ts";
import { promiseSlots } from "../../operations/promise.ts";
import type { PromiseWatch } from "../../operations/promise-watch.ts";
import { hidePrototype } from "../../operations/property.ts";

/** Makes the object that stands between Promise.prototype and Object.prototype. */
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

/** Methods by which a promise would become a text that says nothing. */
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
  if (key === "toJSON") watch.refuse(promise, "was to be written as JSON");
  if (textMethods.has(key) || !Reflect.has(objectPrototype, key)) watch.refuseProperty(promise, key);
}
