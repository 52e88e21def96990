// Destructuring: each pattern is compiled to a Store. Iterators are closed, and targets, keys and
// defaults are evaluated in the order of the specification.

import type {
  ArrayPattern,
  AssignmentPattern,
  AssignmentProperty,
  Expression,
  Identifier,
  ObjectPattern,
  Pattern,
} from "acorn";
import type { Frame } from "../frame.ts";
import { type Position, throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { pushTo } from "../long-lists.ts";
import { toObject, toPropertyKey } from "../operations/conversion.ts";
import { copyDataProperties } from "../operations/copy.ts";
import {
  getIterator,
  type IteratorRecord,
  isPlainlyIterable,
  iterationEnd,
  iteratorClose,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../operations/iterator.ts";
import { getV, type PropertyKeyValue } from "../operations/property.ts";
import { type Context, type Evaluate, positionOf } from "./context.ts";
import { compileExpression, compileNamed } from "./expression.ts";
import { located } from "./operators.ts";
import { compilePlace } from "./place.ts";
import { assignIdentifier, initializeIdentifier, type Store } from "./variable.ts";

/** Compiles the target of an assignment. */
export function assignPattern(context: Context, pattern: Pattern): Store {
  return compilePattern(context, pattern, assignIdentifier);
}

/** Compiles the target of a declaration or parameter. */
export function initializePattern(context: Context, pattern: Pattern): Store {
  return compilePattern(context, pattern, initializeIdentifier);
}

type CompileName = (context: Context, node: Identifier) => Store;

function compilePattern(context: Context, pattern: Pattern, compileName: CompileName): Store {
  switch (pattern.type) {
    case "Identifier":
      return compileName(context, pattern);
    case "MemberExpression": {
      const place = compilePlace(context, pattern);
      return (frame, value) => place.write(frame, place.locate(frame), value);
    }
    case "AssignmentPattern":
      return withDefault(compilePattern(context, pattern.left, compileName), defaultOf(context, pattern));
    case "ObjectPattern":
      return compileObjectPattern(context, pattern, compileName);
    case "ArrayPattern":
      return compileArrayPattern(context, pattern, compileName);
    case "RestElement":
      throw new Error("a rest element is outside of a pattern");
    default:
      return pattern satisfies never;
  }
}

/** Compiles a default value. If it is an anonymous function, it gets the name of the target. */
function defaultOf(context: Context, { left, right }: AssignmentPattern): Evaluate {
  return left.type === "Identifier" ? compileNamed(context, right, left.name) : compileExpression(context, right);
}

function withDefault(store: Store, fallback: Evaluate): Store {
  return (frame, value) => store(frame, value === undefined ? fallback(frame) : value);
}

/**
 * The target to which destructuring assigns a value: a name, a member or a nested pattern. The
 * object and key of a member are evaluated before the value is read.
 */
interface Target {
  /** Evaluates the object and key. Null for names and patterns, which have neither. */
  readonly locate: ((frame: Frame) => unknown) | null;
  readonly store: (frame: Frame, place: unknown, value: unknown) => void;
}

function compileTarget(context: Context, pattern: Pattern, compileName: CompileName): Target {
  const { left, fallback } = splitDefault(context, pattern);
  if (left.type !== "MemberExpression") return valueTarget(compilePattern(context, pattern, compileName));
  const place = compilePlace(context, left);
  return {
    locate: place.locate,
    store: (frame, where, value) => {
      const given = value === undefined && fallback ? fallback(frame) : value;
      place.write(frame, where as ReturnType<typeof place.locate>, given); // `where` is the result of `locate`
    },
  };
}

function splitDefault(context: Context, pattern: Pattern): { left: Pattern; fallback: Evaluate | null } {
  if (pattern.type !== "AssignmentPattern") return { left: pattern, fallback: null };
  return { left: pattern.left, fallback: defaultOf(context, pattern) };
}

function valueTarget(store: Store): Target {
  return { locate: null, store: (frame, _place, value) => store(frame, value) };
}

/** Stores a property of `value`. `taken` collects the keys that a rest element must leave out. */
type StoreProperty = (frame: Frame, value: unknown, taken: PropertyKeyValue[]) => void;

// An empty list for patterns without a rest element. All of them share it, because no key is added
// to it.
const noKeys: PropertyKeyValue[] = [];

function compileObjectPattern(context: Context, pattern: ObjectPattern, compileName: CompileName): Store {
  const hasRest = pattern.properties.some(({ type }) => type === "RestElement");
  const parts = pattern.properties.map((property): StoreProperty => {
    if (property.type === "RestElement")
      return restProperties(context, compileTarget(context, property.argument, compileName));
    return storeProperty(context, property, compileName, hasRest);
  });
  const position = positionOf(context, pattern);
  return (frame, value) => {
    if (value === undefined || value === null) throwNotDestructurable(value, pattern, position);
    const taken = hasRest ? [] : noKeys;
    for (let index = 0; index < parts.length; index++) (parts[index] as StoreProperty)(frame, value, taken);
  };
}

/** Throws the error for destructuring undefined or null. */
export function throwNotDestructurable(
  value: undefined | null,
  { properties }: ObjectPattern,
  position: Position,
): never {
  const [first] = properties;
  const key = first?.type === "Property" && !first.computed ? first.key : null;
  const what = key?.type === "Identifier" ? `: it has no property "${key.name}"` : "";
  throwTypeError(`cannot destructure ${value}${what}`, position);
}

function storeProperty(
  context: Context,
  property: AssignmentProperty,
  compileName: CompileName,
  isRecorded: boolean,
): StoreProperty {
  const key = propertyKeyOf(context, property);
  const { locate, store } = compileTarget(context, property.value, compileName);
  const { realm } = context;
  return (frame, value, taken) => {
    const name = key(frame);
    if (isRecorded) taken.push(name);
    const place = locate?.(frame);
    store(frame, place, typeof value === "object" ? (value as GuestObject)[name] : getV(realm, value, name));
  };
}

/** Compiles the key of a property in a pattern or literal. */
export function propertyKeyOf(
  context: Context,
  { computed, key }: { computed: boolean; key: Expression },
): (frame: Frame) => PropertyKeyValue {
  if (computed) {
    const evaluate = compileExpression(context, key);
    return (frame) => {
      const value = evaluate(frame);
      try {
        const name = toPropertyKey(value);
        if (typeof name === "string") context.meter.allocate(2 * name.length);
        return name;
      } catch (caught) {
        throw located(context, caught, key);
      }
    };
  }
  const name = staticKey(key);
  return () => name;
}

/** Returns the key of a property that is not computed. */
export function staticKey(key: Expression): string {
  if (key.type === "Identifier") return key.name;
  if (key.type === "Literal") return String(key.bigint ?? key.value);
  throw new Error(`a ${key.type} is not a key`);
}

function restProperties({ realm }: Context, target: Target): StoreProperty {
  return (frame, value, taken) => {
    const place = target.locate?.(frame);
    const rest = realm.newObject();
    copyDataProperties(realm, rest, toObject(realm, value), { excluded: taken });
    target.store(frame, place, rest);
  };
}

interface ElementTarget {
  readonly type: "hole" | "element" | "rest";
  readonly target: Target;
}

function compileArrayPattern(context: Context, { elements }: ArrayPattern, compileName: CompileName): Store {
  const { realm } = context;
  const targets = elements.map((element): ElementTarget => {
    if (element === null) return { type: "hole", target: valueTarget(() => {}) };
    if (element.type === "RestElement")
      return { type: "rest", target: compileTarget(context, element.argument, compileName) };
    return { type: "element", target: compileTarget(context, element, compileName) };
  });
  return (frame, value) => {
    if (isPlainlyIterable(realm, value)) return storeElements(context, frame, targets, value);
    const record = getIterator(realm, value);
    try {
      for (const target of targets) storeNext(context, frame, target, record);
    } catch (caught) {
      if (record.done) throw caught;
      iteratorCloseOnThrow(realm, record, caught);
    }
    if (!record.done) iteratorClose(record);
  };
}

/**
 * Stores the elements of a plain array. Reading them by index has the same effect as using the
 * array's iterator.
 */
function storeElements(
  { realm }: Context,
  frame: Frame,
  targets: readonly ElementTarget[],
  array: readonly unknown[],
): void {
  for (let index = 0; index < targets.length; index++) {
    const { type, target } = targets[index] as ElementTarget; // `index` is less than the length
    const place = target.locate?.(frame);
    if (type === "rest") target.store(frame, place, realm.newArray(array, index));
    else if (type === "element") target.store(frame, place, array[index]);
  }
}

function storeNext({ realm }: Context, frame: Frame, { type, target }: ElementTarget, record: IteratorRecord): void {
  const place = target.locate?.(frame);
  if (type === "rest") return target.store(frame, place, realm.newArray(remaining(realm, record)));
  const value = record.done ? iterationEnd : iteratorStepValue(record);
  if (type === "element") target.store(frame, place, value === iterationEnd ? undefined : value);
}

/** Reads the remaining values of an iterator into a host array. */
export function remaining({ meter }: Context["realm"], record: IteratorRecord): unknown[] {
  const list: unknown[] = [];
  while (!record.done) {
    const value = iteratorStepValue(record);
    if (value === iterationEnd) break;
    meter.charge(1);
    meter.allocate(8);
    pushTo(list, value);
  }
  return list;
}
