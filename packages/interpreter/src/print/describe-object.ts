// Reads facts about a guest object without running guest code such as getters and proxy traps.

import { functionName, functionSlots } from "../function-object.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { getOwnProperty, getPrototypeOf, type PropertyKeyValue } from "../operations/property.ts";
import { proxyState } from "../slots/proxy.ts";

// The maximum number of prototypes to visit. There must be a limit, because guest code can make a
// chain of any length.
const maxChainLength = 100;

/**
 * Returns the value of a data property, own or inherited; undefined for accessors and for
 * properties behind a proxy.
 */
export function dataProperty(object: GuestObject, key: PropertyKeyValue): unknown {
  for (const holder of prototypeChain(object)) {
    const descriptor = getOwnProperty(holder, key);
    if (descriptor) return descriptor.value;
  }
  return undefined;
}

/** Yields the object and its prototypes, up to the first proxy. */
export function* prototypeChain(object: GuestObject): Generator<GuestObject> {
  let holder: GuestObject | null = object;
  for (let depth = 0; holder && depth < maxChainLength && !proxyState(holder); depth++) {
    yield holder;
    holder = getPrototypeOf(holder);
  }
}

/** Returns how many prototypes {@link prototypeChain} may visit. */
export function countPrototypes(object: GuestObject): number {
  let count = 0;
  for (let holder = getPrototypeOf(object); holder && count < maxChainLength; holder = getPrototypeOf(holder)) {
    if (proxyState(holder)) break;
    count++;
  }
  return count;
}

/**
 * Returns the name of the class of an object; undefined for objects without a prototype and for
 * classes without a name.
 */
export function constructorName(object: GuestObject): string | undefined {
  for (const holder of prototypeChain(object)) {
    const maker = getOwnProperty(holder, "constructor")?.value;
    const name = isObject(maker) ? nameOfFunction(maker) : "";
    if (name !== "") return name;
  }
  return undefined;
}

/**
 * Returns the own property `name` of a function, or "" if the property is missing or not a string.
 */
export function nameOfFunction(value: GuestObject): string {
  const slots = functionSlots(value);
  if (!slots || proxyState(value)) return "";
  if (!slots.settled) return functionName(slots.givenName ?? slots.code.name);
  const own = getOwnProperty(value, "name");
  return typeof own?.value === "string" ? own.value : "";
}

/** Returns `TypeError: message`, without the stack. */
export function errorText(error: GuestObject): string {
  const given = textProperty(error, "name") ?? "Error";
  const name = given === "Error" ? (constructorName(error) ?? given) : given;
  const message = textProperty(error, "message") ?? "";
  return message === "" ? name : `${name}: ${message}`;
}

/** Returns a data property, own or inherited, if it is a string. */
export function textProperty(object: GuestObject, key: PropertyKeyValue): string | undefined {
  const value = dataProperty(object, key);
  return typeof value === "string" ? value : undefined;
}
