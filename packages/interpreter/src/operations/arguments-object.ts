// `arguments`: in strict code an ordinary object with the arguments by index, not tied to the
// parameters. And rest parameters.

import { settle } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, type Slots } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { toHostDescriptor } from "./property.ts";

/** The slots of an arguments object; Object.prototype.toString calls it "Arguments". */
export class ArgumentsSlots implements Slots {
  readonly type = "arguments";
}

const slots: ArgumentsSlots = /* @__PURE__ */ new ArgumentsSlots();

/** The arguments object of a call. */
export function argumentsObject(realm: Realm, args: readonly unknown[]): GuestObject {
  realm.meter.allocate(160 + 8 * args.length);
  const object = realm.newObject();
  for (let index = 0; index < args.length; index++) {
    if (realm.intact) object[index] = args[index];
    else Object.defineProperty(object, index, descriptorOf(args[index], true));
  }
  Object.defineProperty(object, "length", descriptorOf(args.length, false));
  Object.defineProperty(object, Symbol.iterator, descriptorOf(realm.intrinsic("ArrayPrototypeValues"), false));
  Object.defineProperty(object, "callee", realm.calleeDescriptor);
  return brand(object, slots);
}

function descriptorOf(value: unknown, enumerable: boolean): PropertyDescriptor {
  return { value, writable: true, enumerable, configurable: true };
}

/** The array of a rest parameter. */
export function remainingArguments(realm: Realm, args: readonly unknown[], start: number): GuestObject {
  const list: unknown[] = [];
  for (let index = start; index < args.length; index++) list.push(args[index]);
  return realm.newArray(list);
}

/** The `callee` of every arguments object, for the host. */
export function makeCalleeDescriptor({ throwTypeErrorFunction: thrower }: Realm): PropertyDescriptor {
  return toHostDescriptor({ get: thrower, set: thrower, enumerable: false, configurable: false });
}

/** `%ThrowTypeError%`. */
export function makeThrowTypeErrorFunction(realm: Realm): GuestObject {
  const thrower = realm.newNativeFunction("", 0, () =>
    throwTypeError('"callee", "caller" and "arguments" of functions are not available'),
  );
  settle(thrower);
  return Object.freeze(thrower);
}
