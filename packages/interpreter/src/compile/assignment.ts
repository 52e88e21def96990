// Assignments and updates: `=`, `+=`, `&&=`, `++`, on variables, members and patterns.

import type {
  AssignmentExpression,
  Expression,
  Identifier,
  MemberExpression,
  Node,
  Super,
  UpdateExpression,
} from "acorn";
import type { Frame } from "../frame.ts";
import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { toNumeric, toPropertyKey } from "../operations/conversion.ts";
import { type PropertyKeyValue, set, setV } from "../operations/property.ts";
import { keyText } from "../operations/text.ts";
import { type Context, type Evaluate, positionOf } from "./context.ts";
import { compileExpression, compileNamed, operandOf } from "./expression.ts";
import { type Slow, specialAssignment, specialOperation } from "./generated/operators.gen.ts";
import { hotCopyFor } from "./hot-copy.ts";
import { compileSuperReference, memberKey, memberName, readMember, readSuper, superBase } from "./member.ts";
import { located, slowBinary } from "./operators.ts";
import { assignPattern } from "./pattern.ts";
import { assignPrivate, readPrivate } from "./private-name.ts";
import { storeSite } from "./property-sites.ts";
import { assignableSlot, assignIdentifier, readIdentifier } from "./variable.ts";

/** A place that can be read and written, its parts evaluated once. */
export interface Place {
  /** Evaluates the parts: the object, the key. */
  readonly locate: (frame: Frame) => Located;
  readonly read: (frame: Frame, located: Located) => unknown;
  readonly write: (frame: Frame, located: Located, value: unknown) => void;
}

/** The evaluated parts of a place; variables have none. */
export interface Located {
  readonly base: unknown;
  key: unknown;
}

/** Compiles an assignment. */
export function compileAssignment(context: Context, node: AssignmentExpression): Evaluate {
  switch (node.operator) {
    case "=":
      return compilePlainAssignment(context, node);
    case "&&=":
    case "||=":
    case "??=":
      return compileLogicalAssignment(context, node);
    default:
      return compileCompoundAssignment(context, node);
  }
}

/** Compiles `++` and `--`. */
export function compileUpdate(context: Context, node: UpdateExpression): Evaluate {
  const { operator, prefix, argument } = node;
  const step = operator === "++" ? 1 : -1;
  const slot = assignableSlot(context, argument);
  const advance = slowAdvance(context, node, step);
  if (slot !== 0) return prefix ? prefixUpdateOfSlot(slot, step, advance) : postfixUpdateOfSlot(slot, step, advance);
  if (isPlainMember(argument)) return updateMember(context, node, argument, step);
  const place = compilePlace(context, argument as Identifier | MemberExpression); // the parser allows no others
  return (frame) => {
    const located = place.locate(frame);
    const old = place.read(frame, located);
    const before = typeof old === "number" ? old : toNumericLocated(context, node, old);
    const after = typeof before === "number" ? before + step : before + BigInt(step);
    place.write(frame, located, after);
    return prefix ? after : before;
  };
}

/** What a variable holds after `++` when it held no number before. */
export function advanceSlowly(context: Context, node: UpdateExpression): (value: unknown) => number | bigint {
  const advance = slowAdvance(context, node, 1);
  return (value) => advance(value).after;
}

/** A variable or member as something to read and to write. */
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

/** `base[key] = value` for values of any kind. */
export function writeMember(context: Context, node: Node, base: unknown, key: unknown, value: unknown): void {
  try {
    if (base === undefined || base === null) {
      throwTypeError(`cannot set property ${typeof key === "string" ? keyText(key) : ""} of ${base}`);
    }
    const property = toPropertyKey(key);
    chargeStore(context.meter, base, property);
    setV(context.realm, base, property, value);
  } catch (caught) {
    throw located(context, caught, node);
  }
}

function compilePlainAssignment(context: Context, { left, right, start }: AssignmentExpression): Evaluate {
  if (left.type === "Identifier") {
    const isBare = left.start === start; // a name in parentheses names no function
    return assignVariable(
      context,
      left,
      isBare ? compileNamed(context, right, left.name) : compileExpression(context, right),
    );
  }
  if (left.type === "MemberExpression") return assignMember(context, left, compileExpression(context, right));
  const value = compileExpression(context, right);
  const assign = assignPattern(context, left);
  return (frame) => {
    const assigned = value(frame);
    assign(frame, assigned);
    return assigned;
  };
}

function assignVariable(context: Context, left: Identifier, value: Evaluate): Evaluate {
  const slot = assignableSlot(context, left);
  if (slot !== 0) {
    return (frame) => {
      const assigned = value(frame);
      frame[slot] = assigned;
      return assigned;
    };
  }
  const store = assignIdentifier(context, left);
  return (frame) => {
    const assigned = value(frame);
    store(frame, assigned);
    return assigned;
  };
}

