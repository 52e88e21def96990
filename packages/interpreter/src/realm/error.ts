// Error and its classes.

import { throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { brand, isObject } from "../guest-value.ts";
import { chargeReading } from "../limits.ts";
import { ordinaryCreateFromConstructor } from "../operations/call.ts";
import { toStringValue } from "../operations/conversion.ts";
import { iterableToList } from "../operations/iterator.ts";
import {
  createDataPropertyOrThrow,
  definePropertyOrThrow,
  get,
  getOwnProperty,
  hasProperty,
  setOrThrow,
} from "../operations/property.ts";
import { ErrorSlots, errorSlots } from "../slots/error.ts";
import {
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineHidden,
  defineMethods,
  withLength,
} from "./define.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { GuestErrorName, Realm } from "./realm.ts";

const subclassNames = [
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "AggregateError",
] as const;
const names = ["Error", ...subclassNames] as const;

/** Error and its classes. */
export const errorFamily: IntrinsicFamily = {
  intrinsics: names.flatMap((name) => [name, `${name}Prototype`] as const),
  globals: names,
  make: makeErrors,
};

function makeErrors(realm: Realm): MadeFamily {
  const base = makeErrorClass(realm, "Error", realm.objectPrototype);
  defineMethods(realm, base.prototype, { toString: brief(errorToString) });
  defineMethods(realm, base.constructorFunction, {
    captureStackTrace: brief(withLength(2, (_thisValue, object) => captureStackTrace(object))),
    isError: brief((_thisValue, value) => errorSlots(value) !== undefined),
  });
  defineAccessors(realm, base.prototype, { stack: [counted(stackText), brief(setStack)] });
  const intrinsics: { [name: string]: GuestObject } = {
    Error: base.constructorFunction,
    ErrorPrototype: base.prototype,
  };
  for (const name of subclassNames) {
    const made = makeErrorClass(realm, name, base.prototype, base.constructorFunction);
    intrinsics[name] = made.constructorFunction;
    intrinsics[`${name}Prototype`] = made.prototype;
  }
  return { intrinsics, globals: Object.fromEntries(names.map((name) => [name, intrinsics[name]])) };
}

function makeErrorClass(realm: Realm, name: GuestErrorName, parentPrototype: GuestObject, parent?: GuestObject) {
  const prototype = Object.create(parentPrototype) as GuestObject;
  const construct = (newTarget: GuestObject, ...args: unknown[]) => constructError(realm, name, newTarget, args);
  const constructorFunction = defineConstructor(realm, {
    name,
    length: name === "AggregateError" ? 2 : 1,
    cost: "counted",
    construct,
    call: (_thisValue, ...args) => construct(constructorFunction, ...args),
    prototype,
    ...(parent && { parent }),
  });
  defineHidden(prototype, "name", name);
  defineHidden(prototype, "message", "");
  return { constructorFunction, prototype };
}

function constructError(
  realm: Realm,
  name: GuestErrorName,
  newTarget: GuestObject,
  args: readonly unknown[],
): GuestObject {
  const [message, options] = name === "AggregateError" ? args.slice(1) : args;
  realm.meter.allocate(80);
  const error = brand(ordinaryCreateFromConstructor(realm, newTarget, `${name}Prototype`), new ErrorSlots(null));
  if (message !== undefined) defineHidden(error, "message", toStringValue(message));
  if (isObject(options) && hasProperty(options, "cause")) defineHidden(error, "cause", get(options, "cause"));
  if (name === "AggregateError") defineHidden(error, "errors", realm.newArray(iterableToList(realm, args[0])));
  return error;
}

function errorToString(thisValue: unknown): string {
  if (!isObject(thisValue))
    return throwTypeError("Error.prototype.toString was called on something that is not an object");
  const name = toStringOr(get(thisValue, "name"), "Error");
  const message = toStringOr(get(thisValue, "message"), "");
  if (name === "") return message;
  return message === "" ? name : `${name}: ${message}`;
}

const toStringOr = (value: unknown, fallback: string): string =>
  value === undefined ? fallback : toStringValue(value);

/**
 * Returns the value of `stack`: the error as text, and the position at which it was created.
 * Nothing in it comes from the host's own stack.
 */
function stackText(thisValue: unknown): string | undefined {
  if (!isObject(thisValue)) return throwTypeError("stack was read from something that is not an object");
  const slots = errorSlots(thisValue);
  if (!slots) return undefined;
  const text = errorToString(thisValue);
  if (!slots.position) return text;
  const { source, offset } = slots.position;
  chargeReading(offset);
  const before = source.text.slice(0, offset);
  const line = before.split("\n").length;
  return `${text}\n    at ${source.name}:${line}:${offset - before.lastIndexOf("\n")}`;
}

/** Implements `Error.captureStackTrace` of V8, for error classes that do not extend Error. */
function captureStackTrace(object: unknown): void {
  if (!isObject(object)) return throwTypeError("captureStackTrace was called with something that is not an object");
  if (errorSlots(object)) return;
  const stack = { value: errorToString(object), writable: true, enumerable: false, configurable: true };
  definePropertyOrThrow(object, "stack", stack);
}

function setStack(thisValue: unknown, text: unknown): void {
  if (!isObject(thisValue)) return throwTypeError("only objects have a stack to set");
  if (typeof text !== "string") return throwTypeError("a stack must be a string");
  if (getOwnProperty(thisValue, "stack")) setOrThrow(thisValue, "stack", text);
  else createDataPropertyOrThrow(thisValue, "stack", text);
}
