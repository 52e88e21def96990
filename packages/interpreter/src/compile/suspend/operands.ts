// Evaluates the operands of an expression into slots of the frame, because an operand may suspend.
// After all operands, the usual closure of the expression runs, and reads the values from the
// slots.

import type { Class, Expression, Identifier, MemberExpression, SpreadElement, Super } from "acorn";
import type { Context } from "../context.ts";

/** Operands and the slots for their values. */
export interface OperandSlots {
  /**
   * The operands and slots in the order of evaluation. Literals and functions are left out, because
   * it does not matter when they are evaluated.
   */
  readonly steps: readonly { readonly operand: Expression; readonly slot: number }[];
  /** The context in which code reads the operands from their slots. */
  readonly after: Context;
  readonly slotOf: (operand: Expression) => number;
}

/** Assigns a slot of the frame to each operand. */
export function evaluateIntoSlots(context: Context, operands: readonly Expression[]): OperandSlots {
  const slots = new Map<Expression, number>();
  for (const operand of operands) if (!isConstantOperand(operand)) slots.set(operand, context.scope.newTemporary());
  const evaluated = new Map(context.evaluated);
  for (const [operand, slot] of slots) evaluated.set(operand, (frame) => frame[slot]);
  return {
    steps: [...slots].map(([operand, slot]) => ({ operand, slot })),
    after: { ...context, evaluated },
    slotOf: (operand) => slots.get(operand) ?? 0,
  };
}

function isConstantOperand({ type }: Expression): boolean {
  return type === "Literal" || type === "FunctionExpression" || type === "ArrowFunctionExpression";
}

/** Returns the operands of an expression, in the order of their evaluation. */
export function operandsOf(node: Expression): readonly Expression[] {
  switch (node.type) {
    case "BinaryExpression":
      return node.left.type === "PrivateIdentifier" ? [node.right] : [node.left, node.right];
    case "UnaryExpression":
      return [node.argument];
    case "UpdateExpression":
      return operandsOfTarget(node.argument as Identifier | MemberExpression); // the parser allows only variables and members
    case "AssignmentExpression":
      return [...operandsOfTarget(node.left as Identifier | MemberExpression), node.right]; // patterns are compiled elsewhere
    case "MemberExpression":
      return operandsOfTarget(node);
    case "CallExpression":
      return node.arguments.map(withoutSpread);
    case "ImportExpression":
      return node.options ? [node.source, node.options] : [node.source];
    default:
      return [];
  }
}

const withoutSpread = (node: Expression | SpreadElement): Expression =>
  node.type === "SpreadElement" ? node.argument : node;

/** Returns the operands of a variable or member that is the target of an assignment. */
export function operandsOfTarget(node: Identifier | MemberExpression): readonly Expression[] {
  if (node.type === "Identifier") return [];
  return [...operandsOfBase(node.object), ...(node.computed ? [node.property as Expression] : [])]; // private names are never computed
}

const operandsOfBase = (node: Expression | Super): readonly Expression[] => (node.type === "Super" ? [] : [node]);

/** Returns the operands of a class: its parent and its computed keys. */
export function operandsOfClass({ superClass, body }: Class): readonly Expression[] {
  const keys = body.body.flatMap((member) =>
    member.type !== "StaticBlock" && member.computed ? [member.key as Expression] : [],
  );
  return superClass ? [superClass, ...keys] : keys;
}
