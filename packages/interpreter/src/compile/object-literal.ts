// Object literals. Literals with the same plain named properties share a host constructor, so their
// objects have the same hidden class.

import type { Expression, ObjectExpression, Property } from "acorn";
import type { Frame } from "../frame.ts";
import { functionName, functionSlots, settle } from "../function-object.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { toObject } from "../operations/conversion.ts";
import { copyDataProperties } from "../operations/copy.ts";
import { bytesOfProperties } from "../operations/object-bytes.ts";
import { createDataPropertyOrThrow, definePropertyOrThrow, type PropertyKeyValue } from "../operations/property.ts";
import { requireShortChain } from "../operations/prototype-chain.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression, compileNamed, isAnonymousFunction } from "./expression.ts";
import { compileMethod } from "./function.ts";
import { plainObject } from "./hot-closures.ts";
import { propertyKeyOf, staticKey } from "./pattern.ts";

/** Adds a property to an object, or all properties of a spread. */
export type AddProperty = (frame: Frame, object: GuestObject) => void;

/** Compiles an object literal. */
export function compileObject(context: Context, node: ObjectExpression): Evaluate {
  if (node.properties.every(isPlainProperty)) return compilePlainObject(context, node.properties as Property[]); // plain properties are not spreads
  const parts = memberParts(context, node);
  const { realm } = context;
  return (frame) => {
    const object = realm.newObject();
    for (let index = 0; index < parts.length; index++) (parts[index] as AddProperty)(frame, object); // `index` is less than the length
    return object;
  };
}

/** Compiles the parts of an object literal. `contextOf` returns the context for each part. */
export function memberParts(
  context: Context,
  { properties }: ObjectExpression,
  contextOf: (property: ObjectExpression["properties"][number]) => Context = () => context,
): readonly AddProperty[] {
  const mayCallSetters = properties.some(
    (property) => property.type === "Property" && (property.kind !== "init" || isPrototype(property)),
  );
  return properties.map((property) =>
    property.type === "SpreadElement"
      ? spreadPart(contextOf(property), property.argument, mayCallSetters)
      : propertyPart(contextOf(property), property),
  );
}

function isPlainProperty(property: ObjectExpression["properties"][number]): boolean {
  if (property.type === "SpreadElement" || property.computed || property.kind !== "init" || property.method)
    return false;
  const key = staticKey(property.key);
  return key !== "__proto__" && !isDigitFirst(key);
}

// The host stores properties with integer keys separately, and reserves more memory for them.
const isIndex = ({ key }: Property): boolean => isDigitFirst(staticKey(key));

const isDigitFirst = (key: string): boolean => key >= "0" && key < ":";

function compilePlainObject(context: Context, properties: readonly Property[]): Evaluate {
  const { realm, meter } = context;
  const keys = properties.map(({ key }) => staticKey(key));
  const values = properties.map(({ value }, index) => compileNamed(context, value, keys[index] as string));
  const Site = realm.siteOfObjects(keys);
  const make = plainObject(Site, keys, values);
  const bytes = 32 + bytesOfProperties(keys.length);
  return (frame) => {
    meter.allocate(bytes);
    return realm.intact ? make(frame) : definePlainly(new Site(), keys, values, frame);
  };
}

function definePlainly(
  object: GuestObject,
  keys: readonly string[],
  values: readonly Evaluate[],
  frame: Frame,
): GuestObject {
  for (const [index, key] of keys.entries()) createDataPropertyOrThrow(object, key, (values[index] as Evaluate)(frame));
  return object;
}

function spreadPart(context: Context, argument: Expression, mayCallSetters: boolean): AddProperty {
  const { realm } = context;
  const source = compileExpression(context, argument);
  const options = { mayCallSetters };
  return (frame, object) => {
    const value = source(frame);
    if (value !== undefined && value !== null) copyDataProperties(realm, object, toObject(realm, value), options);
  };
}

// The bytes that rare parts of a literal add to an object:
//
// - With a computed key or an accessor, the object has its own hidden class.
// - With `__proto__` in addition, the host stores the object as a hash table, which takes more
//   memory.
const bytesOfComputedKey = 176;
const bytesOfAccessor = 280;
const bytesOfPrototype = 400;

function propertyPart(context: Context, property: Property): AddProperty {
  if (property.kind !== "init" || property.method) return methodPart(context, property);
  if (isPrototype(property)) return prototypePart(context, property);
  const key = propertyKeyOf(context, property);
  const value = property.computed ? namedByKey(context, property.value) : namedStatically(context, property);
  const bytes = property.computed || isIndex(property) ? bytesOfComputedKey : 0;
  return (frame, object) => {
    const name = key(frame);
    context.meter.allocate(bytes);
    createDataPropertyOrThrow(object, name, value(frame, name));
  };
}

/** Says whether a property has the form `__proto__: value`, which sets the prototype. */
function isPrototype({ kind, method, computed, shorthand, key }: Property): boolean {
  return kind === "init" && !method && !computed && !shorthand && staticKey(key) === "__proto__";
}

function namedStatically(context: Context, { key, value }: Property): (frame: Frame) => unknown {
  return compileNamed(context, value, staticKey(key));
}

/** Compiles a value. If it is an anonymous function, it gets the name of the computed key. */
export function namedByKey(context: Context, node: Expression): (frame: Frame, key: PropertyKeyValue) => unknown {
  const value = isAnonymousFunction(node) ? compileNamed(context, node, "") : compileExpression(context, node);
  if (!isAnonymousFunction(node)) return value;
  return (frame, key) => {
    const named = value(frame);
    const slots = functionSlots(named);
    if (slots && !slots.settled) slots.givenName = key;
    else if (slots && (named as GuestObject)["name"] === "")
      definePropertyOrThrow(named as GuestObject, "name", { value: functionName(key), configurable: true });
    return named;
  };
}

function methodPart(context: Context, property: Property): AddProperty {
  const key = propertyKeyOf(context, property);
  const method = compileMethod(context, property.value, property.kind === "init" ? "method" : property.kind, property);
  return (frame, object) => {
    const name = key(frame);
    if (property.kind !== "init") context.meter.allocate(bytesOfAccessor);
    defineMethodProperty(object, name, property.kind, method(frame, object, name), true);
  };
}

/** Defines a method or accessor of an object literal (enumerable) or a class (not enumerable). */
export function defineMethodProperty(
  object: GuestObject,
  key: PropertyKeyValue,
  kind: "init" | "method" | "get" | "set",
  method: GuestObject,
  enumerable: boolean,
): void {
  const shape = kind === "get" ? { get: method } : kind === "set" ? { set: method } : { value: method, writable: true };
  definePropertyOrThrow(object, key, { ...shape, enumerable, configurable: true });
}

/** Compiles `__proto__: value`, which sets the prototype instead of a property. */
function prototypePart(context: Context, property: Property): AddProperty {
  const value = compileExpression(context, property.value);
  return (frame, object) => {
    const prototype = value(frame);
    if (prototype !== null && !isObject(prototype)) return;
    context.meter.allocate(bytesOfPrototype);
    if (prototype) settle(prototype);
    requireShortChain(object, prototype);
    Object.setPrototypeOf(object, prototype);
  };
}
