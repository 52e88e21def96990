// Expressions: the dispatch, and the small families.

import type {
  ArrayExpression,
  BinaryExpression,
  ChainExpression,
  Expression,
  ImportExpression,
  Literal,
  LogicalExpression,
  MetaProperty,
  Node,
  SequenceExpression,
  UnaryExpression,
} from "acorn";
import { callNames } from "../analyse/scope.ts";
import type { Frame } from "../frame.ts";
import { functionSlots } from "../function-object.ts";
import { throwError, throwTypeError } from "../guest-throw.ts";
import { toNumeric, toObject, toPropertyKey } from "../operations/conversion.ts";
import { forEachOf } from "../operations/iterator.ts";
import { deletePropertyOrThrow } from "../operations/property.ts";
import { regExpCreate } from "../realm/regexp/create.ts";
import { compileAssignment } from "./assignment.ts";
import { compileCall } from "./call.ts";
import { compileClass } from "./class.ts";
import { and, conditional, not, or } from "./condition.ts";
import { compileNew } from "./construct.ts";
import { type Context, callReferenceOf, type Evaluate, positionOf } from "./context.ts";
import { compileFunction } from "./function.ts";
import { type Operand, specialBinary } from "./generated/operators.gen.ts";
import { hotOperatorsFor } from "./hot-copy.ts";
import { compileMember, memberKey, skipped } from "./member.ts";
import { compileObject } from "./object-literal.ts";
import { located, slowBinary } from "./operators.ts";
import { compilePrivateIn } from "./private-name.ts";
import { compileTaggedTemplate, compileTemplate } from "./template.ts";
import { compileThisValue } from "./this-value.ts";
import { unboxed } from "./unboxed.ts";
import { compileUpdate } from "./update.ts";
import { localSlot, readIdentifier, readReference, typeofIdentifierValue } from "./variable.ts";

/** Compiles an expression that does not suspend, or whose suspending operands have been evaluated already. */
export function compileExpression(context: Context, node: Expression): Evaluate {
  const evaluated = context.evaluated.get(node);
  if (evaluated) return evaluated;
  switch (node.type) {
    case "Literal":
      return compileLiteral(context, node);
    case "Identifier":
      return readIdentifier(context, node);
    case "ThisExpression":
      return compileThisValue(context, node);
    case "BinaryExpression":
      return compileBinary(context, node);
    case "LogicalExpression":
      return compileLogical(context, node);
    case "UnaryExpression":
      return compileUnary(context, node);
    case "ConditionalExpression":
      return conditional(
        compileExpression(context, node.test),
        compileExpression(context, node.consequent),
        compileExpression(context, node.alternate),
      );
    case "AssignmentExpression":
      return compileAssignment(context, node);
    case "UpdateExpression":
      return compileUpdate(context, node);
    case "MemberExpression":
      return compileMember(context, node);
    case "CallExpression":
      return compileCall(context, node);
    case "NewExpression":
      return compileNew(context, node);
    case "ChainExpression":
      return compileChain(context, node);
    case "SequenceExpression":
      return compileSequence(context, node);
    case "ArrayExpression":
      return compileArray(context, node);
    case "ObjectExpression":
      return compileObject(context, node);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return compileFunction(context, node, {});
    case "ClassExpression":
      return compileClass(context, node, null);
    case "TemplateLiteral":
      return compileTemplate(context, node);
    case "TaggedTemplateExpression":
      return compileTaggedTemplate(context, node);
    case "MetaProperty":
      return compileNewTarget(context, node);
    case "ParenthesizedExpression":
      return compileExpression(context, node.expression);
    case "ImportExpression":
      return compileImport(context, node);
    case "AwaitExpression":
    case "YieldExpression":
      throw new Error(`${node.type} was compiled as an expression that does not suspend`);
    default:
      return node satisfies never;
  }
}

/** Compiles an expression; an anonymous function or class gets the given name. */
export function compileNamed(context: Context, node: Expression, name: string): Evaluate {
  if (context.evaluated.has(node)) return compileExpression(context, node);
  if (node.type === "ArrowFunctionExpression") return compileFunction(context, node, { name });
  if (node.type === "FunctionExpression" && !node.id) return compileFunction(context, node, { name });
  if (node.type === "ClassExpression" && !node.id) return compileClass(context, node, name);
  return compileExpression(context, node);
}

/** Whether a node is a function or class that takes the name of what it is assigned to. */
export function isAnonymousFunction(node: Node): boolean {
  if (node.type === "ArrowFunctionExpression") return true;
  return (node.type === "FunctionExpression" || node.type === "ClassExpression") && !(node as { id?: unknown }).id;
}

/** How an operator's operand is read. */
export function operandOf(context: Context, node: Expression): Operand {
  const slot = localSlot(context, node);
  if (slot !== 0) return { kind: "slot", slot, constant: 0, evaluate: () => undefined };
  if (node.type === "Literal" && typeof node.value === "number") {
    return { kind: "constant", slot: 0, constant: node.value, evaluate: () => undefined };
  }
  return { kind: "expression", slot: 0, constant: 0, evaluate: compileExpression(context, node) };
}

/** An operand as an expression; what it was compiled to is used again. Compiling it twice at each of n levels would be 2^n times at the last. */
export function evaluateOf(context: Context, node: Expression, { kind, evaluate }: Operand): Evaluate {
  return kind === "expression" ? evaluate : compileExpression(context, node);
}

