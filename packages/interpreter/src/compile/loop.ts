// Loops. Each round is counted before its body runs.

import type {
  DoWhileStatement,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Pattern,
  VariableDeclaration,
  WhileStatement,
} from "acorn";
import { type Completion, continuesLoop, loopCompletion, plainBreak } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { ReturnSignal } from "../guest-throw.ts";
import type { Meter } from "../limits.ts";
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
import { compileCountedRound } from "./counted-loop.ts";
import { compileExpression } from "./expression.ts";
import { type Body, becameHot, coldLoop, freshBody, freshLoop, Heat, type Round } from "./hot-spot.ts";
import { located } from "./operators.ts";
import { assignPattern, initializePattern } from "./pattern.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileStatement } from "./statement.ts";
import type { Store } from "./variable.ts";

/** Compiles `while` and `do`. */
export function compileWhile(
  context: Context,
  node: WhileStatement | DoWhileStatement,
  labels: readonly string[],
): Execute {
  const test = compileExpression(context, node.test);
  const body = compileStatement(context, node.body);
  const { meter } = context;
  return loopOf(
    nothing,
    node.type === "DoWhileStatement"
      ? doRound(meter, test, body, labels)
      : forRound(meter, { test, update: nothing, body, labels }),
  );
}

/** Compiles `for (;;)`. */
export function compileFor(context: Context, node: ForStatement, labels: readonly string[]): Execute {
  const inner = inside(context, node);
  const init = compileInit(inner, node.init);
  const test = node.test ? compileExpression(inner, node.test) : always;
  const update = node.update ? compileExpression(inner, node.update) : nothing;
  const body = compileStatement(inner, node.body);
  const enter = scopeEntry(inner.scope);
  const { meter } = context;
  if (inner.scope.hasFrame)
    return compileForWithFrames(context, { init, test, update, body, labels }, enter as (frame: Frame) => Frame); // it has one
  const start = (frame: Frame): unknown => {
    enter?.(frame);
    return init(frame);
  };
  const counted = compileCountedRound(inner, node, body, labels);
  return loopOf(start, counted ?? forRound(meter, { test, update, body, labels }));
}

/** A loop that starts in some way and then has rounds. */
function loopOf(start: Evaluate, round: Round): Execute {
  let rounds = coldLoop(round);
  return (frame) => {
    start(frame);
    let end = rounds(frame);
    if (end === becameHot) {
      rounds = freshLoop(round);
      end = rounds(frame);
    }
    return loopCompletion(end as Completion); // a loop becomes hot once, and ends with a completion otherwise
  };
}

interface RoundParts {
  readonly test: Evaluate;
  readonly update: Evaluate;
  readonly body: Execute;
  readonly labels: readonly string[];
}

/** A round of `for` or `while`. */
function forRound(meter: Meter, { test, update, body, labels }: RoundParts): Round {
  const heat = new Heat();
  return (frame) => {
    if (!test(frame)) return plainBreak;
    const isHot = --meter.left < 0 && heat.rises(meter.refill());
    const completion = body(frame);
    if (completion !== undefined && !continuesLoop(completion, labels)) return completion;
    update(frame);
    return isHot ? becameHot : undefined;
  };
}

function doRound(meter: Meter, test: Evaluate, body: Execute, labels: readonly string[]): Round {
  const heat = new Heat();
  return (frame) => {
    const isHot = --meter.left < 0 && heat.rises(meter.refill());
    const completion = body(frame);
    if (completion !== undefined && !continuesLoop(completion, labels)) return completion;
    if (!test(frame)) return plainBreak;
    return isHot ? becameHot : undefined;
  };
}

/** Closures capture the loop's variables: each round gets a copy of the frame, the first of which `enter` makes. */
function compileForWithFrames(
  { meter }: Context,
  { init, test, update, body, labels }: RoundParts & { readonly init: Evaluate },
  enter: (frame: Frame) => Frame,
): Execute {
  return (frame) => {
    let own = enter(frame);
    init(own);
    own = own.slice();
    while (test(own)) {
      if (--meter.left < 0) meter.refill();
      const completion = body(own);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
      own = own.slice();
      update(own);
    }
    return undefined;
  };
}

/** Compiles `for (... of ...)`. */
export function compileForOf(context: Context, node: ForOfStatement, labels: readonly string[]): Execute {
  const { realm } = context;
  const iterable = compileSubject(context, node);
  const round = compileRound(context, node);
  return (frame) => {
    const value = iterable(frame);
    if (isPlainlyIterable(realm, value)) return overElements(context, frame, value, round, labels);
    return overIterator(context, frame, iteratorAt(context, node, value), round, labels);
  };
}

function overElements(
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

/** The iterator of a loop's subject; what it throws gets the subject's position. */
export function iteratorAt(context: Context, { right }: ForOfStatement, value: unknown): IteratorRecord {
  try {
    return getIterator(context.realm, value);
  } catch (caught) {
    throw located(context, caught, right);
  }
}

/** Compiles `for (... in ...)`. */
export function compileForIn(context: Context, node: ForInStatement, labels: readonly string[]): Execute {
  const { realm, meter } = context;
  const subject = compileSubject(context, node);
  const round = compileRound(context, node);
  return (frame) => {
    const value = subject(frame);
    for (const key of enumerableKeys(realm, value)) {
      if (--meter.left < 0) round.warm(meter.refill());
      const completion = round.run(frame, key);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
    }
    return undefined;
  };
}

/** The expression that a loop goes over; the loop's own variables are uninitialised in it. */
function compileSubject(context: Context, node: ForOfStatement | ForInStatement): Evaluate {
  const inner = inside(context, node);
  const subject = compileExpression(inner, node.right);
  const enter = scopeEntry(inner.scope);
  return enter ? (frame) => subject(enter(frame)) : subject;
}

/** Stores a round's value into the loop's variable or target; gives the round's frame. */
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

/** One round of a loop over values. */
class ValueRound {
  run: Body<Completion | undefined>;
  readonly #heat = new Heat();

  constructor(run: Body<Completion | undefined>) {
    this.run = run;
  }

  warm(operations: number): void {
    if (this.#heat.rises(operations)) this.run = freshBody(this.run);
  }
}

function compileRound(context: Context, node: ForOfStatement | ForInStatement): ValueRound {
  const enter = compileRoundEntry(context, node);
  const body = compileStatement(inside(context, node), node.body);
  return new ValueRound((frame, value) => body(enter(frame, value)));
}

function compileLeft(context: Context, left: VariableDeclaration | Pattern): Store {
  if (left.type !== "VariableDeclaration") return assignPattern(context, left);
  const { id } = left.declarations[0] as VariableDeclaration["declarations"][number]; // the parser demands exactly one
  return initializePattern(context, id);
}

function overIterator(
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

/** The first part of a `for`: a declaration or an expression. */
function compileInit(context: Context, init: ForStatement["init"]): Evaluate {
  if (!init) return nothing;
  return init.type === "VariableDeclaration"
    ? compileStatement({ ...context, onValue: null }, init)
    : compileExpression(context, init);
}

const always: Evaluate = () => true;
const nothing: Evaluate = () => undefined;
