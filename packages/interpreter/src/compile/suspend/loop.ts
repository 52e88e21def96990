// `while`, `do` and `for (;;)` that contain an `await` or `yield`.

import type { DoWhileStatement, ForStatement, WhileStatement } from "acorn";
import type { Frame } from "../../frame.ts";
import { type Context, inside, suspends } from "../context.ts";
import { compileExpression } from "../expression.ts";
import { scopeEntry } from "../scope-entry.ts";
import { compileStatement } from "../statement.ts";
import { testStepOf } from "../watched.ts";
import { stepOf, suspendExpression } from "./expression.ts";
import type { SuspendExecute } from "./list.ts";
import { type NextRound, type Rounds, type StartRounds, suspendRounds, withoutClosing } from "./rounds.ts";
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
          const continues = !isTested || plain(frame);
          isTested = true;
          return continues ? frame : null;
        },
      });
    }
    const { suspending } = test;
    return withoutClosing({
      type: "suspending",
      *run() {
        const continues = !isTested || (yield* suspending(frame));
        isTested = true;
        return continues ? frame : null;
      },
    });
  };
  return suspendRounds(context, node, labels, { type: "plain", run: start });
}

/** Compiles `for (;;)`. */
export function suspendFor(context: Context, node: ForStatement, labels: readonly string[]): SuspendExecute {
  const inner = inside(context, node);
  const enter = scopeEntry(inner.scope);
  const advance = compileAdvance(inner, node);
  const nextFrame = inner.scope.hasFrame ? (frame: Frame) => frame.slice() : (frame: Frame) => frame;
  const start = (first: Frame): Rounds => withoutClosing(advance(nextFrame(first), nextFrame));
  const own = (frame: Frame): Frame => (enter ? enter(frame) : frame);
  return suspendRounds(inner, node, labels, startAfter(inner, node.init, own, start));
}

/** Starts the iterations in the loop's own frame, after the first part of the `for` has run. */
function startAfter(
  context: Context,
  init: ForStatement["init"],
  own: (frame: Frame) => Frame,
  start: (frame: Frame) => Rounds,
): StartRounds {
  if (!init || !suspends(context, init)) {
    const initialize = init ? compileInit(context, init) : () => {};
    return {
      type: "plain",
      run(outer) {
        const frame = own(outer);
        initialize(frame);
        return start(frame);
      },
    };
  }
  const initialize = suspendInit(context, init);
  return {
    type: "suspending",
    *run(outer) {
      const frame = own(outer);
      yield* initialize(frame);
      return start(frame);
    },
  };
}

function compileInit(context: Context, init: Init): (frame: Frame) => unknown {
  if (init.type === "VariableDeclaration") return compileStatement({ ...context, onValue: null }, init);
  return compileExpression(context, init);
}

function suspendInit(context: Context, init: Init): (frame: Frame) => Generator {
  if (init.type === "VariableDeclaration") return suspendStatement({ ...context, onValue: null }, init);
  return suspendExpression(context, init);
}

type Init = NonNullable<ForStatement["init"]>;

/** Compiles the update and the test between two iterations. */
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
