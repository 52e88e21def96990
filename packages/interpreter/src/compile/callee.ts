// The callee of a call: any function, or a method of a value. For a method, the value becomes
// `this`.

import type { Expression, MemberExpression, Super } from "acorn";
import { answerNames } from "../bindings.ts";
import type { Frame } from "../frame.ts";
import { type Context, type Evaluate, type ReadMethod, referenceOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { compileSuperRead, memberKey, memberName, readMember, skipped, textRead } from "./member.ts";
import { located } from "./operators.ts";
import { readPrivate } from "./private-name.ts";
import { methodSite } from "./property-sites.ts";
import { compileThisValue } from "./this-value.ts";

/** Returns the function to call, and stores its `this` in the receiver. */
export type EvaluateCallee = (frame: Frame, receiver: Receiver) => unknown;

/** Receives the `this` of a call, because the closure can return only the function. */
export interface Receiver {
  thisValue: unknown;
}

/**
 * Compiles a callee without `this`. If the callee has the name of the answer tool, the tool is
 * called, even if a top-level variable has the same name.
 */
export function compileCallee(context: Context, callee: Expression): Evaluate {
  if (callee.type === "Identifier" && answerNames.has(callee.name)) {
    const { variable } = referenceOf(context, callee);
    const tool = context.bindings.tool(callee.name);
    if (tool && (!variable || variable.binding)) return () => tool.value;
  }
  return compileExpression(context, callee);
}

export function compileMethodRead(context: Context, callee: MemberExpression): ReadMethod {
  const { object, property, computed } = callee;
  if (object.type === "Super") return superMethod(context, callee, object);
  if (property.type === "PrivateIdentifier") return readPrivate(context, property);
  return computed ? computedMethod(context, callee) : namedMethod(context, callee);
}

/** Compiles a callee of any form, and the evaluation of its `this`. */
export function generalCallee(context: Context, node: Expression): EvaluateCallee {
  if (node.type === "ParenthesizedExpression") return generalCallee(context, node.expression);
  if (node.type === "ChainExpression") return endOfChain(generalCallee(context, node.expression));
  if (node.type !== "MemberExpression" || context.evaluated.has(node)) return compileCallee(context, node);
  if (node.object.type === "Super") return superCallee(context, node, node.object);
  return memberCallee(context, node, compileExpression(context, node.object));
}

function namedMethod(context: Context, callee: MemberExpression): ReadMethod {
  const name = memberName(callee);
  return methodSite(
    name,
    textRead(context, name, (value, frame) => readMember(context, callee, value, name, frame)),
  );
}

function computedMethod(context: Context, callee: MemberExpression): ReadMethod {
  const key = memberKey(context, callee);
  return (frame, base) => readMember(context, callee, base, key(frame), frame);
}

function superMethod(context: Context, callee: MemberExpression, superNode: Super): ReadMethod {
  const read = compileSuperRead(context, callee, superNode);
  return (frame, thisValue) => {
    try {
      return read(frame, thisValue);
    } catch (caught) {
      throw located(context, caught, callee);
    }
  };
}

/**
 * Compiles the callee of `(a?.b)(...)`. The optional chain ends at the parentheses, but `this` is
 * still `a`.
 */
function endOfChain(callee: EvaluateCallee): EvaluateCallee {
  return (frame, receiver) => {
    const value = callee(frame, receiver);
    return value === skipped ? undefined : value;
  };
}

function memberCallee(context: Context, node: MemberExpression, object: Evaluate): EvaluateCallee {
  const { property, optional } = node;
  const read =
    property.type === "PrivateIdentifier"
      ? readPrivate(context, property)
      : readByKey(context, node, memberKey(context, node));
  return (frame, receiver) => {
    const base = object(frame);
    if (base === skipped || (optional && (base === undefined || base === null))) return skipped;
    receiver.thisValue = base;
    return read(frame, base);
  };
}

function readByKey(context: Context, node: MemberExpression, key: Evaluate): ReadMethod {
  return (frame, base) => readMember(context, node, base, key(frame), frame);
}

function superCallee(context: Context, node: MemberExpression, superNode: Super): EvaluateCallee {
  const thisValue = compileThisValue(context, superNode);
  const read = compileSuperRead(context, node, superNode);
  return (frame, receiver) => {
    receiver.thisValue = thisValue(frame);
    return read(frame, receiver.thisValue);
  };
}
