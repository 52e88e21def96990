// What runs only under a condition.

import type { Frame } from "../frame.ts";
import type { Evaluate, Execute } from "./context.ts";

/** `test ? consequent : alternate`, also as `if` and `else`. */
export function conditional<Result>(
  test: Evaluate,
  consequent: (frame: Frame) => Result,
  alternate: (frame: Frame) => Result,
): (frame: Frame) => Result {
  return (frame) => (test(frame) ? consequent(frame) : alternate(frame));
}

/** `if` without `else`. */
export function ifThen(test: Evaluate, consequent: Execute): Execute {
  return (frame) => (test(frame) ? consequent(frame) : undefined);
}

/** `left && right`. */
export function and(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const value = left(frame);
    return value ? right(frame) : value;
  };
}

/** `left || right`. */
export function or(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const value = left(frame);
    return value ? value : right(frame);
  };
}

/** `!value`. */
export function not(value: Evaluate): Evaluate {
  return (frame) => !value(frame);
}