function compileLiteral({ realm }: Context, { value, regex, bigint }: Literal): Evaluate {
  if (regex) {
    const { pattern, flags } = regex;
    return () => regExpCreate(realm, pattern, flags);
  }
  if (bigint !== undefined && bigint !== null) {
    const constant = BigInt(bigint);
    return () => constant;
  }
  const constant = typeof value === "number" ? unboxed(value) : value;
  return () => constant;
}

function compileImport(context: Context, { source, start }: ImportExpression): Evaluate {
  const specifier = compileExpression(context, source);
  const { importDynamically } = context;
  return (frame) => importDynamically(specifier(frame), start);
}

function compileNewTarget(context: Context, node: MetaProperty): Evaluate {
  const reference = callReferenceOf(context, node, callNames.newTarget);
  if (!reference.variable) return () => undefined;
  return readReference(context, reference, positionOf(context, node));
}

function compileBinary(context: Context, node: BinaryExpression): Evaluate {
  const { operator, left, right } = node;
  if (left.type === "PrivateIdentifier") return compilePrivateIn(context, left, right);
  const slow = slowBinary(context, operator, node);
  if (left.type === "Literal" && right.type === "Literal")
    return binary(compileExpression(context, left), compileExpression(context, right), slow);
  const leftOperand = operandOf(context, left);
  const rightOperand = operandOf(context, right);
  const special =
    hotOperatorsFor(left, right).hotBinary(operator, leftOperand, rightOperand, slow) ??
    specialBinary(operator, leftOperand, rightOperand, slow);
  if (special) return special;
  return binary(evaluateOf(context, left, leftOperand), evaluateOf(context, right, rightOperand), slow);
}

function binary(left: Evaluate, right: Evaluate, apply: (left: unknown, right: unknown) => unknown): Evaluate {
  return (frame) => {
    const leftValue = left(frame);
    return apply(leftValue, right(frame));
  };
}

function compileLogical(context: Context, { operator, left, right }: LogicalExpression): Evaluate {
  const first = compileExpression(context, left);
  const second = compileExpression(context, right);
  switch (operator) {
    case "&&":
      return and(first, second);
    case "||":
      return or(first, second);
    case "??":
      return (frame) => first(frame) ?? second(frame);
    default:
      return operator satisfies never;
  }
}

function compileUnary(context: Context, node: UnaryExpression): Evaluate {
  const { operator, argument } = node;
  if (operator === "delete") return compileDelete(context, argument);
  if (operator === "typeof") return compileTypeof(context, argument);
  const value = compileExpression(context, argument);
  switch (operator) {
    case "!":
      return not(value);
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
      return typeof numeric === "bigint" ? ofBigInt(numeric) : ofNumber(numeric);
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
  return (frame) => {
    const operand = value(frame);
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
  const { realm } = context;
  return (frame) => {
    const base = object(frame);
    if (base === skipped || (target.optional && (base === undefined || base === null))) return true;
    const property = key(frame);
    try {
      deletePropertyOrThrow(toObject(realm, base), toPropertyKey(property));
    } catch (caught) {
      throw located(context, caught, target);
    }
    return true;
  };
}

function compileChain(context: Context, { expression }: ChainExpression): Evaluate {
  const value = compileExpression(context, expression);
  return (frame) => {
    const result = value(frame);
    return result === skipped ? undefined : result;
  };
}

function compileSequence(context: Context, { expressions }: SequenceExpression): Evaluate {
  const evaluates = expressions.map((expression) => compileExpression(context, expression));
  return (frame) => {
    let value: unknown;
    for (let index = 0; index < evaluates.length; index++) value = (evaluates[index] as Evaluate)(frame);
    return value;
  };
}

function compileArray(context: Context, { elements }: ArrayExpression): Evaluate {
  if (elements.some((element) => element === null || element.type === "SpreadElement"))
    return compileSparseArray(context, elements);
  const { realm, meter } = context;
  const evaluates = elements.map((element) => compileExpression(context, element as Expression)); // see the line above
  const bytes = 72 + 8 * evaluates.length;
  return (frame) => {
    meter.allocate(bytes);
    if (!realm.intact) return realm.newArray(evaluates.map((evaluate) => evaluate(frame)));
    const array = new realm.GuestArray();
    for (let index = 0; index < evaluates.length; index++) array[index] = (evaluates[index] as Evaluate)(frame);
    return array;
  };
}

/** An array literal with holes or spreads. */
function compileSparseArray(context: Context, elements: ArrayExpression["elements"]): Evaluate {
  const { realm, meter } = context;
  const parts = elements.map((element) => elementPart(context, element));
  const bytes = 8 * elements.length;
  return (frame) => {
    meter.allocate(bytes);
    const array = realm.newArray();
    for (let index = 0; index < parts.length; index++) (parts[index] as AddElement)(frame, array); // the index is below the length
    return array;
  };
}

/** Adds an element, or all elements of a spread, to an array. */
export type AddElement = (frame: Frame, array: unknown[]) => void;

/** Compiles one part of an array literal. */
export function elementPart(context: Context, element: ArrayExpression["elements"][number]): AddElement {
  if (!element) return addHole;
  const { realm, meter } = context;
  if (element.type !== "SpreadElement") {
    const value = compileExpression(context, element);
    return (frame, array) => realm.appendElement(array, value(frame));
  }
  const iterable = compileExpression(context, element.argument);
  return (frame, array) => {
    try {
      forEachOf(realm, iterable(frame), (value) => {
        meter.allocateElement(array.length);
        realm.appendElement(array, value);
      });
    } catch (caught) {
      throw located(context, caught, element);
    }
  };
}

const addHole: AddElement = (_frame, array) => {
  array.length++;
};
