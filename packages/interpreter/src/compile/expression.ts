// Compiles expressions. Small kinds of expressions are compiled here, all others in separate files.

import type {
  BinaryExpression,
  ChainExpression,
  Expression,
  ImportExpression,
  Literal,
  LogicalExpression,
  MetaProperty,
  Node,
  SequenceExpression,
} from "acorn";
import { callNames } from "../analyse/scope.ts";
import { readingStep } from "../reading-steps.ts";
import { regExpLiteral } from "../realm/regexp/create.ts";
import { compileArray } from "./array-literal.ts";
import { compileAssignment } from "./assignment.ts";
import { compileCall } from "./call.ts";
import { compileClass } from "./class.ts";
import { and, conditional, not, nullish, or } from "./condition.ts";
import { compileNew } from "./construct.ts";
import { type Context, callReferenceOf, type Evaluate, positionOf } from "./context.ts";
import { compileFunction } from "./function.ts";
import { isFrequent, type Operand, specialBinary } from "./generated/operators.gen.ts";
import { compileMember, skipped } from "./member.ts";
import { compileObject } from "./object-literal.ts";
import { slowBinary } from "./operators.ts";
import { compilePrivateIn } from "./private-name.ts";
import { compileTaggedTemplate, compileTemplate } from "./template.ts";
import { compileThisValue } from "./this-value.ts";
import { compileUnary } from "./unary.ts";
import { unboxed } from "./unboxed.ts";
import { compileUpdate } from "./update.ts";
import { localSlot, readIdentifier, readReference } from "./variable.ts";
import { compileFallbackTest, compileTest, watchedEquality } from "./watched.ts";

/** Compiles an expression whose value is not used. */
export function compileUnused(context: Context, node: Expression): Evaluate {
  if (node.type === "UpdateExpression" && !context.evaluated.has(node)) return compileUpdate(context, node, false);
  return compileExpression(context, node);
}

/**
 * Compiles an expression that does not suspend, or whose suspending operands have already been
 * evaluated.
 */
export function compileExpression(context: Context, node: Expression): Evaluate {
  const evaluated = context.evaluated.get(node);
  if (evaluated) return evaluated;
  readingStep();
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
        compileTest(context, node.test),
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

/** Compiles an expression. If it is an anonymous function or class, it gets this name. */
export function compileNamed(context: Context, node: Expression, name: string): Evaluate {
  if (context.evaluated.has(node)) return compileExpression(context, node);
  if (node.type === "ArrowFunctionExpression") return compileFunction(context, node, { name });
  if (node.type === "FunctionExpression" && !node.id) return compileFunction(context, node, { name });
  if (node.type === "ClassExpression" && !node.id) return compileClass(context, node, name);
  return compileExpression(context, node);
}

/**
 * Says whether a node is a function or class that gets its name from the variable or property to
 * which it is assigned.
 */
export function isAnonymousFunction(node: Node): boolean {
  if (node.type === "ArrowFunctionExpression") return true;
  return (node.type === "FunctionExpression" || node.type === "ClassExpression") && !(node as { id?: unknown }).id;
}

/** Compiles the left operand of an operator. */
function leftOperand(context: Context, operator: string, node: Expression): Operand {
  return isFrequent(operator) ? operandOf(context, node) : evaluatedOperand(context, node);
}

/** Compiles the right operand of an operator, or of a compound assignment. */
export function rightOperand(context: Context, operator: string, node: Expression): Operand {
  return isFrequent(operator) || node.type === "Literal" ? operandOf(context, node) : evaluatedOperand(context, node);
}

/**
 * Compiles an operand. Local variables and numbers are separate kinds, because operators have
 * special closures for them.
 */
export function operandOf(context: Context, node: Expression): Operand {
  const slot = localSlot(context, node);
  if (slot !== 0) return { kind: "slot", slot, constant: 0, evaluate: () => undefined };
  if (node.type === "Literal" && typeof node.value === "number") {
    return { kind: "constant", slot: 0, constant: node.value, evaluate: () => undefined };
  }
  return evaluatedOperand(context, node);
}

function evaluatedOperand(context: Context, node: Expression): Operand {
  return { kind: "expression", slot: 0, constant: 0, evaluate: compileExpression(context, node) };
}

/**
 * Returns an operand as a closure. Reuses the closure if the operand has been compiled already.
 * Without this, each level of nesting would compile its operands twice, so with n levels the
 * innermost operand would be compiled 2^n times.
 */
export function evaluateOf(context: Context, node: Expression, { kind, evaluate }: Operand): Evaluate {
  return kind === "expression" ? evaluate : compileExpression(context, node);
}

function compileLiteral({ realm }: Context, { value, regex, bigint }: Literal): Evaluate {
  if (regex) {
    const { pattern, flags } = regex;
    return regExpLiteral(realm, pattern, flags);
  }
  if (bigint !== undefined && bigint !== null) {
    const constant = BigInt(bigint);
    return () => constant;
  }
  const constant = typeof value === "number" ? unboxed(value) : value;
  return () => constant;
}

/**
 * Compiles `import(source, options)`. The options have no effect, because the host decides the type
 * of each module.
 */
function compileImport(context: Context, { source, options, start }: ImportExpression): Evaluate {
  const specifier = compileExpression(context, source);
  const given = options ? compileExpression(context, options) : null;
  const { importDynamically } = context;
  return (frame) => {
    const name = specifier(frame);
    given?.(frame);
    return importDynamically(name, start);
  };
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
  const first = leftOperand(context, operator, left);
  const second = rightOperand(context, operator, right);
  if (operator === "===" || operator === "!==") {
    const operands = { left, right };
    const isSame = watchedEquality(context, node, operands, first, second);
    if (isSame) return operator === "===" ? isSame : not({ evaluate: isSame, note: null });
  }
  const special = specialBinary(operator, first, second, slow);
  if (special) return special;
  return binary(evaluateOf(context, left, first), evaluateOf(context, right, second), slow);
}

function binary(left: Evaluate, right: Evaluate, apply: (left: unknown, right: unknown) => unknown): Evaluate {
  return (frame) => {
    const leftValue = left(frame);
    return apply(leftValue, right(frame));
  };
}

function compileLogical(context: Context, { operator, left, right }: LogicalExpression): Evaluate {
  const second = compileExpression(context, right);
  switch (operator) {
    case "&&":
      return and(compileTest(context, left), second);
    case "||":
      return or(compileFallbackTest(context, operator, left), second);
    case "??":
      return nullish(compileFallbackTest(context, operator, left), second);
    default:
      return operator satisfies never;
  }
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
