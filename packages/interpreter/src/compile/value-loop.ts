// Loops over values: `for (... of ...)` and `for (... in ...)`. Each iteration is counted before
// its body runs.

import type { ForInStatement, ForOfStatement, Pattern, VariableDeclaration } from "acorn";
import { type Completion, continuesLoop, loopCompletion } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { ReturnSignal } from "../guest-throw.ts";
import { enumerableKeys } from "../operations/enumerate.ts";
import {
  getIterator,
  type IteratorRecord,
  isPlainlyIterable,
  iterationEnd,
  iteratorClose,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../operations/iterator.ts";
import { type Context, type Evaluate, type Execute, inside } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { type Body, freshBody, Heat } from "./hot-spot.ts";
import { timed } from "./long-code.ts";
import { located, stoppedAt } from "./operators.ts";
import { assignPattern, initializePattern } from "./pattern.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileStatement } from "./statement.ts";
import type { Store } from "./variable.ts";

/** Compiles `for (... of ...)`. */
export function compileForOf(context: Context, node: ForOfStatement, labels: readonly string[]): Execute {
  const { realm } = context;
  const iterable = compileSubject(context, node);
  const round = compileRound(context, node);
  return (frame) => {
    const value = iterable(frame);
    try {
      if (isPlainlyIterable(realm, value)) return loopOverElements(context, frame, value, round, labels);
      return loopOverIterator(context, frame, iteratorAt(context, node, value), round, labels);
    } catch (caught) {
      throw stoppedAt(context, caught, node);
    }
  };
}

/** Compiles `for (... in ...)`. */
export function compileForIn(context: Context, node: ForInStatement, labels: readonly string[]): Execute {
  const { realm, meter } = context;
  const subject = compileSubject(context, node);
  const round = compileRound(context, node);
  return (frame) => {
    const value = subject(frame);
    try {
      for (const key of enumerableKeys(realm, value)) {
        if (--meter.left < 0) round.warm(meter.refill());
        const completion = round.run(frame, key);
        if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
      }
      return undefined;
    } catch (caught) {
      throw stoppedAt(context, caught, node);
    }
  };
}

/**
 * Returns the iterator for a loop. Exceptions get the position of the expression that the loop
 * iterates over.
 */
export function iteratorAt(context: Context, { right }: ForOfStatement, value: unknown): IteratorRecord {
  try {
    return getIterator(context.realm, value);
  } catch (caught) {
    throw located(context, caught, right);
  }
}

/**
 * Compiles the start of an iteration: it stores the value in the loop's variable or target and
 * returns the frame.
 */
export function compileRoundEntry(
  context: Context,
  node: ForOfStatement | ForInStatement,
): (frame: Frame, value: unknown) => Frame {
  const inner = inside(context, node);
  const store = compileLeft(inner, node.left);
  const enter = scopeEntry(inner.scope);
  if (!enter) {
    return (frame, value) => {
      store(frame, value);
      return frame;
    };
  }
  return (frame, value) => {
    const own = enter(frame);
    store(own, value);
    return own;
  };
}

/**
 * Compiles the expression that a loop iterates over. While it is evaluated, the loop's own
 * variables are uninitialised.
 */
function compileSubject(context: Context, node: ForOfStatement | ForInStatement): Evaluate {
  const inner = inside(context, node);
  const subject = compileExpression(inner, node.right);
  const enter = scopeEntry(inner.scope);
  return enter ? (frame) => subject(enter(frame)) : subject;
}

/** Runs one iteration of a loop over values. */
class ValueRound {
  run: Body<Completion | undefined>;
  readonly #heat = new Heat();

  constructor(run: Body<Completion | undefined>) {
    this.run = run;
  }

  warm(operations: number): void {
    if (this.#heat.becomesHot(operations)) this.run = freshBody(this.run);
  }
}

function compileRound(context: Context, node: ForOfStatement | ForInStatement): ValueRound {
  const enter = compileRoundEntry(context, node);
  const body = compileStatement(inside(context, node), node.body);
  return new ValueRound(timed(context.meter, node, (frame: Frame, value: unknown) => body(enter(frame, value))));
}

function compileLeft(context: Context, left: VariableDeclaration | Pattern): Store {
  if (left.type !== "VariableDeclaration") return assignPattern(context, left);
  const { id } = left.declarations[0] as VariableDeclaration["declarations"][number]; // the parser requires exactly one
  return initializePattern(context, id);
}

function loopOverElements(
  { meter }: Context,
  frame: Frame,
  array: readonly unknown[],
  round: ValueRound,
  labels: readonly string[],
): Completion | undefined {
  for (let index = 0; index < array.length; index++) {
    if (--meter.left < 0) round.warm(meter.refill());
    const completion = round.run(frame, array[index]);
    if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
  }
  return undefined;
}

function loopOverIterator(
  context: Context,
  frame: Frame,
  record: IteratorRecord,
  round: ValueRound,
  labels: readonly string[],
): Completion | undefined {
  const { realm, meter } = context;
  for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
    if (--meter.left < 0) round.warm(meter.refill());
    let completion: Completion | undefined;
    try {
      completion = round.run(frame, value);
    } catch (caught) {
      if (caught instanceof ReturnSignal) iteratorClose(record);
      else iteratorCloseOnThrow(realm, record, caught);
      throw caught;
    }
    if (completion !== undefined && !continuesLoop(completion, labels)) {
      iteratorClose(record);
      return loopCompletion(completion);
    }
  }
  return undefined;
}
