// `while`, `do` and `for (;;)` with an `await` or `yield` inside.

import type { DoWhileStatement, ForStatement, WhileStatement } from "acorn";
import type { Frame } from "../../frame.ts";
import { type Context, inside } from "../context.ts";
import { scopeEntry } from "../scope-entry.ts";
import { testStepOf } from "../watched.ts";
import { stepOf, suspendExpression } from "./expression.ts";
import type { SuspendExecute } from "./list.ts";
import { type NextRound, type Rounds, suspendRounds, withoutClosing } from "./rounds.ts";
import { suspendStatement } from "./statement.ts";

/** Compiles `while` and `do`. */
export function suspendWhile(
  context: Context,
  node: WhileStatement | DoWhileStatement,
  labels: readonly string[],
): SuspendExecute {
  const test = testStepOf(context, node.test);
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
  return suspendRounds(context, node, labels, (frame) => startPlainly(frame, start));
}

/** Compiles `for (;;)`. */
export function suspendFor(context: Context, node: ForStatement, labels: readonly string[]): SuspendExecute {
  const inner = inside(context, node);
  const init = suspendInit(inner, node.init);
  const enter = scopeEntry(inner.scope);
  const advance = compileAdvance(inner, node);
  const nextFrame = inner.scope.hasFrame ? (frame: Frame) => frame.slice() : (frame: Frame) => frame;
  const start = (first: Frame): Rounds => withoutClosing(advance(nextFrame(first), nextFrame));
  return suspendRounds(inner, node, labels, (frame) => startAfter(init, enter ? enter(frame) : frame, start));
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
  const test = node.test ? testStepOf(context, node.test) : ({ plain: () => true, suspending: null } as const);
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

// biome-ignore lint/correctness/useYield: it stands where something that may suspend is expected
function* startPlainly(frame: Frame, start: (frame: Frame) => Rounds): Generator<unknown, Rounds, unknown> {
  return start(frame);
}
