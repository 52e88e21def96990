// Compiles reads of properties: `a.b`, `a[b]`, `a?.b`, `super.b`, `a.#b`.

import type { Expression, MemberExpression, Node, Super } from "acorn";
import { callNames } from "../analyse/scope.ts";
import type { Frame } from "../frame.ts";
import { throwMissing, throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { toPropertyKey } from "../operations/conversion.ts";
import { accessorVersion, get, getV, type PropertyKeyValue, readsPlainly } from "../operations/property.ts";
import { keyText } from "../operations/text.ts";
import { type Context, callReferenceOf, type Evaluate, positionOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import type { SlowRead } from "./generated/property-sites.gen.ts";
import { computedRead as computedReadSite } from "./hot-closures.ts";
import { ownerOf } from "./missing-owner.ts";
import { located } from "./operators.ts";
import { readPrivate } from "./private-name.ts";
import { readSite } from "./property-sites.ts";
import { compileThisValue } from "./this-value.ts";
import { localSlot, readReference } from "./variable.ts";

/**
 * The inner result of an optional chain that ended early, because an object was undefined or null.
 * Never a guest value.
 */
export const skipped: unique symbol = Symbol("skipped");

/** Compiles a property read. */
export function compileMember(context: Context, node: MemberExpression): Evaluate {
  const { object, property, optional } = node;
  if (object.type === "Super") return compileSuperMember(context, node);
  if (!node.computed && !optional && property.type !== "PrivateIdentifier" && !mayBeSkipped(object))
    return namedRead(context, node);
  const base = compileExpression(context, object);
  if (property.type === "PrivateIdentifier") {
    const read = readPrivate(context, property);
    return guarded(node, base, (frame, value) => read(frame, value));
  }
  if (optional || mayBeSkipped(object)) return guarded(node, base, generalRead(context, node));
  return computedRead(context, node, object, base);
}

/**
 * Compiles the key of a member: its name, or the expression in brackets, whose value is not
 * converted to a key yet.
 */
export function memberKey(context: Context, { computed, property }: MemberExpression): Evaluate {
  if (computed) return compileExpression(context, property as Expression); // private names are never computed
  const { name } = property as { name: string } & Node; // a property that is not computed is an identifier
  return () => name;
}

/** Returns the name of a member that is not computed. */
export function memberName({ property }: MemberExpression): string {
  return (property as { name: string } & Node).name; // a property that is not computed is an identifier
}

/** Says whether an expression is part of an optional chain that an earlier part may have ended. */
export function mayBeSkipped(node: Expression | Super): boolean {
  if (node.type === "MemberExpression") return node.optional || mayBeSkipped(node.object);
  if (node.type === "CallExpression") return node.optional || mayBeSkipped(node.callee);
  return false;
}

/**
 * Reads `value[key]` from a value of any kind; the key is not converted yet. The value was
 * evaluated in `frame`. The hint of an error may read variables from `frame`.
 */
export function readMember(context: Context, node: Node, value: unknown, key: unknown, frame?: Frame): unknown {
  try {
    if (value === undefined || value === null) throwUnreadable(context, node, value, key, frame);
    return getV(context.realm, value, toPropertyKey(key));
  } catch (caught) {
    throw located(context, caught, node);
  }
}

function namedRead(context: Context, node: MemberExpression): Evaluate {
  const name = memberName(node);
  const general: SlowRead = (value, frame) => readMember(context, node, value, name, frame);
  if (name === "length")
    return readSite(context, node, name, (value, frame) =>
      typeof value === "string" ? value.length : general(value, frame),
    );
  return readSite(context, node, name, textRead(context, name, general));
}

// The maximum number of times that one read checks the prototype of strings. A program that reaches
// this number defines accessors again and again. Each time, another check would be necessary, so
// checking would no longer save time.
const maxChecks = 100;

/**
 * Returns a function that reads a property of a string from its prototype. Before the first read,
 * and whenever an accessor may have been added, it checks that the read runs no guest code.
 */
export function textRead({ realm }: Context, name: string, general: SlowRead): SlowRead {
  let prototype: GuestObject | null = null;
  let since = -1;
  let checks = 0;
  return (value, frame) => {
    if (typeof value !== "string") return general(value, frame);
    if (since !== accessorVersion) {
      if (++checks > maxChecks) return general(value, frame);
      since = accessorVersion;
      const texts = realm.intrinsic("StringPrototype");
      prototype = name !== "length" && readsPlainly(texts, name) ? texts : null;
    }
    return prototype === null ? general(value, frame) : prototype[name];
  };
}

function computedRead(context: Context, node: MemberExpression, object: Expression, base: Evaluate): Evaluate {
  const property = node.property as Expression; // private names are never computed
  const owner = { slot: localSlot(context, object), evaluate: base };
  const key = { slot: localSlot(context, property), evaluate: compileExpression(context, property) };
  return computedReadSite(owner, key, (value, property, frame) =>
    typeof value === "string" && typeof property === "number" && property >= 0 && property < value.length
      ? value[property]
      : readMember(context, node, value, property, frame),
  );
}

function generalRead(context: Context, node: MemberExpression): (frame: Frame, value: unknown) => unknown {
  const key = memberKey(context, node);
  return (frame, value) => readMember(context, node, value, key(frame), frame);
}

/** Wraps a read. The read is skipped if the optional chain has already ended, or ends here. */
function guarded(
  { optional }: MemberExpression,
  base: Evaluate,
  read: (frame: Frame, value: unknown) => unknown,
): Evaluate {
  return (frame) => {
    const value = base(frame);
    if (value === skipped || (optional && (value === undefined || value === null))) return skipped;
    return read(frame, value);
  };
}

function throwUnreadable(context: Context, node: Node, value: unknown, key: unknown, frame: Frame | undefined): never {
  const member = node.type === "MemberExpression" ? (node as MemberExpression) : null;
  const where = member?.object;
  const text =
    where && where.end - where.start <= maxOwnerLength
      ? ` ("${context.source.text.slice(where.start, where.end)}" is ${value})`
      : "";
  const name = typeof key === "string" || typeof key === "number" || typeof key === "symbol" ? keyText(key) : "of it";
  const message = `cannot read property ${name} of ${value}${text}`;
  if (!member || !frame) return throwTypeError(message);
  return throwMissing(message, () => ownerOf(context, member, frame));
}

/**
 * The maximum length of an expression that a message quotes. Longer expressions are hard to read.
 */
const maxOwnerLength = 40;

/** The object in which `super` looks up properties, and the `this` for getters. */
export interface SuperReference {
  readonly home: Evaluate;
  readonly thisValue: Evaluate;
}

/** Compiles the parts of `super` in `super.x`. */
export function compileSuperReference(context: Context, node: Super): SuperReference {
  const position = positionOf(context, node);
  const home = readReference(context, callReferenceOf(context, node, callNames.home), position);
  return { home, thisValue: compileThisValue(context, node) };
}

/**
 * Reads `super[key]`. `parent` is the result of {@link superBase}. The caller must have converted
 * the key.
 */
export function readSuper(parent: GuestObject | null, thisValue: unknown, key: PropertyKeyValue): unknown {
  if (!parent) return throwTypeError(`cannot read property ${keyText(key)} of null`);
  return get(parent, key, thisValue);
}

/**
 * Returns the object in which `super` looks up properties. Call it before the key is converted,
 * because that may run code that changes the object.
 */
export function superBase(home: unknown): GuestObject | null {
  return isObject(home) ? (Object.getPrototypeOf(home) as GuestObject | null) : null; // the home object is a settled class or an ordinary object
}

function compileSuperMember(context: Context, node: MemberExpression): Evaluate {
  const superNode = node.object as Super; // the caller has checked that the object is `super`
  const thisValue = compileThisValue(context, superNode);
  const read = compileSuperRead(context, node, superNode);
  return (frame) => {
    const receiver = thisValue(frame);
    try {
      return read(frame, receiver);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** Compiles the read in `super.x` or `super[x]`. The closure takes `this`. */
export function compileSuperRead(
  context: Context,
  node: MemberExpression,
  superNode: Super,
): (frame: Frame, thisValue: unknown) => unknown {
  const { home } = compileSuperReference(context, superNode);
  if (!node.computed) {
    const read = readNamedSuper(memberName(node));
    return (frame, thisValue) => read(superBase(home(frame)), thisValue);
  }
  const key = memberKey(context, node);
  return (frame, thisValue) => {
    const property = key(frame);
    const parent = superBase(home(frame));
    return readSuper(parent, thisValue, toPropertyKey(property));
  };
}

/**
 * Compiles `super.x`. If there is no accessor, a plain read of the parent is enough. This is
 * checked once, and again when an accessor may have been added.
 */
function readNamedSuper(name: string): (parent: GuestObject | null, thisValue: unknown) => unknown {
  let plainParent: GuestObject | null = null;
  let plainSince = -1;
  return (parent, thisValue) => {
    if (parent !== null && parent === plainParent && plainSince === accessorVersion) return parent[name];
    if (parent !== null && readsPlainly(parent, name)) {
      plainParent = parent;
      plainSince = accessorVersion;
    }
    return readSuper(parent, thisValue, name);
  };
}
