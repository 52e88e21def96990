// Calls, `new` and members that contain an `await` or `yield`, compiled to host generators.

import type {
  CallExpression,
  Expression,
  MemberExpression,
  NewExpression,
  SpreadElement,
  TaggedTemplateExpression,
  UnaryExpression,
} from "acorn";
import type { Frame } from "../../frame.ts";
import { functionSlots } from "../../function-object.ts";
import { throwTypeError } from "../../guest-throw.ts";
import { construct, isConstructor } from "../../operations/call.ts";
import type { HostGenerator } from "../../operations/generator.ts";
import { argumentAdder } from "../arguments.ts";
import { generalCallee, type Receiver } from "../callee.ts";
import { type Context, positionOf, suspends } from "../context.ts";
import { memberKey, readMember, skipped } from "../member.ts";
import { located } from "../operators.ts";
import { readPrivate } from "../private-name.ts";
import { callSlowly, markMadeError, textOf } from "../slow-call.ts";
import { tagCall } from "../template.ts";
import { deleteMember } from "../unary.ts";
import {
  evaluateFirst,
  type SuspendEvaluate,
  stepOf,
  suspendByOperands,
  suspendExpression,
  withoutSuspending,
} from "./expression.ts";
import { operandsOf } from "./operands.ts";

/** Compiles a read of a member. */
export function suspendMember(context: Context, node: MemberExpression): SuspendEvaluate {
  if (node.object.type === "Super") return suspendByOperands(context, node);
  const base = suspendExpression(context, node.object);
  const read = suspendRead(context, node);
  return function* (frame) {
    const value = yield* base(frame);
    if (value === skipped || (node.optional && (value === undefined || value === null))) return skipped;
    return yield* read(frame, value);
  };
}

/** Compiles a call, except `super(...)`. */
export function suspendCall(context: Context, node: CallExpression): SuspendEvaluate {
  const callee = suspendCallee(context, node.callee as Expression); // `super(...)` was handled above
  const args = suspendArguments(context, node.arguments);
  return function* (frame) {
    const receiver: Receiver = { thisValue: undefined };
    const value = yield* callee(frame, receiver);
    if (value === skipped || (node.optional && (value === undefined || value === null))) return skipped;
    return callSlowly(context, node, functionSlots(value), receiver.thisValue, yield* args(frame));
  };
}

/** Compiles `new`. */
export function suspendNew(context: Context, node: NewExpression): SuspendEvaluate {
  const callee = suspendExpression(context, node.callee);
  const args = suspendArguments(context, node.arguments);
  return function* (frame) {
    const target = yield* callee(frame);
    const list = yield* args(frame);
    try {
      if (!isConstructor(target)) throwTypeError(`${textOf(context, node.callee)} is not a constructor`);
      const object = construct(target, list);
      markMadeError(object, positionOf(context, node));
      return object;
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** Compiles a tagged template. The tag is read before the values are evaluated. */
export function suspendTaggedTemplate(context: Context, node: TaggedTemplateExpression): SuspendEvaluate {
  const tag = suspendCallee(context, node.tag);
  const values = suspendArguments(context, node.quasi.expressions);
  const call = tagCall(context, node);
  return function* (frame) {
    const receiver: Receiver = { thisValue: undefined };
    const value = yield* tag(frame, receiver);
    return call(value, receiver.thisValue, yield* values(frame));
  };
}

/** Compiles `delete`. */
export function suspendDelete(context: Context, node: UnaryExpression): SuspendEvaluate {
  const target = node.argument.type === "ChainExpression" ? node.argument.expression : node.argument;
  if (target.type !== "MemberExpression" || target.object.type === "Super") return suspendByOperands(context, node);
  const base = suspendExpression(context, target.object);
  const key = suspendKey(context, target);
  return function* (frame) {
    const value = yield* base(frame);
    if (value === skipped || (target.optional && (value === undefined || value === null))) return true;
    return deleteMember(context, target, value, yield* key(frame));
  };
}

/** Returns the function to call, and stores its `this` in the receiver. */
type SuspendCallee = (frame: Frame, receiver: Receiver) => HostGenerator;

function suspendCallee(context: Context, node: Expression): SuspendCallee {
  if (!suspends(context, node) || (node.type === "MemberExpression" && node.object.type === "Super")) {
    const { steps, after } = evaluateFirst(context, suspends(context, node) ? operandsOf(node) : []);
    const callee = generalCallee(after, node);
    return function* (frame, receiver) {
      yield* steps(frame);
      return callee(frame, receiver);
    };
  }
  if (node.type === "ParenthesizedExpression") return suspendCallee(context, node.expression);
  if (node.type === "ChainExpression") return endOfChain(suspendCallee(context, node.expression));
  if (node.type !== "MemberExpression") {
    const value = suspendExpression(context, node);
    return (frame) => value(frame);
  }
  const base = suspendExpression(context, node.object as Expression); // `super` was handled above
  const read = suspendRead(context, node);
  return function* (frame, receiver) {
    const value = yield* base(frame);
    if (value === skipped || (node.optional && (value === undefined || value === null))) return skipped;
    receiver.thisValue = value;
    return yield* read(frame, value);
  };
}

/**
 * Compiles the callee of `((await a)?.b)(...)`. The optional chain ends at the parentheses, but
 * `this` is still the awaited value.
 */
function endOfChain(callee: SuspendCallee): SuspendCallee {
  return function* (frame, receiver) {
    const value = yield* callee(frame, receiver);
    return value === skipped ? undefined : value;
  };
}

/** Compiles a read of a member of a value. The key may suspend. */
function suspendRead(context: Context, node: MemberExpression): (frame: Frame, value: unknown) => HostGenerator {
  if (node.property.type === "PrivateIdentifier") {
    const read = readPrivate(context, node.property);
    // biome-ignore lint/correctness/useYield: callers expect a generator
    return function* (frame, value) {
      return read(frame, value);
    };
  }
  const key = suspendKey(context, node);
  return function* (frame, value) {
    return readMember(context, node, value, yield* key(frame), frame);
  };
}

function suspendKey(context: Context, node: MemberExpression): SuspendEvaluate {
  if (!node.computed) return withoutSuspending(memberKey(context, node));
  return suspendExpression(context, node.property as Expression); // private names are never computed
}

function suspendArguments(
  context: Context,
  nodes: readonly (Expression | SpreadElement)[],
): (frame: Frame) => Generator<unknown, unknown[], unknown> {
  const parts = nodes.map((node) => ({
    add: argumentAdder(context, node),
    value: stepOf(context, node.type === "SpreadElement" ? node.argument : node),
  }));
  return function* (frame) {
    const list: unknown[] = [];
    for (const { add, value } of parts) add(list, value.plain ? value.plain(frame) : yield* value.suspending(frame));
    return list;
  };
}
