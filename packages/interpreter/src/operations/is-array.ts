import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject, slotsOfKind } from "../guest-value.ts";
import { proxyState } from "../slots/proxy.ts";
import { RootPrototypeSlots } from "./property.ts";

/**
 * Says whether a value is an array, or a proxy of one. @throws a guest TypeError for a revoked
 * proxy
 */
export function isArray(value: unknown): value is GuestObject {
  const state = isObject(value) ? proxyState(value) : undefined;
  if (!state) return Array.isArray(value) || isArrayPrototype(value);
  if (!state.target) return throwTypeError("the proxy has been revoked");
  return isArray(state.target);
}

/**
 * Says whether a value is the guest's Array.prototype. The specification says that it is an array,
 * but the interpreter makes it from an ordinary object.
 */
function isArrayPrototype(value: unknown): boolean {
  const slots = slotsOfKind(value, RootPrototypeSlots);
  return slots !== undefined && slots.realm.arrayPrototype === value;
}
