// Bound functions, which `Function.prototype.bind` returns.

import { type FunctionCode, FunctionSlots } from "../function-object.ts";
import { brand, type GuestObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { callWith, construct, isConstructor } from "./call.ts";
import { getPrototypeOf } from "./property.ts";

/** The slots of a bound function. */
export class BoundSlots extends FunctionSlots {
  readonly target: GuestObject;

  /** @param bound - a list with the bound `this`, followed by the bound arguments */
  constructor(code: FunctionCode, self: GuestObject, target: GuestObject, bound: readonly unknown[]) {
    super(code, [target, ...bound], self);
    this.target = target;
  }
}

/**
 * Creates a bound function without `length` and `name`, which `bind` adds. `target` must be
 * callable.
 */
export function boundFunctionCreate(
  realm: Realm,
  target: GuestObject,
  boundThis: unknown,
  boundArgs: readonly unknown[],
): GuestObject {
  realm.meter.allocate(540 + 8 * boundArgs.length);
  const code = realm.nativeCode("", 0, (_thisValue, ...args) => callWith(target, boundThis, [...boundArgs, ...args]), {
    nativeConstruct: isConstructor(target)
      ? (newTarget, ...args) => construct(target, [...boundArgs, ...args], newTarget === self ? target : newTarget)
      : null,
  });
  const self = Object.create(getPrototypeOf(target)) as GuestObject;
  const slots = new BoundSlots(code, self, target, [boundThis, ...boundArgs]);
  slots.settled = true;
  return brand(self, slots);
}
