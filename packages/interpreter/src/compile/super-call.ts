// `super(...)`: calls the parent constructor, then initialises `this` and its fields.

import type { CallExpression, Expression, Node, Super } from "acorn";
import { callNames } from "../analyse/scope.ts";
import type { Frame } from "../frame.ts";
import { calleeSlots, functionSlots } from "../function-object.ts";
import { throwError, throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { construct, construct3, isConstructor } from "../operations/call.ts";
import { compileArguments, hasFewArguments } from "./arguments.ts";
import { type Context, callReferenceOf, type Evaluate, positionOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { located } from "./operators.ts";
import { initializeReference, readReference } from "./variable.ts";

/**
 * Compiles `super(...)`. It calls the parent constructor with the `new.target` of the current call.
 * The result becomes `this`.
 */
export function compileSuperCall(context: Context, node: CallExpression, callee: Super): Evaluate {
  const position = positionOf(context, node);
  const self = readReference(context, callReferenceOf(context, callee, callNames.function), position);
  const thisReference = callReferenceOf(context, callee, callNames.this);
  const readThis = readReference(context, { ...thisReference, checked: false }, position);
  const initializeThis = initializeReference(thisReference);
  const makeInstance = compileParentConstruction(context, node, callee);
  return (frame) => {
    const constructorFunction = self(frame) as GuestObject; // the slot contains the function itself
    const parent: unknown = Object.getPrototypeOf(constructorFunction); // the constructor is a settled class, not a proxy
    const object = makeInstance(frame, parent);
    if (typeof readThis(frame) === "object") throwError("ReferenceError", '"super()" was called twice', position);
    initializeThis(frame, object);
    const initializeFields = functionSlots(constructorFunction)?.instances?.initializeFields;
    if (initializeFields) initializeLocated(context, node, initializeFields, object);
    return object;
  };
}

/** Compiles the evaluation of the arguments and the call of the parent constructor. */
function compileParentConstruction(
  context: Context,
  node: CallExpression,
  callee: Super,
): (frame: Frame, parent: unknown) => GuestObject {
  const { realm } = context;
  const target = readReference(
    context,
    callReferenceOf(context, callee, callNames.newTarget),
    positionOf(context, node),
  );
  const newTarget = target as (frame: Frame) => GuestObject; // only constructors contain `super()`
  if (!hasFewArguments(node)) {
    const args = compileArguments(context, node.arguments);
    return (frame, parent) => {
      const list = args(frame);
      try {
        return construct(requireParent(parent), list, newTarget(frame));
      } catch (caught) {
        throw located(context, caught, node);
      }
    };
  }
  const count = node.arguments.length;
  const [first, second, third] = node.arguments.map((argument) => compileExpression(context, argument as Expression)); // the arguments contain no spread
  return (frame, parent) => {
    const a = first?.(frame);
    const b = second?.(frame);
    const c = third?.(frame);
    try {
      const slots = calleeSlots(parent);
      const newTargetSlots = calleeSlots(newTarget(frame));
      if (!slots || !newTargetSlots || slots.code.construct === "none") return requireParent(null);
      return construct3(realm, slots, newTargetSlots, count, a, b, c);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

function initializeLocated(
  context: Context,
  node: Node,
  initializeFields: (instance: GuestObject) => void,
  object: GuestObject,
): void {
  try {
    initializeFields(object);
  } catch (caught) {
    throw located(context, caught, node);
  }
}

function requireParent(parent: unknown): GuestObject {
  return isConstructor(parent) ? parent : throwTypeError("the parent class is not a constructor");
}
