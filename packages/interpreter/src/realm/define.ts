// The one way in which built-ins are written down.
//
//   defineMethods(realm, prototype, {
//     at: brief((thisValue, index) => ...),                         name "at", length 1 (host parameters after `thisValue`, up to a default)
//     push: counted(withLength(1, (thisValue, ...items) => ...)),   where the spec's length differs
//     [Symbol.iterator]: brief(named("values", (thisValue) => ...)),
//   });
//
// gives writable, configurable, not enumerable properties whose functions have names, lengths, and
// cannot be constructed.
//
// Every built-in says what it costs: it is `brief`, or it has `counted` its work before it does it.
// One that says nothing does not compile.

import type { FunctionCode, Native, NativeConstruct } from "../function-object.ts";
import { functionName, functionSlots } from "../function-object.ts";
import type { GuestObject } from "../guest-value.ts";
import { iterationEnd } from "../operations/iterator.ts";
import { defineOwnProperty, getOwnProperty, type PropertyKeyValue } from "../operations/property.ts";
import type { Realm } from "./realm.ts";

/** A built-in method with its own idea of name or length. */
export interface DescribedMethod {
  readonly native: Native;
  readonly name?: string;
  readonly length?: number;
  readonly step?: FunctionCode["step"];
}

/**
 * The cost of a built-in besides the call itself. `brief`: next to nothing for any arguments; their
 * conversion is charged for separately. `counted`: in proportion to its arguments, and it charges
 * for them before it does the work.
 */
export type Cost = "brief" | "counted";

/** A built-in method that says what it costs. Made by {@link brief} and {@link counted}. */
export interface CostedMethod extends DescribedMethod {
  readonly cost: Cost;
}

/** Methods by key. */
export type MethodTable = { readonly [key: PropertyKey]: CostedMethod };

/** A host function as method tables hold it: parameters are whatever the guest passes. */
// biome-ignore lint/suspicious/noExplicitAny: each native declares its parameters as unknown; a table of them has no common arity
export type NativeMethod = (thisValue: unknown, ...args: any[]) => unknown;

/** Getters by key; `[get, set]` where there is a setter. */
export type AccessorTable = { readonly [key: PropertyKey]: CostedMethod | readonly [CostedMethod, CostedMethod] };

/** What {@link defineConstructor} makes a constructor of. */
export interface ConstructorDefinition {
  readonly name: string;
  readonly length: number;
  readonly cost: Cost;
  /**
   * With `new`; absent when `new` is refused. `newTarget` decides the prototype: see
   * `ordinaryCreateFromConstructor`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: see NativeMethod
  readonly construct?: (newTarget: GuestObject, ...args: any[]) => GuestObject;
  /** Without `new`; absent when that is refused. */
  readonly call?: NativeMethod;
  /** Becomes its `prototype` and gets `constructor`. */
  readonly prototype: GuestObject;
  /** What `Object.getPrototypeOf` of it gives; by default Function.prototype. */
  readonly parent?: GuestObject;
  readonly statics?: MethodTable;
  readonly constants?: { readonly [key: PropertyKey]: unknown };
}

/** A method that takes next to no time, whatever it is given. */
export function brief(method: NativeMethod | DescribedMethod): CostedMethod {
  return { ...described(method), cost: "brief" };
}

/** A method that counts its work by the meter before it does it. */
export function counted(method: NativeMethod | DescribedMethod): CostedMethod {
  return { ...described(method), cost: "counted" };
}

const described = (method: NativeMethod | DescribedMethod): DescribedMethod =>
  typeof method === "function" ? { native: method } : method;

/** A method whose `length` is not its number of parameters. */
export function withLength(length: number, native: NativeMethod): DescribedMethod {
  return { native, length };
}

/** A method whose `name` is not its key. */
export function named(name: string, native: NativeMethod, length?: number): DescribedMethod {
  return length === undefined ? { native, name } : { native, name, length };
}

/**
 * The `next` of a built-in iterator, made from a function that returns the next value or
 * {@link iterationEnd}. Loops call only that function.
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
    defineHidden(object, key, makeMethod(realm, key, methods[key] as CostedMethod)); // the key is its own
  }
  return object;
}

/** Defines getters, and setters where given. Returns the object. */
export function defineAccessors(realm: Realm, object: GuestObject, accessors: AccessorTable): GuestObject {
  for (const key of Reflect.ownKeys(accessors)) {
    const given = accessors[key] as CostedMethod | readonly [CostedMethod, CostedMethod]; // the key is its own
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

/**
 * Defines read-only values that cannot be changed at all, such as `Math.PI`. Returns the object.
 */
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

/** Makes a constructor and ties it to its prototype. */
export function defineConstructor(realm: Realm, definition: ConstructorDefinition): GuestObject {
  const { name, length, construct, call, prototype, parent, statics, constants } = definition;
  const constructorFunction = realm.newNativeFunction(name, length, (call as Native | undefined) ?? null, {
    nativeConstruct: (construct as NativeConstruct | undefined) ?? null,
    isClass: call === undefined,
  });
  getOwnProperty(constructorFunction, "length"); // makes length and name come first
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

/** Defines a writable, configurable, not enumerable property. */
export function defineHidden(object: GuestObject, key: PropertyKeyValue, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });
}

function makeMethod(realm: Realm, key: string | symbol, method: CostedMethod): GuestObject {
  const { native, name = functionName(key), length = native.length - 1, step = null } = method;
  if (functionSlots(native)) throw new Error(`method ${name} is a guest function already`);
  return realm.newNativeFunction(name, Math.max(0, length), native, { step });
}
