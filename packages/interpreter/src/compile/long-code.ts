// Long code. The meter counts one operation for each call and each iteration of a loop, and none
// for the rest of the code. If that code is long, it takes much longer than one operation. So each
// time that it starts, the meter checks the clock sooner.

import type { Node } from "acorn";
import type { Meter } from "../limits.ts";

// The host runs about this many characters of code in the time of one operation.
const charactersPerOperation = 8;
const shortLength = 512;

/** Makes a closure of some code check the clock sooner if the code is long. */
export function timed<Args extends readonly unknown[], Result>(
  meter: Meter,
  node: Node,
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const operations = operationsOfLength(node);
  if (operations === 0) return run;
  return (...args) => {
    meter.checkClockSooner(operations);
    return run(...args);
  };
}

/**
 * Makes the generators of some code check the clock sooner each time that they are resumed, if the
 * code is long.
 */
export function timedSteps<Args extends readonly unknown[], Result>(
  meter: Meter,
  node: Node,
  start: (...args: Args) => Generator<unknown, Result, unknown>,
): (...args: Args) => Generator<unknown, Result, unknown> {
  const operations = operationsOfLength(node);
  if (operations === 0) return start;
  return (...args) => runTimed(meter, operations, start(...args));
}

function* runTimed<Result>(
  meter: Meter,
  operations: number,
  steps: Generator<unknown, Result, unknown>,
): Generator<unknown, Result, unknown> {
  let resume = () => steps.next();
  for (;;) {
    meter.checkClockSooner(operations);
    const result = resume();
    if (result.done) return result.value;
    try {
      const value = yield result.value;
      resume = () => steps.next(value);
    } catch (caught) {
      resume = () => steps.throw(caught);
    }
  }
}

/** Returns the estimated time of code in operations, or 0 if the code is short. */
export function operationsOfLength({ start, end }: Node): number {
  return end - start < shortLength ? 0 : Math.ceil((end - start) / charactersPerOperation);
}
