// The functions that define built-ins. All built-ins are defined with them.
//
//   defineMethods(realm, prototype, {
//     at: brief((thisValue, index) => ...),                         name "at", length 1 (host parameters after `thisValue`, up to a default)
//     push: counted(withLength(1, (thisValue, ...items) => ...)),   where the spec's length differs
//     [Symbol.iterator]: brief(named("values", (thisValue) => ...)),
//   });
//
// This defines writable, configurable properties that are not enumerable. Their functions have
// names and lengths, and are not constructors.
//
// Each built-in must declare its cost. It is either `brief` or `counted`: a `counted` built-in
// charges for its work before doing it. TypeScript refuses a built-in that declares no cost.

import type { FunctionCode, Native, NativeConstruct } from "../function-object.ts";
import { functionName, functionSlots } from "../function-object.ts";
import type { GuestObject } from "../guest-value.ts";
import { iterationEnd } from "../operations/iterator.ts";
import { defineOwnProperty, getOwnProperty, type PropertyKeyValue } from "../operations/property.ts";
import type { Realm } from "./realm.ts";

/**
 * A built-in method whose name or length differs from those that {@link defineMethods} would
 * choose.
 */
export interface DescribedMethod {
  readonly native: Native;
  readonly name?: string;
  readonly length?: number;
  readonly step?: FunctionCode["step"];
}

/**
 * The cost of a built-in in addition to the call itself. `brief`: almost nothing, regardless of the
 * arguments; the conversion of arguments is charged separately. `counted`: the work depends on the
 * arguments, and the method charges for it first.
 */
export type Cost = "brief" | "counted";

/** A built-in method and its cost. Made by {@link brief} and {@link counted}. */
export interface CostedMethod extends DescribedMethod {
  readonly cost: Cost;
}

/** The methods of an object, by key. */
export type MethodTable = { readonly [key: PropertyKey]: CostedMethod };

/**
 * A host function in a method table. Its parameters can be any values, because guest code calls it.
 */
// biome-ignore lint/suspicious/noExplicitAny: each native declares its parameters as unknown; a table of them has no common arity
export type NativeMethod = (thisValue: unknown, ...args: any[]) => unknown;

/** Getters by key, or `[get, set]` for a property that also has a setter. */
export type AccessorTable = { readonly [key: PropertyKey]: CostedMethod | readonly [CostedMethod, CostedMethod] };

/** The description of a constructor for {@link defineConstructor}. */
export interface ConstructorDefinition {
  readonly name: string;
  readonly length: number;
  readonly cost: Cost;
  /**
   * The behaviour with `new`; absent if `new` is refused. `newTarget` decides the prototype: see
   * `ordinaryCreateFromConstructor`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: see NativeMethod
  readonly construct?: (newTarget: GuestObject, ...args: any[]) => GuestObject;
  /** The behaviour without `new`; absent if calls without `new` are refused. */
  readonly call?: NativeMethod;
  /** The object that becomes the constructor's `prototype`. It gets a property `constructor`. */
  readonly prototype: GuestObject;
  /** The prototype of the constructor itself. @defaultValue Function.prototype */
  readonly parent?: GuestObject;
  readonly statics?: MethodTable;
  readonly constants?: { readonly [key: PropertyKey]: unknown };
}

/** Declares a method that takes almost no time, regardless of its arguments. */
export function brief(method: NativeMethod | DescribedMethod): CostedMethod {
  return { ...described(method), cost: "brief" };
}

/** Declares a method that charges for its work before doing it. */
export function counted(method: NativeMethod | DescribedMethod): CostedMethod {
  return { ...described(method), cost: "counted" };
}

const described = (method: NativeMethod | DescribedMethod): DescribedMethod =>
  typeof method === "function" ? { native: method } : method;

/** Declares a method whose `length` differs from its number of parameters. */
export function withLength(length: number, native: NativeMethod): DescribedMethod {
  return { native, length };
}

