// The rounds of a loop with an `await` or `yield` inside. All loops run in one way: rounds are
// started until there are none, and each runs the body's statements. The statements are run here,
// not by the list's own generator, because each generator between a `yield` and its consumer costs
// at every resumption.

import type { Node, Statement } from "acorn";
import { type Completion, continuesLoop, loopCompletion } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import type { Context } from "../context.ts";
import { stoppedAt } from "../operators.ts";
import { type ListPart, type PartList, partListOf, type SuspendExecute } from "./list.ts";

/** The rounds of one run of a loop. */
export interface Rounds {
  readonly next: NextRound;
  /** Called when a round threw: closes what has to be closed, and throws. */
  readonly abandon: (caught: unknown) => never;
  /** Called when a round left the loop. */
  readonly leave: () => void;
}

/** Starts a round: returns its frame, or null if there are no more rounds. */
export type NextRound =
  | { readonly type: "plain"; readonly run: () => Frame | null }
  | { readonly type: "suspending"; readonly run: () => Generator<unknown, Frame | null, unknown> };

/** Begins a run of a loop: evaluates what is evaluated once. */
export type StartRounds =
  | { readonly type: "plain"; readonly run: (frame: Frame) => Rounds }
  | { readonly type: "suspending"; readonly run: (frame: Frame) => Generator<unknown, Rounds, unknown> };

/** Rounds whose end needs no notice. */
export const withoutClosing = (next: NextRound): Rounds => ({ next, abandon: rethrow, leave: () => {} });

/** Compiles a loop whose rounds run its body. */
export function suspendRounds(
  context: Context,
  node: Node & { readonly body: Statement },
  labels: readonly string[],
  start: StartRounds,
): SuspendExecute {
  const loop: Loop = { context, node, start, list: partListOf(context, node.body), labels };
  return (frame) => runRounds(frame, loop);
}

interface Loop {
  readonly context: Context;
  readonly node: Node;
  readonly start: StartRounds;
  readonly list: PartList;
  readonly labels: readonly string[];
}

/** Shared by all loops; see `runList`. */
function* runRounds(
  frame: Frame,
  { context, node, start, list: { enter, parts }, labels }: Loop,
): Generator<unknown, Completion | undefined, unknown> {
  const { meter } = context;
  const { next, abandon, leave } = start.type === "plain" ? start.run(frame) : yield* start.run(frame);
  for (;;) {
    const round = next.type === "plain" ? next.run() : yield* next.run();
    if (round === null) return undefined;
    let completion: Completion | undefined;
    try {
      if (--meter.left < 0) meter.refill();
      const own = enter ? enter(round) : round;
      for (let index = 0; index < parts.length && completion === undefined; index++) {
        const listed = parts[index] as ListPart; // the index is below the length
        const part = listed.type === "branch" ? listed.choose(own) : listed;
        if (part === null) continue;
        if (part.type === "plain") completion = part.run(own);
        else if (part.type === "suspending") completion = yield* part.run(own);
        else if (part.type === "evaluation") part.finish(yield* part.run(own));
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