function assignMember(context: Context, left: MemberExpression, value: Evaluate): Evaluate {
  if (left.object.type === "Super" || left.property.type === "PrivateIdentifier") {
    const place = compilePlace(context, left);
    return (frame) => {
      const located = place.locate(frame);
      const assigned = value(frame);
      place.write(frame, located, assigned);
      return assigned;
    };
  }
  if (left.computed) return assignComputed(context, left, compileExpression(context, left.object), value);
  return assignNamed(context, left, value);
}

function assignNamed(context: Context, left: MemberExpression, value: Evaluate): Evaluate {
  const name = memberName(left);
  const slow = (object: unknown, assigned: unknown): void => writeMember(context, left, object, name, assigned);
  // An array converts what its length is set to, a typed array what is stored under a number.
  if (name === "length" || name === "NaN" || name === "Infinity") {
    const base = compileExpression(context, left.object as Expression); // `super` has been dealt with
    return (frame) => {
      const object = base(frame);
      const assigned = value(frame);
      slow(object, assigned);
      return assigned;
    };
  }
  return storeSite(context, left, name, value, {
    slow,
    fail: (caught) => throwStoreFailure(context, left, caught, name),
  });
}

function assignComputed(context: Context, left: MemberExpression, base: Evaluate, value: Evaluate): Evaluate {
  const key = memberKey(context, left);
  return hotCopyFor(left).closures.computedStore(base, key, value, computedStore(context, left));
}

type StoreMember = (object: unknown, property: unknown, assigned: unknown) => void;

