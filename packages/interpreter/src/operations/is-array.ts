import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject, slotsOfKind } from "../guest-value.ts";
import { RootPrototypeSlots } from "./property.ts";
import { proxyState } from "./proxy.ts";

/** Whether a value is an array, or a proxy of one. @throws a guest TypeError for a revoked proxy */
export function isArray(value: unknown): value is GuestObject {
  const state = isObject(value) ? proxyState(value) : undefined;
  if (!state) return Array.isArray(value) || isArrayPrototype(value);
  if (!state.target) return throwTypeError("the proxy has been revoked");
  return isArray(state.target);
}

/** The language's Array.prototype is an array; the guest's is an object that is taken for one. */
function isArrayPrototype(value: unknown): boolean {
  const slots = slotsOfKind(value, RootPrototypeSlots);
  return slots !== undefined && slots.realm.arrayPrototype === value;
}
