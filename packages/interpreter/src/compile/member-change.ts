// Members that are read, changed and stored back: `a.b += c`, `a[b]++`. Quicker than places
// (place.ts), which make an object for what they have evaluated.

import type { Expression, MemberExpression, Node } from "acorn";
import type { Frame } from "../frame.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { toPropertyKey } from "../operations/conversion.ts";
import type { PropertyKeyValue } from "../operations/property.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression } from "./expression.ts";
import type { Slow } from "./generated/operators.gen.ts";
import { memberKey, memberName, readMember } from "./member.ts";
import { changeSite } from "./property-sites.ts";
import { computedStore, type StoreMember, throwStoreFailure } from "./store-member.ts";

/** What changing a member consists of. */
export interface MemberChange {
  readonly base: Evaluate;
  readonly key: Evaluate;
  /** Reads the member, with a key that is one afterwards. */
  readonly read: (object: unknown, property: unknown) => unknown;
  readonly store: StoreMember;
}

/** A member of a value: neither of `super` nor private. */
export type PlainMember = MemberExpression & { readonly object: Expression };

/** Whether a node is a member of a value. */
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
        ? (object as GuestObject)[property as PropertyKeyValue] // the callers have converted it
        : readMember(context, node, object, property),
    store: computedStore(context, node),
  };
}

/**
 * The key, which is converted once for reading and storing. A base that has no properties is
 * refused before that.
 */
export function keyOnce(object: unknown, property: unknown): unknown {
  if (typeof property === "number" || !isObject(object)) return property;
  return toPropertyKey(property);
}

/** `object[key] = apply(object[key], value)`. */
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
  // An array converts what its length is set to, a typed array what is stored under a number.
  if (name === null || name === "length" || name === "NaN" || name === "Infinity")
    return (frame) => change(base(frame), frame);
  const fail = (caught: unknown): never => throwStoreFailure(context, node, caught, name);
  return changeSite(name, base, apply, value, { slow: change, fail });
}
