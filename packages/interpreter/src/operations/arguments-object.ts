// `arguments`: in strict code an ordinary object with the arguments by index, not tied to the parameters. And rest parameters.

import { settle } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, type Slots } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { defineOwnProperty } from "./property.ts";

/** The slots of an arguments object; Object.prototype.toString calls it "Arguments". */
export class ArgumentsSlots implements Slots {
  readonly type = "arguments";
}

const slots: ArgumentsSlots = /* @__PURE__ */ new ArgumentsSlots();

/** The arguments object of a call. */
export function argumentsObject(realm: Realm, args: readonly unknown[]): GuestObject {
  realm.meter.allocate(64 + 8 * args.length);
  const object = brand(realm.newObject(), slots);
  for (let index = 0; index < args.length; index++) {
    Object.defineProperty(object, index, { value: args[index], writable: true, enumerable: true, configurable: true });
  }
  const values = realm.intrinsic("ArrayPrototypeValues");
  Object.defineProperty(object, "length", {
    value: args.length,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  Object.defineProperty(object, Symbol.iterator, {
    value: values,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  const thrower = realm.throwTypeErrorFunction;
  defineOwnProperty(object, "callee", { get: thrower, set: thrower, enumerable: false, configurable: false });
  return object;
}

/** The array of a rest parameter. */
export function remainingArguments(realm: Realm, args: readonly unknown[], start: number): GuestObject {
  const list: unknown[] = [];
  for (let index = start; index < args.length; index++) list.push(args[index]);
  return realm.newArray(list);
}

/** `%ThrowTypeError%`. */
export function makeThrowTypeErrorFunction(realm: Realm): GuestObject {
  const thrower = realm.newNativeFunction("", 0, () =>
    throwTypeError('"callee", "caller" and "arguments" of functions are not available'),
  );
  settle(thrower);
  return Object.freeze(thrower);
}
