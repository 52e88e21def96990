// A copy of hot-closures.ts, written by scripts/generate-copies.ts; do not edit.

import type { CallExpression } from "acorn";
import { type Completion, continuesLoop, loopCompletion, Return } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import { calleeSlots, type FunctionSlots, type InstanceSite } from "../../function-object.ts";
import type { GuestObject } from "../../guest-value.ts";
import type { Meter } from "../../limits.ts";
import { enterSimple } from "../../operations/call.ts";
import type { Context, Evaluate, Execute, ReadMethod } from "../context.ts";
import { callOther } from "../slow-call.ts";

/** A call of a function with up to three plain arguments. */
export function functionCall(
  context: Context,
  node: CallExpression,
  callee: Evaluate,
  args: readonly Evaluate[],
): Evaluate {
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
        return runWith1(meter, slots, undefined, a);
      };
    case 2:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        const b = second(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 2, a, b);
        return runWith2(meter, slots, undefined, a, b);
      };
    default:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        const b = second(frame);
        const c = third(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 3, a, b, c);
        return runWith3(meter, slots, undefined, a, b, c);
      };
  }
}

/** A call of a method with up to three plain arguments. */
export function methodCall(
  context: Context,
  node: CallExpression,
  object: Evaluate,
  method: ReadMethod,
  args: readonly Evaluate[],
): Evaluate {
  const { meter } = context;
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
        return runWith1(meter, slots, base, a);
      };
    case 2:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        const b = second(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 2, a, b);
        return runWith2(meter, slots, base, a, b);
      };
    default:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        const b = second(frame);
        const c = third(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 3, a, b, c);
        return runWith3(meter, slots, base, a, b, c);
      };
  }
}

function runWith1(meter: Meter, slots: FunctionSlots, thisValue: unknown, a: unknown): unknown {
  const { code } = slots;
  const inner = enterSimple(meter, slots, thisValue);
  if (code.parameterCount > 0) inner[1] = a;
  const result = code.run(inner);
  meter.depth--;
  return result;
}

function runWith2(meter: Meter, slots: FunctionSlots, thisValue: unknown, a: unknown, b: unknown): unknown {
  const { code } = slots;
  const inner = enterSimple(meter, slots, thisValue);
  if (code.parameterCount > 0) inner[1] = a;
  if (code.parameterCount > 1) inner[2] = b;
  const result = code.run(inner);
  meter.depth--;
  return result;
}

function runWith3(meter: Meter, slots: FunctionSlots, thisValue: unknown, a: unknown, b: unknown, c: unknown): unknown {
  const { code } = slots;
  const inner = enterSimple(meter, slots, thisValue);
  if (code.parameterCount > 0) inner[1] = a;
  if (code.parameterCount > 1) inner[2] = b;
  if (code.parameterCount > 2) inner[3] = c;
  const result = code.run(inner);
  meter.depth--;
  return result;
}

/** `test ? consequent : alternate`, also as `if` and `else`. */
export function conditional<Result>(
  test: Evaluate,
  consequent: (frame: Frame) => Result,
  alternate: (frame: Frame) => Result,
): (frame: Frame) => Result {
  return (frame) => (test(frame) ? consequent(frame) : alternate(frame));
}

/** `if` without `else`. */
export function ifThen(test: Evaluate, consequent: Execute): Execute {
  return (frame) => (test(frame) ? consequent(frame) : undefined);
}

/** `left && right`. */
export function and(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const value = left(frame);
    return value ? right(frame) : value;
  };
}

/** `left || right`. */
export function or(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const value = left(frame);
    return value ? value : right(frame);
  };
}

/** `!value`. */
export function not(value: Evaluate): Evaluate {
  return (frame) => !value(frame);
}

/** `object[key]`; `slow` reads from what is no object, and with keys that are not property keys yet. */
export function computedRead(
  object: Evaluate,
  key: Evaluate,
  slow: (value: unknown, property: unknown, frame: Frame) => unknown,
): Evaluate {
  return (frame) => {
    const value = object(frame);
    const property = key(frame);
    if (typeof value === "object" && value !== null && (typeof property === "number" || typeof property === "string")) {
      return (value as GuestObject)[property];
    }
    return slow(value, property, frame);
  };
}

/** `object[key] = value`. */
export function computedStore(
  object: Evaluate,
  key: Evaluate,
  value: Evaluate,
  store: (target: unknown, property: unknown, assigned: unknown) => void,
): Evaluate {
  return (frame) => {
    const target = object(frame);
    const property = key(frame);
    const assigned = value(frame);
    store(target, property, assigned);
    return assigned;
  };
}

