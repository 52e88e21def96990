// Places: variables and members that are both read and written, such as the left side of
// `a.b += c`. The object and key of a member are evaluated only once.

import type { Identifier, MemberExpression, Super } from "acorn";
import type { Frame } from "../frame.ts";
import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { toPropertyKey } from "../operations/conversion.ts";
import { countStore } from "../operations/object-bytes.ts";
import { set } from "../operations/property.ts";
import { keyText } from "../operations/text.ts";
import { type Context, type Evaluate, positionOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { compileSuperReference, memberKey, readMember, readSuper, superBase } from "./member.ts";
import { assignPrivate, readPrivate } from "./private-name.ts";
import { computedStore } from "./store-member.ts";
import { assignIdentifier, readIdentifier } from "./variable.ts";

/** The compiled form of a variable or member that is both read and written. */
export interface Place {
  /** Evaluates the object and the key of a member. */
  readonly locate: (frame: Frame) => Located;
  readonly read: (frame: Frame, located: Located) => unknown;
  readonly write: (frame: Frame, located: Located, value: unknown) => void;
}

/** The evaluated object and key of a member. Both are undefined for a variable. */
export interface Located {
  readonly base: unknown;
  key: unknown;
}

/** Compiles a variable or member that is both read and written. */
export function compilePlace(context: Context, node: Identifier | MemberExpression): Place {
  if (node.type === "Identifier") return variablePlace(context, node);
  if (node.object.type === "Super") return superPlace(context, node, node.object);
  const base = compileExpression(context, node.object);
  if (node.property.type === "PrivateIdentifier") {
    const read = readPrivate(context, node.property);
    const write = assignPrivate(context, node.property);
    return {
      locate: (frame) => ({ base: base(frame), key: undefined }),
      read: (frame, located) => read(frame, located.base),
      write: (frame, located, value) => write(frame, located.base, value),
    };
  }
  return memberPlace(context, node, base);
}

function variablePlace(context: Context, node: Identifier): Place {
  const read = readIdentifier(context, node);
  const write = assignIdentifier(context, node);
  const nothing: Located = { base: undefined, key: undefined };
  return {
    locate: () => nothing,
    read: (frame) => read(frame),
    write: (frame, _located, value) => write(frame, value),
  };
}

function memberPlace(context: Context, node: MemberExpression, base: Evaluate): Place {
  const key = memberKey(context, node);
  const store = computedStore(context, node);
  return {
    locate: (frame) => ({ base: base(frame), key: key(frame) }),
    read: (_frame, located) => {
      if (isObject(located.base)) located.key = toPropertyKey(located.key);
      return readMember(context, node, located.base, located.key);
    },
    write: (_frame, located, value) => store(located.base, located.key, value),
  };
}

interface SuperLocated extends Located {
  readonly parent: GuestObject | null;
}

function superPlace(context: Context, node: MemberExpression, superNode: Super): Place {
  const { home, thisValue } = compileSuperReference(context, superNode);
  const key = memberKey(context, node);
  const place = (receiver: unknown, name: unknown, parent: GuestObject | null): SuperLocated => ({
    base: receiver,
    key: name,
    parent,
  });
  return {
    locate: (frame) => place(thisValue(frame), key(frame), superBase(home(frame))),
    read: (_frame, located) => {
      const { parent } = located as SuperLocated; // `located` is the result of `locate`
      const property = toPropertyKey(located.key);
      located.key = property;
      return readSuper(parent, located.base, property);
    },
    write: (_frame, located, value) => {
      const { parent } = located as SuperLocated; // `located` is the result of `locate`
      const property = toPropertyKey(located.key);
      if (isObject(located.base)) countStore(located.base, property);
      if (!parent || !set(parent, property, value, located.base)) {
        throwTypeError(`cannot assign to property ${keyText(property)} of super`, positionOf(context, node));
      }
    },
  };
}
