// Loops with an `await` or `yield` inside. All run in one way: rounds are started until there are none, and each runs the body's statements.
// The statements are run here, not by the list's own generator, because each generator between a `yield` and its consumer costs at every
// resumption.

import type {
  DoWhileStatement,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Statement,
  VariableDeclaration,
  WhileStatement,
} from "acorn";
import { type Completion, continuesLoop, loopCompletion } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import { ReturnSignal } from "../../guest-throw.ts";
import type { Meter } from "../../limits.ts";
import { enumerableKeys } from "../../operations/enumerate.ts";
import {
  type IteratorRecord,
  iterationEnd,
  iteratorClose,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../../operations/iterator.ts";
import { type Context, inside, suspends } from "../context.ts";
import { compileRoundEntry, iteratorAt } from "../loop.ts";
import { scopeEntry } from "../scope-entry.ts";
import { type SuspendEvaluate, stepOf, suspendExpression } from "./expression.ts";
import { type ListPart, type PartList, partListOf, type SuspendExecute } from "./list.ts";
import { type SuspendStore, suspendPattern } from "./pattern.ts";
import { suspendStatement } from "./statement.ts";

/** The rounds of one run of a loop. */
interface Rounds {
  readonly next: NextRound;
  /** Called when a round threw: closes what has to be closed, and throws. */
  readonly abandon: (caught: unknown) => never;
  /** Called when a round left the loop. */
  readonly leave: () => void;
}

/** Starts a round: gives its frame, or null when there is none. */
type NextRound =
  | { readonly type: "plain"; readonly run: () => Frame | null }
  | { readonly type: "suspending"; readonly run: () => Generator<unknown, Frame | null, unknown> };

type StartRounds = (frame: Frame) => Generator<unknown, Rounds, unknown>;

/** Compiles `while` and `do`. */
export function suspendWhile(
  context: Context,
  node: WhileStatement | DoWhileStatement,
  labels: readonly string[],
): SuspendExecute {
  const test = stepOf(context, node.test);
  const isDo = node.type === "DoWhileStatement";
  const start = (frame: Frame): Rounds => {
    let isTested = !isDo;
    if (test.plain) {
      const { plain } = test;
      return withoutClosing({
        type: "plain",
        run() {
          const goesOn = !isTested || plain(frame);
          isTested = true;
          return goesOn ? frame : null;
        },
      });
    }
    const { suspending } = test;
    return withoutClosing({
      type: "suspending",
      *run() {
        const goesOn = !isTested || (yield* suspending(frame));
        isTested = true;
        return goesOn ? frame : null;
      },
    });
  };
  return suspendRounds(context, node.body, labels, (frame) => startPlainly(frame, start));
}

/** Compiles `for (;;)`. */
export function suspendFor(context: Context, node: ForStatement, labels: readonly string[]): SuspendExecute {
  const inner = inside(context, node);
  const init = suspendInit(inner, node.init);
  const enter = scopeEntry(inner.scope);
  const advance = compileAdvance(inner, node);
  const nextFrame = inner.scope.hasFrame ? (frame: Frame) => frame.slice() : (frame: Frame) => frame;
  const start = (first: Frame): Rounds => withoutClosing(advance(nextFrame(first), nextFrame));
  return suspendRounds(inner, node.body, labels, (frame) => startAfter(init, enter ? enter(frame) : frame, start));
}

function* startAfter(
  init: ((frame: Frame) => Generator) | null,
  frame: Frame,
  start: (frame: Frame) => Rounds,
): Generator<unknown, Rounds, unknown> {
  if (init) yield* init(frame);
  return start(frame);
}

function suspendInit(context: Context, init: ForStatement["init"]): ((frame: Frame) => Generator) | null {
  if (!init) return null;
  if (init.type === "VariableDeclaration") return suspendStatement({ ...context, onValue: null }, init);
  return suspendExpression(context, init);
}

/** The update and the test between two rounds. */
function compileAdvance(
  context: Context,
  node: ForStatement,
): (first: Frame, nextFrame: (frame: Frame) => Frame) => NextRound {
  const test = node.test ? stepOf(context, node.test) : ({ plain: () => true, suspending: null } as const);
  const update = stepOf(context, node.update);
  if (test.plain && update.plain) {
    const { plain: isTrue } = test;
    const { plain: change } = update;
    return (first, nextFrame) => {
      let own: Frame | null = null;
      return {
        type: "plain",
        run() {
          if (own === null) own = first;
          else {
            own = nextFrame(own);
            change(own);
          }
          return isTrue(own) ? own : null;
        },
      };
    };
  }
  return (first, nextFrame) => {
    let own: Frame | null = null;
    return {
      type: "suspending",
      *run() {
        if (own === null) own = first;
        else {
          own = nextFrame(own);
          if (update.plain) update.plain(own);
          else yield* update.suspending(own);
        }
        return (test.plain ? test.plain(own) : yield* test.suspending(own)) ? own : null;
      },
    };
  };
}

/** Compiles `for (... of ...)`. */
export function suspendForOf(context: Context, node: ForOfStatement, labels: readonly string[]): SuspendExecute {
  const { realm } = context;
  const subject = suspendSubject(context, node);
  const enter = suspendRoundEntry(context, node);
  const start = (frame: Frame, iterable: unknown): Rounds => {
    const record = iteratorAt(context, node, iterable);
    const abandon = (caught: unknown): never => {
      if (!(caught instanceof ReturnSignal)) iteratorCloseOnThrow(realm, record, caught);
      iteratorClose(record);
      throw caught;
    };
    return { next: nextOf(record, enter, frame, abandon), abandon, leave: () => iteratorClose(record) };
  };
  return suspendRounds(inside(context, node), node.body, labels, (frame) => startOver(frame, subject, start));
}

function* startOver(
  frame: Frame,
  subject: SuspendEvaluate,
  start: (frame: Frame, value: unknown) => Rounds,
): Generator<unknown, Rounds, unknown> {
  return start(frame, yield* subject(frame));
}

/** Takes the next value of an iterator and stores it. */
function nextOf(record: IteratorRecord, enter: RoundEntry, frame: Frame, abandon: Rounds["abandon"]): NextRound {
  if (enter.type === "plain") {
    return {
      type: "plain",
      run() {
        const value = iteratorStepValue(record);
        if (value === iterationEnd) return null;
        try {
          return enter.run(frame, value);
        } catch (caught) {
          return abandon(caught);
        }
      },
    };
  }
  return {
    type: "suspending",
    *run() {
      const value = iteratorStepValue(record);
      if (value === iterationEnd) return null;
      try {
        return yield* enter.run(frame, value);
      } catch (caught) {
        return abandon(caught);
      }
    },
  };
}

/** Compiles `for (... in ...)`. */
export function suspendForIn(context: Context, node: ForInStatement, labels: readonly string[]): SuspendExecute {
  const { realm } = context;
  const subject = suspendSubject(context, node);
  const enter = suspendRoundEntry(context, node);
  const start = (frame: Frame, object: unknown): Rounds => {
    const keys = enumerableKeys(realm, object);
    const nextKey = (): string | null => keys.next().value ?? null;
    if (enter.type === "plain") {
      const run = (): Frame | null => {
        const key = nextKey();
        return key === null ? null : enter.run(frame, key);
      };
      return withoutClosing({ type: "plain", run });
    }
    return withoutClosing({
      type: "suspending",
      *run() {
        const key = nextKey();
        return key === null ? null : yield* enter.run(frame, key);
      },
    });
  };
  return suspendRounds(inside(context, node), node.body, labels, (frame) => startOver(frame, subject, start));
}

/** What `for ... of` and `for ... in` go over; the loop's own variables are uninitialised in it. */
export function suspendSubject(context: Context, node: ForOfStatement | ForInStatement): SuspendEvaluate {
  const inner = inside(context, node);
  const value = suspendExpression(inner, node.right);
  const enter = scopeEntry(inner.scope);
  return enter ? (frame) => value(enter(frame)) : value;
}

/** How a round of `for ... of` starts: with its frame, and its value stored. */
export type RoundEntry =
  | { readonly type: "plain"; readonly run: (frame: Frame, value: unknown) => Frame }
  | { readonly type: "suspending"; readonly run: (frame: Frame, value: unknown) => Generator<unknown, Frame, unknown> };

/** Compiles a {@link RoundEntry}. */
export function suspendRoundEntry(context: Context, node: ForOfStatement | ForInStatement): RoundEntry {
  if (!suspends(context, node.left)) return { type: "plain", run: compileRoundEntry(context, node) };
  const inner = inside(context, node);
  const store = suspendLeft(inner, node.left);
  const enter = scopeEntry(inner.scope);
  const run = function* (frame: Frame, value: unknown): Generator<unknown, Frame, unknown> {
    const own = enter ? enter(frame) : frame;
    yield* store(own, value);
    return own;
  };
  return { type: "suspending", run };
}

function suspendLeft(context: Context, left: ForOfStatement["left"]): SuspendStore {
  if (left.type !== "VariableDeclaration") return suspendPattern(context, left, "assign");
  const { id } = left.declarations[0] as VariableDeclaration["declarations"][number]; // the parser demands exactly one
  return suspendPattern(context, id, "initialize");
}

/** Rounds whose end nobody has to be told of. */
const withoutClosing = (next: NextRound): Rounds => ({ next, abandon: rethrow, leave: () => {} });

function rethrow(caught: unknown): never {
  throw caught;
}

// biome-ignore lint/correctness/useYield: it stands where something that may suspend is expected
function* startPlainly(frame: Frame, start: (frame: Frame) => Rounds): Generator<unknown, Rounds, unknown> {
  return start(frame);
}

/** Runs the body for each round. */
function suspendRounds(
  context: Context,
  body: Statement,
  labels: readonly string[],
  start: StartRounds,
): SuspendExecute {
  const loop: Loop = { start, list: partListOf(context, body), labels, meter: context.meter };
  return (frame) => runRounds(frame, loop);
}

interface Loop {
  readonly start: StartRounds;
  readonly list: PartList;
  readonly labels: readonly string[];
  readonly meter: Meter;
}

/** Not made anew for each loop; see `runList`. */
function* runRounds(
  frame: Frame,
  { start, list: { enter, parts }, labels, meter }: Loop,
): Generator<unknown, Completion | undefined, unknown> {
  const { next, abandon, leave } = yield* start(frame);
  for (;;) {
    const round = next.type === "plain" ? next.run() : yield* next.run();
    if (round === null) return undefined;
    if (--meter.left < 0) meter.refill();
    let completion: Completion | undefined;
    try {
      const own = enter ? enter(round) : round;
      for (let index = 0; index < parts.length && completion === undefined; index++) {
        const listed = parts[index] as ListPart; // the index is below the length
        const part = listed.type === "branch" ? listed.choose(own) : listed;
        if (part === null) continue;
        if (part.type === "plain") completion = part.run(own);
        else if (part.type === "suspending") completion = yield* part.run(own);
        else {
          const given = part.give(own);
          let resumed: unknown;
          try {
            resumed = yield given;
          } catch (caught) {
            throw part.fail(caught);
          }
          completion = part.finish(own, resumed);
        }
      }
    } catch (caught) {
      abandon(caught);
    }
    if (completion !== undefined && !continuesLoop(completion, labels)) {
      leave();
      return loopCompletion(completion);
    }
  }
}
