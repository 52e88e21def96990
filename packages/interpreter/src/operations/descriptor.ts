// Converts between the interpreter's property descriptors and the guest objects that represent
// them.

import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { isCallable } from "./call.ts";
import { createDataProperty, type Descriptor, get, hasProperty } from "./property.ts";

/** Creates the guest object for a descriptor. */
export function fromPropertyDescriptor(realm: Realm, descriptor: Descriptor | undefined): GuestObject | undefined {
  if (descriptor === undefined) return undefined;
  const object = realm.newObject();
  for (const field of ["value", "writable", "get", "set", "enumerable", "configurable"] as const) {
    if (field in descriptor) createDataProperty(object, field, descriptor[field]);
  }
  return object;
}

/**
 * Reads a descriptor from a guest object. @throws a guest TypeError if its fields contradict each
 * other
 */
export function toPropertyDescriptor(value: unknown): Descriptor {
  if (!isObject(value)) return throwTypeError("a property descriptor must be an object");
  const descriptor: Descriptor = Object.create(null);
  if (hasProperty(value, "enumerable")) descriptor.enumerable = Boolean(get(value, "enumerable"));
  if (hasProperty(value, "configurable")) descriptor.configurable = Boolean(get(value, "configurable"));
  if (hasProperty(value, "value")) descriptor.value = get(value, "value");
  if (hasProperty(value, "writable")) descriptor.writable = Boolean(get(value, "writable"));
  if (hasProperty(value, "get")) descriptor.get = accessor(get(value, "get"), "getter");
  if (hasProperty(value, "set")) descriptor.set = accessor(get(value, "set"), "setter");
  if (("get" in descriptor || "set" in descriptor) && ("value" in descriptor || "writable" in descriptor)) {
    return throwTypeError("a property has either a value or accessors, not both");
  }
  return descriptor;
}

function accessor(value: unknown, what: string): GuestObject | undefined {
  if (value === undefined || isCallable(value)) return value;
  return throwTypeError(`a ${what} must be a function`);
}
