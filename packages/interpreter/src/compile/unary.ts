// Operators with one operand: `typeof`, `delete`, `void`, `!`, and the numeric ones.

import type { Expression, MemberExpression, Node, UnaryExpression } from "acorn";
import { functionSlots } from "../function-object.ts";
import { throwError, throwTypeError } from "../guest-throw.ts";
import { toNumeric, toObject, toPropertyKey } from "../operations/conversion.ts";
import { deletePropertyOrThrow } from "../operations/property.ts";
import { bigintUnary } from "./bigint.ts";
import { not } from "./condition.ts";
import { type Context, type Evaluate, positionOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { memberKey, skipped } from "./member.ts";
import { located } from "./operators.ts";
import { typeofIdentifierValue } from "./variable.ts";
import { compileTest, watched } from "./watched.ts";

/** Compiles an operator with one operand. */
export function compileUnary(context: Context, node: UnaryExpression): Evaluate {
  const { operator, argument } = node;
  if (operator === "delete") return compileDelete(context, argument);
  if (operator === "typeof") return compileTypeof(context, argument);
  if (operator === "!") return not(compileTest(context, argument));
  const value = compileExpression(context, argument);
  switch (operator) {
    case "void":
      return (frame) => {
        value(frame);
      };
    case "-":
      return numericUnary(
        context,
        node,
        value,
        (number) => -number,
        (big) => -big,
      );
    case "~":
      return numericUnary(
        context,
        node,
        value,
        (number) => ~number,
        (big) => ~big,
      );
    case "+":
      return numericUnary(
        context,
        node,
        value,
        (number) => number,
        () => throwTypeError("cannot convert a bigint to a number; write Number(value)"),
      );
    default:
      return operator satisfies never;
  }
}

function numericUnary(
  context: Context,
  node: Node,
  evaluate: Evaluate,
  ofNumber: (value: number) => number,
  ofBigInt: (value: bigint) => bigint,
): Evaluate {
  const slow = (value: unknown): number | bigint => {
    try {
      const numeric = toNumeric(value);
      return typeof numeric === "bigint" ? bigintUnary(context.meter, numeric, ofBigInt) : ofNumber(numeric);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
  return (frame) => {
    const value = evaluate(frame);
    return typeof value === "number" ? ofNumber(value) : slow(value);
  };
}

function compileTypeof(context: Context, argument: Expression): Evaluate {
  const value =
    argument.type === "Identifier" && !context.evaluated.has(argument)
      ? typeofIdentifierValue(context, argument)
      : compileExpression(context, argument);
  const note = watched(context, argument, 'was asked for its type, which is "object"');
  return (frame) => {
    const operand = value(frame);
    if (note && typeof operand === "object") note(operand);
    return typeof operand === "object" && operand !== null && functionSlots(operand) ? "function" : typeof operand;
  };
}

function compileDelete(context: Context, argument: Expression): Evaluate {
  const target = argument.type === "ChainExpression" ? argument.expression : argument;
  if (target.type !== "MemberExpression") {
    const value = compileExpression(context, argument);
    return (frame) => {
      value(frame);
      return true;
    };
  }
  if (target.object.type === "Super")
    return () => throwError("ReferenceError", "cannot delete a property of super", positionOf(context, argument));
  const object = compileExpression(context, target.object);
  const key = memberKey(context, target);
  return (frame) => {
    const base = object(frame);
    if (base === skipped || (target.optional && (base === undefined || base === null))) return true;
    return deleteMember(context, target, base, key(frame));
  };
}

/** Computes `delete base[property]`. The key is not converted yet. */
export function deleteMember(context: Context, node: MemberExpression, base: unknown, property: unknown): true {
  try {
    deletePropertyOrThrow(toObject(context.realm, base), toPropertyKey(property));
  } catch (caught) {
    throw located(context, caught, node);
  }
  return true;
}
