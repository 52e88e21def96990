// Hot spots: the function bodies and loops that a program spends its time in.
//
// The host's engine collects what it learns about a closure at the place in our source that creates
// the closure. Here one place serves all programs, so the engine learns that anything may follow. A
// closure that is the only one from its place is compiled together with everything it has captured:
// the engine knows the closures below it, and those below them, whatever else their places created.
// So a hot body or loop gets a closure from a place that was never used before
// (generated/fresh-closures.gen.ts has many). When they are used up, the process continues without.
//
// Samples find hot code: the operation that ends a chunk of the meter represents the whole chunk.
// Only speed depends on it.

import type { Completion } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { freshBodies, freshLoops } from "./generated/fresh-closures.gen.ts";

/**
 * Runs on a frame, perhaps with a value: a function's body, or that of a loop that goes over
 * values.
 */
export type Body<Result = unknown> = (frame: Frame, value?: unknown) => Result;

/** A round of a loop: gives undefined, or why the loop does not go on. */
export type Round = (frame: Frame) => Completion | typeof becameHot | undefined;

/** Why a loop stops that is to be continued by a closure of its own. */
export const becameHot: unique symbol = /* @__PURE__ */ Symbol("became hot");

/** How much has run at one place of a program. */
export class Heat {
  #operations = 0;

  /** Adds operations of which the last ran here. True when the place became hot by them: once. */
  rises(operations: number): boolean {
    if (this.#operations >= hotOperations) return false;
    this.#operations += operations;
    return this.#operations >= hotOperations;
  }
}

// Rare enough that a process does not spend its closures on what takes a millisecond, and soon
// enough that a block of an agent profits.
const hotOperations = 20_000;

// One count for the process, because the copies are: those that are used up only make other code
// slower.
let usedBodies = 0;
let usedLoops = 0;

/** A hot body in a closure of its own. */
export function freshBody<Result>(run: Body<Result>): Body<Result> {
  const make = freshBodies[usedBodies++];
  return make ? (make(run) as Body<Result>) : run; // both return the same result
}

/** A loop that is not hot yet. */
export function coldLoop(round: Round): Round {
  return (frame) => {
    for (;;) {
      const end = round(frame);
      if (end !== undefined) return end;
    }
  };
}

/** A hot loop in a closure of its own. */
export function freshLoop(round: Round): Round {
  return (freshLoops[usedLoops++] ?? coldLoop)(round);
}
