// Calls and `new`. A call of a guest function whose parameters are plain names makes the callee's frame right here, without a list of
// arguments; everything else goes through the function's own `enter`.

import type { CallExpression, Expression, MemberExpression, NewExpression, Node, SpreadElement, Super } from "acorn";
import { callNames } from "../analyse/scope.ts";
import { answerNames } from "../bindings.ts";
import type { Frame } from "../frame.ts";
import { calleeSlots, type FunctionSlots, functionSlots, type Native } from "../function-object.ts";
import { type Position, throwError, throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { construct, construct3, enterSimple, isConstructor } from "../operations/call.ts";
import { errorSlots } from "../operations/error.ts";
import { forEachOf } from "../operations/iterator.ts";
import { type Context, callReferenceOf, type Evaluate, positionOf, type ReadMethod, referenceOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { compileSuperRead, mayBeSkipped, memberKey, memberName, readMember, skipped } from "./member.ts";
import { located } from "./operators.ts";
import { readPrivate } from "./private-name.ts";
import { methodSite } from "./property-sites.ts";
import { compileThisValue } from "./this-value.ts";
import { initializeReference, readReference } from "./variable.ts";

/** The arguments of a call, evaluated. */
export type EvaluateList = (frame: Frame) => unknown[];

/** Gives what is called, and leaves its `this` in the receiver. */
export type EvaluateCallee = (frame: Frame, receiver: Receiver) => unknown;

/** Where a callee leaves its `this`. */
export interface Receiver {
  thisValue: unknown;
}

/** Compiles a call. */
export function compileCall(context: Context, node: CallExpression): Evaluate {
  const { callee, optional } = node;
  if (callee.type === "Super") return compileSuperCall(context, node, callee);
  if (optional || !hasFewArguments(node) || !isPlainCallee(callee)) return generalCall(context, node);
  const args = node.arguments.map((argument) => compileExpression(context, argument as Expression)); // no spreads here
  if (callee.type === "MemberExpression") return methodCall(context, node, callee, args);
  return functionCall(context, node, compileCallee(context, callee), args);
}

/** Compiles `new`. */
export function compileNew(context: Context, node: NewExpression): Evaluate {
  if (!hasFewArguments(node)) return generalNew(context, node);
  const { realm } = context;
  const callee = compileExpression(context, node.callee);
  const [first, second, third] = node.arguments.map((argument) => compileExpression(context, argument as Expression)); // no spreads here
  const count = node.arguments.length;
  const position = positionOf(context, node);
  return (frame) => {
    const target = callee(frame);
    const a = first?.(frame);
    const b = second?.(frame);
    const c = third?.(frame);
    const slots = calleeSlots(target);
    if (!slots?.code.simpleConstruct) return constructSlowly(context, node, target, [a, b, c].slice(0, count));
    try {
      const object = construct3(realm, slots, slots, count, a, b, c);
      if (slots.code.construct === "derived") markMadeError(object, position);
      return object;
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** Whether arguments can be passed one by one. */
function hasFewArguments({ arguments: given }: CallExpression | NewExpression): boolean {
  return given.length <= 3 && given.every(({ type }) => type !== "SpreadElement");
}

function generalNew(context: Context, node: NewExpression): Evaluate {
  const callee = compileExpression(context, node.callee);
  const args = compileArguments(context, node.arguments);
  return (frame) => {
    const target = callee(frame);
    return constructSlowly(context, node, target, args(frame));
  };
}

function constructSlowly(context: Context, node: NewExpression, target: unknown, args: readonly unknown[]): unknown {
  try {
    const slots = calleeSlots(target);
    if (!slots || slots.code.construct === "none")
      return throwTypeError(`${textOf(context, node.callee)} is not a constructor`);
    const { code } = slots;
    const object = code.enter(slots, undefined, args, target as GuestObject); // it has slots
    // Only the built-ins and what is derived from them make errors.
    if (code.nativeConstruct || code.construct === "derived") markMadeError(object, positionOf(context, node));
    return object;
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** Compiles arguments into one host list. */
export function compileArguments(context: Context, nodes: readonly (Expression | SpreadElement)[]): EvaluateList {
  const parts = nodes.map((node) => compileExpression(context, node.type === "SpreadElement" ? node.argument : node));
  if (nodes.every(({ type }) => type !== "SpreadElement")) return plainList(parts);
  const adds = nodes.map((node) => argumentAdder(context, node));
  return (frame) => {
    const list: unknown[] = [];
    for (let index = 0; index < parts.length; index++) {
      const value = (parts[index] as Evaluate)(frame); // the index is below both lengths
      (adds[index] as AddArgument)(list, value);
    }
    return list;
  };
}

/** Adds what was evaluated for one argument: itself, or all that it gives when it is spread. */
export type AddArgument = (list: unknown[], value: unknown) => void;

/** How an argument is added to a host list. */
export function argumentAdder(context: Context, node: Expression | SpreadElement): AddArgument {
  if (node.type !== "SpreadElement") return (list, value) => void list.push(value);
  const { realm, meter } = context;
  return (list, iterable) => {
    try {
      forEachOf(realm, iterable, (element) => {
        meter.allocateElement(list.length);
        list.push(element);
      });
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** How an expression reads in a message. */
export function textOf({ source }: Context, { start, end }: Node): string {
  const text = source.text.slice(start, end);
  return text.length <= 60 ? `"${text}"` : "the expression";
}

/** Calls whatever was found, through its `enter`; what it throws gets the call's position. */
export function callSlowly(
  context: Context,
  node: CallExpression,
  slots: FunctionSlots | undefined,
  thisValue: unknown,
  args: readonly unknown[],
): unknown {
  try {
    if (!slots) return throwTypeError(`${textOf(context, node.callee)} is not a function`);
    const result = slots.code.enter(slots, thisValue, args, undefined);
    if (slots.code.construct !== "none" && slots.code.native) markError(context, node, result);
    return result;
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** Calls what is not simple with up to three arguments; built-ins get no list of them. */
function callOther(
  context: Context,
  node: CallExpression,
  slots: FunctionSlots | undefined,
  thisValue: unknown,
  count: number,
  first?: unknown,
  second?: unknown,
  third?: unknown,
): unknown {
  const native = slots?.code.native;
  if (!slots || !native) return callSlowly(context, node, slots, thisValue, [first, second, third].slice(0, count));
  try {
    context.meter.charge(1);
    const result = callNative(native, thisValue, count, first, second, third);
    if (slots.code.construct !== "none") markError(context, node, result);
    return result;
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** Built-ins see how many arguments they are given. */
function callNative(
  native: Native,
  thisValue: unknown,
  count: number,
  first: unknown,
  second: unknown,
  third: unknown,
): unknown {
  switch (count) {
    case 0:
      return native(thisValue);
    case 1:
      return native(thisValue, first);
    case 2:
      return native(thisValue, first, second);
    default:
      return native(thisValue, first, second, third);
  }
}

function markMadeError(object: unknown, position: Position): void {
  const slots = errorSlots(object);
  if (slots) slots.position = position;
}

/** An error made by `Error("...")` without `new`. */
function markError(context: Context, node: Node, result: unknown): void {
  const slots = errorSlots(result);
  if (slots && !slots.position) slots.position = positionOf(context, node);
}

function plainList(parts: readonly Evaluate[]): EvaluateList {
  const [first, second, third] = parts as [Evaluate, Evaluate, Evaluate]; // read only where there are so many
  switch (parts.length) {
    case 0:
      return () => [];
    case 1:
      return (frame) => [first(frame)];
    case 2:
      return (frame) => [first(frame), second(frame)];
    case 3:
      return (frame) => [first(frame), second(frame), third(frame)];
    default:
      return (frame) => {
        const list: unknown[] = [];
        for (let index = 0; index < parts.length; index++) list.push((parts[index] as Evaluate)(frame));
        return list;
      };
  }
}

function isPlainCallee(callee: Expression): boolean {
  if (callee.type !== "MemberExpression") return callee.type !== "ChainExpression" && !mayBeSkipped(callee);
  const { object, optional } = callee;
  return !optional && !mayBeSkipped(object);
}

/** A callee without `this`. The answer tool is meant when its name is called, also where a variable has that name. */
function compileCallee(context: Context, callee: Expression): Evaluate {
  if (callee.type === "Identifier" && answerNames.has(callee.name)) {
    const { variable } = referenceOf(context, callee);
    const tool = context.bindings.tool(callee.name);
    if (tool && (!variable || variable.binding)) return () => tool.value;
  }
  return compileExpression(context, callee);
}

function functionCall(context: Context, node: CallExpression, callee: Evaluate, args: readonly Evaluate[]): Evaluate {
  const { meter } = context;
  const [first, second, third] = args as [Evaluate, Evaluate, Evaluate]; // read only where there are so many
  switch (args.length) {
    case 0:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 0);
        const result = slots.code.run(enterSimple(meter, slots, undefined));
        meter.depth--;
        return result;
      };
    case 1:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 1, a);
        const { code } = slots;
        const inner = enterSimple(meter, slots, undefined);
        if (code.parameterCount > 0) inner[1] = a;
        const result = code.run(inner);
        meter.depth--;
        return result;
      };
    case 2:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        const b = second(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 2, a, b);
        const { code } = slots;
        const inner = enterSimple(meter, slots, undefined);
        if (code.parameterCount > 0) {
          inner[1] = a;
          if (code.parameterCount > 1) inner[2] = b;
        }
        const result = code.run(inner);
        meter.depth--;
        return result;
      };
    default:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        const b = second(frame);
        const c = third(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 3, a, b, c);
        return runSimple3(context, slots, undefined, a, b, c);
      };
  }
}

function runSimple3(
  { meter }: Context,
  slots: FunctionSlots,
  thisValue: unknown,
  a: unknown,
  b: unknown,
  c: unknown,
): unknown {
  const { code } = slots;
  const inner = enterSimple(meter, slots, thisValue);
  if (code.parameterCount > 0) {
    inner[1] = a;
    if (code.parameterCount > 1) inner[2] = b;
    if (code.parameterCount > 2) inner[3] = c;
  }
  const result = code.run(inner);
  meter.depth--;
  return result;
}

function methodCall(
  context: Context,
  node: CallExpression,
  callee: MemberExpression,
  args: readonly Evaluate[],
): Evaluate {
  const { meter } = context;
  const object =
    callee.object.type === "Super"
      ? compileThisValue(context, callee.object)
      : compileExpression(context, callee.object);
  const method = compileMethodRead(context, callee);
  const [first, second, third] = args as [Evaluate, Evaluate, Evaluate]; // read only where there are so many
  switch (args.length) {
    case 0:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        if (!slots?.code.simple) return callOther(context, node, slots, base, 0);
        const result = slots.code.run(enterSimple(meter, slots, base));
        meter.depth--;
        return result;
      };
    case 1:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 1, a);
        const { code } = slots;
        const inner = enterSimple(meter, slots, base);
        if (code.parameterCount > 0) inner[1] = a;
        const result = code.run(inner);
        meter.depth--;
        return result;
      };
    case 2:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        const b = second(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 2, a, b);
        const { code } = slots;
        const inner = enterSimple(meter, slots, base);
        if (code.parameterCount > 0) {
          inner[1] = a;
          if (code.parameterCount > 1) inner[2] = b;
        }
        const result = code.run(inner);
        meter.depth--;
        return result;
      };
    default:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        const b = second(frame);
        const c = third(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 3, a, b, c);
        return runSimple3(context, slots, base, a, b, c);
      };
  }
}

function compileMethodRead(context: Context, callee: MemberExpression): ReadMethod {
  const { object, property, computed } = callee;
  if (object.type === "Super") return superMethod(context, callee, object);
  if (property.type === "PrivateIdentifier") return readPrivate(context, property);
  return computed ? computedMethod(context, callee) : namedMethod(context, callee);
}

function namedMethod(context: Context, callee: MemberExpression): ReadMethod {
  const name = memberName(callee);
  return methodSite(name, (value) => readMember(context, callee, value, name));
}

function computedMethod(context: Context, callee: MemberExpression): ReadMethod {
  const key = memberKey(context, callee);
  return (frame, base) => readMember(context, callee, base, key(frame));
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

/** Calls with spreads, many arguments or optional parts. */
function generalCall(context: Context, node: CallExpression): Evaluate {
  const callee = generalCallee(context, node.callee as Expression); // `super(...)` has been dealt with
  const args = compileArguments(context, node.arguments);
  const { optional } = node;
  return (frame) => {
    const receiver: Receiver = { thisValue: undefined };
    const value = callee(frame, receiver);
    if (value === skipped || (optional && (value === undefined || value === null))) return skipped;
    return callSlowly(context, node, calleeSlots(value), receiver.thisValue, args(frame));
  };
}

/** Compiles what is called, with all its forms of `this`. */
export function generalCallee(context: Context, node: Expression): EvaluateCallee {
  if (node.type === "ParenthesizedExpression") return generalCallee(context, node.expression);
  if (node.type === "ChainExpression") return endOfChain(generalCallee(context, node.expression));
  if (node.type !== "MemberExpression" || context.evaluated.has(node)) return compileCallee(context, node);
  if (node.object.type === "Super") return superCallee(context, node, node.object);
  return memberCallee(context, node, compileExpression(context, node.object));
}

/** `(a?.b)(...)`: the parentheses end the chain, but `this` stays. */
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
  return (frame, base) => readMember(context, node, base, key(frame));
}

function superCallee(context: Context, node: MemberExpression, superNode: Super): EvaluateCallee {
  const thisValue = compileThisValue(context, superNode);
  const read = compileSuperRead(context, node, superNode);
  return (frame, receiver) => {
    receiver.thisValue = thisValue(frame);
    return read(frame, receiver.thisValue);
  };
}

/** `super(...)`: constructs the parent with this call's new target and makes the result `this`. */
function compileSuperCall(context: Context, node: CallExpression, callee: Super): Evaluate {
  const position = positionOf(context, node);
  const self = readReference(context, callReferenceOf(context, callee, callNames.function), position);
  const thisReference = callReferenceOf(context, callee, callNames.this);
  const readThis = readReference(context, { ...thisReference, checked: false }, position);
  const initializeThis = initializeReference(thisReference);
  const makeInstance = compileParentConstruction(context, node, callee);
  return (frame) => {
    const constructorFunction = self(frame) as GuestObject; // the function itself
    const parent: unknown = Object.getPrototypeOf(constructorFunction); // a class is settled, and no proxy
    const object = makeInstance(frame, parent);
    if (typeof readThis(frame) === "object") throwError("ReferenceError", '"super()" was called twice', position);
    initializeThis(frame, object);
    const initializeFields = functionSlots(constructorFunction)?.instances?.initializeFields;
    if (initializeFields) initializeLocated(context, node, initializeFields, object);
    return object;
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

/** Evaluates the arguments of `super(...)` and constructs the parent with them. */
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
  const [first, second, third] = node.arguments.map((argument) => compileExpression(context, argument as Expression)); // no spreads here
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

function requireParent(parent: unknown): GuestObject {
  return isConstructor(parent) ? parent : throwTypeError("the parent class is not a constructor");
}
