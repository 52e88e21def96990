// Compiles updates: `++` and `--`.

import type { Identifier, MemberExpression, Node, UpdateExpression } from "acorn";
import { toNumeric } from "../operations/conversion.ts";
import { addBigints } from "./bigint.ts";
import type { Context, Evaluate } from "./context.ts";
import { changeMember, compileMemberChange, isPlainMember, keyOnce, type PlainMember } from "./member-change.ts";
import { located } from "./operators.ts";
import { compilePlace } from "./place.ts";
import { changePrivate, isPrivateMember } from "./private-name.ts";
import { assignableSlot } from "./variable.ts";

/** Compiles `++` and `--`. If the value is not used, prefix and postfix operators do the same. */
export function compileUpdate(context: Context, node: UpdateExpression, isValueUsed = true): Evaluate {
  const { operator, argument } = node;
  const prefix = node.prefix || !isValueUsed;
  const step = operator === "++" ? 1 : -1;
  const slot = assignableSlot(context, argument);
  const advance = slowAdvance(context, node, step);
  if (slot !== 0) return prefix ? prefixUpdateOfSlot(slot, step, advance) : postfixUpdateOfSlot(slot, step, advance);
  if (prefix && argument.type === "MemberExpression") {
    const apply = (before: unknown): unknown => (typeof before === "number" ? before + step : advance(before).after);
    if (isPlainMember(argument)) return changeMember(context, argument, apply, () => undefined);
    if (isPrivateMember(argument)) return changePrivate(context, argument, apply, () => undefined);
  }
  if (isPlainMember(argument)) return postfixUpdateOfMember(context, node, argument, step);
  const place = compilePlace(context, argument as Identifier | MemberExpression); // the parser allows only variables and members
  return (frame) => {
    const located = place.locate(frame);
    const old = place.read(frame, located);
    const before = typeof old === "number" ? old : toNumericLocated(context, node, old);
    const after = stepped(context, before, step);
    place.write(frame, located, after);
    return prefix ? after : before;
  };
}

/** Compiles `++` or `--` for a variable whose value is not a number. */
export function advanceSlowly(context: Context, node: UpdateExpression): (value: unknown) => number | bigint {
  const advance = slowAdvance(context, node, 1);
  return (value) => advance(value).after;
}

function postfixUpdateOfMember(context: Context, node: UpdateExpression, member: PlainMember, step: number): Evaluate {
  const { base, key, read, store } = compileMemberChange(context, member);
  return (frame) => {
    const object = base(frame);
    const property = keyOnce(object, key(frame));
    const old = read(object, property);
    const before = typeof old === "number" ? old : toNumericLocated(context, node, old);
    const after = stepped(context, before, step);
    store(object, property, after);
    return before;
  };
}

/** Converts a value to a number or bigint. Returns the result, and the number after the update. */
type Advance = (value: unknown) => { before: number | bigint; after: number | bigint };

function slowAdvance(context: Context, node: Node, step: number): Advance {
  return (value) => {
    const before = toNumericLocated(context, node, value);
    return { before, after: stepped(context, before, step) };
  };
}

const stepped = ({ meter }: Context, before: number | bigint, step: number): number | bigint =>
  typeof before === "number" ? before + step : addBigints(meter, before, BigInt(step));

function toNumericLocated(context: Context, node: Node, value: unknown): number | bigint {
  try {
    return toNumeric(value);
  } catch (caught) {
    throw located(context, caught, node);
  }
}

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