function computedStore(context: Context, left: MemberExpression): StoreMember {
  const { meter } = context;
  return (object, property, assigned) => {
    if (typeof property === "number" && Array.isArray(object) && property < object.length && property >= 0) {
      try {
        object[property] = assigned;
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else if (typeof property === "number" && typeof assigned === "number" && ArrayBuffer.isView(object)) {
      try {
        (object as unknown as GuestObject)[property] = assigned; // the guest's typed arrays are the host's
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else if (
      typeof property === "string" &&
      property !== "length" &&
      isObject(object) &&
      !ArrayBuffer.isView(object)
    ) {
      meter.allocate(bytesOfProperty + 2 * property.length);
      try {
        object[property] = assigned;
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else writeMember(context, left, object, property, assigned);
  };
}

/** A member whose object and key are evaluated in the plain way. */
function isPlainMember(node: Node): node is MemberExpression & { readonly object: Expression } {
  if (node.type !== "MemberExpression") return false;
  const { object, property } = node as MemberExpression;
  return object.type !== "Super" && property.type !== "PrivateIdentifier";
}

/** Reads a member, changes the value and stores it back: `a.b += c`, `a[b]++`. */
interface MemberChange {
  readonly base: Evaluate;
  readonly key: Evaluate;
  /** Reads the member, with a key that is one afterwards. */
  readonly read: (object: unknown, property: unknown) => unknown;
  readonly store: StoreMember;
}

function compileMemberChange(context: Context, node: MemberExpression & { readonly object: Expression }): MemberChange {
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

/** A key that is read and stored with is converted once; a base that has no properties is refused before. */
function keyOnce(object: unknown, property: unknown): unknown {
  if (typeof property === "string" || typeof property === "number" || !isObject(object)) return property;
  return toPropertyKey(property);
}

function updateMember(
  context: Context,
  node: UpdateExpression,
  member: MemberExpression & { readonly object: Expression },
  step: number,
): Evaluate {
  const { base, key, read, store } = compileMemberChange(context, member);
  const { prefix } = node;
  return (frame) => {
    const object = base(frame);
    const property = keyOnce(object, key(frame));
    const old = read(object, property);
    const before = typeof old === "number" ? old : toNumericLocated(context, node, old);
    const after = typeof before === "number" ? before + step : before + BigInt(step);
    store(object, property, after);
    return prefix ? after : before;
  };
}

/** The host refuses a store by a TypeError whose text is not ours; what guest code threw goes on as it is. */
function throwStoreFailure(context: Context, node: Node, caught: unknown, key: PropertyKeyValue): never {
  if (caught instanceof TypeError) {
    throwTypeError(
      `cannot assign to property ${keyText(key)}: it is read-only or cannot be added`,
      positionOf(context, node),
    );
  }
  throw located(context, caught, node);
}

// An object of many properties is a table, which is doubled when it is full.
const bytesOfProperty = 48;

/** Stores can make objects grow without limit. Arrays are charged by their growth; of others it is not known whether they grow. */
function chargeStore(meter: Meter, base: unknown, key: PropertyKeyValue): void {
  if (typeof key === "string") meter.allocate(bytesOfProperty + 2 * key.length);
  else if (typeof key !== "number") meter.allocate(bytesOfProperty);
  else if (!Array.isArray(base)) meter.allocateElement(key);
  else if (key === base.length) meter.allocateElement(key);
  else if (key > base.length) meter.allocate(8 * Math.min(key - base.length + 1, 1100));
}

function compileCompoundAssignment(context: Context, node: AssignmentExpression): Evaluate {
  const { left, right, operator } = node;
  const slow = slowBinary(context, operator.slice(0, -1), node);
  const slot = assignableSlot(context, left);
  const special = slot === 0 ? null : assignmentToSlot(context, node, slot, slow);
  if (special) return special;
  const apply = specialOperation(operator.slice(0, -1), slow);
  const value = compileExpression(context, right);
  if (isPlainMember(left)) return changeMember(compileMemberChange(context, left), apply, value);
  const place = compilePlace(context, left as Identifier | MemberExpression); // the parser allows no patterns here
  return (frame) => {
    const located = place.locate(frame);
    const before = place.read(frame, located);
    const after = apply(before, value(frame));
    place.write(frame, located, after);
    return after;
  };
}

/** A compound assignment to a variable of the current frame; null when its operator has no closure of its own. */
function assignmentToSlot(
  context: Context,
  { operator, right }: AssignmentExpression,
  slot: number,
  slow: Slow,
): Evaluate | null {
  const operand = operandOf(context, right);
  const { hotAssignment } = hotCopyFor(right).operators;
  return hotAssignment(operator, slot, operand, slow) ?? specialAssignment(operator, slot, operand, slow);
}

function changeMember({ base, key, read, store }: MemberChange, apply: Slow, value: Evaluate): Evaluate {
  return (frame) => {
    const object = base(frame);
    const property = keyOnce(object, key(frame));
    const before = read(object, property);
    const after = apply(before, value(frame));
    store(object, property, after);
    return after;
  };
}

function compileLogicalAssignment(context: Context, { left, right, operator }: AssignmentExpression): Evaluate {
  const place = compilePlace(context, left as Identifier | MemberExpression); // the parser allows no patterns here
  const value =
    left.type === "Identifier" ? compileNamed(context, right, left.name) : compileExpression(context, right);
  const stays = staysFor(operator);
  return (frame) => {
    const located = place.locate(frame);
    const before = place.read(frame, located);
    if (stays(before)) return before;
    const after = value(frame);
    place.write(frame, located, after);
    return after;
  };
}

/** Whether a logical assignment leaves a value as it is. */
export function staysFor(operator: string): (value: unknown) => boolean {
  if (operator === "&&=") return (value) => !value;
  if (operator === "||=") return (value) => Boolean(value);
  return (value) => value !== undefined && value !== null;
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
  return {
    locate: (frame) => ({ base: base(frame), key: key(frame) }),
    read: (_frame, located) => {
      if (isObject(located.base)) located.key = toPropertyKey(located.key);
      return readMember(context, node, located.base, located.key);
    },
    write: (_frame, located, value) => writeMember(context, node, located.base, located.key, value),
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
      const { parent } = located as SuperLocated; // `locate` gave it
      const property = toPropertyKey(located.key);
      located.key = property;
      return readSuper(parent, located.base, property);
    },
    write: (_frame, located, value) => {
      const { parent } = located as SuperLocated; // see above
      const property = toPropertyKey(located.key);
      if (!parent || !set(parent, property, value, located.base)) {
        throwTypeError(`cannot assign to property ${keyText(property)} of super`, positionOf(context, node));
      }
    },
  };
}

function slowAdvance(
  context: Context,
  node: Node,
  step: number,
): (value: unknown) => { before: number | bigint; after: number | bigint } {
  return (value) => {
    const before = toNumericLocated(context, node, value);
    return { before, after: typeof before === "number" ? before + step : before + BigInt(step) };
  };
}

function toNumericLocated(context: Context, node: Node, value: unknown): number | bigint {
  try {
    return toNumeric(value);
  } catch (caught) {
    throw located(context, caught, node);
  }
}

type Advance = ReturnType<typeof slowAdvance>;

function prefixUpdateOfSlot(slot: number, step: number, advance: Advance): Evaluate {
  return (frame) => {
    const value = frame[slot];
    const after = typeof value === "number" ? value + step : advance(value).after;
    frame[slot] = after;
    return after;
  };
}

function postfixUpdateOfSlot(slot: number, step: number, advance: Advance): Evaluate {
  return (frame) => {
    const value = frame[slot];
    if (typeof value === "number") {
      frame[slot] = value + step;
      return value;
    }
    const { before, after } = advance(value);
    frame[slot] = after;
    return before;
  };
}
