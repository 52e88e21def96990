// Changes of members, such as `a.b += c` and `a[b]++`: the member is read, changed and stored
// again. This code is faster than place.ts, which creates an object that holds the evaluated object
// and key.

import type { Expression, MemberExpression, Node } from "acorn";
import type { Frame } from "../frame.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { toPropertyKey } from "../operations/conversion.ts";
import { noteStore } from "../operations/object-bytes.ts";
import type { PropertyKeyValue } from "../operations/property.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression } from "./expression.ts";
import type { Slow } from "./generated/operators.gen.ts";
import { memberKey, memberName, readMember } from "./member.ts";
import { changeSite } from "./property-sites.ts";
import { computedStore, type StoreMember, throwStoreFailure } from "./store-member.ts";

/** The compiled parts of a change. */
export interface MemberChange {
  readonly base: Evaluate;
  readonly key: Evaluate;
  /** Reads the member. The caller must have converted `property` to a key. */
  readonly read: (object: unknown, property: unknown) => unknown;
  readonly store: StoreMember;
}

/** A member of a value, but not of `super`, and not private. */
export type PlainMember = MemberExpression & { readonly object: Expression };

/** Says whether a node is a {@link PlainMember}. */
export function isPlainMember(node: Node): node is PlainMember {
  if (node.type !== "MemberExpression") return false;
  const { object, property } = node as MemberExpression;
  return object.type !== "Super" && property.type !== "PrivateIdentifier";
}

/** Compiles the parts of a change. */
export function compileMemberChange(context: Context, node: PlainMember): MemberChange {
  return {
    base: compileExpression(context, node.object),
    key: memberKey(context, node),
    read: (object, property) =>
      typeof object === "object" && object !== null
        ? (object as GuestObject)[property as PropertyKeyValue] // the callers have converted the property
        : readMember(context, node, object, property),
    store: computedStore(context, node),
  };
}

/**
 * Converts a key once, for reading and for storing. If the object is undefined or null, the key is
 * not converted, because the read throws first.
 */
export function keyOnce(object: unknown, property: unknown): unknown {
  if (typeof property === "number" || !isObject(object)) return property;
  return toPropertyKey(property);
}

/** Compiles `object[key] = apply(object[key], value)`. */
export function changeMember(context: Context, node: PlainMember, apply: Slow, value: Evaluate): Evaluate {
  const { base, key, read, store } = compileMemberChange(context, node);
  const change = (object: unknown, frame: Frame): unknown => {
    const property = keyOnce(object, key(frame));
    const before = read(object, property);
    const after = apply(before, value(frame));
    store(object, property, after);
    return after;
  };
  const name = node.computed ? null : memberName(node);
  // A computed key needs the general code. So do these names, because the store converts the value:
  // an array converts its new `length`, and a typed array converts values that are stored under
  // numeric names.
  if (name === null || name === "length" || name === "NaN" || name === "Infinity")
    return (frame) => change(base(frame), frame);
  const fail = (caught: unknown): never => throwStoreFailure(context, node, caught, name);
  return changeSite(name, base, apply, value, { note: noteStore(context.meter, name), slow: change, fail });
}
