// Destructuring patterns with an `await` or `yield` in a default, key or target, compiled to host
// generators. compile/pattern.ts compiles all other patterns.

import type { ArrayPattern, AssignmentProperty, Expression, MemberExpression, ObjectPattern, Pattern } from "acorn";
import type { Frame } from "../../frame.ts";
import { ReturnSignal } from "../../guest-throw.ts";
import { toObject, toPropertyKey } from "../../operations/conversion.ts";
import { copyDataProperties } from "../../operations/copy.ts";
import {
  getIterator,
  type IteratorRecord,
  iterationEnd,
  iteratorClose,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../../operations/iterator.ts";
import { getV, type PropertyKeyValue } from "../../operations/property.ts";
import { type Context, positionOf, suspends } from "../context.ts";
import { assignPattern, initializePattern, remaining, staticKey, throwNotDestructurable } from "../pattern.ts";
import { compilePlace, type Located } from "../place.ts";
import { evaluateFirst, suspendExpression, suspendNamed } from "./expression.ts";

/** Stores a value into a pattern that may suspend. */
export type SuspendStore = (frame: Frame, value: unknown) => Generator<unknown, void, unknown>;

/** Whether the pattern assigns variables or declares them. */
export type PatternMode = "assign" | "initialize";

/** Compiles a pattern that may suspend. */
export function suspendPattern(context: Context, pattern: Pattern, mode: PatternMode): SuspendStore {
  const target = suspendTarget(context, pattern, mode);
  return function* (frame, value) {
    yield* target.store(frame, yield* target.locate(frame), value);
  };
}

/**
 * The target to which destructuring assigns a value: a name, a member or a nested pattern. The
 * object and key of a member are evaluated before the value is read.
 */
interface SuspendTarget {
  readonly locate: (frame: Frame) => Generator<unknown, Located | null, unknown>;
  readonly store: (frame: Frame, place: Located | null, value: unknown) => Generator<unknown, void, unknown>;
}

function suspendTarget(context: Context, pattern: Pattern, mode: PatternMode): SuspendTarget {
  if (pattern.type === "AssignmentPattern") {
    const target = suspendTarget(context, pattern.left, mode);
    const name = pattern.left.type === "Identifier" ? pattern.left.name : null;
    const fallback =
      name === null ? suspendExpression(context, pattern.right) : suspendNamed(context, pattern.right, name);
    return {
      locate: target.locate,
      store: function* (frame, place, value) {
        yield* target.store(frame, place, value === undefined ? yield* fallback(frame) : value);
      },
    };
  }
  if (pattern.type === "MemberExpression") return suspendMemberTarget(context, pattern);
  return { locate: nowhere, store: valueStore(context, pattern, mode) };
}

// biome-ignore lint/correctness/useYield: callers expect a generator
const nowhere = function* (): Generator<unknown, null, unknown> {
  return null;
};

function suspendMemberTarget(context: Context, node: MemberExpression): SuspendTarget {
  const operands = node.object.type === "Super" ? [] : [node.object];
  if (node.computed) operands.push(node.property as Expression); // private names are never computed
  const { steps, after } = evaluateFirst(context, operands);
  const place = compilePlace(after, node);
  return {
    locate: function* (frame) {
      yield* steps(frame);
      return place.locate(frame);
    },
    // biome-ignore lint/correctness/useYield: callers expect a generator
    store: function* (frame, where, value) {
      if (where) place.write(frame, where, value);
    },
  };
}

function valueStore(context: Context, pattern: Pattern, mode: PatternMode): SuspendTarget["store"] {
  const store = suspends(context, pattern) ? suspendNested(context, pattern, mode) : plainStore(context, pattern, mode);
  return (frame, _place, value) => store(frame, value);
}

function plainStore(context: Context, pattern: Pattern, mode: PatternMode): SuspendStore {
  const store = mode === "assign" ? assignPattern(context, pattern) : initializePattern(context, pattern);
  // biome-ignore lint/correctness/useYield: callers expect a generator
  return function* (frame, value) {
    store(frame, value);
  };
}

function suspendNested(context: Context, pattern: Pattern, mode: PatternMode): SuspendStore {
  if (pattern.type === "ObjectPattern") return suspendObjectPattern(context, pattern, mode);
  if (pattern.type === "ArrayPattern") return suspendArrayPattern(context, pattern, mode);
  throw new Error(`a ${pattern.type} does not suspend`);
}

type SuspendProperty = (frame: Frame, value: unknown, taken: PropertyKeyValue[]) => Generator<unknown, void, unknown>;

function suspendObjectPattern(context: Context, pattern: ObjectPattern, mode: PatternMode): SuspendStore {
  const { realm } = context;
  const parts = pattern.properties.map((property): SuspendProperty => {
    if (property.type === "Property") return suspendProperty(context, property, mode);
    const target = suspendTarget(context, property.argument, mode);
    return function* (frame, value, taken) {
      const place = yield* target.locate(frame);
      const rest = realm.newObject();
      copyDataProperties(realm, rest, toObject(realm, value), { excluded: taken });
      yield* target.store(frame, place, rest);
    };
  });
  const position = positionOf(context, pattern);
  return function* (frame, value) {
    if (value === undefined || value === null) throwNotDestructurable(value, pattern, position);
    const taken: PropertyKeyValue[] = [];
    for (const part of parts) yield* part(frame, value, taken);
  };
}

function suspendProperty(
  context: Context,
  { key, computed, value: pattern }: AssignmentProperty,
  mode: PatternMode,
): SuspendProperty {
  const target = suspendTarget(context, pattern, mode);
  const name = computed ? suspendExpression(context, key) : null;
  const fixed = computed ? "" : staticKey(key);
  return function* (frame, value, taken) {
    const property = name ? toPropertyKey(yield* name(frame)) : fixed;
    taken.push(property);
    const place = yield* target.locate(frame);
    yield* target.store(frame, place, getV(context.realm, value, property));
  };
}

function suspendArrayPattern(context: Context, { elements }: ArrayPattern, mode: PatternMode): SuspendStore {
  const { realm } = context;
  const parts = elements.map((element) => ({
    type: element === null ? "hole" : element.type === "RestElement" ? "rest" : "element",
    target:
      element === null
        ? null
        : suspendTarget(context, element.type === "RestElement" ? element.argument : element, mode),
  }));
  return function* (frame, value) {
    const record = getIterator(realm, value);
    try {
      for (const { type, target } of parts) {
        const place = target ? yield* target.locate(frame) : null;
        const given = nextOf(realm, record, type);
        if (target) yield* target.store(frame, place, given);
      }
    } catch (caught) {
      closeAfter(realm, record, caught);
    }
    if (!record.done) iteratorClose(record);
  };
}

function nextOf(realm: Context["realm"], record: IteratorRecord, type: string): unknown {
  if (type === "rest") return realm.newArray(remaining(realm, record));
  const value = record.done ? iterationEnd : iteratorStepValue(record);
  return value === iterationEnd ? undefined : value;
}

function closeAfter(realm: Context["realm"], record: IteratorRecord, caught: unknown): never {
  if (record.done) throw caught;
  if (!(caught instanceof ReturnSignal)) return iteratorCloseOnThrow(realm, record, caught);
  iteratorClose(record);
  throw caught;
}