/** An object with the given properties, made by a host constructor of its own. */
export function plainObject(
  Site: InstanceSite,
  keys: readonly string[],
  values: readonly Evaluate[],
): (frame: Frame) => GuestObject {
  const [firstKey, secondKey, thirdKey] = keys as [string, string, string]; // these are read only where there are so many
  const [first, second, third] = values as [Evaluate, Evaluate, Evaluate];
  switch (keys.length) {
    case 1:
      return (frame) => {
        const object = new Site();
        object[firstKey] = first(frame);
        return object;
      };
    case 2:
      return (frame) => {
        const object = new Site();
        object[firstKey] = first(frame);
        object[secondKey] = second(frame);
        return object;
      };
    case 3:
      return (frame) => {
        const object = new Site();
        object[firstKey] = first(frame);
        object[secondKey] = second(frame);
        object[thirdKey] = third(frame);
        return object;
      };
    default:
      return (frame) => {
        const object = new Site();
        for (let index = 0; index < keys.length; index++) {
          object[keys[index] as string] = (values[index] as Evaluate)(frame); // the index is below both lengths
        }
        return object;
      };
  }
}

/** A statement that evaluates an expression. */
export function expressionStatement(value: Evaluate): Execute {
  return (frame) => {
    value(frame);
    return undefined;
  };
}

/** A statement that stores a value into a slot of the frame. */
export function storeStatement(slot: number, value: Evaluate): Execute {
  return (frame) => {
    frame[slot] = value(frame);
    return undefined;
  };
}

/** Statements one after the other, until control leaves one. There are at least two. */
export function sequence(executes: readonly Execute[]): Execute {
  const [first, second, third] = executes as [Execute, Execute, Execute]; // see the cases
  switch (executes.length) {
    case 2:
      return (frame) => first(frame) ?? second(frame);
    case 3:
      return (frame) => first(frame) ?? second(frame) ?? third(frame);
    default:
      return (frame) => {
        for (let index = 0; index < executes.length; index++) {
          const completion = (executes[index] as Execute)(frame); // the index is below the length
          if (completion !== undefined) return completion;
        }
        return undefined;
      };
  }
}

/** The last statement of a function's body. */
export function lastStatement(execute: Execute): Evaluate {
  return (frame) => {
    const completion = execute(frame);
    return completion instanceof Return ? completion.value : undefined;
  };
}

/** A statement of a function's body and, unless it returned, the rest. */
export function statementThen(execute: Execute, rest: Evaluate): Evaluate {
  return (frame) => {
    const completion = execute(frame);
    return completion === undefined ? rest(frame) : (completion as Return).value; // no jump leaves a function body
  };
}

/** A `while` loop; as `do`, its first round is not tested. */
export function whileLoop(
  meter: Meter,
  test: Evaluate,
  body: Execute,
  labels: readonly string[],
  isDo: boolean,
): Execute {
  return (frame) => {
    if (!isDo && !test(frame)) return undefined;
    do {
      if (--meter.left < 0) meter.refill();
      const completion = body(frame);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
    } while (test(frame));
    return undefined;
  };
}

/** What a `for` loop consists of. */
export interface ForParts {
  readonly start: Evaluate;
  readonly test: Evaluate;
  readonly update: Evaluate;
  readonly body: Execute;
  readonly labels: readonly string[];
}

/** A `for` loop whose variables no closure captures. */
export function forLoop(meter: Meter, { start, test, update, body, labels }: ForParts): Execute {
  return (frame) => {
    start(frame);
    while (test(frame)) {
      if (--meter.left < 0) meter.refill();
      const completion = body(frame);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
      update(frame);
    }
    return undefined;
  };
}

/** What `for (...; counter < limit; counter++)` consists of; the counter lives in a slot. */
export interface CountedParts {
  readonly start: Evaluate;
  readonly slot: number;
  readonly limit: Evaluate;
  readonly body: Execute;
  readonly labels: readonly string[];
  /** `counter < limit` of what are not two numbers. */
  readonly isLess: (counter: unknown, limit: unknown) => unknown;
  /** What comes after a counter that is no number. */
  readonly advance: (counter: unknown) => unknown;
}

/** A loop that counts up to a limit. */
export function countedLoop(meter: Meter, parts: CountedParts): Execute {
  const { start, slot, limit, body, labels, isLess, advance } = parts;
  return (frame) => {
    start(frame);
    for (;;) {
      const count = frame[slot];
      const end = limit(frame);
      if (!(typeof count === "number" && typeof end === "number" ? count < end : isLess(count, end))) return undefined;
      if (--meter.left < 0) meter.refill();
      const completion: Completion | undefined = body(frame);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
      const done = frame[slot];
      frame[slot] = typeof done === "number" ? done + 1 : advance(done);
    }
  };
}

/** One round of `for (... of ...)`, with its value. */
export type Round = (frame: Frame, value: unknown) => Completion | undefined;

/** The rounds of `for (... of ...)` over an array that is iterated plainly. */
export function overElements(
  meter: Meter,
  frame: Frame,
  array: readonly unknown[],
  round: Round,
  labels: readonly string[],
): Completion | undefined {
  for (let index = 0; index < array.length; index++) {
    if (--meter.left < 0) meter.refill();
    const completion = round(frame, array[index]);
    if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
  }
  return undefined;
}
