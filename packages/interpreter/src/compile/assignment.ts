// Assignments such as `=`, `+=` and `&&=`, to variables, members and patterns.

import type { AssignmentExpression, Expression, Identifier, MemberExpression } from "acorn";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression, compileNamed, evaluateOf, rightOperand } from "./expression.ts";
import { specialAssignment, specialOperation } from "./generated/operators.gen.ts";
import { memberKey, memberName } from "./member.ts";
import { changeMember, isPlainMember } from "./member-change.ts";
import { slowBinary } from "./operators.ts";
import { assignPattern } from "./pattern.ts";
import { compilePlace } from "./place.ts";
import { changePrivate, isPrivateMember, storePrivate } from "./private-name.ts";
import { storeSite } from "./property-sites.ts";
import { computedStore, throwStoreFailure, writeMember } from "./store-member.ts";
import { assignableSlot, assignIdentifier } from "./variable.ts";
import { targetNote } from "./watched.ts";

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

function compilePlainAssignment(context: Context, { left, right, start }: AssignmentExpression): Evaluate {
  if (left.type === "Identifier") {
    const isBare = left.start === start; // a function is not named after a variable in parentheses
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
  if (isPrivateMember(left)) return storePrivate(context, left, value);
  if (left.object.type === "Super") {
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
  // These names need the general function `slow`, because it converts the value: an array converts
  // its new length, and a typed array converts values under numeric names.
  if (name === "length" || name === "NaN" || name === "Infinity") {
    const base = compileExpression(context, left.object as Expression); // `super` was handled above
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
  const store = computedStore(context, left);
  return (frame) => {
    const target = base(frame);
    const property = key(frame);
    const assigned = value(frame);
    store(target, property, assigned);
    return assigned;
  };
}

function compileCompoundAssignment(context: Context, node: AssignmentExpression): Evaluate {
  const { left, right, operator } = node;
  const plainOperator = operator.slice(0, -1);
  const slow = slowBinary(context, plainOperator, node);
  const slot = assignableSlot(context, left);
  const operand = rightOperand(context, plainOperator, right);
  const special = slot === 0 ? null : specialAssignment(operator, slot, operand, slow);
  if (special) return special;
  const apply = specialOperation(plainOperator, slow);
  const value = evaluateOf(context, right, operand);
  if (isPlainMember(left)) return changeMember(context, left, apply, value);
  if (isPrivateMember(left)) return changePrivate(context, left, apply, value);
  const place = compilePlace(context, left as Identifier | MemberExpression); // the parser allows no patterns here
  return (frame) => {
    const located = place.locate(frame);
    const before = place.read(frame, located);
    const after = apply(before, value(frame));
    place.write(frame, located, after);
    return after;
  };
}

function compileLogicalAssignment(context: Context, node: AssignmentExpression): Evaluate {
  const { left, right, operator } = node;
  const place = compilePlace(context, left as Identifier | MemberExpression); // the parser allows no patterns here
  const value =
    left.type === "Identifier" ? compileNamed(context, right, left.name) : compileExpression(context, right);
  const stays = keepsOldValue(operator);
  const note = targetNote(context, node);
  return (frame) => {
    const located = place.locate(frame);
    const before = place.read(frame, located);
    if (note && typeof before === "object") note(before);
    if (stays(before)) return before;
    const after = value(frame);
    place.write(frame, located, after);
    return after;
  };
}

/**
 * Returns a function that decides whether a logical assignment with this operator keeps the old
 * value.
 */
export function keepsOldValue(operator: string): (value: unknown) => boolean {
  if (operator === "&&=") return (value) => !value;
  if (operator === "||=") return (value) => Boolean(value);
  return (value) => value !== undefined && value !== null;
}
