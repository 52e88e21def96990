// `while`, `do` and `for (;;)`. Each iteration is counted before its body runs. Loops over values
// are in value-loop.ts.

import type { DoWhileStatement, ForStatement, Node, WhileStatement } from "acorn";
import { type Completion, continuesLoop, loopCompletion, plainBreak } from "../completion.ts";
import type { Frame } from "../frame.ts";
import type { Meter } from "../limits.ts";
import { type Context, type Evaluate, type Execute, inside } from "./context.ts";
import { compileCountedRound } from "./counted-loop.ts";
import { compileExpression, compileUnused } from "./expression.ts";
import { becameHot, coldLoop, freshLoop, Heat, type Round } from "./hot-spot.ts";
import { timed } from "./long-code.ts";
import { stoppedAt } from "./operators.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileStatement } from "./statement.ts";
import { compileNotingTest } from "./watched.ts";

/** Compiles `while` and `do`. */
export function compileWhile(
  context: Context,
  node: WhileStatement | DoWhileStatement,
  labels: readonly string[],
): Execute {
  const test = compileNotingTest(context, node.test);
  const body = timed(context.meter, node, compileStatement(context, node.body));
  const { meter } = context;
  return loopOf(
    context,
    node,
    nothing,
    node.type === "DoWhileStatement"
      ? runRound(meter, test, body, labels)
      : forRound(meter, { test, update: nothing, body, labels }),
  );
}

/** Compiles `for (;;)`. */
export function compileFor(context: Context, node: ForStatement, labels: readonly string[]): Execute {
  const inner = inside(context, node);
  const init = compileInit(inner, node.init);
  const test = node.test ? compileNotingTest(inner, node.test) : always;
  const update = node.update ? compileUnused(inner, node.update) : nothing;
  const body = timed(context.meter, node, compileStatement(inner, node.body));
  const enter = scopeEntry(inner.scope);
  const { meter } = context;
  if (inner.scope.hasFrame)
    return compileForWithFrames(context, node, { init, test, update, body, labels }, enter as (frame: Frame) => Frame); // the scope has a frame, so there is an entry
  const start = (frame: Frame): unknown => {
    enter?.(frame);
    return init(frame);
  };
  const counted = compileCountedRound(inner, node, body, labels);
  return loopOf(context, node, start, counted ?? forRound(meter, { test, update, body, labels }));
}

/** Compiles the first part of a `for`: a declaration or an expression. */
function compileInit(context: Context, init: ForStatement["init"]): Evaluate {
  if (!init) return nothing;
  return init.type === "VariableDeclaration"
    ? compileStatement({ ...context, onValue: null }, init)
    : compileExpression(context, init);
}

/** Creates a loop from its first part and its iterations. */
function loopOf(context: Context, node: Node, start: Evaluate, round: Round): Execute {
  let rounds = coldLoop(round);
  return (frame) => {
    try {
      start(frame);
      let end = rounds(frame);
      if (end === becameHot) {
        rounds = freshLoop(round);
        end = rounds(frame);
      }
      return loopCompletion(end as Completion); // a loop becomes hot only once; after that, it ends with a completion
    } catch (caught) {
      throw stoppedAt(context, caught, node);
    }
  };
}

interface RoundParts {
  readonly test: Evaluate;
  readonly update: Evaluate;
  readonly body: Execute;
  readonly labels: readonly string[];
}

/** Compiles one iteration of `for` or `while`. */
function forRound(meter: Meter, { test, update, body, labels }: RoundParts): Round {
  const heat = new Heat();
  return (frame) => {
    if (!test(frame)) return plainBreak;
    const isHot = --meter.left < 0 && heat.becomesHot(meter.refill());
    const completion = body(frame);
    if (completion !== undefined && !continuesLoop(completion, labels)) return completion;
    update(frame);
    return isHot ? becameHot : undefined;
  };
}

function runRound(meter: Meter, test: Evaluate, body: Execute, labels: readonly string[]): Round {
  const heat = new Heat();
  return (frame) => {
    const isHot = --meter.left < 0 && heat.becomesHot(meter.refill());
    const completion = body(frame);
    if (completion !== undefined && !continuesLoop(completion, labels)) return completion;
    if (!test(frame)) return plainBreak;
    return isHot ? becameHot : undefined;
  };
}

/**
 * Compiles a `for` whose variables are captured by closures. Each iteration gets its own copy of
 * the frame, so that a closure keeps the variables of its iteration. `enter` creates the first
 * frame.
 */
function compileForWithFrames(
  context: Context,
  node: Node,
  { init, test, update, body, labels }: RoundParts & { readonly init: Evaluate },
  enter: (frame: Frame) => Frame,
): Execute {
  const { meter } = context;
  return (frame) => {
    try {
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
    } catch (caught) {
      throw stoppedAt(context, caught, node);
    }
  };
}

const always: Evaluate = () => true;
const nothing: Evaluate = () => undefined;
