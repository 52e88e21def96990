// Hot spots: the function bodies and loops in which a program spends most of its time.
//
// The host's engine collects statistics about closures for each place in our source that creates
// closures. Each such place serves all programs, so the engine learns that a closure may call
// anything. But if a place has created only one closure, the engine knows exactly which closures it
// calls, directly and indirectly. The engine then compiles all of these closures together. So each
// hot body or loop gets a closure from a place that was never used before
// (generated/fresh-closures.gen.ts has many such places). When all of them have been used, programs
// run without this optimisation.
//
// Hot code is found by sampling. The meter counts operations in chunks. At the end of a chunk, all
// its operations are attributed to the code that is running at that moment. A wrong guess affects
// only speed.

import type { Completion } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { freshBodies, freshLoops } from "./generated/fresh-closures.gen.ts";

/**
 * The body of a function, or of a loop over values. The body of a loop also takes the current
 * value.
 */
export type Body<Result = unknown> = (frame: Frame, value?: unknown) => Result;

/** One iteration of a loop. Returns undefined, or the reason why the loop must stop. */
export type Round = (frame: Frame) => Completion | typeof becameHot | undefined;

/** Returned by an iteration to stop the loop, because it must continue in its own closure. */
export const becameHot: unique symbol = /* @__PURE__ */ Symbol("became hot");

/** Counts how many operations one place in a program has run. */
export class Heat {
  #operations = 0;

  /**
   * Adds the operations of a chunk that ended here. Returns true once: when the place becomes hot.
   */
  becomesHot(operations: number): boolean {
    if (this.#operations >= hotOperations) return false;
    this.#operations += operations;
    return this.#operations >= hotOperations;
  }
}

// Code becomes hot after this many operations. The number is high enough that a process does not
// use up its closures for code that runs for only a millisecond, and low enough that a block of an
// agent gets faster.
const hotOperations = 20_000;

// The number of closures that have been used. It is counted for the whole process, because all
// programs share the closures. A process that has used all of them only runs slower.
let usedBodies = 0;
let usedLoops = 0;

/** Puts a hot body into its own closure. */
export function freshBody<Result>(run: Body<Result>): Body<Result> {
  const make = freshBodies[usedBodies++];
  return make ? (make(run) as Body<Result>) : run; // both closures have the same result type
}

/** Creates a loop from its iteration, for use until the loop is hot. */
export function coldLoop(round: Round): Round {
  return (frame) => {
    for (;;) {
      const end = round(frame);
      if (end !== undefined) return end;
    }
  };
}

/** Puts a hot loop into its own closure. */
export function freshLoop(round: Round): Round {
  return (freshLoops[usedLoops++] ?? coldLoop)(round);
}