/** Declares a method whose `name` differs from its key. */
export function named(name: string, native: NativeMethod, length?: number): DescribedMethod {
  return length === undefined ? { native, name } : { native, name, length };
}

/**
 * Creates the `next` of a built-in iterator. `step` returns the next value or {@link iterationEnd}.
 * Loops call only `step`.
 */
export function nextMethod(realm: Realm, step: (iterator: unknown) => unknown): DescribedMethod {
  const native = (thisValue: unknown): GuestObject => {
    const value = step(thisValue);
    return value === iterationEnd ? realm.newIterResult(undefined, true) : realm.newIterResult(value, false);
  };
  return { native, step };
}

/** Defines methods on an object. Returns the object. */
export function defineMethods(realm: Realm, object: GuestObject, methods: MethodTable): GuestObject {
  for (const key of Reflect.ownKeys(methods)) {
    defineHidden(object, key, makeMethod(realm, key, methods[key] as CostedMethod)); // `key` is a key of `methods`
  }
  return object;
}

/** Defines getters and setters on an object. Returns the object. */
export function defineAccessors(realm: Realm, object: GuestObject, accessors: AccessorTable): GuestObject {
  for (const key of Reflect.ownKeys(accessors)) {
    const given = accessors[key] as CostedMethod | readonly [CostedMethod, CostedMethod]; // `key` is a key of `accessors`
    const [get, set] = "cost" in given ? [given, undefined] : given;
    defineOwnProperty(object, key, {
      get: realm.newNativeFunction(functionName(key, "get"), 0, get.native),
      set: set && realm.newNativeFunction(functionName(key, "set"), 1, set.native),
      enumerable: false,
      configurable: true,
    });
  }
  return object;
}

/** Defines values that cannot be changed, such as `Math.PI`. Returns the object. */
export function defineConstants(object: GuestObject, constants: { readonly [key: PropertyKey]: unknown }): GuestObject {
  for (const key of Reflect.ownKeys(constants)) {
    Object.defineProperty(object, key, {
      value: constants[key],
      writable: false,
      enumerable: false,
      configurable: false,
    });
  }
  return object;
}

/** Defines `[Symbol.toStringTag]`. Returns the object. */
export function defineTag(object: GuestObject, tag: string): GuestObject {
  Object.defineProperty(object, Symbol.toStringTag, {
    value: tag,
    writable: false,
    enumerable: false,
    configurable: true,
  });
  return object;
}

/** Creates a constructor and connects it with its prototype. */
export function defineConstructor(realm: Realm, definition: ConstructorDefinition): GuestObject {
  const { name, length, construct, call, prototype, parent, statics, constants } = definition;
  const constructorFunction = realm.newNativeFunction(name, length, (call as Native | undefined) ?? null, {
    nativeConstruct: (construct as NativeConstruct | undefined) ?? null,
    isClass: call === undefined,
  });
  getOwnProperty(constructorFunction, "length"); // this read defines `length` and `name`, which must be the first properties
  Object.defineProperty(constructorFunction, "prototype", {
    value: prototype,
    writable: false,
    enumerable: false,
    configurable: false,
  });
  defineHidden(prototype, "constructor", constructorFunction);
  if (parent) Object.setPrototypeOf(constructorFunction, parent);
  if (statics) defineMethods(realm, constructorFunction, statics);
  if (constants) defineConstants(constructorFunction, constants);
  return constructorFunction;
}

/** Defines a property that is writable and configurable but not enumerable. */
export function defineHidden(object: GuestObject, key: PropertyKeyValue, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });
}

function makeMethod(realm: Realm, key: string | symbol, method: CostedMethod): GuestObject {
  const { native, name = functionName(key), length = native.length - 1, step = null } = method;
  if (functionSlots(native)) throw new Error(`method ${name} is a guest function already`);
  return realm.newNativeFunction(name, Math.max(0, length), native, { step });
}
