// Loops that contain an `await` or `yield`. All of them work in the same way: iterations ("rounds")
// start until there are no more, and each runs the statements of the body. The generator of the
// loop also runs the statements of the body. A separate generator for the body would make each
// resumption slower.

import type { Node, Statement } from "acorn";
import { type Completion, continuesLoop, loopCompletion } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import type { Context } from "../context.ts";
import { operationsOfLength } from "../long-code.ts";
import { stoppedAt } from "../operators.ts";
import { type ListPart, type PartList, partListOf, type SuspendExecute } from "./list.ts";

/** The iterations of a loop that has started. */
export interface Rounds {
  readonly next: NextRound;
  /** Called when an iteration threw. Closes the iterator, if there is one, and throws. */
  readonly abandon: (caught: unknown) => never;
  /** Called when an iteration ended the loop, for example with `break`. */
  readonly leave: () => void;
}

/** Starts the next iteration. Returns its frame, or null if there is no next iteration. */
export type NextRound =
  | { readonly type: "plain"; readonly run: () => Frame | null }
  | { readonly type: "suspending"; readonly run: () => Generator<unknown, Frame | null, unknown> };

/** Starts a loop: evaluates the parts that the loop evaluates only once. */
export type StartRounds =
  | { readonly type: "plain"; readonly run: (frame: Frame) => Rounds }
  | { readonly type: "suspending"; readonly run: (frame: Frame) => Generator<unknown, Rounds, unknown> };

/** Creates {@link Rounds} for a loop that has nothing to close at its end. */
export const withoutClosing = (next: NextRound): Rounds => ({ next, abandon: rethrow, leave: () => {} });

/** Compiles a loop. `start` returns the iterations, and each runs the loop's body. */
export function suspendRounds(
  context: Context,
  node: Node & { readonly body: Statement },
  labels: readonly string[],
  start: StartRounds,
): SuspendExecute {
  const loop: Loop = {
    context,
    node,
    start,
    list: partListOf(context, node.body),
    labels,
    operations: operationsOfLength(node),
  };
  return (frame) => runRounds(frame, loop);
}

interface Loop {
  readonly context: Context;
  readonly node: Node;
  readonly start: StartRounds;
  readonly list: PartList;
  readonly labels: readonly string[];
  /** The estimated time of one iteration if the loop is long, otherwise 0. */
  readonly operations: number;
}

/** All loops share one generator function. `runList` explains why. */
function* runRounds(
  frame: Frame,
  { context, node, start, list: { enter, parts }, labels, operations }: Loop,
): Generator<unknown, Completion | undefined, unknown> {
  const { meter } = context;
  const { next, abandon, leave } = start.type === "plain" ? start.run(frame) : yield* start.run(frame);
  for (;;) {
    const round = next.type === "plain" ? next.run() : yield* next.run();
    if (round === null) return undefined;
    let completion: Completion | undefined;
    try {
      if (--meter.left < 0) meter.refill();
      if (operations > 0) meter.checkClockSooner(operations);
      const own = enter ? enter(round) : round;
      for (let index = 0; index < parts.length && completion === undefined; index++) {
        const listed = parts[index] as ListPart; // `index` is less than the length
        const part = listed.type === "branch" ? listed.choose(own) : listed;
        if (part === null) continue;
        if (part.type === "plain") completion = part.run(own);
        else if (part.type === "suspending") completion = yield* part.run(own);
        else if (part.type === "evaluation") part.finish(yield* part.run(own));
        else {
          const given = part.produce(own);
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
      abandon(stoppedAt(context, caught, node));
    }
    if (completion !== undefined && !continuesLoop(completion, labels)) {
      leave();
      return loopCompletion(completion);
    }
  }
}

function rethrow(caught: unknown): never {
  throw caught;
}
